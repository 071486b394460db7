// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_parts.h"

#include <stdio.h>
#include <string.h>

const char *const atemi_recording_surface_kinds[] = {
    [ATEMI_SURFACE_PLANE] = "plane",
    [ATEMI_SURFACE_SPHERE] = "sphere",
    [ATEMI_SURFACE_CYLINDER] = "cylinder",
    [ATEMI_SURFACE_HEIGHTS] = "heights",
};

static long long height_count(const atemi_surface *surface)
{
    return surface->kind == ATEMI_SURFACE_HEIGHTS
               ? (long long)surface->table.columns * surface->table.rows
               : 0;
}

static atemi_status check_surface(const atemi_recording        *recording,
                                  const atemi_recorded_surface *surface, atemi_error *error)
{
    atemi_status status = atemi_recording_check_name(surface->name, "the name of a surface", error);
    if (!status) {
        status = atemi_surface_check(&surface->surface, error);
    }
    if (status) {
        return status;
    }
    if (recording->surface_count == ATEMI_RECORDING_MAX_SURFACES) {
        return atemi_recording_full("surfaces", ATEMI_RECORDING_MAX_SURFACES, error);
    }
    return recording->height_count + height_count(&surface->surface) > ATEMI_RECORDING_MAX_HEIGHTS
               ? atemi_recording_full("heights of surfaces", ATEMI_RECORDING_MAX_HEIGHTS, error)
               : ATEMI_OK;
}

// What its kind does not use is zero, so that it is the same when read back.
static atemi_surface without_unused(const atemi_surface *surface)
{
    const bool is_round =
        surface->kind == ATEMI_SURFACE_SPHERE || surface->kind == ATEMI_SURFACE_CYLINDER;
    const bool has_axis =
        surface->kind == ATEMI_SURFACE_PLANE || surface->kind == ATEMI_SURFACE_CYLINDER;
    return (atemi_surface){
        .kind = surface->kind,
        .position = surface->position,
        .axis = has_axis ? surface->axis : (atemi_vec3){0.0, 0.0, 1.0},
        .radius = is_round ? surface->radius : 0.0,
        .table = surface->kind == ATEMI_SURFACE_HEIGHTS ? surface->table : (atemi_height_table){0},
    };
}

// The heights become a copy; false without memory.
static bool keep_heights(atemi_surface *surface)
{
    const size_t count = (size_t)height_count(surface);
    if (count == 0) {
        return true;
    }
    double *heights = (double *)atemi_recording_allocate(count, sizeof *heights);
    if (heights) {
        memcpy(heights, surface->table.heights, count * sizeof *heights);
    }
    surface->table.heights = heights;
    return heights;
}

atemi_status atemi_recording_add_surface(atemi_recording              *recording,
                                         const atemi_recorded_surface *surface, atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && surface, ATEMI_ERROR_CONTRACT);
    const atemi_status status = check_surface(recording, surface, error);
    if (status) {
        return status;
    }
    atemi_recorded_surface *surfaces = (atemi_recorded_surface *)atemi_grown(
        recording->surfaces, sizeof *surfaces, recording->surface_count,
        &recording->surface_capacity);
    if (!surfaces) {
        return atemi_recording_no_memory(error);
    }
    recording->surfaces = surfaces;

    bool                   failed = false;
    atemi_recorded_surface kept = {atemi_recording_keep(recording, surface->name, &failed),
                                   without_unused(&surface->surface)};
    if (failed || !keep_heights(&kept.surface)) {
        return atemi_recording_no_memory(error);
    }
    surfaces[recording->surface_count++] = kept;
    recording->height_count += (int)height_count(&kept.surface);
    return ATEMI_OK;
}

void atemi_recording_release_surfaces(atemi_recording *recording)
{
    for (int i = 0; i < recording->surface_count; ++i) {
        atemi_release((void *)recording->surfaces[i].surface.table.heights);
    }
    atemi_release(recording->surfaces);
}

int atemi_recording_surface_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->surface_count;
}

const atemi_recorded_surface *atemi_recording_surface(const atemi_recording *recording, int index)
{
    ATEMI_REQUIRE_OR(recording && index >= 0 && index < recording->surface_count, NULL);
    return &recording->surfaces[index];
}

// ---- As JSON

void atemi_recording_put_numbers(atemi_text *text, int count, const double *numbers)
{
    atemi_text_put_character(text, '[');
    for (int i = 0; i < count; ++i) {
        atemi_text_put_string(text, i > 0 ? ", " : "");
        atemi_text_put_json_number(text, numbers[i]);
    }
    atemi_text_put_character(text, ']');
}

void atemi_recording_put_vector(atemi_text *text, const char *key, atemi_vec3 vector)
{
    const double entries[] = {vector.x, vector.y, vector.z};
    atemi_text_put_string(text, key);
    atemi_recording_put_numbers(text, 3, entries);
}

static void put_table(atemi_text *text, const atemi_height_table *table)
{
    char         size[64];
    const double spacing[] = {table->spacing_x, table->spacing_y};
    snprintf(size, sizeof size, ", \"columns\": %d, \"rows\": %d, \"spacing\": ", table->columns,
             table->rows);
    atemi_text_put_string(text, size);
    atemi_recording_put_numbers(text, 2, spacing);
    atemi_text_put_string(text, ", \"heights\": ");
    atemi_recording_put_numbers(text, table->columns * table->rows, table->heights);
}

static void put_surface(atemi_text *text, const atemi_recorded_surface *recorded)
{
    const atemi_surface *surface = &recorded->surface;
    atemi_text_put_string(text, "{\"name\": ");
    atemi_text_put_json_string(text, recorded->name);
    atemi_text_put_string(text, ", \"kind\": ");
    atemi_text_put_json_string(text, atemi_recording_surface_kinds[surface->kind]);
    atemi_recording_put_vector(text, ", \"position\": ", surface->position);
    atemi_recording_put_vector(text, ", \"axis\": ", surface->axis);
    atemi_text_put_string(text, ", \"radius\": ");
    atemi_text_put_json_number(text, surface->radius);
    put_table(text, &surface->table);
    atemi_text_put_character(text, '}');
}

void atemi_recording_put_surfaces(const atemi_recording *recording, atemi_text *text)
{
    atemi_text_put_character(text, '[');
    for (int i = 0; i < recording->surface_count; ++i) {
        atemi_text_put_string(text, i > 0 ? ",\n    " : "\n    ");
        put_surface(text, &recording->surfaces[i]);
    }
    atemi_text_put_string(text, recording->surface_count > 0 ? "\n  ]" : "]");
}
