// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_map.h"

#include "atemi/base.h"

#include <stdio.h>

static const atemi_recorded_column map_columns[ATEMI_IMPACT_MAP_COLUMNS] = {
    {"x", "m"},          {"y", "m"},          {"z", "m"},       {"virtual mass", "kg"},
    {"peak force", "N"}, {"ZMP margin", "m"}, {"reached", NULL}};

enum { Z = 2, VIRTUAL_MASS = 3, SHOWN = 3 };

// The picture has the two finest axes of the grid; the third one makes several of them.
static atemi_table_plot plot_of(const atemi_impact_sweep *sweep, const int y[SHOWN])
{
    int third = Z;
    for (int k = Z - 1; k >= 0; --k) {
        third = sweep->counts[k] < sweep->counts[third] ? k : third;
    }
    return (atemi_table_plot){.y_count = SHOWN,
                              .y = y,
                              .x = third == 0 ? 1 : 0,
                              .series = third == Z ? 1 : Z,
                              .is_map = true,
                              .tile = third};
}

static void fill(const atemi_impact_map *map, int count, double *values)
{
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < ATEMI_IMPACT_MAP_COLUMNS; ++k) {
            values[i * ATEMI_IMPACT_MAP_COLUMNS + k] =
                map->values[i * map->stride + map->columns[k]];
        }
    }
}

atemi_status atemi_impact_map_add(const atemi_impact_map *map, atemi_recording *recording,
                                  atemi_error *error)
{
    static const int shown[SHOWN] = {VIRTUAL_MASS, VIRTUAL_MASS + 1, VIRTUAL_MASS + 2};
    const int       *counts = map->sweep->counts;
    const int        count = counts[0] * counts[1] * counts[2];
    char             name[32], title[128];
    double          *values =
        (double *)atemi_allocate((size_t)count * ATEMI_IMPACT_MAP_COLUMNS * sizeof *values);
    if (!values) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a map");
    }
    fill(map, count, values);
    snprintf(name, sizeof name, "map_%d", map->number);
    snprintf(title, sizeof title, "Blows by the place of the hand, along [%.3g, %.3g, %.3g]",
             map->direction.x, map->direction.y, map->direction.z);
    const atemi_recorded_table table = {.name = name,
                                        .title = title,
                                        .row_count = count,
                                        .column_count = ATEMI_IMPACT_MAP_COLUMNS,
                                        .columns = map_columns,
                                        .values = values,
                                        .plot = plot_of(map->sweep, shown)};
    const atemi_status         status = atemi_recording_add_table(recording, &table, error);
    atemi_release(values);
    return status;
}
