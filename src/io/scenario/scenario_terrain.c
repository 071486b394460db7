// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_terrain.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <math.h>

// The reader refuses more.
enum { MAX_PARTS = 20, MAX_STAIRS = 1000 };

static const double max_heights = 1.2e6; // 10 MB, and a second to lay them

static const double steepest = 0.7854; // rad, 45 degrees

// ---- Parts

static double read_length(atemi_scenario_reader *reader, const char *key, double fallback,
                          const char *help)
{
    return atemi_scenario_number(reader, key,
                                 (atemi_number_key){.unit = "m",
                                                    .fallback = fallback,
                                                    .lower = 0.02,
                                                    .upper = 100.0,
                                                    .reason = "no sole feels a shorter one, and no "
                                                              "floor has a longer one",
                                                    .help = help});
}

static void read_extent(atemi_scenario_reader *reader, atemi_terrain_part *part)
{
    const atemi_scenario_mark from = atemi_scenario_last(reader);
    part->to = atemi_scenario_number(
        reader, "to",
        (atemi_number_key){.unit = "m", .fallback = 1e3, .help = "of a slope or rough ground"});
    atemi_scenario_check_order(reader, from, part->from, atemi_scenario_last(reader), part->to, "m",
                               "place");
}

static void read_stairs(atemi_scenario_reader *reader, atemi_terrain_part *part)
{
    part->rise =
        atemi_scenario_number(reader, "rise",
                              (atemi_number_key){.unit = "m",
                                                 .fallback = 0.1,
                                                 .lower = -1.0,
                                                 .upper = 1.0,
                                                 .reason = "no leg is longer",
                                                 .help = "of a stair; negative: downstairs"});
    part->tread = read_length(reader, "tread", 0.3, "of a stair");
    part->count = atemi_scenario_integer(
        reader, "count",
        (atemi_integer_key){.fallback = 5, .lower = 1, .upper = MAX_STAIRS, .help = "of stairs"});
}

static void read_tiles(atemi_scenario_reader *reader, atemi_terrain_part *part)
{
    part->height = atemi_scenario_number(reader, "height",
                                         (atemi_number_key){.unit = "m",
                                                            .fallback = 0.01,
                                                            .lower = 0.0,
                                                            .upper = 1.0,
                                                            .reason = "no leg is longer",
                                                            .help = "tiles are at most that much "
                                                                    "higher or lower"});
    part->tile = read_length(reader, "tile", 0.3, "side length of a tile");
    part->seed = (uint64_t)atemi_scenario_integer(
        reader, "seed",
        (atemi_integer_key){.fallback = 1, .lower = 1, .upper = 1000000, .help = "of the heights"});
}

static void warn_of_nothing(atemi_scenario_reader *reader, const atemi_terrain_part *part)
{
    const double rises[] = {part->angle, part->rise, part->height};
    if (rises[part->kind] == 0.0 && !atemi_scenario_is_blank(reader)) {
        atemi_scenario_warn(reader, atemi_scenario_last(reader),
                            "this part of the terrain has no effect: it is level");
    }
}

static void read_part(atemi_scenario_reader *reader, atemi_terrain_part *part)
{
    static const char *const kinds[] = {"slope", "stairs", "rough", NULL};
    part->kind = (atemi_terrain_kind)atemi_scenario_choice(
        reader, "kind",
        (atemi_choice_key){.words = kinds, .required = true, .help = "of this part"});
    part->heading = atemi_scenario_number(
        reader, "heading",
        (atemi_number_key){.unit = "rad",
                           .lower = -6.2832,
                           .upper = 6.2832,
                           .reason = "a full turn",
                           .help =
                               "in which it rises, from x towards y; from and to are along it"});
    part->from = atemi_scenario_number(reader, "from",
                                       (atemi_number_key){.unit = "m", .help = "where it begins"});
    const int kind = (int)part->kind;
    if (atemi_scenario_wants(reader, kind, ATEMI_TERRAIN_STAIRS)) {
        read_stairs(reader, part);
    }
    if (kind != ATEMI_TERRAIN_STAIRS) {
        read_extent(reader, part);
    }
    if (atemi_scenario_wants(reader, kind, ATEMI_TERRAIN_SLOPE)) {
        part->angle =
            atemi_scenario_number(reader, "angle",
                                  (atemi_number_key){.unit = "rad",
                                                     .fallback = 0.05,
                                                     .lower = -steepest,
                                                     .upper = steepest,
                                                     .reason = "45 degrees: no sole holds on more",
                                                     .help = "up where positive"});
    }
    if (atemi_scenario_wants(reader, kind, ATEMI_TERRAIN_ROUGH)) {
        read_tiles(reader, part);
    }
    warn_of_nothing(reader, part);
}

// ---- The table

static atemi_scenario_mark read_size(atemi_scenario_reader *reader, double size[2])
{
    atemi_scenario_numbers(
        reader, "size",
        (atemi_numbers_key){.each = {.unit = "m",
                                     .lower = 0.1,
                                     .upper = 1e4,
                                     .reason = "shorter than a step, and longer than any walk",
                                     .help = "of a terrain along x and y, from position on; beyond "
                                             "it goes on level"},
                            .least = 2,
                            .most = 2,
                            .fallback_count = 2},
        size);
    return atemi_scenario_last(reader);
}

static double *lay(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                   const atemi_terrain_part *parts, int count, atemi_vec3 position,
                   const double size[2], double spacing, atemi_height_table *table)
{
    const double columns = floor(size[0] / spacing + 1.5), rows = floor(size[1] / spacing + 1.5);
    if (columns * rows > max_heights) {
        atemi_scenario_fail(reader, mark,
                            "a terrain of %g m x %g m has %g heights at a spacing of %g m, and at "
                            "most %g are kept; give a smaller size, or a larger resolution",
                            size[0], size[1], columns * rows, spacing, max_heights);
        return NULL;
    }
    *table = (atemi_height_table){
        .columns = (int)columns, .rows = (int)rows, .spacing_x = spacing, .spacing_y = spacing};
    double *heights =
        (double *)atemi_scenario_allocate(reader, sizeof *heights, table->columns * table->rows);
    if (heights) {
        atemi_terrain_lay(parts, count, position.x, position.y, table, heights);
        table->heights = heights;
    }
    return heights;
}

// A step between treads or tiles takes two spacings.
static void check_spacing(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                          const atemi_terrain_part *part, double spacing)
{
    const double longest = part->kind == ATEMI_TERRAIN_STAIRS  ? part->tread
                           : part->kind == ATEMI_TERRAIN_ROUGH ? part->tile
                                                               : (double)INFINITY;
    if (2.0 * spacing > longest && !atemi_scenario_is_blank(reader)) {
        atemi_scenario_fail(reader, mark,
                            "a tread or tile of %g m has no room for an edge of two spacings, %g "
                            "m; give longer ones, or a smaller resolution",
                            longest, 2.0 * spacing);
    }
}

double *atemi_scenario_read_terrain(atemi_scenario_reader *reader, atemi_vec3 position,
                                    atemi_height_table *table)
{
    double       size[2] = {12.0, 4.0};
    double      *heights = NULL;
    const double spacing = atemi_scenario_number(
        reader, "resolution",
        (atemi_number_key){.unit = "m",
                           .fallback = 0.02,
                           .lower = 1e-3,
                           .upper = 1.0,
                           .reason = "finer than a sole feels, and coarser than one",
                           .help = "spacing of a terrain's heights"});
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    const atemi_scenario_mark of_size = read_size(reader, size);
    const int                 count =
        atemi_scenario_enter_list(reader, "parts", 1, MAX_PARTS, "of a terrain, which add up");
    atemi_terrain_part *parts =
        (atemi_terrain_part *)atemi_scenario_allocate(reader, sizeof *parts, count);
    for (int i = 0; atemi_scenario_next(reader); ++i) {
        read_part(reader, &parts[i]);
        check_spacing(reader, mark, &parts[i], spacing);
    }
    if (!atemi_scenario_failed(reader) && !atemi_scenario_is_blank(reader)) {
        heights = lay(reader, of_size, parts, count, position, size, spacing, table);
    }
    atemi_release(parts);
    return heights;
}
