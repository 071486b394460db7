// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_hands.h"

#include "strike_trial.h"

#include <stdio.h>

// Both fists at 1.2 m/s, in a posture where only the right one aims.
static void open_hands(strike_trial *t)
{
    trial_open(t);
    rig_add_hand(&t->rig);
    t->rig.task->hits[1] = t->rig.task->hits[0];
    trial_evaluate(t);
    atemi_update_kinematics(t->rig.rest, t->result.at.q, t->result.at.v, NULL);
}

static atemi_vec3 place_of(const strike_trial *t, int hand)
{
    return atemi_striking_point_place(t->rig.rest, &t->rig.task->point, hand);
}

TEST(strike_hands, go_along_the_direction_and_do_not_turn)
{
    strike_trial       t;
    const atemi_motion forwards = {.linear = {1.2, 0.0, 0.0}};
    open_hands(&t);
    CHECK_NEAR(largest_motion_difference(rig_hand(&t.rig, 0), forwards), 0.0, 1e-9);
    CHECK_NEAR(largest_motion_difference(rig_hand(&t.rig, 1), forwards), 0.0, 1e-9);
    trial_close(&t);
}

TEST(strike_hands, leave_the_momenta_as_decided)
{
    strike_trial t;
    open_hands(&t);
    const atemi_force momentum = rig_momentum(&t.rig);
    CHECK_NEAR(momentum.linear.z, t.x[AT_SPEED + 1], 1e-9);
    CHECK_NEAR(momentum.angular.x, t.x[AT_SPEED + 2], 1e-9);
    CHECK_NEAR(momentum.angular.y, t.x[AT_SPEED + 3], 1e-9);
    trial_close(&t);
}

TEST(strike_hands, are_constrained_each_under_its_name)
{
    static const char *const names[] = {"right_hand", "left_hand"};
    strike_trial             t;
    open_hands(&t);
    for (int k = 0; k < 2; ++k) {
        const int             link = atemi_striking_point_hand(&t.rig.task->point, k).link;
        const atemi_transform pose = atemi_link_pose(t.rig.rest, link);
        const atemi_vec3      axis = atemi_mat3_apply(&pose.rotation, t.rig.task->axes[k]);
        char                  name[ATEMI_STRIKE_NAME];
        snprintf(name, sizeof name, "place of %s, z", names[k]);
        CHECK_NEAR(trial_constraint(&t, name), place_of(&t, k).z, 1e-9);
        snprintf(name, sizeof name, "aim of %s", names[k]);
        CHECK_NEAR(trial_constraint(&t, name), axis.x, 1e-9);
        snprintf(name, sizeof name, "speed of %s across, y", names[k]);
        CHECK_NEAR(trial_constraint(&t, name), 0.0, 1e-9);
        snprintf(name, sizeof name, "angular velocity of %s about z", names[k]);
        CHECK_NEAR(trial_constraint(&t, name), 0.0, 1e-9);
    }
    trial_close(&t);
}

TEST(strike_hands, touch_at_the_same_time_where_neither_leads)
{
    strike_trial t;
    open_hands(&t);
    CHECK_NEAR(trial_constraint(&t, "lead of left_hand"), place_of(&t, 1).x - place_of(&t, 0).x,
               1e-9);
    CHECK(strike_problem_violation(&t.problem, &t.result) > 1.0); // the left one is far behind
    trial_close(&t);
}
