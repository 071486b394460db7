// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "atemi/math.h"
#include "atemi/robots.h"
#include "bodies.h"
#include "check.h"
#include "random.h"
#include "trial.h"

#include <math.h>
#include <string.h>

// What nothing takes away is still there after ten seconds, for a top that spins fast after two.
// The integrator itself is of fourth order: the steps are those at which it keeps energy to 1e-9.

static const double g = 9.81;

static atemi_force momentum(trial *t)
{
    return atemi_momentum(trial_kinematics(t));
}

// ---- A cart with a pendulum -----------------------------------------------------------------

// With x the cart's place and s the pendulum's angle, which swings the bob to -x:
//
//   T = (M + m) x'^2 / 2 - m l cos s x' s' + (m l^2 + I) s'^2 / 2,    V = -m g l cos s
//
// and dT/dx' stays, for nothing depends on x.

static const cart wagon = {.cart_mass = 2.0, .bob_mass = 0.6, .arm = 0.4, .bob_inertia = 0.004};

static double wagon_momentum(double s, double dx, double ds)
{
    return (wagon.cart_mass + wagon.bob_mass) * dx - wagon.bob_mass * wagon.arm * cos(s) * ds;
}

static double wagon_energy(double s, double dx, double ds)
{
    const double ml = wagon.bob_mass * wagon.arm;
    return 0.5 * (wagon.cart_mass + wagon.bob_mass) * dx * dx - ml * cos(s) * dx * ds +
           0.5 * (ml * wagon.arm + wagon.bob_inertia) * ds * ds - ml * g * cos(s);
}

static void begin_on_rail(trial *t)
{
    const trial_setting setting = {.model = cart_model(&wagon, true), .step = 1e-3};
    trial_begin(t, &setting);
}

// On its four lower corners, which slide without friction.
static void begin_on_ice(trial *t)
{
    atemi_simulation_point bottom[4];
    rough_bottom(brick_size, 0.0, bottom);
    const trial_setting setting = {.model = cart_model(&wagon, false),
                                   .surface = atemi_surface_floor(),
                                   .points = bottom,
                                   .count = 4,
                                   .step = 1e-3};
    trial_begin(t, &setting);
}

TEST(conservation, holds_for_a_cart_with_a_pendulum)
{
    trial        t;
    const double q[2] = {0.0, 2.0}, v[2] = {0.3, -1.0};
    const double along = wagon_momentum(q[1], v[0], v[1]);
    const double energy = wagon_energy(q[1], v[0], v[1]);
    begin_on_rail(&t);
    trial_start(&t, q, v);
    for (int i = 1; i <= 100; ++i) {
        trial_run(&t, 0.1 * i);
        const double *x = atemi_simulation_q(t.simulation), *dx = atemi_simulation_v(t.simulation);
        CHECK_NEAR(wagon_momentum(x[1], dx[0], dx[1]), along, 1e-9 * along);
        CHECK_NEAR(wagon_energy(x[1], dx[0], dx[1]), energy, 1e-9 * fabs(energy));
    }
    trial_end(&t);
}

// The floor does what the rail does; the pendulum is not heavy enough to tip the cart over.
TEST(conservation, is_the_same_on_ice_as_on_a_rail)
{
    trial        rail, ice;
    const double q_rail[2] = {0.0, 1.0}, v_rail[2] = {0.3, -1.0};
    const double q_ice[8] = {0, 0, 0.5 * brick_size.z, 0, 0, 0, 1, 1.0};
    const double v_ice[7] = {0.3, 0, 0, 0, 0, 0, -1.0};
    begin_on_rail(&rail);
    begin_on_ice(&ice);
    trial_start(&rail, q_rail, v_rail);
    trial_start(&ice, q_ice, v_ice);
    for (int i = 1; i <= 50; ++i) {
        trial_run(&rail, 0.1 * i);
        trial_run(&ice, 0.1 * i);
        CHECK_NEAR(atemi_simulation_q(ice.simulation)[0], atemi_simulation_q(rail.simulation)[0],
                   1e-9);
        CHECK_NEAR(atemi_simulation_q(ice.simulation)[7], atemi_simulation_q(rail.simulation)[1],
                   1e-9);
    }
    CHECK_EQUAL_INT(ice.count, 0);
    trial_end(&rail);
    trial_end(&ice);
}

// ---- On ice ---------------------------------------------------------------------------------

TEST(conservation, lets_a_brick_on_ice_go_straight_and_turn_evenly)
{
    trial                  t;
    atemi_simulation_point bottom[4];
    const double           w = 2.5, time = 10.0;
    const double q[7] = {0, 0, 0.5 * brick_size.z, 0, 0, 0, 1}, v[6] = {0.4, -0.3, 0, 0, 0, w};
    rough_bottom(brick_size, 0.0, bottom);
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = bottom,
                                   .count = 4,
                                   .step = 2e-3};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, time);
    const double *now = atemi_simulation_q(t.simulation);
    CHECK_NEAR(now[0], v[0] * time, 1e-9);
    CHECK_NEAR(now[1], v[1] * time, 1e-9);
    CHECK_NEAR(now[5] * cos(0.5 * w * time) - now[6] * sin(0.5 * w * time), 0.0, 1e-9);
    CHECK_NEAR(trial_energy(&t),
               0.5 * brick_mass * 0.25 + brick_mass * g * 0.5 * brick_size.z +
                   0.5 * body_box(brick_mass, brick_size).inertia.z * w * w,
               1e-9);
    trial_end(&t);
}

// A top on its tip. The floor pushes upwards only: the momentum along it stays, and the angular
// momentum about the vertical; and that about its own axis, for the tip is on it.
TEST(conservation, holds_for_a_top_on_ice)
{
    trial        t;
    const double h = 0.05, tilt = 0.4, spin = 50.0;
    const body   top = {
          .mass = 0.3, .inertia = {2.2e-4, 2.2e-4, 3e-4}, .base = ATEMI_BASE_FLOATING, .gravity = g};
    const atemi_simulation_point tip = rough_point((atemi_vec3){0.0, 0.0, -h}, 0.0);
    const double                 q[7] = {0, 0, h * cos(tilt), sin(tilt / 2), 0, 0, cos(tilt / 2)};
    const double                 v[6] = {0.2, 0, 0, 0, 0, spin};
    const trial_setting          setting = {.model = body_model(&top),
                                            .surface = atemi_surface_floor(),
                                            .points = &tip,
                                            .count = 1,
                                            .step = 1.5e-4};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    const double energy = trial_energy(&t);
    for (int i = 1; i <= 20; ++i) {
        trial_run(&t, 0.1 * i);
        CHECK_NEAR(trial_energy(&t), energy, 1e-9 * energy);
        const atemi_force p = momentum(&t);
        CHECK_NEAR(p.linear.x, top.mass * v[0], 1e-9 * top.mass);
        CHECK_NEAR(p.linear.y, 0.0, 1e-9 * top.mass);
        CHECK_NEAR(p.angular.z, top.inertia.z * spin * cos(tilt), 1e-9 * top.inertia.z * spin);
        CHECK_NEAR(atemi_simulation_v(t.simulation)[5], spin, 1e-9 * spin);
        CHECK_NEAR(atemi_simulation_gap(t.simulation, 0), 0.0, 1e-12);
    }
    CHECK_EQUAL_INT(t.count, 0);
    trial_end(&t);
}

// A brick that turns about the corner it stands on, which slides slowly, one way or another, and
// turns as it does. What has no friction has no direction to follow; steps that followed it gained
// 1e-8 here.
static void turn_about_corner(trial *t, double way)
{
    const atemi_vec3       half = atemi_vec3_scale(-0.5, brick_size), w = {-3.0, 4.0, 6.0};
    const atemi_mat3       R = atemi_mat3_from_rpy(0.3, -0.2, 0.0);
    const atemi_quaternion turn = atemi_quaternion_from_matrix(&R);
    const atemi_vec3       slow = {2e-3 * cos(way), 2e-3 * sin(way), 0.0};
    const atemi_vec3       u =
        atemi_vec3_add(atemi_vec3_cross(half, w), atemi_mat3_apply_transposed(&R, slow));
    const double q[7] = {0, 0, -atemi_mat3_apply(&R, half).z, turn.x, turn.y, turn.z, turn.w};
    const double v[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
    trial_start(t, q, v);
}

TEST(conservation, holds_where_a_corner_on_ice_almost_stops)
{
    trial                  t;
    atemi_simulation_point bottom[4];
    rough_bottom(brick_size, 0.0, bottom);
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = bottom,
                                   .count = 4,
                                   .step = 1e-3};
    trial_begin(&t, &setting);
    for (int way = 0; way < 12; ++way) {
        turn_about_corner(&t, 0.5 * way);
        const double energy = trial_energy(&t);
        trial_run(&t, 0.02);
        CHECK_NEAR(trial_energy(&t), energy, 1e-11 * energy);
    }
    trial_end(&t);
}

// The same corner with a little friction, which stops it and turns it back: energy never grows.
TEST(conservation, yields_only_to_friction_where_a_corner_stops)
{
    trial                  t;
    atemi_simulation_point bottom[4];
    rough_bottom(brick_size, 0.02, bottom);
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = bottom,
                                   .count = 4,
                                   .step = 1e-3};
    trial_begin(&t, &setting);
    for (int way = 0; way < 12; ++way) {
        turn_about_corner(&t, 0.5 * way);
        double energy = trial_energy(&t);
        for (int i = 1; i <= 80; ++i) {
            trial_run(&t, 2.5e-4 * i);
            CHECK(trial_energy(&t) <= energy * (1.0 + 1e-12));
            energy = trial_energy(&t);
        }
    }
    trial_end(&t);
}

// ---- In the air -----------------------------------------------------------------------------

// A body that turns about no axis of its own, and so fast that steps of 1 ms are too long for it.
TEST(conservation, holds_for_a_brick_that_tumbles_fast)
{
    trial               t;
    const double        q[7] = {[6] = 1.0}, v[6] = {0, 0, 0, 30.0, 40.0, 50.0};
    const trial_setting setting = {.model = brick_model(), .step = 1e-3};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    const double energy = trial_energy(&t);
    trial_run(&t, 1.0);
    CHECK_NEAR(trial_energy(&t), energy, 1e-11 * energy); // 2e-12, as docs/theory/contact.md says
    trial_end(&t);
}

enum { MOST_Q = 64 };

// Thrown up, limp, with all joints turning; after ten seconds it is back. Energy is that of its
// motion about its centre of mass, which does not know of the flight.
static double inner_energy(trial *t)
{
    const atemi_model *model = t->setting.model;
    const atemi_vec3   p = momentum(t).linear;
    return atemi_kinetic_energy(trial_kinematics(t)) -
           0.5 * atemi_vec3_dot(p, p) / atemi_model_mass(model);
}

static void throw_humanoid(trial *t, double time)
{
    double        q[MOST_Q] = {[6] = 1.0}, v[MOST_Q];
    random_stream stream = random_seeded(5);
    for (int i = 0; i < atemi_model_v_count(t->setting.model); ++i) {
        v[i] = random_uniform(&stream, -0.5, 0.5);
    }
    v[2] += 0.5 * g * time;
    trial_start(t, q, v);
}

TEST(conservation, holds_for_a_humanoid_in_the_air)
{
    trial         t;
    trial_setting setting = {.step = 2e-3};
    const double  time = 10.0;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &setting.model, NULL), ATEMI_OK);
    CHECK(atemi_model_q_count(setting.model) <= MOST_Q);
    trial_begin(&t, &setting);
    throw_humanoid(&t, time);
    const double      energy = inner_energy(&t), mass = atemi_model_mass(setting.model);
    const atemi_force before = momentum(&t);
    trial_run(&t, time);
    CHECK_NEAR(inner_energy(&t), energy, 1e-9 * energy);
    const atemi_force after = momentum(&t);
    const atemi_vec3  turned = atemi_vec3_sub(after.angular, before.angular);
    CHECK_NEAR(after.linear.z, before.linear.z - mass * g * time, 1e-9 * mass * g * time);
    CHECK_NEAR(after.linear.x, before.linear.x, 1e-9 * mass * g * time);
    CHECK_NEAR(atemi_vec3_norm(turned), 0.0, 1e-9 * atemi_vec3_norm(before.angular));
    trial_end(&t);
}
