// SPDX-License-Identifier: Apache-2.0

#include "papers/r2/linear_leg.h"

#include "atemi/robots.h"
#include "check.h"

#include <math.h>

enum { SAMPLES = 100 };

// y'' + 2 zeta omega y' + omega^2 y = omega^2 from rest, zeta > 1.
static double second_order(double omega, double zeta, double t)
{
    const double s = omega * sqrt(zeta * zeta - 1.0);
    return 1.0 - exp(-zeta * omega * t) * (cosh(s * t) + zeta * omega / s * sinh(s * t));
}

static linear_leg_task task_of(const atemi_model *model, int leg, double other)
{
    return (linear_leg_task){
        .model = model,
        .q = atemi_model_posture(model, atemi_model_find_posture(model, "ready")),
        .held = atemi_model_find_link(model, "left_foot"),
        .free = atemi_model_find_link(model, "right_gripper"),
        .leg = leg,
        .frequency = 4.0,
        .other = other,
        .ratio = 1.2,
        .period = 0.02,
        .samples = SAMPLES};
}

// All other joints as good as rigid, 1e4 rad/s: the one that steps is the system of eq. 1 and 2.
// Steps of 1 ms are off by (omega h)^2, 2e-5.
TEST(linear_leg, of_one_joint_that_moves_is_the_second_order_system)
{
    atemi_model *model;
    double       response[SAMPLES];
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &model, NULL), ATEMI_OK);
    const linear_leg_task task = task_of(model, 1, 1e4);
    CHECK_STATUS(linear_leg_step(&task, response, NULL), ATEMI_OK);
    for (int k = 0; k < SAMPLES; ++k) {
        CHECK_NEAR(response[k], second_order(4.0, 1.2, 0.02 * k), 1e-4);
    }
    atemi_model_destroy(model);
}

// Seven joints that move the whole robot feel each other, and all end where they shall: after 20 s,
// in which a pole of half the system's slower one, 1.07 1/s, leaves 1e-9.
TEST(linear_leg, of_seven_joints_is_another_one_with_the_same_end)
{
    atemi_model *model;
    double       responses[7 * SAMPLES], apart = 0.0;
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &model, NULL), ATEMI_OK);
    linear_leg_task task = task_of(model, 7, 20.0);
    task.period = 0.2;
    CHECK_STATUS(linear_leg_step(&task, responses, NULL), ATEMI_OK);
    for (int i = 0; i < 7; ++i) {
        for (int k = 0; k < SAMPLES; ++k) {
            const double off = responses[i * SAMPLES + k] - second_order(4.0, 1.2, 0.2 * k);
            apart = fmax(apart, fabs(off));
        }
        CHECK_NEAR(responses[i * SAMPLES + SAMPLES - 1], 1.0, 1e-6);
    }
    CHECK(apart > 1e-3);
    atemi_model_destroy(model);
}
