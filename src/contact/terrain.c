// SPDX-License-Identifier: Apache-2.0

#include "atemi/surface.h"

#include "atemi/base.h"
#include "math/random.h"

#include <math.h>
#include <stddef.h>

// With s the distance along the heading, a the same across it, and ramp(s) = 0 up to s = 0, 1 from
// s = edge on and straight in between,
//
//   slope    tan(angle) (min(s, to) - from)                              from s = from on
//   stairs   rise (sum of ramp(s - from - i tread + edge / 2), i = 0 ... count - 1)
//   rough    heights h_ij of tiles about ((i + 1/2) tile, (j + 1/2) tile), and bilinear between
//            them where an edge of a tile is nearer than edge / 2; ramps lead to it and back

static double within(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

// ---- Tiles

typedef struct tile_weight {
    double first, fraction; ///< of the lower of two tiles, and how much the next one counts
} tile_weight;

static tile_weight weigh(double s, double tile, double edge)
{
    const double u = s / tile, near = floor(u + 0.5); // the nearest edge is at near * tile
    return (tile_weight){near - 1.0, within(0.5 + (u - near) * tile / edge, 0.0, 1.0)};
}

// Even in +-height, a function of the tile and the seed alone.
static double tile_height(const atemi_terrain_part *part, double i, double j)
{
    const int64_t first = (int64_t)i, second = (int64_t)j;
    uint64_t      state = part->seed;
    state = random_bits_next(&state) ^ (uint64_t)first;
    state = random_bits_next(&state) ^ (uint64_t)second;
    return part->height * (2.0 * random_unit_next(&state) - 1.0);
}

static double rough(const atemi_terrain_part *part, double edge, double s, double a)
{
    const double inside = within((s - part->from) / edge + 0.5, 0.0, 1.0) *
                          within((part->to - s) / edge + 0.5, 0.0, 1.0);
    if (inside == 0.0) {
        return 0.0;
    }
    const tile_weight u = weigh(s - part->from, part->tile, edge), w = weigh(a, part->tile, edge);
    double            height = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            const double weight =
                (i ? u.fraction : 1.0 - u.fraction) * (j ? w.fraction : 1.0 - w.fraction);
            height += weight * tile_height(part, u.first + i, w.first + j);
        }
    }
    return inside * height;
}

// ---- Slopes and stairs

static double slope(const atemi_terrain_part *part, double s)
{
    return tan(part->angle) * (within(s, part->from, part->to) - part->from);
}

static double stairs(const atemi_terrain_part *part, double edge, double s)
{
    const double u = (s - part->from) / part->tread, near = floor(u + 0.5); // the nearest riser
    const double below = within(near, 0.0, part->count); // risers that are passed
    const double ramp = within((u - near) * part->tread / edge + 0.5, 0.0, 1.0);
    return part->rise * (below + (near >= 0.0 && near < part->count ? ramp : 0.0));
}

// ---- All of it

static double height_of(const atemi_terrain_part *part, double edge, double x, double y)
{
    const double c = cos(part->heading), s = sin(part->heading);
    const double along = c * x + s * y;
    switch (part->kind) {
    case ATEMI_TERRAIN_SLOPE:
        return slope(part, along);
    case ATEMI_TERRAIN_STAIRS:
        return stairs(part, edge, along);
    case ATEMI_TERRAIN_ROUGH:
        return rough(part, edge, along, c * y - s * x);
    }
    return 0.0;
}

double atemi_terrain_height(const atemi_terrain_part *parts, int count, double edge, double x,
                            double y)
{
    ATEMI_REQUIRE_OR((parts || count == 0) && edge > 0.0, 0.0);
    double height = 0.0;
    for (int i = 0; i < count; ++i) {
        height += height_of(&parts[i], edge, x, y);
    }
    return height;
}

void atemi_terrain_lay(const atemi_terrain_part *parts, int count, double x, double y,
                       const atemi_height_table *table, double *heights)
{
    ATEMI_REQUIRE(table && heights);
    const double edge = 2.0 * fmax(table->spacing_x, table->spacing_y);
    for (int i = 0; i < table->rows; ++i) {
        for (int j = 0; j < table->columns; ++j) {
            heights[(size_t)i * (size_t)table->columns + (size_t)j] = atemi_terrain_height(
                parts, count, edge, x + j * table->spacing_x, y + i * table->spacing_y);
        }
    }
}
