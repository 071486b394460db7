// SPDX-License-Identifier: Apache-2.0

#include "simulate/step_limit.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <float.h>
#include <math.h>

// A wheel of 1 kg m^2 on a cart that is heavy: with the damping D it comes to rest at the rate D.

static const cart wheel = {.cart_mass = 1e12, .bob_inertia = 1.0};

static void damp(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)time;
    (void)q;
    tau[1] = -*(const double *)context * v[1];
}

static void tell_damping(void *context, double *damping)
{
    damping[1] += *(const double *)context;
}

static void begin(trial *t, double *damping, atemi_integrator integrator)
{
    const trial_setting setting = {
        .model = cart_model(&wheel, true),
        .step = 1e-3,
        .integrator = integrator,
        .hooks = {.torque = damp, .damping = tell_damping, .context = damping}};
    trial_begin(t, &setting);
}

// Without a limit a second would take 4e8 steps and more.
TEST(step_limit, refuses_what_is_too_stiff_and_names_the_joint)
{
    static const double dampings[] = {3e6, 1e9, 1e300, DBL_MAX};
    const double        q[2] = {0}, v[2] = {0.0, 1.0};
    for (int i = 0; i < 8; ++i) {
        trial       t;
        atemi_error error = {0};
        double      damping = dampings[i / 2];
        begin(&t, &damping, i % 2 ? ATEMI_INTEGRATOR_ADAPTIVE : ATEMI_INTEGRATOR_RK4);
        CHECK_STATUS(atemi_simulation_start(t.simulation, 0.0, q, v, &error), ATEMI_ERROR_SINGULAR);
        CHECK_CONTAINS(error.message, "too stiff");
        CHECK_CONTAINS(error.message, atemi_model_joint(t.setting.model, 1)->name);
        CHECK_CONTAINS(error.message, "give it less damping");
        trial_end(&t);
    }
}

// Damping that comes in the midst of a run, as where a hand lets go of a weight, ends it.
TEST(step_limit, refuses_damping_that_grows)
{
    trial        t;
    atemi_error  error = {0};
    double       damping = 1.0;
    const double q[2] = {0}, v[2] = {0.0, 1.0};
    begin(&t, &damping, ATEMI_INTEGRATOR_RK4);
    trial_start(&t, q, v);
    trial_run(&t, 0.5);
    damping = 1e9;
    CHECK_STATUS(atemi_simulation_run(t.simulation, 1.0, &error), ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "too stiff");
    trial_end(&t);
}

// What is nearly too stiff is followed: the wheel stands after 1e3 times the time it takes.
TEST(step_limit, follows_what_is_nearly_too_stiff)
{
    trial        t;
    double       damping = 2e6;
    const double q[2] = {0}, v[2] = {0.0, 1.0};
    begin(&t, &damping, ATEMI_INTEGRATOR_RK4);
    trial_start(&t, q, v);
    trial_run(&t, 1e-3);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[1], 0.0, 1e-15);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[1], 1.0 / damping, 1e-12); // v / D
    trial_end(&t);
}
