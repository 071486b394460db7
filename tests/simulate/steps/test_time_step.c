// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/time_step.h"

#include "allocations.h"
#include "bits.h"
#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

static const atemi_limits free_limits = {-INFINITY, INFINITY, INFINITY, INFINITY};

static void begin(trial *t, const hinge *h, double step, const atemi_simulation_hooks *hooks)
{
    trial_setting setting = {.model = hinge_model(h),
                             .step = step,
                             .method = ATEMI_METHOD_STEPS,
                             .joint_friction = true,
                             .joint_stops = true};
    if (hooks) {
        setting.hooks = *hooks;
    }
    trial_begin(t, &setting);
}

// ---- Smooth motion

// The midpoint rule is exact where accelerations are constant, whatever the step: to rounding.
TEST(time_step, of_free_fall_is_exact)
{
    const hinge  rail = {.slides = true, .mass = 2.0, .gravity = g, .limits = free_limits};
    const double q = 1.0, v = 3.0;
    trial        t;
    begin(&t, &rail, 0.01, NULL);
    trial_start(&t, &q, &v);
    trial_run(&t, 0.5);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 1.0 + 3.0 * 0.5 - 0.5 * g * 0.25, 1e-13);
    CHECK_NEAR(*atemi_simulation_v(t.simulation), 3.0 - g * 0.5, 1e-13);
    trial_end(&t);
}

// The angle of a pendulum after 1 s, in steps of h.
static double swung(double step)
{
    const hinge arm = {
        .mass = 1.0, .arm = 0.5, .inertia = 0.02, .gravity = g, .limits = free_limits};
    const double q = 1.2, v = 0.5;
    trial        t;
    begin(&t, &arm, step, NULL);
    trial_start(&t, &q, &v);
    trial_run(&t, 1.0);
    const double end = *atemi_simulation_q(t.simulation);
    trial_end(&t);
    return end;
}

// Errors fall by four where the step is halved; 3.9 leaves room for the next order.
TEST(time_step, of_smooth_motion_is_of_second_order)
{
    const double exact = swung(1e-4), coarse = swung(8e-3) - exact, fine = swung(4e-3) - exact;
    CHECK(fabs(coarse) < 1e-3);
    CHECK(fabs(coarse / fine) > 3.9 && fabs(coarse / fine) < 4.1);
}

// A tumbling brick in flight, for a second: at 9 rad/s 18 mrad a step, at 90 rad/s ten times as
// many.
TEST(time_step, of_a_tumbling_brick_keeps_its_energy)
{
    for (int k = 0; k < 2; ++k) {
        const double        w = k ? 10.0 : 1.0, q[7] = {0, 0, 0, 0, 0, 0, 1};
        const double        v[6] = {1, 2, 3, 4 * w, 5 * w, 6 * w};
        trial               t;
        const trial_setting setting = {
            .model = brick_model(), .step = 2e-3, .method = ATEMI_METHOD_STEPS};
        trial_begin(&t, &setting);
        trial_start(&t, q, v);
        const double before = trial_energy(&t);
        trial_run(&t, 1.0);
        CHECK_NEAR(trial_energy(&t), before, 1e-3 * before);
        trial_end(&t);
    }
}

// ---- Damping and servos

// One joint alone fades by exp(-D t / M), exactly by the choice of the rule, however strong the
// damping is: here it would take 0.2 to 2000 steps of an explicit method for one.
TEST(time_step, of_a_damped_joint_fades_as_it_should)
{
    static const double dampings[] = {0.1, 1.0, 30.0, 1e3, 1e6};
    for (int i = 0; i < 5; ++i) {
        const hinge rail = {
            .slides = true, .mass = 2.0, .damping = dampings[i], .limits = free_limits};
        const double q = 0.0, v = 1.0;
        trial        t;
        begin(&t, &rail, 1e-2, NULL);
        trial_start(&t, &q, &v);
        trial_run(&t, 0.05);
        CHECK_NEAR(*atemi_simulation_v(t.simulation), exp(-dampings[i] * 0.05 / 2.0), 1e-3);
        trial_end(&t);
    }
}

typedef struct servo {
    double stiffness, damping, target;
} servo;

static void pull(void *context, double time, const double *q, const double *v, double *tau)
{
    const servo *s = (const servo *)context;
    (void)time;
    tau[0] = s->stiffness * (s->target - q[0]) - s->damping * v[0];
}

static void add_damping(void *context, double *damping)
{
    damping[0] += ((const servo *)context)->damping;
}

static void add_stiffness(void *context, double *stiffness)
{
    stiffness[0] += ((const servo *)context)->stiffness;
}

// w h = 70 and D / (M w) = 0.7: explicit steps would grow without end. It arrives, and stays; what
// is faster than the step fades by 2 % in each.
TEST(time_step, holds_a_servo_that_is_stiffer_than_the_step)
{
    servo                        stiff = {.stiffness = 1e8, .damping = 1e4, .target = 0.3};
    const atemi_simulation_hooks hooks = {
        .torque = pull, .damping = add_damping, .stiffness = add_stiffness, .context = &stiff};
    const hinge  rail = {.slides = true, .mass = 2.0, .gravity = g, .limits = free_limits};
    const double q = 0.0, v = 0.0;
    trial        t;
    begin(&t, &rail, 1e-2, &hooks);
    trial_start(&t, &q, &v);
    trial_run(&t, 5.0);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.3 - 2.0 * g / 1e8, 1e-5);
    trial_end(&t);
}

// ---- A step at a time

// A torque that is held for a step is the same as one of the hook.
TEST(time_step, by_the_caller_is_one_of_the_run)
{
    servo                        weak = {.stiffness = 0.0, .damping = 0.0, .target = 0.0};
    const atemi_simulation_hooks hooks = {.torque = pull, .context = &weak};
    const hinge                  arm = {
                         .mass = 1.0, .arm = 0.5, .inertia = 0.02, .gravity = g, .limits = free_limits};
    const double q = 0.4, v = 0.0, tau = 2.5;
    trial        t;
    begin(&t, &arm, 2e-3, &hooks);
    trial_start(&t, &q, &v);
    for (int i = 0; i < 250; ++i) {
        CHECK_STATUS(atemi_simulation_step(t.simulation, &tau, NULL), ATEMI_OK);
        CHECK(*atemi_simulation_tau(t.simulation) == tau);
    }
    const double held = *atemi_simulation_q(t.simulation);
    CHECK_NEAR(atemi_simulation_time(t.simulation), 0.5, 1e-12);
    trial_start(&t, &q, &v);
    weak.stiffness = 1e-300;
    weak.target = tau / 1e-300;
    trial_run(&t, 0.5);
    // Times are sums of steps in both; the same numbers in another order, to rounding.
    CHECK_NEAR(*atemi_simulation_q(t.simulation), held, 1e-12);
    trial_end(&t);
}

// Same build, same bits; and no call of malloc once it is created.
TEST(time_step, is_deterministic_and_does_not_allocate)
{
    const double           q[7] = {0, 0, 0.4, 0.1, 0.2, 0.3, 0.9}, v[6] = {1, 0, 0, 3, 2, 1};
    double                 ends[2][7];
    atemi_simulation_point corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = rough_point(box_corner(brick_size, i), 0.4);
        corners[i].restitution = 0.3;
    }
    for (int run = 0; run < 2; ++run) {
        trial               t;
        const trial_setting setting = {.model = brick_model(),
                                       .surface = atemi_surface_floor(),
                                       .points = corners,
                                       .count = 8,
                                       .step = 2e-3,
                                       .method = ATEMI_METHOD_STEPS};
        trial_begin(&t, &setting);
        allocations_begin();
        trial_start(&t, q, v);
        trial_run(&t, 1.5);
        CHECK_EQUAL_INT(allocations_end(), 0);
        memcpy(ends[run], atemi_simulation_q(t.simulation), sizeof ends[run]);
        trial_end(&t);
    }
    for (int i = 0; i < 7; ++i) {
        CHECK(same_number(ends[0][i], ends[1][i]));
    }
}
