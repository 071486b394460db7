// SPDX-License-Identifier: Apache-2.0

#include "simulate/damping.h"

#include "brick_rig.h"
#include "check.h"

// A wheel of the inertia I on a heavy cart of the mass m, whose rail and axle are damped: M is
// diagonal, and the rates are D / m and D / I.

static const cart wheel = {.cart_mass = 1e6, .bob_inertia = 0.25};

static double dampings[2];

static void give_damping(void *context, double *damping)
{
    (void)context;
    damping[0] += dampings[0];
    damping[1] += dampings[1];
}

TEST(damping, has_the_rate_of_the_fastest_motion_and_names_its_coordinate)
{
    static const double cases[][2] = {{0.0, 5.0}, {3e6, 0.5}, {1.0, 1e300}, {0.0, 0.0}};
    for (int i = 0; i < 4; ++i) {
        trial               t;
        const trial_setting setting = {
            .model = cart_model(&wheel, true), .step = 1e-3, .hooks = {.damping = give_damping}};
        trial_begin(&t, &setting);
        atemi_simulation *s = t.simulation;
        atemi_evaluation *e = &s->step.evaluation;
        dampings[0] = cases[i][0];
        dampings[1] = cases[i][1];
        const double on_rail = cases[i][0] / wheel.cart_mass;
        const double on_axle = cases[i][1] / wheel.bob_inertia;
        const double fastest = on_rail > on_axle ? on_rail : on_axle;
        atemi_damping_find(&e->damping, s->model, e->options, e->hooks, s->state.q,
                           &e->dynamics.factor);
        // Twelve power iterations: the other rate is at least a third less, (2/3)^12 < 1e-2.
        CHECK_NEAR(e->damping.rate, fastest, 1e-2 * fastest);
        CHECK_EQUAL_INT(e->damping.stiffest, on_axle > on_rail);
        CHECK(!atemi_damping_changed(&e->damping, s->model, e->options, e->hooks));
        dampings[1] += 1.0;
        CHECK(cases[i][1] == 1e300 ||
              atemi_damping_changed(&e->damping, s->model, e->options, e->hooks));
        trial_end(&t);
    }
}
