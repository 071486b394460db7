// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/step_system.h"

#include "atemi/dynamics.h"
#include "atemi/model.h"
#include "bodies.h"
#include "check.h"
#include "random.h"
#include "random_tree.h"
#include "trial.h"

#include <math.h>

static const double g = 9.81, half_brick = 0.05;

static const atemi_limits free_limits = {-INFINITY, INFINITY, INFINITY, INFINITY};

// ---- Stops

static void begin_hinge(trial *t, const hinge *h, double step, double restitution,
                        const atemi_simulation_hooks *hooks)
{
    trial_setting setting = {.model = hinge_model(h),
                             .step = step,
                             .method = ATEMI_METHOD_STEPS,
                             .joint_friction = true,
                             .joint_stops = true,
                             .stop_restitution = restitution};
    if (hooks) {
        setting.hooks = *hooks;
    }
    trial_begin(t, &setting);
}

// A mass that falls from the height 1 on its lower stop at 0, and bounces with e: after the first
// bounce at sqrt(2 / g) it rises with e sqrt(2 g).
static double height_after_a_bounce(double e, double time)
{
    const double fall = sqrt(2.0 / g), up = e * g * fall, since = time - fall;
    return up * since - 0.5 * g * since * since;
}

static double bounced(double e, double step, double time)
{
    const hinge rail = {
        .slides = true, .mass = 2.0, .gravity = g, .limits = {0.0, INFINITY, INFINITY, INFINITY}};
    const double q = 1.0, v = 0.0;
    trial        t;
    begin_hinge(&t, &rail, step, e, NULL);
    trial_start(&t, &q, &v);
    trial_run(&t, time);
    const atemi_event *stop = trial_event(&t, ATEMI_EVENT_STOP, 0);
    CHECK(stop && stop->joint == 0 && stop->point == ATEMI_NONE);
    CHECK_NEAR(stop->time, sqrt(2.0 / g), step);
    CHECK_NEAR(stop->speed, sqrt(2.0 * g), g * step);
    CHECK_NEAR(stop->stop_impulse, 2.0 * (1.0 + e) * sqrt(2.0 * g), 4.0 * g * step);
    const double end = *atemi_simulation_q(t.simulation);
    trial_end(&t);
    return end;
}

// Of first order: the instant of the bounce is rounded to the step, and no more than
// (1 + e) sqrt(2 g) / 2 of it is lost or won.
TEST(step_system, stop_bounces_as_it_should_to_first_order)
{
    for (int k = 0; k < 3; ++k) {
        const double e = 0.5 + 0.25 * k, exact = height_after_a_bounce(e, 0.7);
        for (int i = 0; i < 7; ++i) {
            const double step = ldexp(8e-3, -i);
            CHECK_NEAR(bounced(e, step, 0.7), exact, 0.5 * (1.0 + e) * sqrt(2.0 * g) * step + 1e-9);
        }
    }
}

// An elastic mass on its stop keeps its energy through a hundred bounces: a collision in the middle
// of a step turns v round to 1e-10, the least weight of the solver, and the midpoint rule is exact
// otherwise.
TEST(step_system, elastic_stop_keeps_the_energy)
{
    const hinge rail = {
        .slides = true, .mass = 2.0, .gravity = g, .limits = {0.0, INFINITY, INFINITY, INFINITY}};
    const double q = 0.1, v = 0.0;
    trial        t;
    begin_hinge(&t, &rail, 1e-3, 1.0, NULL);
    trial_start(&t, &q, &v);
    const double before = trial_energy(&t);
    trial_run(&t, 28.0);
    CHECK(trial_count(&t, ATEMI_EVENT_STOP) > 90);
    CHECK_NEAR(trial_energy(&t), before, 1e-7 * before);
    trial_end(&t);
}

static void push_hard(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)time;
    (void)q;
    (void)v;
    tau[0] = *(const double *)context;
}

// 5 N m against a range of +-0.5 rad: it stops there, without bouncing, and the stop's torque is
// what is left of 5 N m beside gravity's.
TEST(step_system, stop_holds_against_a_torque)
{
    double                       torque = 5.0;
    const atemi_simulation_hooks hooks = {.torque = push_hard, .context = &torque};
    const hinge                  arm = {.mass = 1.0,
                                        .arm = 0.5,
                                        .inertia = 0.01,
                                        .gravity = g,
                                        .limits = {-0.5, 0.5, INFINITY, INFINITY}};
    const double                 q = 0.0, v = 0.0;
    trial                        t;
    begin_hinge(&t, &arm, 2e-3, 0.0, &hooks);
    trial_start(&t, &q, &v);
    for (int i = 1; i < 100; ++i) {
        trial_run(&t, 0.01 * i);
        CHECK(*atemi_simulation_q(t.simulation) < 0.5 + 1e-7);
    }
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.5, 1e-7);
    CHECK_NEAR(*atemi_simulation_v(t.simulation), 0.0, 1e-6);
    CHECK_NEAR(*atemi_simulation_stop_torques(t.simulation), -(5.0 - 0.5 * g * sin(0.5)), 1e-3);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_STOP), 1);
    trial_end(&t);
}

static void add_slider(atemi_model_builder *builder, const char *parent, const char *child,
                       double lower)
{
    const atemi_inertia     mass = {.mass = 1.0, .rotational = {0.01, 0.01, 0.01, 0.0, 0.0, 0.0}};
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = child;
    joint.type = ATEMI_JOINT_PRISMATIC;
    joint.parent = parent;
    joint.child = child;
    joint.axis = (atemi_vec3){0.0, 0.0, 1.0};
    joint.limits = (atemi_limits){lower, INFINITY, INFINITY, INFINITY};
    tree_add_link(builder, child, &mass);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
}

// A mass of 1 kg that falls, and on it another on a slider, whose lower stop is at 0.
static atemi_model *falling_slider(void)
{
    atemi_model_builder *builder = tree_begin();
    const atemi_inertia  none = {0};
    tree_add_link(builder, "world", &none);
    add_slider(builder, "world", "below", -INFINITY);
    add_slider(builder, "below", "above", 0.0);
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

// Both fall with 3 m/s. The lower one lands within a step, whose rest the upper one goes on with:
// by up to 3 mm, though nothing brought it nearer to its stop before. Wherever in a step that
// happens, it ends no deeper than what is not lifted any more, 1e-7 m, and solved to 1e-6 of speeds
// times the step.
TEST(step_system, stop_catches_a_joint_that_a_landing_throws_into_it)
{
    const atemi_simulation_point point = {.link = 1};
    for (int k = 0; k < 20; ++k) {
        const double q[2] = {0.05 + 1.5e-4 * k, 1e-3}, v[2] = {-3.0, 0.0}; // 1 mm to go
        trial        t;
        trial_begin(&t, &(trial_setting){.model = falling_slider(),
                                         .surface = atemi_surface_floor(),
                                         .points = &point,
                                         .count = 1,
                                         .step = 1e-3,
                                         .method = ATEMI_METHOD_STEPS,
                                         .joint_stops = true});
        trial_start(&t, q, v);
        for (int i = 1; i <= 40; ++i) {
            trial_run(&t, 1e-3 * i);
            CHECK(atemi_simulation_q(t.simulation)[1] > -1.1e-7);
        }
        CHECK_NEAR(atemi_simulation_q(t.simulation)[1], 0.0, 1.1e-7);
        trial_end(&t);
    }
}

// ---- Dry friction

// 3 N m against 1.9 N m of gravity: it does not move at all. Against 5 N m more it breaks away,
// with the acceleration of the rest.
TEST(step_system, joint_sticks_until_its_friction_breaks)
{
    double                       torque = 0.0;
    const atemi_simulation_hooks hooks = {.torque = push_hard, .context = &torque};
    const hinge                  arm = {.mass = 1.0,
                                        .arm = 0.5,
                                        .inertia = 0.01,
                                        .gravity = g,
                                        .friction = 3.0,
                                        .limits = free_limits};
    const double q = 0.4, v = 0.0, weight = 0.5 * g * sin(0.4), inertia = 0.01 + 0.25;
    trial        t;
    begin_hinge(&t, &arm, 2e-3, 0.0, &hooks);
    trial_start(&t, &q, &v);
    trial_run(&t, 2.0);
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.4, 1e-9);
    CHECK_NEAR(*atemi_simulation_friction_torques(t.simulation), weight, 1e-5);
    torque = 5.0;
    trial_run(&t, 2.002);
    CHECK_NEAR(*atemi_simulation_a(t.simulation), (5.0 - weight - 3.0) / inertia, 1e-4);
    trial_end(&t);
}

// A mass on a rail without gravity that friction brings to rest: v^2 m / (2 F), and there it stays.
TEST(step_system, sliding_joint_stops_where_it_should)
{
    const hinge  rail = {.slides = true, .mass = 2.0, .friction = 4.0, .limits = free_limits};
    const double q = 0.0, v = 1.0;
    trial        t;
    begin_hinge(&t, &rail, 3e-3, 0.0, NULL);
    trial_start(&t, &q, &v);
    trial_run(&t, 1.0);
    // The last step is shorter in truth: a part of h^2 F / m.
    CHECK_NEAR(*atemi_simulation_q(t.simulation), 0.25, 9e-6 * 2.0);
    CHECK_NEAR(*atemi_simulation_v(t.simulation), 0.0, 1e-9);
    trial_end(&t);
}

// ---- Points

static void begin_brick(trial *t, double friction, double restitution, double step)
{
    atemi_simulation_point corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = rough_point(box_corner(brick_size, i), friction);
        corners[i].restitution = restitution;
    }
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = corners,
                                   .count = 8,
                                   .step = step,
                                   .method = ATEMI_METHOD_STEPS};
    trial_begin(t, &setting);
}

// A brick that slides on the floor comes to rest after v^2 / (2 mu g), with its weight on the
// corners of its bottom, of which the leading ones carry more.
TEST(step_system, sliding_brick_stops_where_it_should)
{
    const double q[7] = {0, 0, half_brick, 0, 0, 0, 1}, v[6] = {2, 0, 0, 0, 0, 0};
    trial        t;
    begin_brick(&t, 0.5, 0.0, 2e-3);
    trial_start(&t, q, v);
    trial_run(&t, 0.2);
    // With the midpoint rule, no error but that of the solver: 1e-6 of the speed.
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 2.0 * 0.2 - 0.25 * g * 0.04, 1e-5);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 2.0 - 0.5 * g * 0.2, 1e-5);
    trial_run(&t, 1.0);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 4.0 / g, 4e-5);
    CHECK_NEAR(atemi_simulation_v(t.simulation)[0], 0.0, 1e-7);
    double weight = 0.0;
    for (int i = 0; i < 4; ++i) {
        weight += atemi_simulation_force(t.simulation, i).z;
        CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, i), ATEMI_CONTACT_STICK);
    }
    CHECK_NEAR(weight, brick_mass * g, 1e-4);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_STICK), 1);
    trial_end(&t);
}

// A brick that lands flat and does not bounce: it rests on the floor, neither above nor inside.
TEST(step_system, landing_leaves_no_gap_and_no_penetration)
{
    const double q[7] = {0, 0, half_brick + 0.3, 0, 0, 0, 1}, v[6] = {0};
    trial        t;
    begin_brick(&t, 0.5, 0.0, 2e-3);
    trial_start(&t, q, v);
    for (int i = 1; i < 50; ++i) {
        trial_run(&t, 0.01 * i);
        CHECK(atemi_simulation_gap(t.simulation, 0) > -2e-7);
    }
    CHECK_NEAR(atemi_simulation_gap(t.simulation, 0), 0.0, 2e-7);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_TOUCHDOWN), 4);
    trial_end(&t);
}

// The momentum is what the ledger says, to rounding, whatever was hit: here by tumbling bricks that
// bounce. Momentum in flight is that of second order (the base's axes rotate), so only the
// vertical impulse of a brick that falls flat is to the last digits.
TEST(step_system, impulses_are_the_change_of_momentum)
{
    for (int k = 0; k < 3; ++k) {
        const double q[7] = {0, 0, half_brick + 0.1, 0, 0, 0, 1}, v[6] = {0.7, 0.3, -0.5, 0, 0, 0};
        trial        t;
        begin_brick(&t, 0.3, 0.4 * k, 2e-3);
        trial_start(&t, q, v);
        trial_run(&t, 0.2);
        const atemi_vec3              moved = atemi_momentum(trial_kinematics(&t)).linear;
        const atemi_simulation_ledger books = atemi_simulation_ledger_get(t.simulation);
        CHECK(books.impulse.z > 1.0);
        CHECK_NEAR(moved.z, -0.5 * brick_mass + books.impulse.z - brick_mass * g * 0.2, 4e-12);
        CHECK_NEAR(moved.x, 0.7 * brick_mass + books.impulse.x, 4e-12);
        CHECK_NEAR(moved.y, 0.3 * brick_mass + books.impulse.y, 4e-12);
        trial_end(&t);
    }
}

// Random bricks that are thrown on the floor, with and without friction and bounce. Energy grows by
// no more than what tumbling at up to 10 rad/s makes up in flight, of second order.
TEST(step_system, energy_of_thrown_bricks_never_grows)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream random = random_seeded(seed);
        trial         t;
        double        q[7], v[6];
        begin_brick(&t, random_uniform(&random, 0.0, 1.0), 0.3 * (double)(seed % 3), 2e-3);
        atemi_configuration_random(t.setting.model, seed, q);
        q[2] = 0.4;
        for (int i = 0; i < 6; ++i) {
            v[i] = random_uniform(&random, -3.0, 3.0);
        }
        trial_start(&t, q, v);
        const double start = trial_energy(&t);
        double       least = start;
        for (int i = 1; i < 1000; ++i) {
            trial_run(&t, 2e-3 * i);
            const double energy = trial_energy(&t);
            CHECK(energy < least + 1e-4 * start);
            least = fmin(least, energy);
        }
        // 1e-3 of the speeds, which are up to 5 m/s.
        CHECK(atemi_simulation_statistics_get(t.simulation).violation < 5e-3);
        trial_end(&t);
    }
}
