// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/projection.h"

#include "brick_rig.h"
#include "check.h"

// A brick that stands and has drifted by some um is brought back to where it stood, and stops. The
// impulse that stops it, m u, is booked with its work, -m u^2 / 2.
TEST(projection, brings_back_what_has_drifted_and_books_the_impulse)
{
    trial        t;
    const double none[6] = {0}, drift = 1e-6, u = 1e-3;
    brick_begin(&t, 0.5, 0.0, none);
    atemi_simulation *s = t.simulation;
    s->state.q[0] += drift;
    s->state.q[2] += 2.0 * drift;
    s->state.v[1] = u;
    atemi_observe(&s->step.evaluation, &s->set, s->state.q, s->state.v);
    CHECK(atemi_project(&s->step.evaluation, &s->set, &s->state, &s->ledger));
    CHECK_NEAR(s->state.q[0], 0.0, 1e-12);
    CHECK_NEAR(s->state.q[2], brick_height, 1e-12);
    CHECK_NEAR(s->state.v[1], 0.0, 1e-15);
    const atemi_simulation_ledger booked = atemi_ledger_sums(&s->ledger);
    CHECK_NEAR(booked.impulse.y, -brick_mass * u, 1e-12 * brick_mass * u);
    CHECK_NEAR(booked.collision_work, -0.5 * brick_mass * u * u, 1e-12 * brick_mass * u * u);
    // What is where it should be is left alone, to the bit.
    CHECK(!atemi_project(&s->step.evaluation, &s->set, &s->state, &s->ledger));
    trial_end(&t);
}

// Without friction only what is along the normal is held: the rest stays, to the bit.
TEST(projection, leaves_what_slips_along_its_surface)
{
    trial        t;
    const double v[6] = {0.2, 0, 0, 0, 0, 0};
    brick_begin(&t, 0.0, 0.0, v);
    atemi_simulation *s = t.simulation;
    s->state.q[0] += 1e-3;
    atemi_observe(&s->step.evaluation, &s->set, s->state.q, s->state.v);
    CHECK(!atemi_project_positions(&s->step.evaluation, &s->set, &s->state));
    CHECK_NEAR(s->state.q[0], 1e-3, 0.0);
    CHECK_NEAR(s->state.v[0], 0.2, 0.0);
    trial_end(&t);
}
