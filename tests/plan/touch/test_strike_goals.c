// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_goals.h"

#include "strike_rig.h"

TEST(strike_goals, are_the_velocities_and_momenta_that_are_decided)
{
    strike_rig         rig;
    double             x[VARIABLES];
    atemi_strike_plan *plan = rig_evaluate_start(&rig, x);
    const atemi_force  momentum = rig_momentum(&rig);
    const double       mass = atemi_model_mass(rig.task->model);
    const double      *motion = x + AT_SPEED;
    const atemi_motion hand = {.linear = {motion[0], 0.0, 0.0}}, still = {0};
    CHECK_NEAR(largest_motion_difference(rig_hand(&rig, 0), hand), 0.0, 1e-9);
    CHECK_NEAR(momentum.linear.z, motion[1], 1e-9);
    CHECK_NEAR(momentum.angular.x, motion[2], 1e-9);
    CHECK_NEAR(momentum.angular.y, motion[3], 1e-9);
    CHECK_NEAR(momentum.linear.x / mass, motion[4], 1e-11);
    CHECK_NEAR(momentum.linear.y / mass, motion[5], 1e-11);
    for (int i = 0; i < 2; ++i) {
        const int link = atemi_model_site(rig.task->model, rig.task->feet[i])->link;
        CHECK_NEAR(largest_motion_difference(atemi_link_velocity(rig.rest, link), still), 0.0,
                   1e-9);
    }
    rig_end(&rig, plan);
}
