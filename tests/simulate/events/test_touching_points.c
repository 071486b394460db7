// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "data.h"

#include <math.h>

enum { POINTS = 4 };

static const atemi_surface floors[2] = {
    {.kind = ATEMI_SURFACE_PLANE, .axis = {0.0, 0.0, 1.0}},
    {.kind = ATEMI_SURFACE_SPHERE, .position = {0.0, 0.0, -1.0}, .radius = 1.0}};

// A brick whose bottom has four points.
typedef struct bench {
    atemi_model           *model;
    atemi_data            *data;
    atemi_simulation_point points[POINTS];
    atemi_arena            arena;
    atemi_touching_points  touching;
} bench;

static void bench_begin(bench *b)
{
    *b = (bench){.model = brick_model(), .arena = atemi_arena_measuring()};
    b->data = data_create(b->model);
    rough_bottom(brick_size, 0.8, b->points);
    atemi_touching_points_take(&b->arena, b->model, POINTS);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    b->touching = atemi_touching_points_take(&b->arena, b->model, POINTS);
}

static void bench_end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_data_destroy(b->data);
    atemi_model_destroy(b->model);
}

// The brick's centre is at a height, rotated about y.
static const atemi_touching_points *look_from(bench *b, double height, double angle)
{
    const double q[7] = {0.3, -0.2, height, 0.0, sin(0.5 * angle), 0.0, cos(0.5 * angle)};
    atemi_update_kinematics(b->data, q, NULL, NULL);
    atemi_touching_points_find(b->data, floors, b->points, POINTS, &b->touching);
    return &b->touching;
}

TEST(touching_points, of_a_brick_that_lies_has_all_points_one_link_and_the_area_of_its_bottom)
{
    bench b;
    bench_begin(&b);
    const atemi_touching_points *t = look_from(&b, 0.5 * brick_size.z, 0.0);
    CHECK_EQUAL_INT(t->count, POINTS);
    for (int i = 0; i < POINTS; ++i) {
        CHECK_EQUAL_INT(t->points[i], i);
    }
    CHECK_EQUAL_INT(t->link_count, 1);
    CHECK_EQUAL_INT(t->links[0], b.points[0].link);
    CHECK_EQUAL_INT(t->support.count, POINTS);
    CHECK_NEAR(atemi_support_distance(&t->support, (atemi_vec3){0.3, -0.2, 0.0}).distance,
               0.5 * brick_size.y, 1e-12);
    bench_end(&b);
}

TEST(touching_points, within_a_micrometre_counts_and_above_does_not)
{
    bench b;
    bench_begin(&b);
    CHECK_EQUAL_INT(look_from(&b, 0.5 * brick_size.z + 0.9e-6, 0.0)->count, POINTS);
    const atemi_touching_points *t = look_from(&b, 0.5 * brick_size.z + 1.1e-6, 0.0);
    CHECK_EQUAL_INT(t->count, 0);
    CHECK_EQUAL_INT(t->link_count, 0);
    CHECK_EQUAL_INT(t->support.count, 0);
    for (int i = 0; i < POINTS; ++i) {
        b.points[i].radius = 1e-3;
    }
    CHECK_EQUAL_INT(look_from(&b, 0.5 * brick_size.z + 1e-3, 0.0)->count, POINTS);
    bench_end(&b);
}

TEST(touching_points, of_a_brick_on_an_edge_is_a_line)
{
    const double angle = 0.3;
    bench        b;
    bench_begin(&b);
    const double height = 0.5 * (brick_size.z * cos(angle) + brick_size.x * sin(angle));
    CHECK_EQUAL_INT(look_from(&b, height, angle)->count, 2);
    CHECK_EQUAL_INT(b.touching.support.count, 2);
    bench_end(&b);
}

// Points on a ball touch, but have no common plane.
TEST(touching_points, without_a_plane_has_no_support)
{
    bench b;
    bench_begin(&b);
    for (int i = 0; i < POINTS; ++i) {
        b.points[i].surface = 1;
    }
    const atemi_touching_points *t = look_from(&b, -0.5, 0.0);
    CHECK_EQUAL_INT(t->count, POINTS);
    CHECK_EQUAL_INT(t->link_count, 1);
    CHECK_EQUAL_INT(t->support.count, 0);
    bench_end(&b);
}
