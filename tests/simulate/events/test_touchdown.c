// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/touchdown.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// A body that is pressed onto the floor with the acceleration a comes back 2 u / a after it has
// left with u. Elastic, it never ends: at 2 mm/s and 2000 m/s^2 it is back after 2 us, from 1 nm.

static const double a = 2000.0, u = 2e-3;

static void press(void *context, double time, atemi_force *forces)
{
    (void)context;
    (void)time;
    forces[0].linear.z = -brick_mass * (a - 9.81);
}

static void begin(trial *t, double step)
{
    const atemi_simulation_point ball = {.restitution = 1.0};
    const trial_setting          setting = {.model = brick_model(),
                                            .surface = atemi_surface_floor(),
                                            .points = &ball,
                                            .count = 1,
                                            .step = step,
                                            .hooks = {.external_forces = press}};
    const double                 q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0, 0, -u};
    trial_begin(t, &setting);
    trial_start(t, q, v);
}

// (Version 0.1 took 210 s for a second of an elastic Atlas that its servos press onto a corner of a
// foot.)
TEST(touchdown, of_a_point_that_is_back_at_once_ends_at_rest)
{
    trial t;
    begin(&t, 1e-3);
    trial_run(&t, 0.1);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_TOUCHDOWN), 2);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_REST), 1);
    // What has just left counts when it is 1e-11 m inside.
    CHECK_NEAR(trial_event(&t, ATEMI_EVENT_REST, 0)->time, 2.0 * u / a, 1.01e-11 / u);
    CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z, brick_mass * a, 1e-6);
    trial_end(&t);
}

// Who takes steps as short as that wants to see it.
TEST(touchdown, of_a_point_that_is_back_at_once_is_a_bounce_in_short_steps)
{
    trial t;
    begin(&t, 1e-6);
    trial_run(&t, 100.5 * 2.0 * u / a);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_TOUCHDOWN), 101);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_REST), 0);
    trial_end(&t);
}
