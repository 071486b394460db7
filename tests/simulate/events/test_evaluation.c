// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/evaluation.h"

#include "brick_rig.h"
#include "check.h"

static const double g = 9.81;

// A brick that slides with u is slowed down by mu g; friction, which acts below its centre, presses
// the front more than the back: by the moment mu m g h over the length, each of two corners.
TEST(evaluation, of_a_sliding_brick_has_coulombs_deceleration_and_presses_the_front)
{
    trial        t;
    const double mu = 0.4, u = 1.0, v[6] = {u, 0, 0, 0, 0, 0};
    brick_begin(&t, mu, 0.0, v);
    atemi_simulation *s = t.simulation;
    CHECK_STATUS(atemi_evaluate_state(&s->step.evaluation, &s->set, &s->state), ATEMI_OK);
    const double more = mu * brick_mass * g * brick_height / brick_size.x / 2.0;
    CHECK_NEAR(s->state.a[0], -mu * g, 1e-12);
    for (int i = 0; i < 4; ++i) {
        const double front = box_corner(brick_size, i).x > 0.0 ? 1.0 : -1.0;
        CHECK_NEAR(s->set.forces[i].z, brick_mass * g / 4.0 + front * more, 1e-11);
        CHECK_NEAR(s->set.forces[i].x, -mu * s->set.forces[i].z, 1e-11);
    }
    trial_end(&t);
}

// With its points open, it falls: modes are not changed by an evaluation, whatever they mean.
TEST(evaluation, takes_the_modes_as_they_are)
{
    trial        t;
    const double v[6] = {0};
    brick_begin(&t, 0.5, 0.0, v);
    atemi_simulation *s = t.simulation;
    CHECK_NEAR(s->state.a[2], 0.0, 1e-12);
    for (int i = 0; i < 4; ++i) {
        atemi_point_open(&s->set, i);
    }
    const long before = s->step.evaluation.count;
    CHECK_STATUS(atemi_evaluate_state(&s->step.evaluation, &s->set, &s->state), ATEMI_OK);
    CHECK_NEAR(s->state.a[2], -g, 1e-12);
    CHECK_EQUAL_INT(s->set.modes[0], ATEMI_CONTACT_OPEN);
    CHECK_EQUAL_INT(s->step.evaluation.count, before + 1);
    // It accelerates into the floor that it touches.
    atemi_evaluation_accelerate(&s->step.evaluation, s->state.a);
    CHECK(!atemi_evaluation_agrees(&s->step.evaluation, &s->set, s->state.a));
    trial_end(&t);
}
