// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_variables.h"

#include "strike_rig.h"

#include <math.h>

typedef struct trial {
    strike_rig       rig;
    strike_variables variables;
    double           x[ATEMI_STRIKE_MAX_VARIABLES];
} trial;

static void begin(trial *t)
{
    rig_open(&t->rig);
    strike_variables_fill(&t->variables, t->rig.task);
    rig_posture(1.2, t->x);
}

TEST(strike_variables, are_the_ranges_that_are_open_in_their_order)
{
    trial t;
    begin(&t);
    CHECK_EQUAL_INT(t.variables.count, VARIABLES);
    CHECK_EQUAL_INT(t.variables.list[AT_FOOT + 4].about.kind, ATEMI_DECIDE_FOOT_ROTATION);
    CHECK_EQUAL_INT(t.variables.list[AT_FOOT + 4].about.axis, 1);
    CHECK_EQUAL_INT(t.variables.list[AT_STANCE].about.kind, ATEMI_DECIDE_FOOT_POSITION);
    CHECK_EQUAL_INT(t.variables.list[AT_STANCE].about.index, 1);
    CHECK_EQUAL_INT(t.variables.list[AT_JOINTS + 2].about.index, t.rig.task->joints[2]);
    CHECK_EQUAL_INT(t.variables.list[AT_SPEED].about.kind, ATEMI_DECIDE_HAND_SPEED);
    for (int i = 0; i < VARIABLES; ++i) {
        CHECK_EQUAL_INT(t.variables.list[i].is_motion, i >= AT_SPEED);
    }
    rig_close(&t.rig);
}

TEST(strike_variables, have_half_of_their_range_as_their_scale)
{
    trial t;
    begin(&t);
    CHECK_NEAR(t.variables.list[0].scale, 0.15, 1e-15);     // foot_x: [0, -0.15, 0.15]
    CHECK_NEAR(t.variables.list[AT_SPEED].scale, 1.0, 0.0); // without upper bound
    rig_close(&t.rig);
}

TEST(strike_variables, give_values_of_all_ranges)
{
    trial t;
    begin(&t);
    const strike_values values = strike_variables_at(&t.variables, t.x);
    CHECK_NEAR(values.foot_position[2], t.x[2], 0.0);
    CHECK_NEAR(values.stance[0][1], t.x[AT_STANCE + 1], 0.0);
    CHECK_NEAR(values.joints[7], t.x[AT_JOINTS + 7], 0.0);
    CHECK_NEAR(values.speed, 1.2, 0.0);
    CHECK_NEAR(values.body_fall, 0.7, 0.0); // which is not decided
    rig_close(&t.rig);
}

TEST(strike_variables, know_which_values_change_the_posture)
{
    trial t;
    begin(&t);
    const strike_values values = strike_variables_at(&t.variables, t.x);
    for (int i = 0; i < VARIABLES; ++i) {
        t.x[i] += 1e-9;
        const strike_values other = strike_variables_at(&t.variables, t.x);
        t.x[i] -= 1e-9;
        CHECK_EQUAL_INT(strike_values_same_posture(&values, &other), i >= AT_SPEED);
    }
    rig_close(&t.rig);
}
