// SPDX-License-Identifier: Apache-2.0

#include "atemi/surface.h"

#include "check.h"
#include "random.h"

#include <math.h>

static const double edge = 0.04, tiny = 1e-12; // rounding of a few sums

TEST(terrain, a_slope_rises_by_its_tangent_and_stays_at_the_top)
{
    const atemi_terrain_part slope = {
        .kind = ATEMI_TERRAIN_SLOPE, .from = 1.0, .to = 3.0, .angle = 0.1};
    CHECK_NEAR(atemi_terrain_height(&slope, 1, edge, 0.5, 7.0), 0.0, 0.0);
    CHECK_NEAR(atemi_terrain_height(&slope, 1, edge, 2.0, -7.0), tan(0.1), tiny);
    CHECK_NEAR(atemi_terrain_height(&slope, 1, edge, 9.0, 0.0), 2.0 * tan(0.1), tiny);
}

TEST(terrain, each_tread_is_a_rise_higher)
{
    atemi_terrain_part part = {
        .kind = ATEMI_TERRAIN_STAIRS, .from = 1.0, .rise = 0.15, .tread = 0.3, .count = 4};
    for (int down = 0; down < 2; ++down, part.rise = -part.rise) {
        for (int i = -1; i < 7; ++i) { // in the middle of a tread, and near both of its ends
            const double treads = fmin(fmax(i + 1.0, 0.0), 4.0), x = 1.0 + 0.3 * i;
            CHECK_NEAR(atemi_terrain_height(&part, 1, edge, x + 0.15, 2.0), treads * part.rise,
                       tiny);
            CHECK_NEAR(atemi_terrain_height(&part, 1, edge, x + 0.021, 2.0), treads * part.rise,
                       tiny);
            CHECK_NEAR(atemi_terrain_height(&part, 1, edge, x + 0.279, 2.0), treads * part.rise,
                       tiny);
        }
        // Half-way up the riser, and a quarter
        CHECK_NEAR(atemi_terrain_height(&part, 1, edge, 1.0, 0.0), 0.5 * part.rise, tiny);
        CHECK_NEAR(atemi_terrain_height(&part, 1, edge, 1.29, 0.0), 1.25 * part.rise, tiny);
    }
}

// Even in +-h: mean 0, variance h^2 / 3. Of 4000 tiles both are within 5 standard errors: that of
// the mean is h / sqrt(3 n), of the variance h^2 sqrt(4 / 45 / n).
TEST(terrain, tiles_are_level_and_evenly_high_and_low)
{
    atemi_terrain_part tiles = {.kind = ATEMI_TERRAIN_ROUGH,
                                .from = -6.0,
                                .to = 6.0,
                                .height = 0.02,
                                .tile = 0.3,
                                .seed = 5};
    double             sum = 0.0, squares = 0.0, changed = 0.0;
    for (int i = 0; i < 40; ++i) {
        for (int j = 0; j < 100; ++j) {
            const double x = -6.0 + 0.3 * i, y = 0.3 * (j - 50);
            tiles.seed = 5;
            const double h = atemi_terrain_height(&tiles, 1, edge, x + 0.15, y + 0.15);
            CHECK(fabs(h) <= 0.02);
            CHECK_NEAR(atemi_terrain_height(&tiles, 1, edge, x + 0.03, y + 0.27), h, tiny);
            tiles.seed = 6;
            changed += h != atemi_terrain_height(&tiles, 1, edge, x + 0.15, y + 0.15);
            sum += h;
            squares += h * h;
        }
    }
    const double n = 4000.0, h = 0.02;
    CHECK_NEAR(sum / n, 0.0, 5.0 * h / sqrt(3.0 * n));
    CHECK_NEAR(squares / n, h * h / 3.0, 5.0 * h * h * sqrt(4.0 / 45.0 / n));
    CHECK(changed > 0.999 * n);
    CHECK_NEAR(atemi_terrain_height(&tiles, 1, edge, 6.03, 0.0), 0.0, 0.0); // beyond its end
}

TEST(terrain, a_heading_turns_the_parts_and_parts_add_up)
{
    const atemi_terrain_part parts[] = {
        {.kind = ATEMI_TERRAIN_SLOPE, .from = -2.0, .to = 3.0, .angle = -0.08},
        {.kind = ATEMI_TERRAIN_STAIRS, .from = 0.1, .rise = 0.1, .tread = 0.25, .count = 3},
        {.kind = ATEMI_TERRAIN_ROUGH, .from = -1, .to = 4, .height = 0.02, .tile = 0.2, .seed = 9}};
    random_stream stream = random_seeded(11);
    for (int i = 0; i < 200; ++i) {
        const double x = random_uniform(&stream, -3.0, 5.0);
        const double y = random_uniform(&stream, -3.0, 3.0);
        const double turn = random_uniform(&stream, -3.0, 3.0);
        const double u = cos(turn) * x - sin(turn) * y, w = sin(turn) * x + cos(turn) * y;
        double       sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            atemi_terrain_part turned = parts[k];
            turned.heading = turn;
            const double h = atemi_terrain_height(&parts[k], 1, edge, x, y);
            // Ramps are no steeper than 0.1 / 0.04, which magnifies the rounding of the place.
            CHECK_NEAR(atemi_terrain_height(&turned, 1, edge, u, w), h, 1e-12);
            sum += h;
        }
        CHECK_NEAR(atemi_terrain_height(parts, 3, edge, x, y), sum, tiny);
    }
}

// Half a step between two nodes is the sharpest corner of the table. There the polynomial between
// (0, 0, 0, 1/2) undershoots by 0.039 (docs in src/contact/height_field.c).
TEST(terrain, the_surface_over_the_table_follows_the_terrain)
{
    enum { COLUMNS = 101, ROWS = 21 };
    static double            heights[ROWS * COLUMNS];
    const atemi_terrain_part parts[] = {
        {.kind = ATEMI_TERRAIN_STAIRS, .from = 0.5, .rise = 0.15, .tread = 0.3, .count = 3}};
    atemi_surface surface = {.kind = ATEMI_SURFACE_HEIGHTS, .position = {-0.3, -0.2, 0.0}};
    surface.table = (atemi_height_table){
        .columns = COLUMNS, .rows = ROWS, .spacing_x = 0.02, .spacing_y = 0.02, .heights = heights};
    atemi_terrain_lay(parts, 1, -0.3, -0.2, &surface.table, heights);
    for (int i = 0; i < 3; ++i) { // treads are where they are asked for
        const atemi_vec3 above = {0.5 + 0.3 * i + 0.15, 0.0, 0.15 * (i + 1) + 0.01};
        CHECK_NEAR(atemi_surface_look(&surface, above).gap, 0.01, 1e-9);
        CHECK_NEAR(atemi_surface_look(&surface, above).normal.z, 1.0, 1e-9);
    }
    for (int k = 0; k < 800; ++k) { // in front of the first riser and on the first tread
        const double x = 0.3 + 0.0005 * k, h = atemi_terrain_height(parts, 1, 0.04, x, 0.0);
        if (fabs(x - 0.5) > 0.021) {
            const atemi_vec3 at = {x, 0.0, h};
            CHECK(fabs(atemi_surface_look(&surface, at).gap) <= 0.04 * 0.15);
        }
    }
}
