// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_shapes.h"

#include "atemi/base.h"
#include "io/robot/mesh.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <stdio.h>
#include <string.h>

enum { MAX_EXCLUDED = 1000 };

static const double usual_friction = 0.8;

bool atemi_simulate_shapes_wanted(atemi_scenario_reader *reader, atemi_simulate_shapes *shapes)
{
    static const char *const words[] = {"shapes", NULL};
    *shapes = (atemi_simulate_shapes){0};
    if (atemi_scenario_look(reader, "contacts") == ATEMI_SCENARIO_VALUE) {
        atemi_scenario_choice(
            reader, "contacts",
            (atemi_choice_key){.words = words, .help = "the collision shapes of all links touch"});
        shapes->mark = atemi_scenario_last(reader);
        shapes->touch = true;
    }
    return shapes->touch;
}

// ---- Keys -----------------------------------------------------------------------------------

static void read_excluded(atemi_scenario_reader *reader, const atemi_model *model,
                          atemi_simulate_shapes *shapes)
{
    const atemi_string_key key = {.required = true, .help = "a link"};
    const int              count = atemi_scenario_enter_list(
        reader, "exclude", 0, MAX_EXCLUDED,
        "pairs of links that never touch each other, besides neighbours and those that overlap "
                     "while all joints are at 0");
    shapes->excluded = (atemi_link_pair *)atemi_scenario_allocate(reader, sizeof *shapes->excluded,
                                                                  count > 0 ? count : 1);
    while (atemi_scenario_next(reader)) {
        const char *first = atemi_scenario_string(reader, "link", key);
        const int   a = atemi_scenario_pick(reader, atemi_scenario_links(model), first);
        const char *second = atemi_scenario_string(reader, "other", key);
        const int   b = atemi_scenario_pick(reader, atemi_scenario_links(model), second);
        if (shapes->excluded && shapes->shapes.excluded_count < MAX_EXCLUDED) {
            shapes->excluded[shapes->shapes.excluded_count++] = (atemi_link_pair){a, b};
        }
    }
    shapes->shapes.excluded = shapes->excluded;
}

static void read_keys(atemi_scenario_reader *reader, const atemi_model *model,
                      atemi_simulate_shapes *shapes, double *friction, double *restitution)
{
    *friction = atemi_scenario_number(
        reader, "friction",
        (atemi_number_key){.fallback = usual_friction,
                           .lower = 0.0,
                           .upper = 100.0,
                           .reason = "more is glue",
                           .help = "of all shapes; between two of them, the geometric mean"});
    *restitution = atemi_scenario_number(
        reader, "restitution",
        (atemi_number_key){.lower = 0.0,
                           .upper = 1.0,
                           .reason = "more makes energy",
                           .help = "of all shapes; between two of them, the geometric mean"});
    shapes->shapes.each_other = atemi_scenario_boolean(
        reader, "each_other",
        (atemi_boolean_key){.fallback = true, .help = "shapes touch shapes, not surfaces alone"});
    shapes->shapes.max_touches = atemi_scenario_integer(
        reader, "places",
        (atemi_integer_key){.lower = 0,
                            .upper = ATEMI_CONTACT_MAX_COUNT,
                            .help = "in touch at once, at most; 0: twelve of each shape"});
    read_excluded(reader, model, shapes);
}

// ---- Shapes ---------------------------------------------------------------------------------

// The vertices of a mesh, scaled; NULL without any.
static atemi_vec3 *load_vertices(atemi_scenario_reader *reader, const atemi_geometry *from,
                                 int *count)
{
    atemi_mesh  mesh = {0};
    atemi_vec3 *vertices = NULL;
    *count = 0;
    if (from->path && atemi_mesh_load(from->path, &mesh, NULL) == ATEMI_OK) {
        vertices = (atemi_vec3 *)atemi_scenario_allocate(
            reader, sizeof *vertices, mesh.vertex_count > 0 ? mesh.vertex_count : 1);
        for (int i = 0; vertices && i < mesh.vertex_count; ++i) {
            const float *v = mesh.vertices + 3 * (ptrdiff_t)i;
            vertices[(*count)++] =
                (atemi_vec3){from->size.x * (double)v[0], from->size.y * (double)v[1],
                             from->size.z * (double)v[2]};
        }
    }
    atemi_mesh_destroy(&mesh);
    return vertices;
}

// Meshes that do not touch, as they are not found or have no volume.
typedef struct lost_meshes {
    int                   count;
    const atemi_geometry *first;
} lost_meshes;

static void warn_of_meshes(atemi_scenario_reader *reader, const atemi_model *model,
                           const lost_meshes *lost, const atemi_simulate_shapes *shapes)
{
    if (lost->count > 0) {
        char more[48] = "";
        if (lost->count > 1) {
            snprintf(more, sizeof more, " (and %d others)", lost->count - 1);
        }
        atemi_scenario_warn(reader, shapes->mark,
                            "the mesh '%s' of link '%s'%s was not found or has no volume, so it "
                            "does not touch; --package-path names the folders of packages",
                            lost->first->uri ? lost->first->uri : "",
                            atemi_model_link(model, lost->first->link)->name, more);
    }
}

static void add_shape(atemi_scenario_reader *reader, const atemi_geometry *from,
                      const atemi_touch_shape *like, atemi_simulate_shapes *shapes,
                      lost_meshes *lost)
{
    const int          n = shapes->shapes.count;
    atemi_touch_shape *to = &shapes->list[n];
    *to = *like;
    to->link = from->link;
    to->shape = from->shape;
    to->pose = from->pose;
    to->size = from->size;
    if (from->shape == ATEMI_SHAPE_MESH) {
        shapes->vertices[n] = load_vertices(reader, from, &to->vertex_count);
        to->vertices = shapes->vertices[n];
        if (to->vertex_count < 4) {
            lost->first = lost->count++ ? lost->first : from;
            atemi_release(shapes->vertices[n]);
            shapes->vertices[n] = NULL;
            return;
        }
    }
    ++shapes->shapes.count;
}

static void touch_as_bodies_say(const atemi_model *model, const atemi_scenario_bodies *bodies,
                                atemi_simulate_shapes *shapes)
{
    for (int i = 0; i < shapes->shapes.count; ++i) {
        atemi_touch_shape *shape = &shapes->list[i];
        const char        *link = atemi_model_link(model, shape->link)->name;
        for (int k = 0; k < bodies->count; ++k) {
            const atemi_scenario_body_touch *touch = &bodies->touches[k];
            const size_t                     length = strlen(touch->link);
            if (strncmp(link, touch->link, length) != 0 || (link[length] && link[length] != '/')) {
                continue;
            }
            if (touch->friction >= 0.0) {
                shape->static_friction = shape->kinetic_friction = touch->friction;
            }
            shape->restitution =
                touch->restitution >= 0.0 ? touch->restitution : shape->restitution;
        }
    }
}

static void find_shapes(atemi_scenario_reader *reader, const atemi_model *model,
                        const atemi_touch_shape *like, atemi_simulate_shapes *shapes)
{
    const int   count = atemi_model_geometry_count(model), places = count > 0 ? count : 1;
    lost_meshes lost = {0};
    shapes->list =
        (atemi_touch_shape *)atemi_scenario_allocate(reader, sizeof *shapes->list, places);
    shapes->vertices =
        (atemi_vec3 **)atemi_scenario_allocate(reader, sizeof *shapes->vertices, places);
    for (int i = 0; shapes->list && shapes->vertices && i < count; ++i) {
        const atemi_geometry *from = atemi_model_geometry(model, i);
        if (from->collision) {
            add_shape(reader, from, like, shapes, &lost);
        }
    }
    warn_of_meshes(reader, model, &lost, shapes);
    shapes->shapes.shapes = shapes->list;
    if (shapes->shapes.count == 0) {
        atemi_scenario_fail(reader, shapes->mark,
                            "the robot has no collision shapes; give contact points, or a robot "
                            "with collision shapes");
    }
}

void atemi_simulate_shapes_read(atemi_scenario_reader *reader, const atemi_model *model,
                                const atemi_scenario_bodies *bodies, atemi_simulate_shapes *shapes)
{
    atemi_touch_shape like = {0};
    if (atemi_scenario_enter(reader, "shapes", ATEMI_DEFAULTED, "with contacts: shapes")) {
        read_keys(reader, model, shapes, &like.static_friction, &like.restitution);
        like.kinetic_friction = like.static_friction;
        atemi_scenario_leave(reader);
    }
    if (!shapes->touch) {
        atemi_scenario_warn_if_given(reader, "shapes", "only contacts: shapes lets shapes touch");
    }
    if (shapes->touch && model && !atemi_scenario_failed(reader)) {
        find_shapes(reader, model, &like, shapes);
        touch_as_bodies_say(model, bodies, shapes);
    }
}

void atemi_simulate_shapes_check(atemi_scenario_reader *reader, const atemi_model *model,
                                 const atemi_simulation_options *options,
                                 const atemi_simulate_shapes    *shapes)
{
    atemi_error error = {0};
    if (model && !atemi_scenario_failed(reader) &&
        atemi_simulation_shapes_check(model, options, &error)) {
        atemi_scenario_fail(reader, shapes->mark, "%s", error.message);
    }
}

void atemi_simulate_shapes_destroy(atemi_simulate_shapes *shapes)
{
    for (int i = 0; shapes->vertices && i < shapes->shapes.count; ++i) {
        atemi_release(shapes->vertices[i]);
    }
    atemi_release((void *)shapes->vertices);
    atemi_release(shapes->list);
    atemi_release(shapes->excluded);
    *shapes = (atemi_simulate_shapes){0};
}
