// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/extrapolation.h"

#include "bodies.h"
#include "check.h"
#include "simulate/simulation.h"
#include "trial.h"

#include <math.h>

// An arm with damping that is weak enough for the Runge-Kutta method, whose answer of short steps
// is the exact one. Extrapolation is of fourth order: half the step leaves a sixteenth of the
// error.

static const atemi_limits free_limits = {-INFINITY, INFINITY, INFINITY, INFINITY};

static const hinge arm = {.mass = 1.0,
                          .arm = 0.5,
                          .inertia = 0.01,
                          .gravity = 9.81,
                          .damping = 0.8,
                          .limits = {-INFINITY, INFINITY, INFINITY, INFINITY}};

static void begin(trial *t, double damping)
{
    hinge h = arm;
    h.damping = damping;
    h.limits = free_limits;
    const trial_setting setting = {.model = hinge_model(&h), .step = 1e-4, .joint_friction = true};
    const double        q = 1.0, v = 0.5;
    trial_begin(t, &setting);
    trial_start(t, &q, &v);
}

// The angle after `count` steps of h.
static double end_of(double damping, double h, int count)
{
    trial t;
    begin(&t, damping);
    atemi_simulation *s = t.simulation;
    s->step.limit = (double)INFINITY;
    for (int i = 0; i < count; ++i) {
        atemi_state_copy(s->model, &s->state, &s->step.start);
        CHECK_STATUS(atemi_extrapolation_step(&s->step, &s->set, &s->state, h), ATEMI_OK);
    }
    const double q = s->state.q[0];
    trial_end(&t);
    return q;
}

TEST(extrapolation, is_of_fourth_order)
{
    trial t;
    begin(&t, 0.8);
    trial_run(&t, 0.8);
    const double exact = *atemi_simulation_q(t.simulation);
    double       before = 0.0;
    trial_end(&t);
    for (int i = 0; i < 4; ++i) {
        const double error = fabs(end_of(0.8, ldexp(0.04, -i), 20 << i) - exact);
        CHECK(i == 0 || before / error > 13.0);
        CHECK(i == 0 || before / error < 20.0);
        before = error;
    }
    CHECK(before < 1e-8);
}

// Ten thousand times as fast as the step: the arm sinks as slowly as damping lets it, with
// D v = -m g l sin q, that is  tan(q / 2) = tan(q_0 / 2) exp(-m g l t / D).
TEST(extrapolation, follows_the_slow_motion_of_strong_damping)
{
    const double damping = 26.0 * 1e4, sinks = 0.5 * 9.81 / damping;
    // v_0 = 0.5 rad/s stops at once, after v_0 I / D.
    const double start = 1.0 + 0.5 * 0.26 / damping;
    const double exact = 2.0 * atan(tan(0.5 * start) * exp(-sinks * 1.0));
    CHECK_NEAR(end_of(damping, 1e-3, 1000), exact, 1e-7);
}

// As the simulation does it, by itself, with its own short steps at the start.
TEST(extrapolation, is_what_simulation_takes_where_damping_is_strong)
{
    trial t;
    begin(&t, 26.0 * 1e4);
    trial_run(&t, 1.0);
    const double damping = 26.0 * 1e4, start = 1.0 + 0.5 * 0.26 / damping;
    const double exact = 2.0 * atan(tan(0.5 * start) * exp(-0.5 * 9.81 / damping));
    CHECK_NEAR(*atemi_simulation_q(t.simulation), exact, 1e-10);
    // 1e4 steps of 0.1 ms, ten evaluations each, and the first ones: 1e10 by Runge-Kutta.
    CHECK(atemi_simulation_statistics_get(t.simulation).evaluations < 130000);
    trial_end(&t);
}
