// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "atemi/model_builder.h"
#include "atemi/quaternion.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double g = 9.81;

// ---- A free box, 0.4 x 0.2 x 0.1 m, 2 kg, with a contact point in every corner

static atemi_model *box_model(void)
{
    const double                 m = 2.0, x = 0.4, y = 0.2, z = 0.1;
    atemi_model_builder         *builder;
    atemi_model                 *model;
    const atemi_link_description box = {
        .name = "box",
        .inertia = {.mass = m,
                    .rotational = {.xx = m / 12.0 * (y * y + z * z),
                                   .yy = m / 12.0 * (x * x + z * z),
                                   .zz = m / 12.0 * (x * x + y * y)}}};
    CHECK_STATUS(atemi_model_builder_create("box", NULL, &builder, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_link(builder, &box, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_finish(builder, NULL, &model, NULL), ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return model;
}

static atemi_simulation_point corner(int index, double friction, double restitution)
{
    return (atemi_simulation_point){
        .point = {index & 1 ? 0.2 : -0.2, index & 2 ? 0.1 : -0.1, index & 4 ? 0.05 : -0.05},
        .static_friction = friction,
        .kinetic_friction = friction,
        .restitution = restitution};
}

enum { MOST_EVENTS = 64 };

typedef struct log {
    atemi_event events[MOST_EVENTS];
    int         count;
} log_of_events;

static void note(void *context, const atemi_event *event)
{
    log_of_events *log = (log_of_events *)context;
    if (log->count < MOST_EVENTS) {
        log->events[log->count++] = *event;
    }
}

typedef struct bench {
    atemi_model      *model;
    atemi_simulation *simulation;
    log_of_events     log;
} bench;

static void bench_begin(bench *b, const atemi_surface *surface,
                        const atemi_simulation_point *points, int count, double step)
{
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_error              error = {0};
    b->model = box_model();
    b->log.count = 0;
    options.step = step;
    const atemi_simulation_hooks hooks = {.event = note, .context = &b->log};
    CHECK_STATUS(atemi_simulation_create(b->model, surface, 1, points, count, &options, &hooks,
                                         &b->simulation, &error),
                 ATEMI_OK);
}

static void bench_end(bench *b)
{
    atemi_simulation_destroy(b->simulation);
    atemi_model_destroy(b->model);
}

static void start(bench *b, const double *q, const double *v)
{
    CHECK_STATUS(atemi_simulation_start(b->simulation, 0.0, q, v, NULL), ATEMI_OK);
}

static void run(bench *b, double time)
{
    atemi_error        error = {0};
    const atemi_status status = atemi_simulation_run(b->simulation, time, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
}

// ---- Claims

// Dropped from h, it hits with u = sqrt(2 g h) and flies 2 e^k u / g after bounce k.
TEST(simulation, of_a_bouncing_ball_hits_when_it_should)
{
    bench                        b;
    const double                 h = 1.0, e = 0.8, u = sqrt(2.0 * g * h);
    const atemi_surface          floor = atemi_surface_floor();
    const atemi_simulation_point ball = {
        .static_friction = 0.5, .kinetic_friction = 0.5, .restitution = e};
    const double q[7] = {0, 0, h, 0, 0, 0, 1}, v[6] = {0};
    bench_begin(&b, &floor, &ball, 1, 1e-2);
    start(&b, q, v);
    run(&b, 4.0);
    double expected = u / g;
    CHECK(b.log.count >= 10);
    for (int k = 0; k < 10; ++k) {
        CHECK_EQUAL_INT(b.log.events[k].kind, ATEMI_EVENT_TOUCHDOWN);
        CHECK_NEAR(b.log.events[k].time, expected, 1e-9);
        expected += 2.0 * pow(e, k + 1) * u / g;
    }
    bench_end(&b);
}

// After infinitely many bounces in finite time it lies still.
TEST(simulation, of_a_bouncing_ball_comes_to_rest)
{
    bench                        b;
    const double                 h = 0.1, e = 0.5, u = sqrt(2.0 * g * h);
    const atemi_surface          floor = atemi_surface_floor();
    const atemi_simulation_point ball = {
        .static_friction = 0.5, .kinetic_friction = 0.5, .restitution = e};
    const double q[7] = {0, 0, h, 0, 0, 0, 1}, v[6] = {0};
    bench_begin(&b, &floor, &ball, 1, 1e-3);
    start(&b, q, v);
    run(&b, u / g * (1.0 + e) / (1.0 - e) + 0.1);
    CHECK_EQUAL_INT(atemi_simulation_mode(b.simulation, 0), ATEMI_CONTACT_STICK);
    CHECK_NEAR(atemi_simulation_q(b.simulation)[2], 0.0, 1e-10);
    CHECK_NEAR(atemi_simulation_force(b.simulation, 0).z, 2.0 * g, 1e-9);
    bench_end(&b);
}

// It stops after u / (mu g), having gone u^2 / (2 mu g), and then stands.
TEST(simulation, of_a_block_slides_to_rest)
{
    bench                  b;
    const double           mu = 0.3, u = 1.0, stop = u / (mu * g);
    const atemi_surface    floor = atemi_surface_floor();
    atemi_simulation_point corners[4];
    const double           q[7] = {0, 0, 0.05, 0, 0, 0, 1}, v[6] = {u, 0, 0, 0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        corners[i] = corner(i, mu, 0.0);
    }
    bench_begin(&b, &floor, corners, 4, 1e-2);
    start(&b, q, v);
    run(&b, 1.0);
    CHECK_EQUAL_INT(b.log.count, 1);
    CHECK_EQUAL_INT(b.log.events[0].kind, ATEMI_EVENT_STICK);
    CHECK_NEAR(b.log.events[0].time, stop, 1e-9);
    CHECK_NEAR(atemi_simulation_q(b.simulation)[0], u * u / (2.0 * mu * g), 1e-9);
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(atemi_simulation_mode(b.simulation, i), ATEMI_CONTACT_STICK);
        CHECK_NEAR(atemi_simulation_force(b.simulation, i).z, 0.5 * g, 1e-9);
    }
    bench_end(&b);
}

// On a slope of angle t it slides with g (sin t - mu cos t) if tan t exceeds mu, else it stands.
TEST(simulation, of_a_block_on_a_slope_slides_if_it_is_steep)
{
    for (int steep = 0; steep <= 1; ++steep) {
        bench                  b;
        const double           t = 0.4, mu = steep ? 0.3 : 0.5;
        const double           a = steep ? g * (sin(t) - mu * cos(t)) : 0.0;
        const atemi_surface    slope = {.kind = ATEMI_SURFACE_PLANE, .axis = {sin(t), 0, cos(t)}};
        atemi_simulation_point corners[4];
        const double q[7] = {0.05 * sin(t), 0, 0.05 * cos(t), 0, sin(t / 2), 0, cos(t / 2)};
        const double v[6] = {0};
        for (int i = 0; i < 4; ++i) {
            corners[i] = corner(i, mu, 0.0);
        }
        bench_begin(&b, &slope, corners, 4, 1e-2);
        start(&b, q, v);
        run(&b, 0.5);
        const double *now = atemi_simulation_q(b.simulation);
        CHECK_NEAR(now[0] - q[0], 0.5 * a * 0.25 * cos(t), 1e-9);
        CHECK_NEAR(now[2] - q[2], -0.5 * a * 0.25 * sin(t), 1e-9);
        bench_end(&b);
    }
}

static double energy(const bench *b, atemi_kinematics *k)
{
    atemi_kinematics_update(b->model, atemi_simulation_q(b->simulation),
                            atemi_simulation_v(b->simulation), NULL, k);
    return atemi_kinetic_energy(b->model, k) + atemi_potential_energy(b->model, k);
}

static double lowest_corner(const bench *b, atemi_kinematics *k)
{
    double lowest = INFINITY;
    atemi_kinematics_update(b->model, atemi_simulation_q(b->simulation), NULL, NULL, k);
    const atemi_transform pose = atemi_link_pose(b->model, k, 0);
    for (int i = 0; i < 8; ++i) {
        const atemi_simulation_point c = corner(i, 0.0, 0.0);
        lowest = fmin(lowest, atemi_transform_apply(&pose, c.point).z);
    }
    return lowest;
}

// Random drops: every box comes down, never through the floor, and never gains energy.
TEST(simulation, of_boxes_dropped_loses_energy_and_stays_above_the_floor)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        bench                  b;
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
        bench_begin(&b, &floor, corners, 8, 2e-3);
        atemi_arena arena = atemi_arena_measuring();
        atemi_kinematics_take(&arena, b.model);
        CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
        atemi_kinematics k = atemi_kinematics_take(&arena, b.model);
        start(&b, q, v);
        double before = energy(&b, &k);
        for (int i = 1; i <= 100; ++i) {
            run(&b, 0.01 * i);
            const double now = energy(&b, &k);
            CHECK(now <= before + 1e-8);
            CHECK(lowest_corner(&b, &k) > -1e-9);
            before = now;
        }
        atemi_arena_destroy(&arena);
        bench_end(&b);
    }
}

TEST(simulation, refuses_what_makes_no_sense)
{
    atemi_model           *model = box_model();
    atemi_simulation      *simulation;
    atemi_error            error;
    const atemi_surface    floor = atemi_surface_floor();
    atemi_simulation_point point = corner(0, 0.5, 0.0);
    point.link = 3;
    CHECK_STATUS(
        atemi_simulation_create(model, &floor, 1, &point, 1, NULL, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "link 3");
    point = corner(0, 0.5, 1.5);
    CHECK_STATUS(
        atemi_simulation_create(model, &floor, 1, &point, 1, NULL, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "restitution 1.5");
    point = corner(0, 0.5, 0.0);
    point.kinetic_friction = 0.6;
    CHECK_STATUS(
        atemi_simulation_create(model, &floor, 1, &point, 1, NULL, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "kinetic");
    CHECK(!simulation);
    atemi_model_destroy(model);
}
