// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_first_touch.h"

#include "strike_trial.h"

#include <math.h>

static void open_at_first_touch(strike_trial *t)
{
    trial_open(t);
    trial_evaluate(t);
    atemi_update_kinematics(t->rig.rest, t->result.at.q, t->result.at.v, NULL);
}

TEST(strike_first_touch, limits_the_momentum_of_the_robot)
{
    strike_trial t;
    open_at_first_touch(&t);
    const atemi_force momentum = rig_momentum(&t.rig);
    CHECK_NEAR(trial_constraint(&t, "P_x"), momentum.linear.x, 1e-9);
    CHECK_NEAR(trial_constraint(&t, "P_y"), momentum.linear.y, 1e-9);
    CHECK_NEAR(trial_constraint(&t, "L_z"), momentum.angular.z, 1e-9);
    trial_close(&t);
}

TEST(strike_first_touch, limits_positions_of_legs_and_speeds_of_all_joints)
{
    strike_trial t;
    open_at_first_touch(&t);
    const atemi_model *model = t.rig.task->model;
    const atemi_joint *knee = atemi_model_joint(model, atemi_model_find_joint(model, "left_knee"));
    const atemi_joint *chest =
        atemi_model_joint(model, atemi_model_find_joint(model, "chest_pitch"));
    CHECK_NEAR(trial_constraint(&t, "range of left_knee"), t.result.at.q[knee->first_q], 0.0);
    CHECK_NEAR(trial_constraint(&t, "speed of left_knee"), t.result.at.v[knee->first_v], 0.0);
    CHECK_NEAR(trial_constraint(&t, "speed of chest_pitch"), t.result.at.v[chest->first_v], 0.0);
    trial_close(&t);
}

// The posture can be reached, and its feet stand.
TEST(strike_first_touch, has_feet_that_stand_where_they_are_decided)
{
    strike_trial t;
    open_at_first_touch(&t);
    const atemi_vec3 there = {t.x[AT_STANCE], t.x[AT_STANCE + 1], 0.0};
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(rig_foot(&t.rig, 1).position, there)),
               trial_constraint(&t, "place of left_sole"), 1e-10);
    CHECK_NEAR(trial_constraint(&t, "rotation of left_sole"), 0.0, 1e-10);
    CHECK_NEAR(trial_constraint(&t, "speed of left_sole"), 0.0, 1e-9);
    trial_close(&t);
}

TEST(strike_first_touch, lets_the_hand_rest_no_later_than_the_body)
{
    const char  *name = "time of the body minus time of the hand before";
    strike_trial t;
    trial_open(&t);
    t.rig.task->body_rise = (atemi_strike_range){0.7, 0.1, 0.7};
    t.rig.task->hand_rise = (atemi_strike_range){0.2, 0.1, 0.3};
    trial_create(&t, &strike_fine_grid);
    double x[VARIABLES + 2];
    memcpy(x, t.x, sizeof t.x);
    x[VARIABLES] = 0.25;    // of the hand
    x[VARIABLES + 1] = 0.2; // of the body
    strike_problem_evaluate(&t.problem, x, &t.work, &t.result);
    CHECK_NEAR(trial_constraint(&t, name), -0.05, 1e-12);
    trial_close(&t);
}
