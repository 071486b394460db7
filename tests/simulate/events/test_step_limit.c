// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/step_limit.h"

#include "atemi/robots.h"
#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

// The adaptive integrator knows no implicit steps: a second would take 4e8 steps and more.
TEST(step_limit, of_the_adaptive_integrator_refuses_what_is_too_stiff_and_names_the_joint)
{
    static const double dampings[] = {3e6, 1e9, 1e300, DBL_MAX};
    const double        q[2] = {0}, v[2] = {0.0, 1.0};
    for (int i = 0; i < 4; ++i) {
        trial       t;
        atemi_error error = {0};
        double      damping = dampings[i];
        begin(&t, &damping, ATEMI_INTEGRATOR_ADAPTIVE);
        CHECK_STATUS(atemi_simulation_start(t.simulation, 0.0, q, v, &error), ATEMI_ERROR_SINGULAR);
        CHECK_CONTAINS(error.message, "too stiff");
        CHECK_CONTAINS(error.message, atemi_model_joint(t.setting.model, 1)->name);
        CHECK_CONTAINS(error.message, "give it less damping");
        trial_end(&t);
    }
}

// Damping that comes in the midst of a run, as where a hand lets go of a weight, ends it.
TEST(step_limit, of_the_adaptive_integrator_refuses_damping_that_grows)
{
    trial        t;
    atemi_error  error = {0};
    double       damping = 1.0;
    const double q[2] = {0}, v[2] = {0.0, 1.0};
    begin(&t, &damping, ATEMI_INTEGRATOR_ADAPTIVE);
    trial_start(&t, q, v);
    trial_run(&t, 0.5);
    damping = 1e9;
    CHECK_STATUS(atemi_simulation_run(t.simulation, 1.0, &error), ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "too stiff");
    trial_end(&t);
}

// The wheel stands after a thousand times the time that it takes.
TEST(step_limit, follows_what_is_stiff)
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

// ---- A rod that slides ----------------------------------------------------------------------

// A rod of m = 1 kg, whose rotation is damped, slides on a point that is s L beside its centre and
// c L below. Friction leaves, of the mobility 1 / m of its centre,
//
//   1 / k = 1 + (m L^2 / I) s (s - mu c)
//
// at that point, where it slides so that friction turns the rod against the floor. The floor's
// force follows the damper's, and what turns the rod comes to rest at the rate k D / I: four times
// as fast as damping alone. Steps that follow D / I only, 2.5 I / D, are four times as long as the
// Runge-Kutta method follows, and motions grow by 10^4 / 24 in each. (So a pushed G1 came to 5.6e5
// J.)

static atemi_model *rod_model(void)
{
    static const char text[] =
        "<robot name='rod'><link name='ground'/>"
        "<joint name='x' type='prismatic'><parent link='ground'/><child link='slide'/>"
        "<axis xyz='1 0 0'/><limit lower='-9' upper='9' effort='1' velocity='9'/></joint>"
        "<link name='slide'/>"
        "<joint name='z' type='prismatic'><parent link='slide'/><child link='lift'/>"
        "<axis xyz='0 0 1'/><limit lower='-9' upper='9' effort='1' velocity='9'/></joint>"
        "<link name='lift'/>"
        "<joint name='turn' type='continuous'><parent link='lift'/><child link='rod'/>"
        "<axis xyz='0 1 0'/><dynamics damping='1850'/></joint>"
        "<link name='rod'><inertial><mass value='1'/><inertia ixx='0.185' ixy='0' ixz='0' "
        "iyy='0.185' iyz='0' izz='0.185'/></inertial></link></robot>";
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *model;
    atemi_error        error = {0};
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_urdf_parse(text, strlen(text), NULL, &options, &model, &error), ATEMI_OK);
    return model;
}

// Its velocities after 20 ms.
static void slide(double step, double direction, double v[3])
{
    const double                 s = 0.3, c = sqrt(1.0 - s * s);
    const double                 q[3] = {0.0, c, 0.0}, start[3] = {direction * 5.0, 0.0, 0.0};
    trial                        t;
    const atemi_simulation_point tip = {
        .link = 3, .point = {s, 0.0, -c}, .static_friction = 0.8, .kinetic_friction = 0.8};
    const trial_setting setting = {.model = rod_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = &tip,
                                   .count = 1,
                                   .step = step,
                                   .joint_friction = true};
    trial_begin(&t, &setting);
    trial_start(&t, q, start);
    trial_run(&t, 0.02);
    memcpy(v, atemi_simulation_v(t.simulation), 3 * sizeof *v);
    trial_end(&t);
}

// The fast motion fades within 0.1 ms, and steps follow the slow one to 1e-6 of 5 m/s.
TEST(step_limit, follows_a_damped_body_that_slides_near_a_jam)
{
    for (int i = 0; i < 2; ++i) {
        double long_steps[3], short_steps[3];
        slide(1e-3, i ? 1.0 : -1.0, long_steps);
        slide(1e-5, i ? 1.0 : -1.0, short_steps);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(long_steps[k], short_steps[k], 5e-6);
        }
        CHECK(fabs(long_steps[0]) > 1.0); // it still slides
    }
}
