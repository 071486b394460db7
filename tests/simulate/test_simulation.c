// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "atemi/math.h"
#include "bodies.h"
#include "check.h"
#include "random.h"
#include "trial.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double g = 9.81;

// A brick that may touch the ground with some points.
static void begin(trial *t, const atemi_surface *ground, const atemi_simulation_point *points,
                  int count, double step)
{
    const trial_setting setting = {
        .model = brick_model(), .surface = *ground, .points = points, .count = count, .step = step};
    trial_begin(t, &setting);
}

static atemi_simulation_point corner(int index, double friction, double restitution)
{
    atemi_simulation_point point = rough_point(box_corner(brick_size, index), friction);
    point.restitution = restitution;
    return point;
}

// ---- Claims

// Dropped from h, it hits with u = sqrt(2 g h) and flies 2 e^k u / g after bounce k.
TEST(simulation, of_a_bouncing_ball_hits_when_it_should)
{
    trial                        t;
    const double                 h = 1.0, e = 0.8, u = sqrt(2.0 * g * h);
    const atemi_surface          floor = atemi_surface_floor();
    const atemi_simulation_point ball = {
        .static_friction = 0.5, .kinetic_friction = 0.5, .restitution = e};
    const double q[7] = {0, 0, h, 0, 0, 0, 1}, v[6] = {0};
    begin(&t, &floor, &ball, 1, 1e-2);
    trial_start(&t, q, v);
    trial_run(&t, 4.0);
    double expected = u / g;
    CHECK(t.count >= 10);
    for (int k = 0; k < 10; ++k) {
        CHECK_EQUAL_INT(t.events[k].kind, ATEMI_EVENT_TOUCHDOWN);
        CHECK_NEAR(t.events[k].time, expected, 1e-9);
        expected += 2.0 * pow(e, k + 1) * u / g;
    }
    trial_end(&t);
}

// After infinitely many bounces in finite time it lies still.
TEST(simulation, of_a_bouncing_ball_comes_to_rest)
{
    trial                        t;
    const double                 h = 0.1, e = 0.5, u = sqrt(2.0 * g * h);
    const atemi_surface          floor = atemi_surface_floor();
    const atemi_simulation_point ball = {
        .static_friction = 0.5, .kinetic_friction = 0.5, .restitution = e};
    const double q[7] = {0, 0, h, 0, 0, 0, 1}, v[6] = {0};
    begin(&t, &floor, &ball, 1, 1e-3);
    trial_start(&t, q, v);
    trial_run(&t, u / g * (1.0 + e) / (1.0 - e) + 0.1);
    CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0), ATEMI_CONTACT_STICK);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[2], 0.0, 1e-10);
    CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z, 2.0 * g, 1e-9);
    trial_end(&t);
}

// It stops after u / (mu g), having gone u^2 / (2 mu g), and then stands.
TEST(simulation, of_a_block_slides_to_rest)
{
    trial                  t;
    const double           mu = 0.3, u = 1.0, stop = u / (mu * g);
    const atemi_surface    floor = atemi_surface_floor();
    atemi_simulation_point corners[4];
    const double           q[7] = {0, 0, 0.05, 0, 0, 0, 1}, v[6] = {u, 0, 0, 0, 0, 0};
    rough_bottom(brick_size, mu, corners);
    begin(&t, &floor, corners, 4, 1e-2);
    trial_start(&t, q, v);
    trial_run(&t, 1.0);
    CHECK_EQUAL_INT(t.count, 1);
    CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_STICK);
    CHECK_NEAR(t.events[0].time, stop, 1e-9);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0], u * u / (2.0 * mu * g), 1e-9);
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, i), ATEMI_CONTACT_STICK);
        CHECK_NEAR(atemi_simulation_force(t.simulation, i).z, 0.5 * g, 1e-9);
    }
    trial_end(&t);
}

// On a slope of angle a it slides with g (sin a - mu cos a) if tan a exceeds mu, else it stands.
TEST(simulation, of_a_block_on_a_slope_slides_if_it_is_steep)
{
    for (int steep = 0; steep <= 1; ++steep) {
        trial                  t;
        const double           tilt = 0.4, mu = steep ? 0.3 : 0.5;
        const double           rate = steep ? g * (sin(tilt) - mu * cos(tilt)) : 0.0;
        const atemi_surface    slope = {.kind = ATEMI_SURFACE_PLANE,
                                        .axis = {sin(tilt), 0, cos(tilt)}};
        atemi_simulation_point corners[4];
        const double           q[7] = {0.05 * sin(tilt), 0, 0.05 * cos(tilt), 0,
                                       sin(tilt / 2),    0, cos(tilt / 2)};
        const double           v[6] = {0};
        rough_bottom(brick_size, mu, corners);
        begin(&t, &slope, corners, 4, 1e-2);
        trial_start(&t, q, v);
        trial_run(&t, 0.5);
        const double *now = atemi_simulation_q(t.simulation);
        CHECK_NEAR(now[0] - q[0], 0.5 * rate * 0.25 * cos(tilt), 1e-9);
        CHECK_NEAR(now[2] - q[2], -0.5 * rate * 0.25 * sin(tilt), 1e-9);
        trial_end(&t);
    }
}

static double lowest_corner(trial *t)
{
    double                lowest = INFINITY;
    const atemi_transform pose = atemi_link_pose(trial_kinematics(t), 0);
    for (int i = 0; i < 8; ++i) {
        lowest = fmin(lowest, atemi_transform_apply(&pose, box_corner(brick_size, i)).z);
    }
    return lowest;
}

// Random drops: every box comes down, never through the floor, and never gains energy.
TEST(simulation, of_boxes_dropped_loses_energy_and_stays_above_the_floor)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        trial                  t;
        random_stream          stream = random_seeded(seed);
        const atemi_surface    floor = atemi_surface_floor();
        atemi_simulation_point corners[8];
        const double           mu = random_uniform(&stream, 0.0, 0.9);
        const double           e = seed % 2 ? 0.0 : random_uniform(&stream, 0.0, 0.6);
        for (int i = 0; i < 8; ++i) {
            corners[i] = corner(i, mu, e);
        }
        double           q[7] = {0, 0, 0.5}, v[6];
        const atemi_mat3 R =
            atemi_mat3_from_rpy(random_uniform(&stream, -3, 3), random_uniform(&stream, -1.5, 1.5),
                                random_uniform(&stream, -3, 3));
        const atemi_quaternion turn = atemi_quaternion_from_matrix(&R);
        q[3] = turn.x;
        q[4] = turn.y;
        q[5] = turn.z;
        q[6] = turn.w;
        for (int i = 0; i < 6; ++i) {
            v[i] = random_uniform(&stream, -1.0, 1.0);
        }
        begin(&t, &floor, corners, 8, 2e-3);
        trial_start(&t, q, v);
        double before = trial_energy(&t);
        for (int i = 1; i <= 100; ++i) {
            trial_run(&t, 0.01 * i);
            const double now = trial_energy(&t);
            CHECK(now <= before + 1e-8);
            CHECK(lowest_corner(&t) > -1e-9);
            before = now;
        }
        trial_end(&t);
    }
}

// ---- Being stopped --------------------------------------------------------------------------

static bool count_down(void *context)
{
    return --*(int *)context > 0;
}

// One run of 1000 steps: whoever is asked every 8 of them and says no at the third time has let 24
// of them pass. The state is that of the last instant reached, and another run goes on from there.
TEST(simulation, ends_in_the_midst_of_a_run_when_nobody_wants_more)
{
    trial               t;
    int                 left = 3;
    const trial_setting setting = {
        .model = brick_model(), .step = 1e-3, .hooks = {.goes_on = count_down, .context = &left}};
    const double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {2.0};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    trial_run(&t, 1.0);
    const double time = atemi_simulation_time(t.simulation);
    CHECK(time > 0.0 && time <= 24e-3);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 2.0 * time, 1e-12);
    left = 1000;
    trial_run(&t, 1.0);
    CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 2.0, 1e-12);
    trial_end(&t);
}
