// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/advance.h"

#include "brick_rig.h"
#include "check.h"

#include <math.h>

// A brick that comes down with u and is pulled up with the acceleration a would turn back after
// u / a, u^2 / (2 a) lower, and be above the floor again at the end of a step that is longer.
static void dip(double gap, atemi_integrator integrator)
{
    trial                        t;
    const double                 u = 1.0, a = 100.0, lower = u * u / (2.0 * a);
    atemi_vec3                   pull = {0.0, 0.0, brick_mass * (a + 9.81)};
    const atemi_simulation_point point = {.link = 0};
    const trial_setting          setting = {.model = brick_model(),
                                            .surface = atemi_surface_floor(),
                                            .points = &point,
                                            .count = 1,
                                            .step = 0.05,
                                            .integrator = integrator,
                                            .hooks = {.external_forces = brick_give_pull, .context = &pull}};
    const double                 q[7] = {0, 0, gap, 0, 0, 0, 1}, v[6] = {0, 0, -u};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, 0.1);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_TOUCHDOWN), gap < lower);
    if (gap < lower) {
        CHECK_NEAR(trial_event(&t, ATEMI_EVENT_TOUCHDOWN, 0)->time,
                   (u - sqrt(u * u - 2.0 * a * gap)) / a, 1e-10);
    }
    trial_end(&t);
}

TEST(advance, finds_what_touches_and_leaves_within_a_step)
{
    static const double gaps[] = {0.001, 0.004, 0.00499, 0.00501};
    for (int i = 0; i < 8; ++i) {
        dip(gaps[i / 2], i % 2 ? ATEMI_INTEGRATOR_ADAPTIVE : ATEMI_INTEGRATOR_RK4);
    }
}
