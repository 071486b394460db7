// SPDX-License-Identifier: Apache-2.0

#include "simulate/motion_check.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>

// What a hook returns may be no number, from 10.5 ms on: the run ends there, says whose it is, and
// leaves a state of numbers.

static const double fails_at = 0.0105;

static void bad_torque(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)context;
    (void)q;
    (void)v;
    tau[0] = time < fails_at ? 0.1 : (double)NAN;
}

static void bad_force(void *context, double time, atemi_force *forces)
{
    (void)context;
    forces[1].linear.x = time < fails_at ? 0.0 : (double)INFINITY;
}

static const atemi_simulation_method methods[] = {ATEMI_METHOD_EVENTS, ATEMI_METHOD_STEPS};

static void check(atemi_simulation_hooks hooks, const char *whose)
{
    const hinge  arm = {.mass = 1.0, .arm = 0.5, .inertia = 0.01, .gravity = 9.81};
    const double q = 0.3, v = 0.0;
    for (int i = 0; i < 2; ++i) {
        trial_setting setting = {
            .model = hinge_model(&arm), .step = 1e-3, .method = methods[i], .hooks = hooks};
        atemi_error error = {0};
        trial       t;
        trial_begin(&t, &setting);
        trial_start(&t, &q, &v);
        CHECK_STATUS(atemi_simulation_run(t.simulation, 1.0, &error), ATEMI_ERROR_SINGULAR);
        CHECK_CONTAINS(error.message, whose);
        CHECK_CONTAINS(error.message, "at t = 0.0105 s");
        CHECK_NEAR(atemi_simulation_time(t.simulation), fails_at, 1e-3);
        CHECK(isfinite(*atemi_simulation_q(t.simulation)));
        CHECK(isfinite(*atemi_simulation_v(t.simulation)));
        trial_end(&t);
    }
}

TEST(motion_check, names_the_torque_that_is_no_number)
{
    check((atemi_simulation_hooks){.torque = bad_torque}, "the torque of 'joint' (tau[0])");
}

TEST(motion_check, names_the_force_that_is_no_number)
{
    check((atemi_simulation_hooks){.external_forces = bad_force},
          "the external force on link 'arm'");
}
