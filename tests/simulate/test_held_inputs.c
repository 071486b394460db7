// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"
#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// A mass on a rail, without gravity: m x'' = tau + f + K (r - x) + D (r' - x').

static const double mass = 2.0;

typedef struct rig {
    trial             t;
    atemi_arena       arena;
    atemi_held_inputs held;
} rig;

static void begin(rig *r, atemi_simulation_method method, double step)
{
    const hinge slider = {.slides = true, .mass = mass};
    atemi_error error;
    *r = (rig){0};
    atemi_model *model = hinge_model(&slider);
    atemi_arena  arena = atemi_arena_measuring();
    atemi_held_inputs_take(&arena, model);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, &error), ATEMI_OK);
    r->arena = arena;
    r->held = atemi_held_inputs_take(&r->arena, model);
    const trial_setting setting = {.model = model,
                                   .surface = atemi_surface_floor(),
                                   .step = step,
                                   .method = method,
                                   .hooks = atemi_held_inputs_hooks(&r->held)};
    trial_begin(&r->t, &setting);
}

static void end(rig *r)
{
    trial_end(&r->t);
    atemi_arena_destroy(&r->arena);
}

static double run_from_rest(rig *r, double time)
{
    const double zero = 0.0;
    trial_start(&r->t, &zero, &zero);
    trial_run(&r->t, time);
    return atemi_simulation_q(r->t.simulation)[0];
}

// ---- Claims

TEST(held_inputs, of_a_torque_and_a_force_add_up)
{
    rig r;
    begin(&r, ATEMI_METHOD_EVENTS, 1e-2);
    r.held.tau[0] = 3.0;
    r.held.external[atemi_model_link_count(r.held.model) - 1].linear.z = 1.5;
    CHECK_NEAR(run_from_rest(&r, 1.0), 0.5 * (3.0 + 1.5) / mass, 1e-12);
    end(&r);
}

// x = r (1 - e^(-d t) (cos w t + d / w sin w t)), d = D / 2 m, w^2 = K / m - d^2.
TEST(held_inputs, of_a_servo_are_a_damped_oscillator)
{
    rig          r;
    const double K = 80.0, D = 4.0, target = 0.3, t = 0.7;
    const double d = 0.5 * D / mass, w = sqrt(K / mass - d * d);
    begin(&r, ATEMI_METHOD_EVENTS, 1e-3);
    r.held.stiffness[0] = K;
    r.held.damping[0] = D;
    r.held.target[0] = target;
    const double expected = target * (1.0 - exp(-d * t) * (cos(w * t) + d / w * sin(w * t)));
    CHECK_NEAR(run_from_rest(&r, t), expected, 1e-10); // RK4 of 1 ms: (w h)^4 of 0.3 m, and less
    end(&r);
}

// A servo that tracks a velocity without stiffness approaches it with the rate D / m.
TEST(held_inputs, of_a_servo_track_a_velocity)
{
    rig          r;
    const double D = 4.0, target = 0.5;
    begin(&r, ATEMI_METHOD_EVENTS, 1e-3);
    r.held.damping[0] = D;
    r.held.target_velocity[0] = target;
    run_from_rest(&r, 0.8);
    const double expected = target * (1.0 - exp(-D / mass * 0.8));
    CHECK_NEAR(atemi_simulation_v(r.t.simulation)[0], expected, 1e-12);
    end(&r);
}

// With a period of 9 ms and a decay of 0.2 ms, steps of 10 ms would be unstable if the servo were
// not implicit. By the rules of time_step.c, each leaves at most 0.45 of the distance.
TEST(held_inputs, of_a_stiff_servo_do_not_need_short_steps_of_the_method_of_steps)
{
    rig r;
    begin(&r, ATEMI_METHOD_STEPS, 1e-2);
    r.held.stiffness[0] = 1e6;
    r.held.damping[0] = 1e4;
    r.held.target[0] = 0.3;
    CHECK_NEAR(run_from_rest(&r, 0.5), 0.3, 1e-15 + 0.3 * pow(0.45, 49.0));
    end(&r);
}

static void constant_torque(void *context, double time, const double *q, const double *v,
                            double *tau)
{
    (void)time;
    (void)q;
    (void)v;
    tau[0] += *(const double *)context;
}

TEST(held_inputs, leave_other_hooks_their_say)
{
    rig    r;
    double more = 5.0;
    begin(&r, ATEMI_METHOD_EVENTS, 1e-2);
    r.held.tau[0] = 3.0;
    r.held.also.torque = constant_torque;
    r.held.also.context = &more;
    CHECK_NEAR(run_from_rest(&r, 1.0), 0.5 * (3.0 + 5.0) / mass, 1e-12);
    end(&r);
}
