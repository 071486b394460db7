// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/near_points.h"

#include "check.h"
#include "pile.h"
#include "random.h"
#include "simulate/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atemi_scene_body ball(const char *name, double radius, double x, double y, double z)
{
    return pile_body(name, 1.0, ATEMI_SHAPE_SPHERE, (atemi_vec3){radius, 0, 0},
                     (atemi_vec3){x, y, z});
}

static atemi_scene_body fixed(atemi_scene_body body)
{
    body.type = ATEMI_JOINT_FIXED;
    return body;
}

// ---- What is listed -------------------------------------------------------------------------

static int count_points(const atemi_model *model, const atemi_simulation_shapes *shapes,
                        int surface_count)
{
    const atemi_surface      floor = atemi_surface_floor();
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_simulation        *simulation;
    double                   q[64], v[64] = {0};
    options.shapes = shapes;
    CHECK_STATUS(atemi_simulation_create(model, &floor, surface_count, NULL, 0, &options, NULL,
                                         &simulation, NULL),
                 ATEMI_OK);
    atemi_configuration_neutral(model, q);
    CHECK_STATUS(atemi_simulation_start(simulation, 0.0, q, v, NULL), ATEMI_OK);
    const int count = simulation->set.point_count;
    atemi_simulation_destroy(simulation);
    return count;
}

// Two balls on the floor and a capsule above it, free, and balls of the world: all in places where
// the boxes of all meet, and nothing touches. On the floor 2 places, between four of them 6. What
// is excluded, or of the world on both sides, is none; nor is what is far away.
TEST(near_points, are_those_of_all_pairs_that_may_touch)
{
    const double           d = 0.18, z = 0.1;
    const atemi_vec3       size = {0.1, 0.3, 0};
    const atemi_scene_body bodies[] = {
        ball("a", 0.1, 0, 0, z),
        ball("b", 0.1, d, d, z),
        pile_body("c", 1.0, ATEMI_SHAPE_CAPSULE, size, (atemi_vec3){0, d, z + d + 0.15}),
        fixed(ball("d", 0.1, d, 0, z + d)),
        fixed(ball("e", 0.1, d, 0, z + d)),
        ball("f", 0.1, 9.0, 0, z)};
    const atemi_link_pair   excluded = {1, 2};
    atemi_model            *model = NULL;
    atemi_touch_shape       list[6];
    atemi_simulation_shapes shapes = {.shapes = list, .count = 4, .each_other = true};
    CHECK_STATUS(atemi_scene_create(NULL, bodies, 6, &model, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_touch_shapes_of(model, 0.5, 0.0, list), 6);
    CHECK_EQUAL_INT(count_points(model, &shapes, 1), 2 + 6);
    CHECK_EQUAL_INT(count_points(model, &shapes, 0), 6);
    shapes.excluded = &excluded;
    shapes.excluded_count = 1;
    CHECK_EQUAL_INT(count_points(model, &shapes, 1), 2 + 5);
    shapes.count = 5;
    CHECK_EQUAL_INT(count_points(model, &shapes, 1), 2 + 5 + 3);
    shapes.count = 6;
    CHECK_EQUAL_INT(count_points(model, &shapes, 1), 3 + 5 + 3);
    shapes.each_other = false;
    CHECK_EQUAL_INT(count_points(model, &shapes, 1), 3);
    atemi_model_destroy(model);
}

// ---- All pairs ------------------------------------------------------------------------------

// The oracle: the same scene of points and surfaces of a caller, one for each pair of balls, which
// are looked at at all times.
enum { BALLS = 8, PLANES = 3, PAIRS = BALLS * PLANES + BALLS * (BALLS - 1) / 2 };

typedef struct scene {
    atemi_model           *model;
    atemi_touch_shape      shapes[BALLS];
    atemi_surface          surfaces[PLANES + BALLS];
    atemi_simulation_point points[PAIRS];
    double                 q[7 * BALLS], v[6 * BALLS];
    double                 step;
} scene;

static const double half_room = 0.4;

static atemi_simulation_point point_of(const scene *s, int ball, int other, int surface)
{
    const atemi_touch_shape *a = &s->shapes[ball], *b = &s->shapes[other];
    return (atemi_simulation_point){
        .link = a->link,
        .surface = surface,
        .radius = a->size.x,
        .static_friction = sqrt(a->static_friction * b->static_friction),
        .kinetic_friction = sqrt(a->kinetic_friction * b->kinetic_friction),
        .restitution = sqrt(a->restitution * b->restitution)};
}

// In the order of the pairs.
static void list_all(scene *s)
{
    int count = 0;
    for (int i = 0; i < BALLS; ++i) {
        s->surfaces[PLANES + i] = (atemi_surface){.kind = ATEMI_SURFACE_SPHERE,
                                                  .radius = s->shapes[i].size.x,
                                                  .carried = true,
                                                  .link = s->shapes[i].link};
        for (int j = i + 1; j < BALLS; ++j) {
            s->points[count++] = point_of(s, i, j, PLANES + j);
        }
        for (int plane = 0; plane < PLANES; ++plane) {
            s->points[count++] = point_of(s, i, i, plane);
        }
    }
}

// Balls that are thrown into a corner: on a floor between two walls.
static void make(scene *s, random_stream *random)
{
    static const char *const names[BALLS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    static const atemi_vec3  normals[PLANES] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    atemi_scene_body         bodies[BALLS];
    for (int i = 0; i < BALLS; ++i) {
        const double radius = random_uniform(random, 0.04, 0.09);
        bodies[i] = ball(names[i], radius, 0.2 * (i % 2) - 0.25, 0.2 * (i / 2 % 2) - 0.25,
                         0.1 + 0.2 * (i / 4)); // NOLINT(bugprone-integer-division)
        for (int axis = 0; axis < 6; ++axis) {
            s->v[6 * i + axis] = random_uniform(random, -3.0, axis < 3 ? 1.0 : 3.0);
        }
    }
    CHECK_STATUS(atemi_scene_create(NULL, bodies, BALLS, &s->model, NULL), ATEMI_OK);
    atemi_touch_shapes_of(s->model, random_uniform(random, 0.0, 0.6),
                          random_uniform(random, 0.0, 0.9), s->shapes);
    for (int plane = 0; plane < PLANES; ++plane) {
        s->surfaces[plane] =
            (atemi_surface){.kind = ATEMI_SURFACE_PLANE,
                            .position = atemi_vec3_scale(plane ? -half_room : 0.0, normals[plane]),
                            .axis = normals[plane]};
    }
    list_all(s);
    atemi_configuration_neutral(s->model, s->q);
}

typedef struct outcome {
    atemi_status status;
    long         events;
    double       time;
    double       q[7 * BALLS], v[6 * BALLS];
    int          most; ///< points at once
} outcome;

static outcome run(const scene *s, bool all_pairs, double time)
{
    const atemi_simulation_shapes shapes = {
        .shapes = s->shapes, .count = BALLS, .each_other = true};
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_simulation        *simulation;
    outcome                  out = {0};
    options.shapes = all_pairs ? NULL : &shapes;
    options.step = s->step;
    CHECK_STATUS(atemi_simulation_create(s->model, s->surfaces, PLANES + (all_pairs ? BALLS : 0),
                                         s->points, all_pairs ? PAIRS : 0, &options, NULL,
                                         &simulation, NULL),
                 ATEMI_OK);
    CHECK_STATUS(atemi_simulation_start(simulation, 0.0, s->q, s->v, NULL), ATEMI_OK);
    for (double t = 0.01; t < time && !out.status; t += 0.01) {
        out.status = atemi_simulation_run(simulation, t, NULL);
        out.most = simulation->set.point_count > out.most ? simulation->set.point_count : out.most;
    }
    out.events = atemi_simulation_statistics_get(simulation).events;
    out.time = atemi_simulation_time(simulation);
    memcpy(out.q, atemi_simulation_q(simulation), sizeof out.q);
    memcpy(out.v, atemi_simulation_v(simulation), sizeof out.v);
    atemi_simulation_destroy(simulation);
    return out;
}

// In a hundred scenes the same bits come of near pairs as of all, with steps of 1 ms and of 20 ms.
TEST(near_points, make_the_motion_of_all_pairs)
{
    static scene  s;
    random_stream random = random_seeded(21);
    long          events = 0;
    int           fewer = 0;
    for (int i = 0; i < 100; ++i) {
        make(&s, &random);
        s.step = i % 2 ? 1e-3 : 0.02;
        const outcome all = run(&s, true, 0.15), near = run(&s, false, 0.15);
        const bool    same = all.status == near.status && all.events == near.events &&
                          all.time == near.time && !memcmp(all.q, near.q, sizeof all.q) &&
                          !memcmp(all.v, near.v, sizeof all.v);
        if (!same) {
            printf("scene %d: %ld events of all pairs, %ld of near ones\n", i, all.events,
                   near.events);
        }
        CHECK(same);
        events += near.events;
        fewer += near.most < PAIRS / 2;
        atemi_model_destroy(s.model);
    }
    CHECK(events > 2000);
    CHECK(fewer > 40);
}

// ---- Boxes ----------------------------------------------------------------------------------

static const double pull = 2000.0; // m/s^2

typedef struct drawn {
    int    link;
    double touched; ///< when first
} drawn;

static void draw(void *context, double time, atemi_force *forces)
{
    (void)time;
    forces[((const drawn *)context)->link].linear = (atemi_vec3){pull, 0.0, 9.81}; // of 1 kg
}

static void note(void *context, const atemi_event *event)
{
    drawn *d = (drawn *)context;
    d->touched = d->touched > 0.0 ? d->touched : event->time;
}

// A ball at rest, 0.3 m from another one, that is drawn there with 2000 m/s^2: in a step of 20 ms
// it would be 0.1 m inside, which no box of a ball at rest foresees. It touches after sqrt(2 d /
// a).
TEST(near_points, are_found_beyond_what_a_box_foresees)
{
    static const atemi_integrator integrators[] = {ATEMI_INTEGRATOR_RK4, ATEMI_INTEGRATOR_ADAPTIVE};
    for (int i = 0; i < 2; ++i) {
        const atemi_scene_body        bodies[] = {ball("a", 0.1, 0, 0, 0),
                                                  fixed(ball("b", 0.1, 0.5, 0, 0))};
        atemi_model                  *model = NULL;
        atemi_touch_shape             list[2];
        const atemi_simulation_shapes shapes = {.shapes = list, .count = 2, .each_other = true};
        atemi_simulation_options      options = atemi_simulation_options_default();
        drawn                         context = {0};
        const atemi_simulation_hooks  hooks = {
             .external_forces = draw, .event = note, .context = &context};
        atemi_simulation *simulation;
        double            q[7], v[6] = {0};
        CHECK_STATUS(atemi_scene_create(NULL, bodies, 2, &model, NULL), ATEMI_OK);
        atemi_touch_shapes_of(model, 0.0, 0.0, list);
        context.link = list[0].link;
        options.shapes = &shapes;
        options.step = 0.02;
        options.integrator = integrators[i];
        CHECK_STATUS(
            atemi_simulation_create(model, NULL, 0, NULL, 0, &options, &hooks, &simulation, NULL),
            ATEMI_OK);
        atemi_configuration_neutral(model, q);
        CHECK_STATUS(atemi_simulation_start(simulation, 0.0, q, v, NULL), ATEMI_OK);
        CHECK_EQUAL_INT(simulation->set.point_count, 0);
        CHECK_STATUS(atemi_simulation_run(simulation, 0.03, NULL), ATEMI_OK);
        CHECK_NEAR(context.touched, sqrt(2.0 * 0.3 / pull), 1e-9);
        atemi_simulation_destroy(simulation);
        atemi_model_destroy(model);
    }
}

// There is room for so many at once; more end the run, with the cure.
TEST(near_points, that_are_too_many_end_the_run)
{
    atemi_scene_body bodies[3] = {ball("a", 0.1, 0, 0, 0.1), ball("b", 0.1, 0.3, 0, 0.1),
                                  ball("c", 0.1, 0, 0.3, 0.1)};
    pile             p;
    atemi_error      error = {0};
    pile_begin(&p, bodies, 3,
               &(pile_setting){.friction = 0.5, .step = 1e-3, .events = true, .max_touches = 2});
    CHECK_STATUS(atemi_simulation_start(p.simulation, 0.0, p.q, p.v, &error), ATEMI_ERROR_LIMIT);
    CHECK_CONTAINS(error.message, "at more than 2 places");
    CHECK_CONTAINS(error.message, "shapes.places");
    pile_end(&p);
}
