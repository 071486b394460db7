// SPDX-License-Identifier: Apache-2.0

#include "contact/height_field.h"

#include "check.h"
#include "random.h"

#include <math.h>
#include <stddef.h>

enum { COLUMNS = 21, ROWS = 17 };

static const double spacing_x = 0.1, spacing_y = 0.12;
static const double middle_x = 1.0, middle_y = 0.96; // of the table

static double heights[ROWS * COLUMNS];

static const atemi_height_table table = {COLUMNS, ROWS, 0.1, 0.12, heights};

typedef double height_of(double x, double y);

// x and y count from the middle.
static void fill(height_of *height)
{
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < COLUMNS; ++j) {
            heights[i * COLUMNS + j] = height(spacing_x * j - middle_x, spacing_y * i - middle_y);
        }
    }
}

static atemi_surface_view look(double x, double y, double z)
{
    return atemi_height_field_look(&table, (atemi_vec3){middle_x + x, middle_y + y, z});
}

static void fill_at_random(uint64_t seed, double highest)
{
    random_stream stream = random_seeded(seed);
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
        heights[i] = random_uniform(&stream, 0.0, highest);
    }
}

static double quadratic_form(const atemi_symmetric3 *S, atemi_vec3 a, atemi_vec3 b)
{
    return atemi_vec3_dot(a, atemi_symmetric3_apply(S, b));
}

// ---- Closed forms

static double plane(double x, double y)
{
    return 0.3 * x - 0.4 * y + 0.1;
}

// Rounding of heights of about 1 m only.
TEST(height_field, of_a_plane_is_the_plane)
{
    const double s = sqrt(1.25);
    fill(plane);
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        random_stream            stream = random_seeded(seed);
        const double             x = random_uniform(&stream, -0.7, 0.7);
        const double             y = random_uniform(&stream, -0.6, 0.6);
        const double             z = random_uniform(&stream, -0.5, 0.8);
        const atemi_surface_view view = look(x, y, z);
        CHECK_NEAR(view.gap, (z - plane(x, y)) / s, 1e-14);
        CHECK_NEAR(view.normal.x, -0.3 / s, 1e-13);
        CHECK_NEAR(view.normal.y, 0.4 / s, 1e-13);
        CHECK_NEAR(quadratic_form(&view.bending, (atemi_vec3){1, 2, 3}, (atemi_vec3){1, -1, 2}),
                   0.0, 1e-10);
    }
}

static const double R = 0.5;

static double paraboloid(double x, double y)
{
    return (x * x + y * y) / (2.0 * R);
}

// A paraboloid is of second degree, so that the table is exact. Seen from its axis at the height z
// the bottom is nearest as long as z < R; from above the centre of curvature, a circle is, at the
// distance sqrt(2 R z - R^2). The bending at the distance z from the bottom is -1 / (R - z).
TEST(height_field, of_a_paraboloid_has_its_distance_on_both_sides_of_the_centre_of_curvature)
{
    fill(paraboloid);
    for (double z = -0.3; z < 0.49; z += 0.05) {
        const atemi_surface_view view = look(0.0, 0.0, z);
        CHECK_NEAR(view.gap, z, 1e-14);
        CHECK_NEAR(view.bending.xx, -1.0 / (R - z), 1e-9);
        CHECK_NEAR(view.bending.yy, -1.0 / (R - z), 1e-9);
        CHECK_NEAR(view.bending.zz, 0.0, 1e-9);
    }
    for (double z = 0.51; z < 0.7; z += 0.01) {
        CHECK_NEAR(look(0.0, 0.0, z).gap, sqrt(2.0 * R * z - R * R), 1e-13);
    }
}

// From anywhere: the point that is d away along the normal at a given point of the paraboloid. The
// principal curvatures there are 1 / (R c^3) outwards and 1 / (R c) around, with c^2 = 1 + s^2 /
// R^2 at s from the axis.
TEST(height_field, of_a_paraboloid_has_the_normal_and_the_bending_of_its_nearest_point)
{
    fill(paraboloid);
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        random_stream    stream = random_seeded(seed);
        const double     s = random_uniform(&stream, 0.0, 0.55);
        const double     angle = random_uniform(&stream, 0.0, 6.28);
        const double     d = random_uniform(&stream, -0.2, 0.4), c = sqrt(1.0 + s * s / (R * R));
        const atemi_vec3 out = {cos(angle), sin(angle), 0.0}, around = {-out.y, out.x, 0.0};
        const atemi_vec3 n = {-s / R / c * out.x, -s / R / c * out.y, 1.0 / c};
        const atemi_vec3 up = atemi_vec3_cross(n, around); // tangent, outwards
        const atemi_surface_view view =
            look(s * out.x + d * n.x, s * out.y + d * n.y, paraboloid(s, 0.0) + d * n.z);
        CHECK_NEAR(view.gap, d, 1e-13);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(view.normal, n)), 0.0, 1e-11);
        // d <= 0.8 R magnifies rounding by 1 / (1 - 0.8)^2.
        CHECK_NEAR(quadratic_form(&view.bending, up, up), -1.0 / (R * c * c * c - d), 1e-8);
        CHECK_NEAR(quadratic_form(&view.bending, around, around), -1.0 / (R * c - d), 1e-8);
        CHECK_NEAR(quadratic_form(&view.bending, up, around), 0.0, 1e-8);
        CHECK_NEAR(quadratic_form(&view.bending, n, up), 0.0, 1e-12);
    }
}

static const double big = 3.0;

static double sphere(double x, double y)
{
    return sqrt(big * big - x * x - y * y) - big;
}

static double cylinder(double x, double y)
{
    (void)y;
    return sqrt(big * big - x * x) - big;
}

// Slopes at nodes are off by h^2 |h'''| / 6, which makes up to h^3 |h'''| / 40 of the height along
// each axis, and h |h'''| of the second derivative; third derivatives are at most 3 x / R^3 (1 +
// ...) = 0.08 / m^2 here.
TEST(height_field, of_a_sphere_and_of_a_cylinder_is_as_near_as_its_spacing_allows)
{
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        random_stream stream = random_seeded(seed);
        const double  x = random_uniform(&stream, -0.6, 0.6);
        const double  y = random_uniform(&stream, -0.6, 0.6);
        const double  z = random_uniform(&stream, 0.0, 0.5);
        const double  far = sqrt(x * x + y * y + (z + big) * (z + big));
        const double  across = sqrt(x * x + (z + big) * (z + big));
        fill(sphere);
        const atemi_surface_view ball = look(x, y, z);
        CHECK_NEAR(ball.gap, far - big, 6e-6);
        CHECK_NEAR(ball.normal.x, x / far, 2e-4);
        CHECK_NEAR(quadratic_form(&ball.bending, (atemi_vec3){1, 0, 0}, (atemi_vec3){1, 0, 0}),
                   (1.0 - x * x / (far * far)) / far, 2e-2);
        fill(cylinder);
        const atemi_surface_view roll = look(x, y, z);
        CHECK_NEAR(roll.gap, across - big, 6e-6);
        CHECK_NEAR(roll.normal.x, x / across, 2e-4);
        CHECK_NEAR(roll.bending.yy, 0.0, 1e-10);
    }
}

// ---- Smoothness

static atemi_vec3 on_border(random_stream *stream, int kind)
{
    // The last ones are where the surface has become level, beyond the edge.
    const int columns[] = {0, 1, 7, COLUMNS - 1, COLUMNS}, rows[] = {-1, 0, 5, ROWS - 2, ROWS - 1};
    return (atemi_vec3){kind < 5 ? spacing_x * columns[kind] : random_uniform(stream, 0.0, 2.0),
                        kind < 5 ? random_uniform(stream, 0.0, 2.0) : spacing_y * rows[kind - 5],
                        0.0};
}

static double worst_difference(const atemi_surface_view *a, const atemi_surface_view *b)
{
    const double d[] = {a->gap - b->gap,
                        atemi_vec3_norm(atemi_vec3_sub(a->normal, b->normal)),
                        a->bending.xx - b->bending.xx,
                        a->bending.yy - b->bending.yy,
                        a->bending.zz - b->bending.zz,
                        a->bending.xy - b->bending.xy,
                        a->bending.xz - b->bending.xz,
                        a->bending.yz - b->bending.yz};
    double       worst = 0.0;
    for (size_t i = 0; i < sizeof d / sizeof d[0]; ++i) {
        worst = fmax(worst, fabs(d[i]));
    }
    return worst;
}

// On the surface, on both sides of a border of cells, 2e-9 m apart: third derivatives, of the order
// of height / spacing^3 x 60 = 3e3, change the bending by less than 1e-4. A table whose curvature
// jumped would be off by height / spacing^2 = 5.
TEST(height_field, has_no_jump_of_distance_normal_and_bending_at_borders_of_cells_and_table)
{
    fill_at_random(3, 0.05);
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream stream = random_seeded(seed);
        for (int kind = 0; kind < 10; ++kind) {
            const atemi_vec3         at = on_border(&stream, kind);
            const double             z = atemi_height_field_height(&table, at.x, at.y);
            const double             x = kind < 5 ? 1e-9 : 0.0, y = kind < 5 ? 0.0 : 1e-9;
            const atemi_surface_view a =
                atemi_height_field_look(&table, (atemi_vec3){at.x - x, at.y - y, z});
            const atemi_surface_view b =
                atemi_height_field_look(&table, (atemi_vec3){at.x + x, at.y + y, z});
            CHECK_NEAR(worst_difference(&a, &b), 0.0, 1e-4);
        }
    }
}

static atemi_vec3 stepped(atemi_vec3 p, int axis, double by)
{
    const atemi_vec3 along = {axis == 0, axis == 1, axis == 2};
    return atemi_vec3_add(p, atemi_vec3_scale(by, along));
}

// Central differences with a step of 1e-5 m: errors of 1e-10 / 6 times third derivatives of the
// distance, of less than 1e5 here, and where the cell changes 1e-5 times that of the bending.
TEST(height_field, has_the_derivatives_of_its_distance_as_normal_and_bending)
{
    const double step = 1e-5;
    fill_at_random(7, 0.03);
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        random_stream            stream = random_seeded(seed);
        const atemi_vec3         p = {random_uniform(&stream, -0.3, 2.3),
                                      random_uniform(&stream, -0.3, 2.2),
                                      random_uniform(&stream, -0.01, 0.06)};
        const atemi_surface_view view = atemi_height_field_look(&table, p);
        for (int i = 0; i < 3; ++i) {
            const atemi_vec3         axis = stepped((atemi_vec3){0.0, 0.0, 0.0}, i, 1.0);
            const atemi_surface_view a = atemi_height_field_look(&table, stepped(p, i, -step));
            const atemi_surface_view b = atemi_height_field_look(&table, stepped(p, i, step));
            const atemi_vec3         rate =
                atemi_vec3_scale(0.5 / step, atemi_vec3_sub(b.normal, a.normal));
            const atemi_vec3 expected = atemi_symmetric3_apply(&view.bending, axis);
            CHECK_NEAR((b.gap - a.gap) / (2.0 * step), atemi_vec3_dot(view.normal, axis), 1e-7);
            CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(rate, expected)), 0.0,
                       3e-3 * (1.0 + atemi_vec3_norm(expected)));
        }
    }
}

// ---- The nearest of several

static double sampled_distance(atemi_vec3 p, double reach)
{
    const int count = 200;
    double    least = INFINITY;
    for (int i = -count; i <= count; ++i) {
        for (int j = -count; j <= count; ++j) {
            const double x = reach * j / count, y = reach * i / count;
            const double z = atemi_height_field_height(&table, p.x + x, p.y + y) - p.z;
            least = fmin(least, x * x + y * y + z * z);
        }
    }
    return sqrt(least);
}

// Walls and pillars of up to 0.6 m on a grid of 0.1 m: below the point is seldom nearest. Samples
// are 2e-3 m apart (up to 0.4 m away), which is 20 mm on walls of a slope of 10, but that far from
// the foot only in the second order: (10 mm)^2 / 2 / 0.02 m of distance bounds it.
TEST(height_field, finds_the_nearest_wall)
{
    int below = 0;
    fill_at_random(11, 0.6);
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        random_stream    stream = random_seeded(seed);
        const atemi_vec3 p = {random_uniform(&stream, 0.2, 1.8), random_uniform(&stream, 0.2, 1.7),
                              random_uniform(&stream, 0.0, 0.7)};
        const double     gap = fabs(atemi_height_field_look(&table, p).gap);
        const double     sampled = sampled_distance(p, 0.4);
        CHECK(gap <= sampled + 1e-9);
        CHECK_NEAR(gap, sampled, 2e-3);
        below += gap > 0.9 * fabs(p.z - atemi_height_field_height(&table, p.x, p.y));
    }
    CHECK(below < 20);
}

// ---- Balls and valleys

// A trough with its crests at the edges, where it is level. It bends most at the bottom, with
// 0.1 (2 pi / 2)^2 = 1 / 1.013 m; the table adds up to 5 %.
static double trough(double x, double y)
{
    (void)y;
    return 0.1 * (1.0 - cos(3.14159265358979 * x));
}

TEST(height_field, refuses_balls_that_would_touch_at_two_places)
{
    fill(trough);
    atemi_error   error;
    atemi_surface surface = {.kind = ATEMI_SURFACE_HEIGHTS, .position = {1, 2, 3}, .table = table};
    CHECK_STATUS(atemi_surface_check_ball(&surface, 0.95, &error), ATEMI_OK);
    CHECK_STATUS(atemi_surface_check_ball(&surface, 1.03, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "two places at once");
    CHECK_STATUS(atemi_surface_check_ball(&surface, 0.0, &error), ATEMI_OK);
    surface = (atemi_surface){.kind = ATEMI_SURFACE_SPHERE, .radius = -0.4};
    CHECK_STATUS(atemi_surface_check_ball(&surface, 0.39, &error), ATEMI_OK);
    CHECK_STATUS(atemi_surface_check_ball(&surface, 0.4, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "does not fit");
    surface.radius = 0.4;
    CHECK_STATUS(atemi_surface_check_ball(&surface, 7.0, &error), ATEMI_OK);
}

// The curvature of a trough along x or y, h" / (1 + h'^2)^(3/2), where it is largest among places a
// quarter of a cell apart.
static double sharpest_along(bool along_x)
{
    double sharpest = 0.0;
    for (int k = 0; k <= 4 * ROWS; ++k) {
        const atemi_height_place at = {along_x ? 0.25 * k * spacing_x : middle_x,
                                       along_x ? middle_y : 0.25 * k * spacing_y};
        const atemi_height_patch f = atemi_height_patch_at(&table, at);
        const double             slope = along_x ? f.x : f.y, bending = along_x ? f.xx : f.yy;
        sharpest = fmax(sharpest, bending / pow(1.0 + slope * slope, 1.5));
    }
    return sharpest;
}

// A row or a column of heights is lowered: the surface bends upwards most beside it.
TEST(height_field, knows_its_sharpest_valley)
{
    for (int along_x = 0; along_x < 2; ++along_x) {
        for (int i = 0; i < ROWS * COLUMNS; ++i) {
            const bool lowered = along_x ? i % COLUMNS == 7 : i / COLUMNS == 11;
            heights[i] = lowered ? -0.05 : 0.0;
        }
        const atemi_height_field_valley valley = atemi_height_field_sharpest(&table);
        const double                    sharpest = sharpest_along(along_x);
        CHECK_NEAR(valley.curvature, sharpest, 1e-12 * sharpest);
        CHECK_NEAR(along_x ? valley.x : valley.y, along_x ? 7.0 * spacing_x : 11.0 * spacing_y,
                   0.5 * spacing_x);
    }
}

// Nothing overflows, hangs or leaves the table, whatever the numbers: under the sanitizers, this is
// the claim.
TEST(height_field, can_be_looked_at_from_anywhere)
{
    const double far[] = {0.0, 1e-300, -3.0, 1e10, -1e300, INFINITY, (double)NAN};
    fill_at_random(5, 0.1);
    for (int i = 0; i < 7; ++i) {
        for (int j = 0; j < 7; ++j) {
            for (int k = 0; k < 7; ++k) {
                const atemi_surface_view view =
                    atemi_height_field_look(&table, (atemi_vec3){far[i], far[j], far[k]});
                if (i < 4 && j < 4 && k < 4) {
                    CHECK(isfinite(view.gap) && atemi_vec3_is_finite(view.normal));
                }
            }
        }
    }
}
