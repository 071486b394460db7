// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/runge_kutta.h"

#include "brick_rig.h"
#include "check.h"

#include <math.h>

// A wheel on a heavy cart, driven by a spring: an oscillation cos(w t).

static const cart   wheel = {.cart_mass = 1e12, .bob_inertia = 1.0};
static const double w = 10.0;

static void spring(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)context;
    (void)time;
    (void)v;
    tau[1] = -w * w * q[1];
}

// The error of one step of h.
static double error_of(double h)
{
    trial               t;
    const trial_setting setting = {
        .model = cart_model(&wheel, true), .step = 1e-3, .hooks = {.torque = spring}};
    const double q[2] = {0.0, 1.0}, v[2] = {0};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    atemi_simulation *s = t.simulation;
    s->step.limit = 1.0;
    atemi_state_copy(s->model, &s->state, &s->step.start);
    CHECK_STATUS(atemi_runge_kutta_step(&s->step, &s->set, &s->state, h), ATEMI_OK);
    CHECK_NEAR(s->state.time, h, 0.0);
    const double off = hypot(s->state.q[1] - cos(w * h), s->state.v[1] / w + sin(w * h));
    // Back, and the same step again: the same bits.
    const double reached = s->state.q[1];
    atemi_step_restart(&s->step, &s->set, &s->state);
    CHECK_NEAR(s->state.q[1], 1.0, 0.0);
    CHECK_NEAR(s->state.time, 0.0, 0.0);
    CHECK_STATUS(atemi_runge_kutta_step(&s->step, &s->set, &s->state, h), ATEMI_OK);
    CHECK_NEAR(s->state.q[1], reached, 0.0);
    trial_end(&t);
    return off;
}

// One step is off by (w h)^5 / 120: with half the step, by a 32nd. The next term is smaller by w h.
TEST(runge_kutta, step_is_of_fourth_order)
{
    const double coarse = error_of(0.02), fine = error_of(0.01);
    CHECK_NEAR(coarse / pow(w * 0.02, 5.0), 1.0 / 120.0, 0.05 / 120.0);
    CHECK_NEAR(coarse / fine, 32.0, 0.05 * 32.0);
}
