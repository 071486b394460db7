// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_shapes.h"

#include "atemi/base.h"
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
                            .help = "in touch at once, at most; 0: twelve of each shape, by "
                                    "events four, and 64 at least"});
    read_excluded(reader, model, shapes);
}

// ---- Shapes ---------------------------------------------------------------------------------

static void warn_of_meshes(atemi_scenario_reader *reader, const atemi_model *model,
                           const atemi_simulate_shapes *shapes)
{
    const atemi_geometry *lost = shapes->loaded.lost;
    char                  more[48] = "";
    if (shapes->loaded.lost_count > 1) {
        snprintf(more, sizeof more, " (and %d others)", shapes->loaded.lost_count - 1);
    }
    if (lost) {
        atemi_scenario_warn(reader, shapes->mark,
                            "the mesh '%s' of link '%s'%s was not found or has no volume, so it "
                            "does not touch; --package-path names the folders of packages",
                            lost->uri ? lost->uri : "", atemi_model_link(model, lost->link)->name,
                            more);
    }
}

static void touch_as_bodies_say(const atemi_model *model, const atemi_scenario_bodies *bodies,
                                atemi_simulate_shapes *shapes)
{
    for (int i = 0; i < shapes->shapes.count; ++i) {
        atemi_touch_shape *shape = &shapes->loaded.list[i];
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

static void find_shapes(atemi_scenario_reader *reader, const atemi_model *model, double friction,
                        double restitution, atemi_simulate_shapes *shapes)
{
    atemi_error error;
    if (atemi_robot_shapes_load(model, friction, restitution, &shapes->loaded, &error)) {
        atemi_scenario_adopt(reader, shapes->mark, &error);
        return;
    }
    warn_of_meshes(reader, model, shapes);
    shapes->shapes.shapes = shapes->loaded.list;
    shapes->shapes.count = shapes->loaded.count;
    if (shapes->shapes.count == 0) {
        atemi_scenario_fail(reader, shapes->mark,
                            "the robot has no collision shapes; give contact points, or a robot "
                            "with collision shapes");
    }
}

void atemi_simulate_shapes_read(atemi_scenario_reader *reader, const atemi_model *model,
                                const atemi_scenario_bodies *bodies, atemi_simulate_shapes *shapes)
{
    double friction = 0.0, restitution = 0.0;
    if (atemi_scenario_enter(reader, "shapes", ATEMI_DEFAULTED, "with contacts: shapes")) {
        read_keys(reader, model, shapes, &friction, &restitution);
        atemi_scenario_leave(reader);
    }
    if (!shapes->touch) {
        atemi_scenario_warn_if_given(reader, "shapes", "only contacts: shapes lets shapes touch");
    }
    if (shapes->touch && model && !atemi_scenario_failed(reader)) {
        find_shapes(reader, model, friction, restitution, shapes);
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
    atemi_robot_shapes_destroy(&shapes->loaded);
    atemi_release(shapes->excluded);
    *shapes = (atemi_simulate_shapes){0};
}
