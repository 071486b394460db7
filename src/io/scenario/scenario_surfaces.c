// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_surfaces.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_terrain.h"

#include <math.h>
#include <string.h>

// The reader refuses more.
enum { MAX_SURFACES = 100, MAX_HEIGHTS = 300, TERRAIN = 4 };

static const char floor_name[] = "floor";

static const double shortest = 1e-9; // of a direction: below, rounding has its way

static const atemi_vec3 upwards = {0.0, 0.0, 1.0};

static atemi_vec3 read_direction(atemi_scenario_reader *reader, const char *key, const char *help)
{
    const atemi_vec3 along =
        atemi_scenario_vec3(reader, key, (atemi_vec3_key){.fallback = upwards, .help = help});
    const double length = atemi_vec3_norm(along);
    if (!(length > shortest)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "has no direction; give a vector of any length but 0");
        return upwards;
    }
    return atemi_vec3_scale(1.0 / length, along);
}

static double read_radius(atemi_scenario_reader *reader)
{
    const double radius =
        atemi_scenario_number(reader, "radius",
                              (atemi_number_key){.unit = "m",
                                                 .lower = 0.0,
                                                 .upper = INFINITY,
                                                 .open = true,
                                                 .required = true,
                                                 .help = "of sphere or cylinder"});
    const bool inside = atemi_scenario_boolean(
        reader, "inside", (atemi_boolean_key){.help = "the robot is inside, not outside"});
    return inside ? -radius : radius;
}

// ---- Heights

static double *read_rows(atemi_scenario_reader *reader, atemi_height_table *table)
{
    double *heights = NULL;
    table->rows = atemi_scenario_enter_list(
        reader, "heights", 2, MAX_HEIGHTS,
        "rows of heights above position, each along x, one after the other along y");
    for (int i = 0; atemi_scenario_next(reader); ++i) {
        double    row[MAX_HEIGHTS] = {0.0};
        const int count = atemi_scenario_numbers(
            reader, NULL,
            (atemi_numbers_key){
                .each = {.unit = "m", .required = true}, .least = 2, .most = MAX_HEIGHTS},
            row);
        if (i == 0) {
            table->columns = count;
            heights = (double *)atemi_scenario_allocate(reader, sizeof *heights,
                                                        table->rows * (count > 0 ? count : 1));
        }
        if (count != table->columns) {
            atemi_scenario_fail(reader, atemi_scenario_last(reader),
                                "has %d heights, the row before it %d; give all rows alike", count,
                                table->columns);
        } else if (heights) {
            memcpy(heights + (ptrdiff_t)i * count, row, (size_t)count * sizeof *row);
        }
    }
    return heights;
}

static double *read_heights(atemi_scenario_reader *reader, atemi_height_table *table)
{
    double spacing[2] = {0.1, 0.1};
    atemi_scenario_numbers(
        reader, "spacing",
        (atemi_numbers_key){
            .each = {.unit = "m",
                     .lower = 1e-4,
                     .upper = 1e4,
                     .reason = "finer than a sole feels, and wider than any field",
                     .help = "of the table, along x and y; its first height is at position"},
            .least = 2,
            .most = 2,
            .fallback_count = 2},
        spacing);
    table->spacing_x = spacing[0];
    table->spacing_y = spacing[1];
    table->heights = read_rows(reader, table);
    return (double *)table->heights;
}

// ---- Surfaces

static void read_shape(atemi_scenario_reader *reader, int kind, atemi_surface *surface,
                       double **heights)
{
    if (atemi_scenario_wants(reader, kind, ATEMI_SURFACE_PLANE)) {
        surface->axis =
            read_direction(reader, "normal", "of a plane, towards the robot; any length");
    }
    if (atemi_scenario_wants(reader, kind, ATEMI_SURFACE_CYLINDER)) {
        surface->axis = read_direction(reader, "axis", "of a cylinder; any length");
    }
    if (kind == ATEMI_SURFACE_SPHERE ||
        atemi_scenario_wants(reader, kind, ATEMI_SURFACE_CYLINDER)) {
        surface->radius = read_radius(reader);
    }
    if (atemi_scenario_wants(reader, kind, ATEMI_SURFACE_HEIGHTS)) {
        *heights = read_heights(reader, &surface->table);
    }
    if (atemi_scenario_wants(reader, kind, TERRAIN)) {
        double *laid = atemi_scenario_read_terrain(reader, surface->position, &surface->table);
        *heights = laid ? laid : *heights;
    }
}

static void read_surface(atemi_scenario_reader *reader, atemi_surface *surface, double **heights)
{
    static const char *const kinds[] = {"plane", "sphere", "cylinder", "heights", "terrain", NULL};
    atemi_error              error;
    const int                kind =
        atemi_scenario_choice(reader, "kind",
                              (atemi_choice_key){.words = kinds,
                                                 .help = "heights: z = height(x, y) of a table, "
                                                         "smooth between its points; terrain: "
                                                         "slopes, stairs, uneven ground"});
    surface->kind = kind == TERRAIN ? ATEMI_SURFACE_HEIGHTS : (atemi_surface_kind)kind;
    surface->position = atemi_scenario_vec3(
        reader, "position",
        (atemi_vec3_key){.unit = "m",
                         .help = "a point of the plane or axis, the centre, the table's corner"});
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    read_shape(reader, kind, surface, heights);
    if (!atemi_scenario_failed(reader) && !atemi_scenario_is_blank(reader) &&
        atemi_surface_check(surface, &error)) {
        atemi_scenario_adopt(reader, mark, &error);
    }
}

void atemi_scenario_read_surfaces(atemi_scenario_reader *reader, atemi_scenario_surfaces *surfaces)
{
    // Beside those of the file there is room for the floor, which comes first.
    const int given = atemi_scenario_enter_names(
        reader, "surfaces", 0, MAX_SURFACES, "what can be touched; without it the 'floor', z = 0");
    *surfaces = (atemi_scenario_surfaces){.count = 1};
    surfaces->names =
        (const char **)atemi_scenario_allocate(reader, sizeof *surfaces->names, given + 1);
    surfaces->surfaces =
        (atemi_surface *)atemi_scenario_allocate(reader, sizeof *surfaces->surfaces, given + 1);
    surfaces->heights =
        (double **)atemi_scenario_allocate(reader, sizeof *surfaces->heights, given + 1);
    surfaces->marks =
        (atemi_scenario_mark *)atemi_scenario_allocate(reader, sizeof *surfaces->marks, given + 1);
    if (!atemi_scenario_failed(reader)) {
        surfaces->names[0] = floor_name;
        surfaces->surfaces[0] = atemi_surface_floor();
    }
    while (atemi_scenario_next(reader)) {
        const char *name = atemi_scenario_name(reader);
        const int   index = strcmp(name, floor_name) == 0 ? 0 : surfaces->count++;
        surfaces->names[index] = name;
        surfaces->marks[index] = atemi_scenario_last(reader);
        surfaces->surfaces[index] = atemi_surface_floor();
        read_surface(reader, &surfaces->surfaces[index], &surfaces->heights[index]);
    }
}

static const char *name_at(const void *surfaces, int index)
{
    return ((const atemi_scenario_surfaces *)surfaces)->names[index];
}

atemi_scenario_names atemi_scenario_surface_names(const atemi_scenario_surfaces *surfaces)
{
    return (atemi_scenario_names){"surface", surfaces->names ? surfaces->count : 0, name_at,
                                  surfaces, NULL};
}

void atemi_scenario_surfaces_destroy(atemi_scenario_surfaces *surfaces)
{
    for (int i = 0; surfaces->heights && i < surfaces->count; ++i) {
        atemi_release(surfaces->heights[i]);
    }
    atemi_release((void *)surfaces->heights);
    atemi_release(surfaces->marks);
    atemi_release(surfaces->surfaces);
    atemi_release((void *)surfaces->names);
    *surfaces = (atemi_scenario_surfaces){0};
}
