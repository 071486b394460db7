// SPDX-License-Identifier: Apache-2.0

#include "atemi/surface.h"

#include "check.h"
#include "random.h"

#include <math.h>
#include <stddef.h>

static const double step = 1e-4;

static double heights[6 * 7];

static atemi_surface surface_of(atemi_surface_kind kind, double radius)
{
    atemi_surface    s = {.kind = kind, .position = {0.1, -0.2, 0.3}, .radius = radius};
    const atemi_vec3 axis = {0.36, 0.48, 0.8};
    s.axis = axis;
    s.table = (atemi_height_table){
        .columns = 7, .rows = 6, .spacing_x = 0.3, .spacing_y = 0.4, .heights = heights};
    return s;
}

static void fill_heights(void)
{
    random_stream stream = random_seeded(4);
    for (int i = 0; i < 6 * 7; ++i) {
        heights[i] = random_uniform(&stream, -0.2, 0.2);
    }
}

static atemi_vec3 moved(atemi_vec3 p, int axis, double by)
{
    (axis == 0 ? &p.x : axis == 1 ? &p.y : &p.z)[0] += by;
    return p;
}

static double element(const atemi_symmetric3 *S, int i, int j)
{
    const double all[3][3] = {{S->xx, S->xy, S->xz}, {S->xy, S->yy, S->yz}, {S->xz, S->yz, S->zz}};
    return all[i][j];
}

// A point of the surface, found by following the normal.
static atemi_vec3 onto(const atemi_surface *surface, atemi_vec3 p)
{
    for (int i = 0; i < 60; ++i) {
        const atemi_surface_view view = atemi_surface_look(surface, p);
        p = atemi_vec3_sub(p, atemi_vec3_scale(view.gap, view.normal));
    }
    return p;
}

// Central differences of second order: their error is step^2 times the third derivative.
static void check_by_differences(const atemi_surface *surface, atemi_vec3 near)
{
    const atemi_vec3         p = onto(surface, near);
    const atemi_surface_view view = atemi_surface_look(surface, p);
    CHECK_NEAR(view.gap, 0.0, 1e-12);
    CHECK_NEAR(atemi_vec3_norm(view.normal), 1.0, 1e-14);
    const double n[3] = {view.normal.x, view.normal.y, view.normal.z};
    for (int i = 0; i < 3; ++i) {
        const double ahead = atemi_surface_look(surface, moved(p, i, step)).gap;
        const double behind = atemi_surface_look(surface, moved(p, i, -step)).gap;
        CHECK_NEAR((ahead - behind) / (2.0 * step), n[i], 1e-5);
    }
}

// A curve on the surface through p along the tangent u: twice the height of the surface over its
// tangent plane, divided by the square of the way, is -u.B u.
static void check_bending(const atemi_surface *surface, atemi_vec3 near, atemi_vec3 way)
{
    const atemi_vec3         p = onto(surface, near);
    const atemi_surface_view view = atemi_surface_look(surface, p);
    const atemi_vec3         flat =
        atemi_vec3_sub(way, atemi_vec3_scale(atemi_vec3_dot(way, view.normal), view.normal));
    const atemi_vec3 u = atemi_vec3_scale(1.0 / atemi_vec3_norm(flat), flat);
    double           sum = 0.0, expected = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        const atemi_vec3 q = onto(surface, atemi_vec3_add(p, atemi_vec3_scale(side * step, u)));
        sum += atemi_vec3_dot(atemi_vec3_sub(q, p), view.normal) / (step * step);
    }
    const double v[3] = {u.x, u.y, u.z};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            expected -= v[i] * element(&view.bending, i, j) * v[j];
        }
    }
    CHECK_NEAR(sum, expected, 1e-4 * (1.0 + fabs(expected)));
}

TEST(surface, has_the_normal_and_the_bending_of_its_shape)
{
    static const atemi_surface_kind kinds[] = {ATEMI_SURFACE_PLANE,    ATEMI_SURFACE_SPHERE,
                                               ATEMI_SURFACE_SPHERE,   ATEMI_SURFACE_CYLINDER,
                                               ATEMI_SURFACE_CYLINDER, ATEMI_SURFACE_HEIGHTS,
                                               ATEMI_SURFACE_CYLINDER};
    static const double             radii[] = {0.0, 0.5, -0.8, 0.6, -0.7, 0.0, 0.3};
    fill_heights();
    for (int k = 0; k < 7; ++k) {
        atemi_surface surface = surface_of(kinds[k], radii[k]);
        surface.half_length =
            k == 6 ? 0.5 : 0.0; // a capsule, which some are beside and some beyond
        CHECK_STATUS(atemi_surface_check(&surface, NULL), ATEMI_OK);
        for (uint64_t seed = 1; seed <= 20; ++seed) {
            random_stream    stream = random_seeded(seed);
            const atemi_vec3 near = {random_uniform(&stream, 0.35, 1.6),
                                     random_uniform(&stream, 0.1, 1.4),
                                     random_uniform(&stream, 0.4, 0.9)};
            check_by_differences(&surface, near);
            check_bending(&surface, near,
                          (atemi_vec3){random_uniform(&stream, -1.0, 1.0),
                                       random_uniform(&stream, -1.0, 1.0), 0.3});
        }
    }
}

// Closed forms: a point at distance d from the centre is d - r away, inside |r| - d.
TEST(surface, tells_the_distance)
{
    atemi_surface    ball = surface_of(ATEMI_SURFACE_SPHERE, 0.5);
    const atemi_vec3 p = {0.1 + 0.6, -0.2, 0.3 + 0.8};
    CHECK_NEAR(atemi_surface_look(&ball, p).gap, 0.5, 1e-15);
    ball.radius = -1.5;
    CHECK_NEAR(atemi_surface_look(&ball, p).gap, 0.5, 1e-15);
    CHECK_NEAR(atemi_surface_look(&ball, p).normal.x, -0.6, 1e-15);
    const atemi_surface floor = atemi_surface_floor();
    CHECK_NEAR(atemi_surface_look(&floor, p).gap, 1.1, 1e-15);
}

// Through the heights at the nodes, and level from one spacing beyond the edge on: half the last
// step further, along both axes.
TEST(surface, of_heights_goes_through_its_table)
{
    fill_heights();
    const atemi_surface surface = surface_of(ATEMI_SURFACE_HEIGHTS, 0.0);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 7; ++j) {
            const atemi_vec3 p = {0.1 + 0.3 * j, -0.2 + 0.4 * i, 0.3 + heights[7 * i + j]};
            CHECK_NEAR(atemi_surface_look(&surface, p).gap, 0.0, 1e-12);
        }
    }
    const double     first = 1.5 * heights[0] - 0.5 * heights[1];
    const double     second = 1.5 * heights[7] - 0.5 * heights[8];
    const atemi_vec3 far_away = {-9.0, -9.0, 0.3 + 1.5 * first - 0.5 * second};
    CHECK_NEAR(atemi_surface_look(&surface, far_away).gap, 0.0, 1e-15);
    CHECK_NEAR(atemi_surface_look(&surface, far_away).normal.z, 1.0, 1e-15);
}

// A capsule of radius r and half length h: beside it the distance from the axis counts, beyond its
// ends that from the ends; a part looks on as if it had no end.
TEST(surface, of_a_capsule_is_that_of_its_parts)
{
    const double        r = 0.2, h = 0.5;
    const atemi_surface capsule = {
        .kind = ATEMI_SURFACE_CYLINDER, .axis = {0, 0, 1}, .radius = r, .half_length = h};
    const atemi_vec3 beside = {0.3, 0.4, 0.1}, beyond = {0.3, 0.0, h + 0.4};
    CHECK_STATUS(atemi_surface_check(&capsule, NULL), ATEMI_OK);
    CHECK_NEAR(atemi_surface_look(&capsule, beside).gap, 0.5 - r, 1e-15);
    CHECK_NEAR(atemi_surface_look(&capsule, beyond).gap, 0.5 - r, 1e-15);
    CHECK_NEAR(atemi_surface_look(&capsule, beyond).normal.z, 0.8, 1e-15);
    CHECK_EQUAL_INT(atemi_surface_part_at(&capsule, beside), ATEMI_CAPSULE_SIDE);
    CHECK_EQUAL_INT(atemi_surface_part_at(&capsule, beyond), ATEMI_CAPSULE_TOP);
    CHECK_EQUAL_INT(atemi_surface_part_at(&capsule, (atemi_vec3){0, 0, -1}), ATEMI_CAPSULE_BOTTOM);
    CHECK_NEAR(atemi_surface_look_at_part(&capsule, ATEMI_CAPSULE_SIDE, beyond).gap, 0.3 - r,
               1e-15);
    atemi_surface inside = capsule;
    inside.radius = -r;
    CHECK_STATUS(atemi_surface_check(&inside, NULL), ATEMI_ERROR_INPUT);
}

TEST(surface, refuses_what_is_none)
{
    atemi_error   error;
    atemi_surface surface = atemi_surface_floor();
    surface.axis.z = 0.5;
    CHECK_STATUS(atemi_surface_check(&surface, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "length 1");
    surface = surface_of(ATEMI_SURFACE_SPHERE, 0.0);
    CHECK_STATUS(atemi_surface_check(&surface, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "radius");
    surface = surface_of(ATEMI_SURFACE_HEIGHTS, 0.0);
    surface.table.columns = 1;
    CHECK_STATUS(atemi_surface_check(&surface, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "2 x 2");
    surface.table.columns = 7;
    surface.table.spacing_y = -1.0;
    CHECK_STATUS(atemi_surface_check(&surface, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "spacing");
    surface.table.spacing_y = 1.0;
    fill_heights();
    heights[8] = NAN;
    CHECK_STATUS(atemi_surface_check(&surface, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "height 2 of row 2");
    surface.position.x = NAN;
    CHECK_STATUS(atemi_surface_check(&surface, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "position");
}
