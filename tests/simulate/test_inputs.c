// SPDX-License-Identifier: Apache-2.0

#include "simulate/inputs.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// Torques and forces that jump. Between jumps all accelerations are constant: velocities are linear
// in time and positions quadratic, which both integrators follow exactly, up to the rounding of
// some hundred steps, 1e-13. A stage that saw the wrong side of a jump would be off by a sixth of a
// step, 2e-4 and more. (Version 0.1 was.)

static const double rounding = 1e-13;
static const double step = 1e-3;

static int pushed_link; ///< the cart, or the brick

static const atemi_integrator integrators[] = {ATEMI_INTEGRATOR_RK4, ATEMI_INTEGRATOR_ADAPTIVE};

enum { INTEGRATORS = sizeof integrators / sizeof integrators[0] };

// ---- Between runs ---------------------------------------------------------------------------

static void give_torque(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)time;
    (void)q;
    (void)v;
    tau[0] = *(const double *)context;
}

static void give_force(void *context, double time, atemi_force *forces)
{
    (void)time;
    forces[pushed_link].linear.x = *(const double *)context;
}

// A cart on its rail, and a bob at its origin that it carries along: 3 kg in all.
static const cart still = {.cart_mass = 2.0, .bob_mass = 1.0, .arm = 0.0, .bob_inertia = 1.0};

static void begin_cart(trial *t, int integrator, atemi_simulation_hooks hooks)
{
    const trial_setting setting = {.model = cart_model(&still, true),
                                   .step = step,
                                   .integrator = integrators[integrator],
                                   .hooks = hooks};
    const double        q[2] = {0}, v[2] = {0};
    pushed_link = 1; // on the rail
    trial_begin(t, &setting);
    trial_start(t, q, v);
}

// Runs of 2.5 steps, each with another force.
static void run_with_new_force_each(trial *t, double *force)
{
    double x = 0.0, u = 0.0;
    for (int k = 1; k <= 20; ++k) {
        const double h = 2.5 * step, a = (k % 2 ? 6.0 : -3.0 * k) / 3.0;
        *force = 3.0 * a;
        trial_run(t, k * h);
        x += h * (u + 0.5 * a * h);
        u += h * a;
        CHECK_NEAR(atemi_simulation_q(t->simulation)[0], x, rounding);
        CHECK_NEAR(atemi_simulation_v(t->simulation)[0], u, rounding);
    }
}

TEST(inputs, torque_that_changes_between_runs_acts_from_the_first_stage_on)
{
    for (int i = 0; i < INTEGRATORS; ++i) {
        trial  t;
        double torque = 0.0;
        begin_cart(&t, i, (atemi_simulation_hooks){.torque = give_torque, .context = &torque});
        run_with_new_force_each(&t, &torque);
        trial_end(&t);
    }
}

TEST(inputs, force_that_changes_between_runs_acts_from_the_first_stage_on)
{
    for (int i = 0; i < INTEGRATORS; ++i) {
        trial  t;
        double force = 0.0;
        begin_cart(&t, i,
                   (atemi_simulation_hooks){.external_forces = give_force, .context = &force});
        run_with_new_force_each(&t, &force);
        trial_end(&t);
    }
}

// ---- Within a run ---------------------------------------------------------------------------

// Neither end is a multiple of the step.
static const double from = 0.10042, until = 0.30017, end = 0.5;

static void push_for_a_while(void *context, double time, atemi_force *forces)
{
    forces[pushed_link].linear.x = time >= from && time < until ? *(const double *)context : 0.0;
}

static double next_jump(void *context, double time)
{
    (void)context;
    return time < from ? from : time < until ? until : (double)INFINITY;
}

static const atemi_simulation_hooks pushed = {.external_forces = push_for_a_while,
                                              .next_jump = next_jump};

TEST(inputs, force_acts_from_its_first_instant_to_its_last)
{
    for (int i = 0; i < INTEGRATORS; ++i) {
        trial                  t;
        double                 force = 12.0;
        atemi_simulation_hooks hooks = pushed;
        hooks.context = &force;
        begin_cart(&t, i, hooks);
        trial_run(&t, end);
        const double a = force / 3.0, u = a * (until - from);
        CHECK_NEAR(atemi_simulation_v(t.simulation)[0], u, rounding);
        CHECK_NEAR(atemi_simulation_q(t.simulation)[0],
                   0.5 * u * (until - from) + u * (end - until), rounding);
        trial_end(&t);
    }
}

// Nobody tells of jumps, but runs end there.
TEST(inputs, force_that_jumps_where_runs_end_is_as_exact)
{
    for (int i = 0; i < INTEGRATORS; ++i) {
        trial                        t;
        double                       force = 12.0;
        const atemi_simulation_hooks hooks = {.external_forces = push_for_a_while,
                                              .context = &force};
        begin_cart(&t, i, hooks);
        trial_run(&t, from);
        CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 0.0, 0.0);
        trial_run(&t, until);
        trial_run(&t, end);
        CHECK_NEAR(atemi_simulation_v(t.simulation)[0], force / 3.0 * (until - from), rounding);
        trial_end(&t);
    }
}

// The state at a jump is that after it: the force has just begun, or just ended.
TEST(inputs, acceleration_at_a_jump_is_that_after_it)
{
    for (int i = 0; i < INTEGRATORS; ++i) {
        trial                  t;
        double                 force = 12.0;
        atemi_simulation_hooks hooks = pushed;
        hooks.context = &force;
        begin_cart(&t, i, hooks);
        trial_run(&t, from);
        CHECK_NEAR(atemi_simulation_a(t.simulation)[0], force / 3.0, rounding);
        trial_run(&t, until);
        CHECK_NEAR(atemi_simulation_a(t.simulation)[0], 0.0, rounding);
        trial_end(&t);
    }
}

// A brick stands on a floor with static friction 0.5 and kinetic friction 0.3. A push of 0.8 times
// its weight slides it, from its first instant on: with a = 0.5 g until it ends, and -0.3 g until
// the brick stands again.
TEST(inputs, force_that_begins_makes_a_brick_slip_at_that_instant)
{
    for (int i = 0; i < INTEGRATORS; ++i) {
        trial                  t;
        const double           g = 9.81;
        double                 force = 0.8 * brick_mass * g;
        atemi_simulation_point bottom[4];
        atemi_simulation_hooks hooks = pushed;
        const double           q[7] = {0, 0, 0.5 * brick_size.z, 0, 0, 0, 1}, v[6] = {0};
        hooks.context = &force;
        pushed_link = 0;
        rough_bottom(brick_size, 0.5, bottom);
        for (int k = 0; k < 4; ++k) {
            bottom[k].kinetic_friction = 0.3;
        }
        const trial_setting setting = {.model = brick_model(),
                                       .surface = atemi_surface_floor(),
                                       .points = bottom,
                                       .count = 4,
                                       .step = step,
                                       .integrator = integrators[i],
                                       .hooks = hooks};
        trial_begin(&t, &setting);
        trial_start(&t, q, v);
        trial_run(&t, 1.0);
        const double u = 0.5 * g * (until - from), stop = until + u / (0.3 * g);
        CHECK_EQUAL_INT(t.count, 2);
        CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_SLIP);
        CHECK_NEAR(t.events[0].time, from, 0.0);
        CHECK_EQUAL_INT(t.events[1].kind, ATEMI_EVENT_STICK);
        CHECK_NEAR(t.events[1].time, stop, 1e-9); // events are located to 1e-12 s
        CHECK_NEAR(atemi_simulation_q(t.simulation)[0],
                   0.5 * u * (until - from) + 0.5 * u * (stop - until), 1e-9);
        trial_end(&t);
    }
}

// A hook that calls the present the next jump would stop time.
static double jump_now(void *context, double time)
{
    (void)context;
    return time;
}

TEST(inputs, jump_that_is_not_later_is_none)
{
    trial  t;
    double force = 3.0;
    begin_cart(&t, 0,
               (atemi_simulation_hooks){
                   .external_forces = give_force, .next_jump = jump_now, .context = &force});
    trial_run(&t, 0.1);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 0.1, rounding);
    trial_end(&t);
}

// No rounding is left over: a run ends at the time that was asked for, whatever its start.
TEST(inputs, runs_end_at_the_very_time)
{
    for (int i = 0; i < INTEGRATORS; ++i) {
        trial  t;
        double force = 1.0;
        begin_cart(&t, i,
                   (atemi_simulation_hooks){.external_forces = give_force, .context = &force});
        for (int k = 1; k <= 300; ++k) {
            const double time = k * 0.7e-3;
            trial_run(&t, time);
            CHECK_NEAR(atemi_simulation_time(t.simulation), time, 0.0);
        }
        trial_end(&t);
    }
}
