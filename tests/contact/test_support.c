// SPDX-License-Identifier: Apache-2.0

#include "atemi/model.h"
#include "atemi/support.h"
#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"

#include <string.h>

enum { MOST = 400, ROUNDS = 300 };

static const double pi = 3.14159265358979323846;

static atemi_vec3 random_point(random_stream *stream, double size)
{
    atemi_vec3 p;
    p.x = random_uniform(stream, -size, size);
    p.y = random_uniform(stream, -size, size);
    p.z = random_uniform(stream, -size, size);
    return p;
}

// A plane in any direction, with its axes.
static atemi_support_plane random_plane(random_stream *stream, atemi_mat3 *axes)
{
    const double roll = random_uniform(stream, -pi, pi), pitch = random_uniform(stream, -pi, pi);
    *axes = atemi_mat3_from_rpy(roll, pitch, random_uniform(stream, -pi, pi));
    const atemi_support_plane plane = {random_point(stream, 2.0), axes->z};
    return plane;
}

static atemi_vec3 on_plane(const atemi_support_plane *plane, const atemi_mat3 *axes, double x,
                           double y, double z)
{
    const atemi_vec3 p = {x, y, z};
    return atemi_vec3_add(plane->point, atemi_mat3_apply(axes, p));
}

static double distance_between(atemi_vec3 a, atemi_vec3 b)
{
    return atemi_vec3_norm(atemi_vec3_sub(a, b));
}

static double largest_along(atemi_vec3 direction, const atemi_vec3 *points, int count)
{
    double largest = -INFINITY;
    for (int i = 0; i < count; ++i) {
        largest = fmax(largest, atemi_vec3_dot(direction, points[i]));
    }
    return largest;
}

static double distance_to_nearest(atemi_vec3 p, const atemi_vec3 *points, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        least = fmin(least, distance_between(p, points[i]));
    }
    return least;
}

// How far b stands out from the line from a to c, to the right of the way.
static double height_of(atemi_vec3 n, atemi_vec3 a, atemi_vec3 b, atemi_vec3 c)
{
    const atemi_vec3 way = atemi_vec3_sub(c, a);
    const atemi_vec3 right = atemi_vec3_scale(1.0 / atemi_vec3_norm(way), atemi_vec3_cross(way, n));
    return atemi_vec3_dot(right, atemi_vec3_sub(b, a));
}

static void check_same_point(atemi_vec3 a, atemi_vec3 b, double tolerance)
{
    CHECK_NEAR(a.x, b.x, tolerance);
    CHECK_NEAR(a.y, b.y, tolerance);
    CHECK_NEAR(a.z, b.z, tolerance);
}

// The definition of a hull, for points on the plane: every vertex is one of the points, the ring
// turns left at each, and it reaches as far as the points do in each direction.
static void check_is_hull(const atemi_support *s, const atemi_vec3 *points, int count,
                          double tolerance)
{
    const atemi_vec3 n = s->plane.normal;
    const atemi_mat3 axes = atemi_mat3_with_z(n);
    for (int i = 0; i < s->count; ++i) {
        CHECK(distance_to_nearest(s->vertices[i], points, count) <= tolerance);
        if (s->count > 2) {
            const atemi_vec3 before = s->vertices[(i + s->count - 1) % s->count];
            const atemi_vec3 after = s->vertices[(i + 1) % s->count];
            CHECK(height_of(n, before, s->vertices[i], after) > 0.0);
        }
    }
    for (int k = 0; k < 64; ++k) {
        const double     angle = 2.0 * pi * k / 64.0;
        const atemi_vec3 u = atemi_vec3_add(atemi_vec3_scale(cos(angle), axes.x),
                                            atemi_vec3_scale(sin(angle), axes.y));
        CHECK_NEAR(largest_along(u, s->vertices, s->count), largest_along(u, points, count),
                   tolerance);
    }
}

static void shuffle(random_stream *stream, atemi_vec3 *points, int count)
{
    for (int i = count - 1; i > 0; --i) {
        const int        k = random_index(stream, i + 1);
        const atemi_vec3 kept = points[i];
        points[i] = points[k];
        points[k] = kept;
    }
}

static double area_of(const atemi_support *s)
{
    double twice = 0.0;
    for (int i = 2; i < s->count; ++i) {
        const atemi_vec3 a = atemi_vec3_sub(s->vertices[i - 1], s->vertices[0]);
        const atemi_vec3 b = atemi_vec3_sub(s->vertices[i], s->vertices[0]);
        twice += atemi_vec3_dot(s->plane.normal, atemi_vec3_cross(a, b));
    }
    return 0.5 * twice;
}

TEST(site_corners, of_a_rectangle_go_around_its_z_axis)
{
    atemi_site site = {.name = "sole", .pose = atemi_transform_identity()};
    site.pose.rotation = atemi_mat3_from_rpy(0.0, 0.0, pi / 2.0);
    site.pose.position = (atemi_vec3){0.0, 0.0, -0.1};
    site.size_x = 0.2;
    site.size_y = 0.1;
    const atemi_transform link = {atemi_mat3_identity(), {1.0, 2.0, 3.0}};

    atemi_vec3       corners[4];
    const atemi_vec3 expected[] = {
        {1.05, 1.9, 2.9}, {1.05, 2.1, 2.9}, {0.95, 2.1, 2.9}, {0.95, 1.9, 2.9}};
    CHECK_EQUAL_INT(atemi_site_corners(&site, &link, corners), 4);
    for (int i = 0; i < 4; ++i) {
        check_same_point(corners[i], expected[i], 1e-15 * 4.0);
    }
}

TEST(site_corners, of_a_line_are_its_ends_and_of_a_point_itself)
{
    atemi_site            site = {.name = "edge", .pose = atemi_transform_identity()};
    const atemi_transform link = {{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                                  {1.0, 2.0, 3.0}}; // x, y, z -> z, x, y
    atemi_vec3            corners[4];

    CHECK_EQUAL_INT(atemi_site_corners(&site, &link, corners), 1);
    check_same_point(corners[0], link.position, 0.0);
    site.size_x = 0.5;
    CHECK_EQUAL_INT(atemi_site_corners(&site, &link, corners), 2);
    check_same_point(corners[0], (atemi_vec3){1.0, 2.0, 2.75}, 0.0);
    check_same_point(corners[1], (atemi_vec3){1.0, 2.0, 3.25}, 0.0);
    site.size_x = 0.0;
    site.size_y = 0.5;
    CHECK_EQUAL_INT(atemi_site_corners(&site, &link, corners), 2);
    check_same_point(corners[0], (atemi_vec3){0.75, 2.0, 3.0}, 0.0);
    check_same_point(corners[1], (atemi_vec3){1.25, 2.0, 3.0}, 0.0);
}

// Two feet of 0.2 x 0.1 m side by side, the right one ahead by 0.1 m: a hexagon. Soles a little off
// the floor support as if they were on it.
TEST(support_polygon, of_two_feet_is_their_hull_on_the_floor)
{
    const atemi_vec3 points[] = {{0.0, 0.1, 0.0},  {0.2, 0.1, 0.0},  {0.2, 0.2, 0.0},
                                 {0.0, 0.2, 0.01}, {0.1, -0.1, 0.0}, {0.3, -0.1, 0},
                                 {0.3, -0.2, 0},   {0.1, -0.2, 0}};
    const atemi_vec3 expected[] = {{0.0, 0.1, 0.0},  {0.1, -0.2, 0.0}, {0.3, -0.2, 0.0},
                                   {0.3, -0.1, 0.0}, {0.2, 0.2, 0.0},  {0.0, 0.2, 0.0}};
    atemi_vec3       vertices[8];

    const atemi_support s = atemi_support_polygon(NULL, points, 8, vertices);
    CHECK_EQUAL_INT(s.count, 6);
    CHECK(s.vertices == vertices);
    int first = 0;
    while (first < 6 && distance_between(vertices[first], expected[0]) > 0.0) {
        ++first;
    }
    for (int i = 0; i < 6; ++i) {
        check_same_point(vertices[(first + i) % 6], expected[i], 0.0);
    }
}

// Clouds are thin and long as often as round, far off the plane, and some points come twice. The
// tolerance is rounding: coordinates are below 6 m.
TEST(support_polygon, of_random_points_on_any_plane_is_their_hull)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        random_stream             stream = random_seeded(seed);
        atemi_mat3                axes;
        const atemi_support_plane plane = random_plane(&stream, &axes);
        const int                 count = 1 + random_index(&stream, 60);
        const double              width = pow(10.0, random_uniform(&stream, -6.0, 0.0));
        atemi_vec3                points[120], flat[120], vertices[120];
        for (int i = 0; i < 2 * count; ++i) {
            const double x = random_uniform(&stream, -1.0, 1.0);
            const double y = random_uniform(&stream, -width, width);
            const double z = random_uniform(&stream, -1.0, 1.0);
            const bool   is_double = i > 0 && random_index(&stream, 3) == 0;
            points[i] = is_double ? points[i - 1] : on_plane(&plane, &axes, x, y, z);
            flat[i] = is_double ? flat[i - 1] : on_plane(&plane, &axes, x, y, 0.0);
        }
        const atemi_support s = atemi_support_polygon(&plane, points, 2 * count, vertices);
        check_is_hull(&s, flat, 2 * count, 1e-14);
    }
}

// Points of a small grid are full of doubled points and lines.
TEST(support_polygon, of_points_of_a_grid_has_no_vertex_in_line)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        random_stream             stream = random_seeded(seed);
        atemi_mat3                axes;
        const atemi_support_plane plane = random_plane(&stream, &axes);
        const int                 cells = 1 + random_index(&stream, 6);
        const int                 count = 1 + random_index(&stream, 50);
        const double              pitch = 0.1 / 3.0;
        atemi_vec3                points[50], turned[50], vertices[50], turned_vertices[50];
        for (int i = 0; i < count; ++i) {
            const int x = random_index(&stream, cells), y = random_index(&stream, cells);
            points[i] = (atemi_vec3){x, y, 0.0};
            turned[i] = on_plane(&plane, &axes, x * pitch, y * pitch, 0.0);
        }
        const atemi_support s = atemi_support_polygon(NULL, points, count, vertices);
        check_is_hull(&s, points, count, 0.0);
        for (int i = 0; s.count > 2 && i < s.count; ++i) {
            const atemi_vec3 before = vertices[(i + s.count - 1) % s.count];
            CHECK(height_of(s.plane.normal, before, vertices[i], vertices[(i + 1) % s.count]) >
                  0.1);
        }
        const atemi_support t = atemi_support_polygon(&plane, turned, count, turned_vertices);
        CHECK_EQUAL_INT(t.count, s.count);
        CHECK_NEAR(area_of(&t), area_of(&s) * pitch * pitch, 1e-15);
    }
}

TEST(support_polygon, is_the_same_in_whatever_order_the_points_come)
{
    random_stream             stream = random_seeded(5);
    atemi_mat3                axes;
    const atemi_support_plane plane = random_plane(&stream, &axes);
    atemi_vec3                points[60], vertices[60], again[60];
    for (int i = 0; i < 60; ++i) {
        const double angle = random_index(&stream, 24) * pi / 12.0;
        points[i] = on_plane(&plane, &axes, cos(angle), sin(angle), 0.0);
    }
    const atemi_support s = atemi_support_polygon(&plane, points, 60, vertices);
    CHECK(s.count > 12 && s.count <= 24);
    for (int round = 0; round < 100; ++round) {
        shuffle(&stream, points, 60);
        const atemi_support t = atemi_support_polygon(&plane, points, 60, again);
        CHECK_EQUAL_INT(t.count, s.count);
        CHECK(memcmp(vertices, again, (size_t)s.count * sizeof *vertices) == 0);
    }
}

// Lines in all directions, x = const among them, with points that are off by rounding.
TEST(support_polygon, of_points_in_line_is_the_line_between_the_ends)
{
    for (int k = 0; k < 360; ++k) {
        const double              angle = k * pi / 180.0, c = cos(angle), s = sin(angle);
        random_stream             stream = random_seeded((uint64_t)k);
        atemi_mat3                axes;
        const atemi_support_plane tilted = random_plane(&stream, &axes);
        atemi_vec3                points[30], vertices[30];
        for (int i = 0; i < 30; ++i) {
            const double t = i < 2 ? i : random_uniform(&stream, 0.0, 1.0);
            points[i] = k % 2 ? on_plane(&tilted, &axes, c * t, s * t, 0.0)
                              : (atemi_vec3){3.0 + c * t, 1.0 + s * t, 0.0};
        }
        const atemi_vec3 ends[] = {points[0], points[1]};
        shuffle(&stream, points, 30);
        const atemi_support line =
            atemi_support_polygon(k % 2 ? &tilted : NULL, points, 30, vertices);
        CHECK_EQUAL_INT(line.count, 2);
        CHECK_NEAR(distance_to_nearest(ends[0], vertices, 2), 0.0, 1e-14);
        CHECK_NEAR(distance_to_nearest(ends[1], vertices, 2), 0.0, 1e-14);
    }
}

TEST(support_polygon, of_one_point_many_times_is_the_point_and_of_none_is_empty)
{
    random_stream stream = random_seeded(1);
    atemi_vec3    points[20], vertices[20];
    for (int i = 0; i < 20; ++i) { // apart by one or two roundings
        const double jitter = (random_index(&stream, 3) - 1) * 0x1p-51;
        points[i] = (atemi_vec3){2.0 + jitter, 3.0 - jitter, 0.5};
    }
    const atemi_support s = atemi_support_polygon(NULL, points, 20, vertices);
    CHECK_EQUAL_INT(s.count, 1);
    check_same_point(vertices[0], (atemi_vec3){2.0, 3.0, 0.0}, 1e-15);
    CHECK_EQUAL_INT(atemi_support_polygon(NULL, points, 1, vertices).count, 1);
    CHECK_EQUAL_INT(atemi_support_polygon(NULL, NULL, 0, NULL).count, 0);
}

// The corner that the ring starts at, first by x, may itself be in line. A part of a corner that
// stands out by more than the tolerance stays.
TEST(support_polygon, drops_what_stands_out_by_rounding_and_keeps_what_stands_out_by_more)
{
    const double heights[] = {-1e-9, 1e-14, 1e-9};
    for (int k = 0; k < 3; ++k) {
        const double     h = heights[k];
        const atemi_vec3 points[] = {{0.0, 0.0, 0.0},     {0.5, -h, 0.0},  {1.0, 0.0, 0.0},
                                     {1.0 + h, 0.5, 0.0}, {1.0, 1.0, 0.0}, {0.5, 1.0 + h, 0.0},
                                     {0.0, 1.0, 0.0},     {-h, 0.5, 0.0}};
        atemi_vec3       vertices[8];
        CHECK_EQUAL_INT(atemi_support_polygon(NULL, points, 8, vertices).count, h > 1e-12 ? 8 : 4);
    }
}

// Next to each other, points of a flat parabola are within 1e-14 of a line, but dropping one after
// another must not add up: an edge over the width w leaves out c w^2 / 4.
TEST(support_polygon, of_a_flat_curve_is_true_to_its_tolerance)
{
    enum { FINE = 100001 };
    static atemi_vec3 points[FINE], vertices[FINE];
    const double      c = 5e-5;
    for (int i = 0; i < FINE; ++i) {
        const double x = 2.0 * i / (FINE - 1) - 1.0;
        points[i] = (atemi_vec3){x, c * x * x, 0.0};
    }
    const atemi_support s = atemi_support_polygon(NULL, points, FINE, vertices);
    CHECK(s.count > 1000 && s.count < FINE / 2);
    for (int i = 0; i < s.count; ++i) {
        const double width = vertices[(i + 1) % s.count].x - vertices[i].x;
        CHECK(width < 0.0 || c * width * width / 4.0 < 2e-12 + 4.0 * 0x1p-52);
    }
}

TEST(support_polygon, may_be_written_over_the_points)
{
    random_stream stream = random_seeded(3);
    atemi_vec3    points[40], vertices[40];
    for (int i = 0; i < 40; ++i) {
        points[i] = random_point(&stream, 1.0);
    }
    const atemi_support s = atemi_support_polygon(NULL, points, 40, vertices);
    const atemi_support t = atemi_support_polygon(NULL, points, 40, points);
    CHECK_EQUAL_INT(t.count, s.count);
    CHECK(memcmp(vertices, points, (size_t)s.count * sizeof *vertices) == 0);
}

// The square from 0 to 2, by hand: inside, beyond each edge, beyond a corner, above the floor.
TEST(support_distance, to_a_square_is_that_of_a_drawing)
{
    const atemi_vec3 square[] = {
        {0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {2.0, 2.0, 0.0}, {0.0, 2.0, 0.0}};
    const atemi_support s = {atemi_support_plane_floor(), square, 4};
    static const struct {
        atemi_vec3 point;
        double     distance;
        atemi_vec3 nearest;
        int        edge;
    } cases[] = {
        {{1.0, 0.25, 0.0}, 0.25, {1.0, 0.0, 0.0}, 0}, {{1.75, 1.0, 0.0}, 0.25, {2.0, 1.0, 0.0}, 1},
        {{0.5, 1.75, 0.0}, 0.25, {0.5, 2.0, 0.0}, 2}, {{0.25, 0.5, 9.0}, 0.25, {0.0, 0.5, 0.0}, 3},
        {{1.0, -0.5, 0.0}, -0.5, {1.0, 0.0, 0.0}, 0}, {{3.0, 1.5, -7.0}, -1.0, {2.0, 1.5, 0.0}, 1},
        {{1.5, 4.0, 0.0}, -2.0, {1.5, 2.0, 0.0}, 2},  {{-0.5, 1.0, 0.0}, -0.5, {0.0, 1.0, 0.0}, 3},
        {{5.0, -4.0, 0.0}, -5.0, {2.0, 0.0, 0.0}, 0}, {{2.0, 1.0, 0.0}, 0.0, {2.0, 1.0, 0.0}, 1},
        {{-3.0, 6.0, 0.0}, -5.0, {0.0, 2.0, 0.0}, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const atemi_support_margin m = atemi_support_distance(&s, cases[i].point);
        CHECK_NEAR(m.distance, cases[i].distance, 0.0);
        check_same_point(m.nearest, cases[i].nearest, 0.0);
        CHECK_EQUAL_INT(m.edge, cases[i].edge);
    }
}

// A circle's polygon of n corners on a tilted plane: between the inscribed radius and the radius.
TEST(support_distance, to_a_round_polygon_is_what_is_left_of_its_radius)
{
    enum { CORNERS = 200 };
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream             stream = random_seeded(seed);
        atemi_mat3                axes;
        const atemi_support_plane plane = random_plane(&stream, &axes);
        atemi_vec3                points[CORNERS], vertices[CORNERS];
        for (int i = 0; i < CORNERS; ++i) {
            const double angle = 2.0 * pi / (double)CORNERS * i;
            points[i] = on_plane(&plane, &axes, cos(angle), sin(angle), 0.0);
        }
        const atemi_support s = atemi_support_polygon(&plane, points, CORNERS, vertices);
        CHECK_EQUAL_INT(s.count, CORNERS);
        for (int i = 0; i < 50; ++i) {
            const double radius = random_uniform(&stream, 0.0, 3.0);
            const double angle = random_uniform(&stream, -pi, pi);
            const double x = cos(angle), y = sin(angle), sagitta = 1.0 - cos(pi / (double)CORNERS);
            const double above = random_uniform(&stream, -3.0, 3.0);
            const atemi_support_margin m =
                atemi_support_distance(&s, on_plane(&plane, &axes, radius * x, radius * y, above));
            CHECK(m.distance <= 1.0 - radius + 1e-14);
            CHECK(m.distance >= 1.0 - radius - sagitta - 1e-14);
            CHECK_NEAR(
                distance_between(m.nearest, on_plane(&plane, &axes, radius * x, radius * y, 0.0)),
                fabs(m.distance), 1e-14);
            const atemi_vec3 a = vertices[m.edge], b = vertices[(m.edge + 1) % CORNERS];
            CHECK_NEAR(distance_between(a, m.nearest) + distance_between(m.nearest, b),
                       distance_between(a, b), 1e-14);
        }
    }
}

TEST(support_distance, has_no_inside_for_a_line_a_point_or_nothing)
{
    const atemi_vec3 ends[] = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}, p = {1.0, 0.5, 0.0};
    atemi_support    s = {atemi_support_plane_floor(), ends, 2};

    CHECK_NEAR(atemi_support_distance(&s, p).distance, -0.5, 0.0);
    CHECK_NEAR(atemi_support_distance(&s, (atemi_vec3){1.0, -0.5, 0.0}).distance, -0.5, 0.0);
    CHECK_NEAR(atemi_support_distance(&s, (atemi_vec3){5.0, 4.0, 0.0}).distance, -5.0, 0.0);
    CHECK_NEAR(atemi_support_distance(&s, (atemi_vec3){3.0, 0.0, 0.0}).distance, -1.0, 0.0);
    CHECK_NEAR(atemi_support_distance(&s, (atemi_vec3){1.0, 0.0, 0.0}).distance, 0.0, 0.0);
    CHECK_EQUAL_INT(atemi_support_distance(&s, p).edge, 0);
    s.count = 1;
    CHECK_NEAR(atemi_support_distance(&s, (atemi_vec3){3.0, 4.0, 1.0}).distance, -5.0, 0.0);
    CHECK_EQUAL_INT(atemi_support_distance(&s, p).edge, 0);
    s.count = 0;
    const atemi_support_margin nothing = atemi_support_distance(&s, p);
    CHECK_NEAR(nothing.distance, -INFINITY, 0.0);
    CHECK_EQUAL_INT(nothing.edge, ATEMI_NONE);
    check_same_point(nothing.nearest, p, 0.0);
}

TEST(center_of_pressure, of_vertical_forces_is_their_weighted_mean)
{
    const atemi_vec3  points[] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}};
    const atemi_force forces[] = {{.linear = {0.0, 0.0, 100.0}},
                                  {.linear = {0.0, 0.0, 300.0}},
                                  {.linear = {0.0, 0.0, 100.0}}};
    atemi_vec3        center;
    CHECK(atemi_center_of_pressure(NULL, points, forces, 3, &center));
    check_same_point(center, (atemi_vec3){0.6, 0.4, 0.0}, 1e-16);
}

// From the point at the height h down along the force: x_0 - h F_x / F_z.
TEST(center_of_pressure, is_where_the_line_of_action_meets_the_floor)
{
    const atemi_vec3  point = {0.3, -0.2, 0.8};
    const atemi_force slanted = {{50.0, -20.0, 400.0}, {0.0, 0.0, 7.0}};
    atemi_vec3        center;
    CHECK(atemi_center_of_pressure(NULL, &point, &slanted, 1, &center));
    check_same_point(center, (atemi_vec3){0.3 - 0.8 * 50.0 / 400.0, -0.2 + 0.8 * 20.0 / 400.0, 0.0},
                     1e-15);

    // A moment of 8 N m about y moves it by -8 / 400 m along x, one of 8 N m about x by 8 / 400 m
    // along y.
    const atemi_force turned = {{50.0, -20.0, 400.0}, {8.0, 8.0, 7.0}};
    atemi_vec3        moved;
    CHECK(atemi_center_of_pressure(NULL, &point, &turned, 1, &moved));
    check_same_point(moved, (atemi_vec3){center.x - 0.02, center.y + 0.02, 0.0}, 1e-15);
}

// The definition, on any plane. Forces are within 400 N, levers within 10 m: rounding is 1e-12 N m.
TEST(center_of_pressure, leaves_no_moment_but_along_the_normal)
{
    int pressing = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        random_stream             stream = random_seeded(seed);
        atemi_mat3                axes;
        const atemi_support_plane plane = random_plane(&stream, &axes);
        const int                 count = 1 + random_index(&stream, 8);
        atemi_vec3                points[8], center = {7.0, 7.0, 7.0}, moment = {0}, sum = {0};
        atemi_force               forces[8];
        for (int i = 0; i < count; ++i) {
            points[i] = random_point(&stream, 1.0);
            forces[i] = (atemi_force){random_point(&stream, 50.0), random_point(&stream, 10.0)};
            sum = atemi_vec3_add(sum, forces[i].linear);
        }
        const double normal = atemi_vec3_dot(sum, plane.normal);
        CHECK(atemi_center_of_pressure(&plane, points, forces, count, &center) == (normal > 0.0));
        if (normal <= 0.0) {
            check_same_point(center, (atemi_vec3){7.0, 7.0, 7.0}, 0.0);
            continue;
        }
        ++pressing;
        for (int i = 0; i < count; ++i) {
            const atemi_vec3 lever = atemi_vec3_sub(points[i], center);
            moment = atemi_vec3_add(moment, forces[i].angular);
            moment = atemi_vec3_add(moment, atemi_vec3_cross(lever, forces[i].linear));
        }
        const double reach = distance_between(center, plane.point);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_cross(plane.normal, moment)), 0.0,
                   1e-12 * (1.0 + reach));
        CHECK_NEAR(atemi_vec3_dot(plane.normal, atemi_vec3_sub(center, plane.point)), 0.0,
                   1e-14 * (1.0 + reach));
    }
    CHECK(pressing > ROUNDS / 3);
}

// Forces that only push, at points of the plane, whatever their friction: the centre is a mean.
TEST(center_of_pressure, of_pushing_forces_is_within_the_support_polygon)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        random_stream             stream = random_seeded(seed);
        atemi_mat3                axes;
        const atemi_support_plane plane = random_plane(&stream, &axes);
        const int                 count = 1 + random_index(&stream, 8);
        atemi_vec3                points[8], vertices[8], center;
        atemi_force               forces[8] = {0};
        for (int i = 0; i < count; ++i) {
            const double x = random_uniform(&stream, -1.0, 1.0);
            points[i] = on_plane(&plane, &axes, x, random_uniform(&stream, -1.0, 1.0), 0.0);
            const double push = random_uniform(&stream, 60.0, 100.0);
            forces[i].linear =
                atemi_vec3_add(atemi_vec3_scale(push, plane.normal), random_point(&stream, 30.0));
        }
        const atemi_support s = atemi_support_polygon(&plane, points, count, vertices);
        CHECK(atemi_center_of_pressure(&plane, points, forces, count, &center));
        CHECK(atemi_support_distance(&s, center).distance > -1e-14);
    }
}

// 0.1 + 0.2 - 0.3 leaves 5.6e-17, which is no contact.
TEST(center_of_pressure, does_not_exist_where_the_ground_does_not_press)
{
    const atemi_vec3  points[3] = {0};
    const atemi_force pulling = {.linear = {1.0, 0.0, -5.0}},
                      sideways = {.linear = {1.0, 0.0, 0.0}};
    const atemi_force residue[] = {{{0.0, 0.0, 0.1}, {1.0, 0.0, 0.0}},
                                   {.linear = {0.0, 0.0, 0.2}},
                                   {.linear = {0.0, 0.0, -0.3}}};
    const atemi_force broken = {.linear = {0.0, 0.0, NAN}};
    atemi_vec3        center;
    CHECK(!atemi_center_of_pressure(NULL, points, NULL, 0, &center));
    CHECK(!atemi_center_of_pressure(NULL, points, &pulling, 1, &center));
    CHECK(!atemi_center_of_pressure(NULL, points, &sideways, 1, &center));
    CHECK(!atemi_center_of_pressure(NULL, points, residue, 3, &center));
    CHECK(!atemi_center_of_pressure(NULL, points, &broken, 1, &center));
}

// The cart-table: a mass at the height h that accelerates by a has its ZMP at x - h a / g, and that
// of one that also rises by b at x - h a / (g + b).
TEST(zmp_from_momentum, of_a_point_mass_is_that_of_the_cart_table)
{
    const double     m = 60.0, g = 9.81, h = 0.8, a = 1.5, b = 2.0;
    const atemi_vec3 gravity = {0.0, 0.0, -g}, com = {0.1, 0.2, h};
    atemi_force      rate = {.linear = {m * a, -2.0 * m * a, 0.0}};
    atemi_vec3       zmp;
    CHECK(atemi_zmp_from_momentum(NULL, m, gravity, com, rate, &zmp));
    check_same_point(zmp, (atemi_vec3){0.1 - h * a / g, 0.2 + 2.0 * h * a / g, 0.0}, 1e-15);

    rate.linear.z = m * b;
    CHECK(atemi_zmp_from_momentum(NULL, m, gravity, com, rate, &zmp));
    check_same_point(zmp, (atemi_vec3){0.1 - h * a / (g + b), 0.2 + 2.0 * h * a / (g + b), 0.0},
                     1e-15);
}

TEST(zmp_from_momentum, does_not_exist_in_free_flight)
{
    const atemi_vec3 gravity = {0.0, 0.0, -9.81}, com = {0.1, 0.2, 0.8};
    const double     m = 61.7;
    atemi_force      rate = {{0.0, 0.0, -9.81 * m * (1.0 - 0x1p-50)}, {1.0, 2.0, 3.0}};
    atemi_vec3       zmp;
    CHECK(!atemi_zmp_from_momentum(NULL, m, gravity, com, rate, &zmp));
    rate.linear.z = -10.0 * m;
    CHECK(!atemi_zmp_from_momentum(NULL, m, gravity, com, rate, &zmp));
}

// The momentum at the time t from the state (q, v), accelerated by a: to second order in t.
static atemi_force momentum_at(const random_state *x, double t, atemi_data *s)
{
    static double q[TREE_MAX_Q], v[TREE_MAX_V], mean[TREE_MAX_V];
    for (int i = 0; i < atemi_model_v_count(atemi_data_model(s)); ++i) {
        v[i] = x->v[i] + t * x->a[i];
        mean[i] = x->v[i] + 0.5 * t * x->a[i];
    }
    atemi_configuration_integrate(atemi_data_model(s), x->q, mean, t, q);
    atemi_update_kinematics(s, q, v, NULL);
    return atemi_momentum(s);
}

static atemi_force momentum_rate(const random_state *x, atemi_data *s)
{
    const double      h = 1e-4;
    const atemi_force after = momentum_at(x, h, s), before = momentum_at(x, -h, s);
    const atemi_force rate = {
        atemi_vec3_scale(0.5 / h, atemi_vec3_sub(after.linear, before.linear)),
        atemi_vec3_scale(0.5 / h, atemi_vec3_sub(after.angular, before.angular))};
    return rate;
}

// The force that a floating base needs for a motion, in the world's axes at the base's origin.
static atemi_force base_wrench(const random_state *x, atemi_data *s, atemi_vec3 *origin)
{
    static double tau[TREE_MAX_V];
    atemi_inverse_dynamics(s, x->q, x->v, x->a, NULL, tau);
    atemi_update_kinematics(s, x->q, x->v, NULL);
    const atemi_transform base = atemi_link_pose(s, 0);
    const atemi_vec3      f = {tau[0], tau[1], tau[2]}, m = {tau[3], tau[4], tau[5]};
    const atemi_force     wrench = {atemi_mat3_apply(&base.rotation, f),
                                    atemi_mat3_apply(&base.rotation, m)};
    *origin = base.position;
    return wrench;
}

// A plane with some tilt against gravity.
static atemi_support_plane slope_against(atemi_vec3 gravity, random_stream *stream)
{
    const atemi_vec3          up = atemi_vec3_scale(-1.0 / atemi_vec3_norm(gravity), gravity);
    const atemi_vec3          tilted = atemi_vec3_add(up, random_point(stream, 0.3));
    const atemi_support_plane slope = {random_point(stream, 2.0),
                                       atemi_vec3_scale(1.0 / atemi_vec3_norm(tilted), tilted)};
    return slope;
}

// A robot that nothing but the ground touches: inverse dynamics tells the ground's wrench at the
// base, differences of the momentum its sum about the centre of mass. Gravity has any direction.
// The error of the differences is within 1e-6 of the forces.
TEST(zmp_from_momentum, agrees_with_the_forces_of_inverse_dynamics)
{
    int pressing = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        random_stream              stream = random_seeded(seed);
        const tree_options         options = tree_options_default();
        atemi_model               *model = random_tree(&options, seed);
        atemi_data                *s = data_create(model);
        const atemi_support_plane  slope = slope_against(atemi_model_gravity(model), &stream);
        const atemi_support_plane *plane = seed % 2 ? &slope : NULL;
        static random_state        x;
        random_state_fill(model, seed, &x);

        const atemi_force rate = momentum_rate(&x, s);
        atemi_vec3        origin, zmp, center;
        const atemi_force wrench = base_wrench(&x, s, &origin);
        const atemi_vec3  com = atemi_center_of_mass(s);
        const atemi_vec3  gravity = atemi_model_gravity(model);
        const double      mass = atemi_model_mass(model);
        const bool        has_zmp = atemi_zmp_from_momentum(plane, mass, gravity, com, rate, &zmp);
        CHECK(atemi_center_of_pressure(plane, &origin, &wrench, 1, &center) == has_zmp);
        if (has_zmp) {
            ++pressing;
            check_same_point(zmp, center, 1e-5 * (1.0 + atemi_vec3_norm(center)));
        }
        atemi_data_destroy(s);
        atemi_model_destroy(model);
    }
    CHECK(pressing > 20 && pressing < 40);
}

TEST(support, requires_unit_normals_finite_points_and_memory)
{
    const atemi_support_plane crooked = {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.1}};
    const atemi_vec3          points[] = {{0.0, 0.0, 0.0}, {NAN, 0.0, 0.0}, {0.0, 0.0, INFINITY}};
    const atemi_force         force = {.linear = {0.0, 0.0, 1.0}};
    const atemi_support       bent = {crooked, points, 1}, lost = {crooked, NULL, 1};
    const atemi_site          site = {0};
    const atemi_transform     pose = atemi_transform_identity();
    atemi_vec3                vertices[4];

    CHECK_BREAKS_CONTRACT(atemi_support_polygon(&crooked, points, 1, vertices));
    CHECK_BREAKS_CONTRACT(
        CHECK_EQUAL_INT(atemi_support_polygon(NULL, points, 2, vertices).count, 0));
    CHECK_BREAKS_CONTRACT(atemi_support_polygon(NULL, points + 2, 1, vertices));
    CHECK_BREAKS_CONTRACT(atemi_support_polygon(NULL, points, 1, NULL));
    CHECK_BREAKS_CONTRACT(atemi_support_polygon(NULL, NULL, 1, vertices));
    CHECK_BREAKS_CONTRACT(atemi_support_polygon(NULL, points, -1, vertices));
    CHECK_BREAKS_CONTRACT(atemi_support_distance(NULL, points[0]));
    CHECK_BREAKS_CONTRACT(atemi_support_distance(&bent, points[0]));
    CHECK_BREAKS_CONTRACT(atemi_support_distance(&lost, points[0]));
    CHECK_BREAKS_CONTRACT(atemi_center_of_pressure(&crooked, points, &force, 1, vertices));
    CHECK_BREAKS_CONTRACT(atemi_center_of_pressure(NULL, NULL, &force, 1, vertices));
    CHECK_BREAKS_CONTRACT(atemi_center_of_pressure(NULL, points, NULL, 1, vertices));
    CHECK_BREAKS_CONTRACT(atemi_center_of_pressure(NULL, points, &force, 1, NULL));
    CHECK_BREAKS_CONTRACT(atemi_zmp_from_momentum(NULL, 1.0, points[0], points[0], force, NULL));
    CHECK_BREAKS_CONTRACT(
        atemi_zmp_from_momentum(&crooked, 1.0, points[0], points[0], force, vertices));
    CHECK_BREAKS_CONTRACT(atemi_site_corners(NULL, &pose, vertices));
    CHECK_BREAKS_CONTRACT(atemi_site_corners(&site, NULL, vertices));
    CHECK_BREAKS_CONTRACT(atemi_site_corners(&site, &pose, NULL));
}
