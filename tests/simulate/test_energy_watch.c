// SPDX-License-Identifier: Apache-2.0

#include "simulate/energy_watch.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// A cart of 3 kg on its rail, with a spring and a damper. With steps of h, the Runge-Kutta method
// is stable for  w h < 2.83,  w^2 = k / m,  and for  D h / m < 2.78.

static const double h = 1e-3, mass = 3.0;

static const cart body_on_rail = {.cart_mass = 2.0, .bob_mass = 1.0, .bob_inertia = 1.0};

typedef struct servo {
    double stiffness, damping;
} servo;

static void pull_back(void *context, double time, const double *q, const double *v, double *tau)
{
    const servo *s = (const servo *)context;
    (void)time;
    tau[0] = -s->stiffness * q[0] - s->damping * v[0];
}

static void begin(trial *t, servo *s, atemi_integrator integrator)
{
    const trial_setting setting = {.model = cart_model(&body_on_rail, true),
                                   .step = h,
                                   .integrator = integrator,
                                   .hooks = {.torque = pull_back, .context = s}};
    const double        q[2] = {0}, v[2] = {1.0};
    trial_begin(t, &setting);
    trial_start(t, q, v);
}

// Stops within a hundred steps, with an error that names the instant, the joint and the cure.
static void check_stops(servo s)
{
    trial       t;
    atemi_error error = {0};
    begin(&t, &s, ATEMI_INTEGRATOR_RK4);
    CHECK_STATUS(atemi_simulation_run(t.simulation, 10.0, &error), ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "more than were put in");
    CHECK_CONTAINS(error.message, "at t = 0.");
    CHECK_CONTAINS(error.message, atemi_model_joint(t.setting.model, 0)->name);
    CHECK_CONTAINS(error.message, "use a shorter step");
    CHECK(atemi_simulation_time(t.simulation) < 100.0 * h);
    trial_end(&t);
}

TEST(energy_watch, stops_a_spring_that_is_too_stiff_for_the_step)
{
    static const double rates[] = {3.0, 3.5, 5.0, 20.0}; // w h
    for (int i = 0; i < 4; ++i) {
        check_stops((servo){.stiffness = mass * rates[i] * rates[i] / (h * h)});
    }
}

// The damper is not told of by the hook, so that steps are not shortened for it.
TEST(energy_watch, stops_a_damper_that_is_too_strong_for_the_step)
{
    static const double rates[] = {3.0, 3.5, 5.0, 20.0}; // D h / m
    for (int i = 0; i < 4; ++i) {
        check_stops((servo){.damping = mass * rates[i] / h});
    }
}

// ---- What does not stop ---------------------------------------------------------------------

// An oscillation of six steps, which is followed badly: it loses 1.2 % of its energy a step.
TEST(energy_watch, lets_an_oscillation_of_six_steps_be)
{
    static const double rates[] = {0.01, 0.1, 0.5, 1.0}; // w h
    for (int i = 0; i < 4; ++i) {
        trial t;
        servo s = {.stiffness = mass * rates[i] * rates[i] / (h * h)};
        begin(&t, &s, ATEMI_INTEGRATOR_RK4);
        trial_run(&t, 10.0);
        CHECK(trial_energy(&t) < 0.5 * mass);
        trial_end(&t);
    }
}

// The trapezoidal rule, by which steps of error control are booked, is off by more than those are.
TEST(energy_watch, lets_steps_of_error_control_be)
{
    static const double rates[] = {0.1, 0.5, 2.0, 10.0, 100.0}; // w h
    for (int i = 0; i < 5; ++i) {
        trial t;
        servo s = {.stiffness = mass * rates[i] * rates[i] / (h * h), .damping = 0.1};
        begin(&t, &s, ATEMI_INTEGRATOR_ADAPTIVE);
        trial_run(&t, 0.3);
        CHECK(trial_energy(&t) < 0.5 * mass * (1.0 + 1e-6)); // its tolerance is 1e-9 of the state
        trial_end(&t);
    }
}

static void tell_damping(void *context, double *damping)
{
    damping[0] += ((const servo *)context)->damping;
}

// Steps of D h / m = 2.5 book eight times the energy that the damper takes; kicked again and again,
// the cart never has more than what a kick gave.
TEST(energy_watch, lets_damping_be_that_the_steps_are_as_short_as)
{
    trial               t;
    servo               s = {.stiffness = 10.0, .damping = mass * 2.5 / h};
    const trial_setting setting = {
        .model = cart_model(&body_on_rail, true),
        .step = h,
        .hooks = {.torque = pull_back, .damping = tell_damping, .context = &s}};
    const double q[2] = {0}, v[2] = {1.0};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, 1.0);
    CHECK(trial_energy(&t) < 1e-6);
    trial_end(&t);
}

// A thousand bounces without loss: what is booked in collisions is nothing, and no error of theirs
// adds up. A ball that is dropped from z bounces every 2 sqrt(2 z / g).
TEST(energy_watch, lets_a_thousand_bounces_without_loss_be)
{
    trial                        t;
    const double                 g = 9.81, z = 1e-3, energy = brick_mass * g * z;
    const atemi_simulation_point ball = {.restitution = 1.0};
    const trial_setting          setting = {.model = brick_model(),
                                            .surface = atemi_surface_floor(),
                                            .points = &ball,
                                            .count = 1,
                                            .step = h};
    const double                 q[7] = {0, 0, z, 0, 0, 0, 1}, v[6] = {0};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, 1000.0 * 2.0 * sqrt(2.0 * z / g));
    CHECK(trial_count(&t, ATEMI_EVENT_TOUCHDOWN) == TRIAL_MOST_EVENTS); // those that are kept
    CHECK_NEAR(trial_energy(&t), energy, 1e-9 * energy);
    trial_end(&t);
}

static void lift(void *context, double time, atemi_force *forces)
{
    (void)context;
    (void)time;
    forces[0].linear.z = 100.0;
}

// What a push puts in is not made up: 100 N on 2 kg for 10 s are 400 kJ.
TEST(energy_watch, lets_a_push_put_in_what_it_likes)
{
    trial               t;
    const trial_setting setting = {
        .model = brick_model(), .step = h, .hooks = {.external_forces = lift}};
    const double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, 10.0);
    CHECK_NEAR(trial_energy(&t), 100.0 * 0.5 * (50.0 - 9.81) * 100.0, 1e-6);
    trial_end(&t);
}
