// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_violation.h"

#include "strike_trial.h"

#include <math.h>

typedef struct violation_trial {
    strike_trial         trial;
    atemi_strike_options options;
    strike_scaled        scaled;
    strike_violation     violation;
    double               u[ATEMI_STRIKE_MAX_VARIABLES];
} violation_trial;

// At one posture with only the speed to decide, and a target that the hand is not at.
static void begin(violation_trial *t, double fastest, double height)
{
    *t = (violation_trial){.options = atemi_strike_options_default()};
    trial_open(&t->trial);
    rig_fix_posture(&t->trial.rig, fastest);
    t->trial.rig.task->hits[0].place[2] = height;
    trial_create(&t->trial, &strike_fine_grid);
    CHECK_STATUS(
        strike_scaled_create(&t->trial.problem, &t->trial.meter, &t->options, &t->scaled, NULL),
        ATEMI_OK);
    CHECK_STATUS(strike_violation_create(&t->scaled, &t->violation, NULL), ATEMI_OK);
}

static void end(violation_trial *t)
{
    strike_violation_destroy(&t->violation);
    strike_scaled_destroy(&t->scaled);
    trial_close(&t->trial);
}

// Nothing else is given up for a target out of reach.
TEST(strike_violation, is_least_where_only_that_is_violated_which_nothing_can_change)
{
    violation_trial t;
    begin(&t, INFINITY, 3.0);
    strike_violation_minimize(&t.violation, t.u);
    for (int r = 1; r <= t.scaled.rows; ++r) {
        bool      is_upper;
        const int index = strike_scaled_constraint(&t.scaled, r, &is_upper);
        const atemi_strike_constraint_kind kind =
            t.trial.problem.constraints.list[index].about.kind;
        CHECK(t.scaled.base[r] < 0.02 || kind == ATEMI_CONSTRAIN_HAND_PLACE);
    }
    end(&t);
}

// All rows of a family together weigh as much as the one row of another family.
TEST(strike_violation, weighs_families_alike)
{
    violation_trial t;
    double          zmp = 0.0;
    begin(&t, 0.5, 0.7);
    strike_violation_minimize(&t.violation, t.u);
    for (int r = 1; r <= t.scaled.rows; ++r) {
        bool      is_upper;
        const int index = strike_scaled_constraint(&t.scaled, r, &is_upper);
        const atemi_strike_constraint_kind kind =
            t.trial.problem.constraints.list[index].about.kind;
        zmp += kind == ATEMI_CONSTRAIN_BLOW_ZMP ? t.violation.weights[r] : 0.0;
    }
    CHECK_NEAR(zmp, 1.0, 1e-12);
    end(&t);
}

TEST(strike_violation, of_a_range_is_how_far_a_variable_is_out_of_it)
{
    violation_trial t;
    begin(&t, 0.5, 0.7);
    const double scale = t.trial.problem.variables.list[0].scale;
    t.u[0] = 0.8 / scale;
    CHECK_NEAR(strike_violation_of_range(&t.violation, t.u, 0), 0.3 / scale, 1e-12);
    t.u[0] = 0.4 / scale;
    CHECK_NEAR(strike_violation_of_range(&t.violation, t.u, 0), -0.1 / scale, 1e-12);
    end(&t);
}
