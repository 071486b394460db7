// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>
#include <stdlib.h>

// A brick on a sole of few or many points, in rows from edge to edge. What a rigid body does on a
// plane depends on the outline of its sole and on friction, not on how many points there are,
// unless it turns about the vertical: then friction depends on where it presses. (Version 0.1 wrote
// past an array from 65 points on, and 65 points stuck where 64 slid; with three points or more on
// an edge it did not tilt about that edge.)

static const double g = 9.81;

static const int counts[][2] = {{1, 1}, {2, 2}, {8, 8}, {13, 5}, {10, 10}, {40, 25}};

enum { COUNTS = sizeof counts / sizeof counts[0] };

static double place(int index, int count, double size)
{
    return count > 1 ? size * ((double)index / (count - 1) - 0.5) : 0.0;
}

// A constant force on the brick's middle and a moment about it.
typedef struct pushing {
    atemi_force force;
} pushing;

static void push(void *context, double time, atemi_force *forces)
{
    (void)time;
    forces[0] = atemi_force_add(forces[0], ((const pushing *)context)->force);
}

// A force along x at a height above the sole.
static pushing at_height(double force, double height)
{
    const double arm = height - 0.5 * brick_size.z;
    return (pushing){{.linear = {force, 0, 0}, .angular = {0, arm * force, 0}}};
}

static void begin(trial *t, const int grid[2], double friction, double restitution, pushing *by)
{
    const int               count = grid[0] * grid[1];
    atemi_simulation_point *sole = (atemi_simulation_point *)calloc((size_t)count, sizeof *sole);
    CHECK(sole);
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 at = {place(i / grid[1], grid[0], brick_size.x),
                               place(i % grid[1], grid[1], brick_size.y), -0.5 * brick_size.z};
        sole[i] = rough_point(at, friction);
        sole[i].restitution = restitution;
    }
    const trial_setting setting = {.model = brick_model(),
                                   .surface = {.kind = ATEMI_SURFACE_PLANE, .axis = {0, 0, 1}},
                                   .points = sole,
                                   .count = count,
                                   .step = 1e-3,
                                   .hooks = {.external_forces = by ? push : NULL, .context = by}};
    trial_begin(t, &setting);
    free(sole);
}

static void release(trial *t, double height, double forward, double down)
{
    const double q[7] = {0, 0, 0.5 * brick_size.z + height, 0, 0, 0, 1};
    const double v[6] = {forward, 0, -down, 0, 0, 0};
    trial_start(t, q, v);
}

static double pitch(const trial *t)
{
    const double *q = atemi_simulation_q(t->simulation);
    return 2.0 * atan2(q[4], q[6]);
}

// All forces of the sole along z.
static double pressure(const trial *t)
{
    double sum = 0.0;
    for (int i = 0; i < t->setting.count; ++i) {
        sum += atemi_simulation_force(t->simulation, i).z;
    }
    return sum;
}

// ---- Friction -------------------------------------------------------------------------------

// A push in the plane of the sole does not tilt: even one point carries it.
TEST(many_points, stick_below_the_limit_of_friction)
{
    for (int c = 0; c < COUNTS; ++c) {
        trial   t;
        pushing by = at_height(0.99 * 0.5 * brick_mass * g, 0.0);
        begin(&t, counts[c], 0.5, 0.0, &by);
        release(&t, 0.0, 0.0, 0.0);
        trial_run(&t, 0.01);
        CHECK_EQUAL_INT(t.count, 0);
        CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 0.0, 1e-12);
        CHECK_NEAR(pressure(&t), brick_mass * g, 1e-9);
        trial_end(&t);
    }
}

// With F - mu m g, pushed where the moments of push and friction about the middle are equal: even
// one point does not tilt. The motion is a polynomial of second degree, which the integrator
// follows.
TEST(many_points, slide_beyond_the_limit_of_friction)
{
    for (int c = 0; c < COUNTS; ++c) {
        trial        t;
        const double F = 1.2 * 0.5 * brick_mass * g, time = 0.01;
        pushing      by = at_height(F, 0.5 * brick_size.z * (1.0 - 1.0 / 1.2));
        begin(&t, counts[c], 0.5, 0.0, &by);
        release(&t, 0.0, 0.0, 0.0);
        trial_run(&t, time);
        const double a = F / brick_mass - 0.5 * g;
        CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 0.5 * a * time * time, 1e-12);
        CHECK_NEAR(atemi_simulation_v(t.simulation)[0], a * time, 1e-10);
        CHECK_NEAR(pitch(&t), 0.0, 1e-12);
        CHECK_NEAR(pressure(&t), brick_mass * g, 1e-9);
        trial_end(&t);
    }
}

// It stops after u / (mu g), and stays.
TEST(many_points, slide_to_rest)
{
    for (int c = 1; c < COUNTS; ++c) {
        trial        t;
        const double u = 0.02, stop = u / (0.5 * g);
        begin(&t, counts[c], 0.5, 0.0, NULL);
        release(&t, 0.0, u, 0.0);
        trial_run(&t, stop + 0.004);
        CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 0.5 * u * stop, 1e-10);
        CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_STICK), 1);
        CHECK_EQUAL_INT(atemi_simulation_mode(t.simulation, 0), ATEMI_CONTACT_STICK);
        trial_end(&t);
    }
}

// ---- Tilting --------------------------------------------------------------------------------

// Pushed at its upper edge it stands while F h < m g b, b from its middle to the edge ahead;
// beyond, it turns about that edge with  I w' = F h - m g b  at first. Its inertia about the edge
// is m (l^2 + h^2) / 3; in 5 ms it turns by less than 1e-3, and the rate of turning changes by
// less.
TEST(many_points, tilt_about_the_edge_of_the_sole)
{
    const double h = brick_size.z, b = 0.5 * brick_size.x, limit = brick_mass * g * b / h;
    const double inertia = brick_mass * (brick_size.x * brick_size.x + h * h) / 3.0;
    for (int c = 1; c < COUNTS; ++c) {
        for (int tilts = 0; tilts <= 1; ++tilts) {
            trial        t;
            const double F = (tilts ? 1.1 : 0.99) * limit, time = 5e-3;
            pushing      by = at_height(F, h);
            begin(&t, counts[c], 5.0, 0.0, &by);
            release(&t, 0.0, 0.0, 0.0);
            trial_run(&t, time);
            const double w = tilts ? (F * h - brick_mass * g * b) / inertia * time : 0.0;
            CHECK_NEAR(atemi_simulation_v(t.simulation)[4], w, 2e-3 * w + 1e-12);
            CHECK_NEAR(pitch(&t), 0.5 * w * time, 1e-3 * w * time + 1e-12);
            trial_end(&t);
        }
    }
}

// ---- Collisions
// ----------------------------------------------------------------------------------

// Falling flat while it flies on with u, it keeps the restitution e of its fall and loses
// mu (1 + e) of it along the floor: sliding does not end, and mu h / 2 < b keeps it flat.
TEST(many_points, collide_as_one_body)
{
    for (int c = 1; c < COUNTS; ++c) {
        trial        t;
        const double fall = 0.3, u = 1.0, e = 0.5, mu = 0.2, time = 0.01;
        begin(&t, counts[c], mu, e, NULL);
        release(&t, fall * time + 0.5 * g * time * time, u, fall);
        trial_run(&t, time + 0.005);
        const double  hits = fall + g * time, after = e * hits - g * 0.005;
        const double *v = atemi_simulation_v(t.simulation);
        CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_TOUCHDOWN) > 0, 1);
        CHECK_NEAR(v[0], u - mu * (1.0 + e) * hits, 1e-9);
        CHECK_NEAR(v[2], after, 1e-8);
        CHECK_NEAR(hypot(v[3], hypot(v[4], v[5])), 0.0, 1e-8);
        trial_end(&t);
    }
}

// ---- Too many -------------------------------------------------------------------------------

TEST(many_points, beyond_what_a_system_holds_are_refused)
{
    const int               count = ATEMI_CONTACT_MAX_COUNT + 1;
    atemi_simulation_point *points =
        (atemi_simulation_point *)calloc((size_t)count, sizeof *points);
    const atemi_surface floor = {.kind = ATEMI_SURFACE_PLANE, .axis = {0, 0, 1}};
    atemi_model        *model = brick_model();
    atemi_simulation   *simulation;
    atemi_error         error = {0};
    CHECK_STATUS(
        atemi_simulation_create(model, &floor, 1, points, count, NULL, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "5001 points");
    atemi_model_destroy(model);
    free(points);
}
