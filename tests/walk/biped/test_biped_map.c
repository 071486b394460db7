// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_map.h"

#include "check.h"

#include <math.h>

// A floor that rises by 0.2 along x and falls by 0.1 along y, as a plane and as a table.

enum { COLUMNS = 41, ROWS = 21 };

static double slope(double x, double y)
{
    return 0.3 + 0.2 * x - 0.1 * y;
}

static double step(double x, double y)
{
    (void)y;
    return x > 0.205 ? 0.1 : 0.0; // between two nodes
}

static double ridge(double x, double y)
{
    return fmax(0.15 - fabs(x + y), 0.0);
}

// Heights every 2 cm from (-0.4, -0.2) on.
static atemi_surface lay(double (*height)(double x, double y), double heights[ROWS][COLUMNS])
{
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < COLUMNS; ++j) {
            heights[i][j] = height(-0.4 + 0.02 * j, -0.2 + 0.02 * i) - 1.0;
        }
    }
    return (atemi_surface){.kind = ATEMI_SURFACE_HEIGHTS,
                           .position = {-0.4, -0.2, 1.0},
                           .table = {COLUMNS, ROWS, 0.02, 0.02, heights[0]}};
}

TEST(biped_map, a_plane_has_the_same_heights_as_its_table)
{
    double              heights[ROWS][COLUMNS];
    const atemi_surface table = lay(slope, heights);
    const double        n = sqrt(1.0 + 0.04 + 0.01);
    const atemi_surface plane = {.kind = ATEMI_SURFACE_PLANE,
                                 .position = {0.1, 0.1, slope(0.1, 0.1)},
                                 .axis = {-0.2 / n, 0.1 / n, 1.0 / n}};
    for (double x = -0.3; x < 0.3; x += 0.13) {
        CHECK_NEAR(biped_map_height(&table, x, 0.5 * x), slope(x, 0.5 * x), 1e-12);
        CHECK_NEAR(biped_map_height(&plane, x, 0.5 * x), slope(x, 0.5 * x), 1e-12);
    }
    CHECK(biped_map_has_heights(&plane) && biped_map_has_heights(&table));
}

TEST(biped_map, walls_and_balls_have_no_heights)
{
    const atemi_surface wall = {.kind = ATEMI_SURFACE_PLANE, .axis = {1.0, 0.0, 0.0}};
    const atemi_surface ball = {.kind = ATEMI_SURFACE_SPHERE, .radius = 1.0};
    CHECK(!biped_map_has_heights(&wall) && !biped_map_has_heights(&ball));
}

// However the sole is turned, the plane under it is that of the floor.
TEST(biped_map, a_sole_on_a_slope_lies_on_its_plane)
{
    double              heights[ROWS][COLUMNS];
    const atemi_surface floor = lay(slope, heights);
    for (double heading = -3.0; heading < 3.0; heading += 0.7) {
        const biped_print p = biped_map_print(&floor, 0.05, -0.02, heading, 0.2, 0.1);
        CHECK_NEAR(p.height, slope(0.05, -0.02), 1e-12);
        CHECK_NEAR(p.x, 0.2, 1e-12);
        CHECK_NEAR(p.y, -0.1, 1e-12);
        CHECK_NEAR(p.rough, 0.0, 1e-12);
    }
}

// The edge at 0.205 is smooth between the nodes beside it, and the surface is off by 4 % of the
// step within a spacing: from 0.18 to 0.24 all is a part of the edge.
TEST(biped_map, a_sole_over_an_edge_lies_on_no_plane)
{
    double              heights[ROWS][COLUMNS];
    const atemi_surface floor = lay(step, heights);
    for (double x = -0.1; x < 0.3; x += 0.005) {
        const double rough = biped_map_print(&floor, x, 0.0, 0.0, 0.2, 0.1).rough;
        if (x + 0.1 < 0.18 || x - 0.1 > 0.24) {
            CHECK(rough < 1e-12);
        } else if (x + 0.1 > 0.22 && x - 0.1 < 0.19) {
            CHECK(rough > 0.02); // a fifth of the step at least
        }
    }
}

TEST(biped_map, the_top_of_a_way_is_that_of_the_ridge_on_it)
{
    double              heights[ROWS][COLUMNS];
    const atemi_surface floor = lay(ridge, heights);
    // Stations are a twelfth of the way apart, 2.8 cm across the ridge, whose sides rise by 1.
    CHECK_NEAR(biped_map_top(&floor, -0.12, -0.12, 0.12, 0.12), 0.15, 0.015);
    CHECK_NEAR(biped_map_top(&floor, 0.2, 0.1, 0.3, 0.1), 0.0, 1e-12);
}
