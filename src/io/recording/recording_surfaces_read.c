// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/recording/recording_json.h"

#include <string.h>

// An entry of "surfaces" in summary.json. What a kind does not use need not be there.

static atemi_status read_kind(const json_t *object, atemi_recording_place at,
                              atemi_surface_kind *kind, atemi_error *error)
{
    const char        *text;
    const atemi_status status = atemi_recording_json_string(object, at, "kind", true, &text, error);
    if (status) {
        return status;
    }
    for (int i = 0; i <= ATEMI_SURFACE_HEIGHTS; ++i) {
        if (strcmp(atemi_recording_surface_kinds[i], text) == 0) {
            *kind = (atemi_surface_kind)i;
            return ATEMI_OK;
        }
    }
    return atemi_recording_json_complain(at, "kind", "plane, sphere, cylinder or heights", error);
}

static atemi_status read_vector(const json_t *object, atemi_recording_place at, const char *key,
                                atemi_vec3 *x, atemi_error *error)
{
    double             entries[3];
    const atemi_status status = atemi_recording_json_numbers(object, at, key, 3, entries, error);
    if (!status) {
        *x = (atemi_vec3){entries[0], entries[1], entries[2]};
    }
    return status;
}

// The size of the table, which its heights must have.
static atemi_status read_size(const json_t *object, atemi_recording_place at,
                              atemi_height_table *table, atemi_error *error)
{
    const long long columns = json_integer_value(json_object_get(object, "columns"));
    const long long rows = json_integer_value(json_object_get(object, "rows"));
    if (columns < 2 || columns > ATEMI_RECORDING_MAX_HEIGHTS) {
        return atemi_recording_json_complain(at, "columns", "a whole number from 2", error);
    }
    if (rows < 2 || rows > ATEMI_RECORDING_MAX_HEIGHTS / columns) {
        return atemi_recording_json_complain(at, "rows", "a whole number from 2 that fits", error);
    }
    table->columns = (int)columns;
    table->rows = (int)rows;
    return ATEMI_OK;
}

// The heights are to be released.
static atemi_status read_heights(const json_t *object, atemi_recording_place at,
                                 atemi_height_table *table, atemi_error *error)
{
    const int count = table->columns * table->rows;
    double   *heights = (double *)atemi_recording_allocate((size_t)count, sizeof *heights);
    if (!heights) {
        return atemi_recording_no_memory(error);
    }
    table->heights = heights;
    return atemi_recording_json_numbers(object, at, "heights", count, heights, error);
}

static atemi_status read_table(const json_t *object, atemi_recording_place at,
                               atemi_height_table *table, atemi_error *error)
{
    double       spacing[2];
    atemi_status status = read_size(object, at, table, error);
    if (!status) {
        status = atemi_recording_json_numbers(object, at, "spacing", 2, spacing, error);
    }
    if (!status) {
        table->spacing_x = spacing[0];
        table->spacing_y = spacing[1];
        status = read_heights(object, at, table, error);
    }
    return status;
}

static atemi_status read_shape(const json_t *object, atemi_recording_place at,
                               atemi_surface *surface, atemi_error *error)
{
    switch (surface->kind) {
    case ATEMI_SURFACE_PLANE:
        return read_vector(object, at, "axis", &surface->axis, error);
    case ATEMI_SURFACE_SPHERE:
        return atemi_recording_json_number(object, at, "radius", true, &surface->radius, error);
    case ATEMI_SURFACE_CYLINDER: {
        const atemi_status status = read_vector(object, at, "axis", &surface->axis, error);
        return status ? status
                      : atemi_recording_json_number(object, at, "radius", true, &surface->radius,
                                                    error);
    }
    case ATEMI_SURFACE_HEIGHTS:
        return read_table(object, at, &surface->table, error);
    }
    return ATEMI_OK;
}

atemi_status atemi_recording_read_surface(const json_t *object, int index,
                                          atemi_recording *recording, atemi_error *error)
{
    const atemi_recording_place at = {"surfaces", index};
    atemi_recorded_surface      read = {0};
    atemi_status status = atemi_recording_json_string(object, at, "name", true, &read.name, error);
    if (!status) {
        status = read_kind(object, at, &read.surface.kind, error);
    }
    if (!status) {
        status = read_vector(object, at, "position", &read.surface.position, error);
    }
    if (!status) {
        status = read_shape(object, at, &read.surface, error);
    }
    if (!status) {
        status = atemi_recording_add_surface(recording, &read, error);
    }
    atemi_release((void *)read.surface.table.heights);
    return status;
}
