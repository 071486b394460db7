// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/moreau_step.h"

#include "brick_rig.h"
#include "check.h"

#include <math.h>

static const double g = 9.81;

static bool moreau_step(trial *t, double h)
{
    atemi_simulation *s = t->simulation;
    s->step.limit = 1.0;
    return atemi_moreau_step(&s->step, &s->touchdown, &s->set, &s->state, &s->ledger, h);
}

// A brick that stands falls by g h^2 / 2 in the flight, and is lifted out again; the collision's
// impulse is its weight over h. One that slides with u loses mu g h.
TEST(moreau_step, of_a_sliding_brick_is_coulombs)
{
    trial        t;
    const double h = 1e-4, mu = 0.4, u = 0.5, v[6] = {u, 0, 0, 0, 0, 0};
    brick_begin(&t, mu, 0.0, v);
    const atemi_simulation *s = t.simulation;
    CHECK(moreau_step(&t, h));
    CHECK_NEAR(s->state.time, h, 0.0);
    CHECK_NEAR(s->state.v[0], u - mu * g * h, 1e-12);
    CHECK_NEAR(s->state.q[2], brick_height, 1e-12);
    double weight = 0.0;
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(s->set.modes[i], ATEMI_CONTACT_SLIP);
        weight += s->set.distribution[i].z;
    }
    CHECK_NEAR(weight, brick_mass * g, 1e-9);
    trial_end(&t);
}

// What would stop within the step stops, and no energy comes with that.
TEST(moreau_step, stops_what_is_slow_and_gains_no_energy)
{
    trial        t;
    const double h = 1e-4, mu = 0.4, v[6] = {0.5 * mu * g * h, 0, 0, 0, 0, 0};
    brick_begin(&t, mu, 0.0, v);
    const double before = trial_energy(&t);
    CHECK(moreau_step(&t, h));
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(t.simulation->set.modes[i], ATEMI_CONTACT_STICK);
    }
    CHECK_NEAR(t.simulation->state.v[0], 0.0, 1e-12);
    CHECK(trial_energy(&t) <= before + 1e-15);
    trial_end(&t);
}

// A brick in the air that would fall through the floor within the step is left where it was, to the
// bit: it collides with nothing that it touches.
TEST(moreau_step, is_not_taken_if_a_point_would_get_inside)
{
    trial        t;
    const double v[6] = {0, 0, -1.0, 0, 0, 0};
    brick_begin(&t, 0.4, 1e-5, v);
    CHECK(!moreau_step(&t, 1e-4));
    CHECK_NEAR(t.simulation->state.time, 0.0, 0.0);
    CHECK_NEAR(t.simulation->state.q[2], brick_height + 1e-5, 0.0);
    CHECK_NEAR(t.simulation->state.v[2], -1.0, 0.0);
    trial_end(&t);
}

// It says when that point was there: it fell by 1 m/s t + g t^2 / 2.
TEST(moreau_step, that_is_not_taken_says_when_the_first_point_touched)
{
    trial        t;
    const double v[6] = {0, 0, -1.0, 0, 0, 0}, gap = 1e-5;
    brick_begin(&t, 0.4, gap, v);
    CHECK(!moreau_step(&t, 1e-4));
    CHECK_NEAR(t.simulation->step.touch, (sqrt(1.0 + 2.0 * g * gap) - 1.0) / g, 1e-14);
    trial_end(&t);
}

// One that rose first came back: 1 mm/s up, and inside after 2 u / g.
TEST(moreau_step, that_is_not_taken_knows_a_point_that_came_back)
{
    trial        t;
    const double u = 1e-3, v[6] = {0, 0, u, 0, 0, 0};
    brick_begin(&t, 0.4, 0.0, v);
    CHECK(!moreau_step(&t, 1e-3));
    CHECK_NEAR(t.simulation->step.touch, 2.0 * u / g, 1e-12);
    trial_end(&t);
}
