// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_loops.h"

#include "atemi/base.h"
#include "atemi/kinematics.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"

#include <string.h>

// In the order of atemi_loop_kind.
static const char *const kinds[] = {"point", "hinge", "weld", NULL};

enum { MAX_LOOPS = 1000 };

// ---- One loop -------------------------------------------------------------------------------

static int read_link(atemi_scenario_reader *reader, const atemi_model *model, const char *key,
                     bool required, const char *help)
{
    const char *link =
        atemi_scenario_string(reader, key, (atemi_string_key){.required = required, .help = help});
    return atemi_scenario_pick(reader, atemi_scenario_links(model), link);
}

static void check_name(atemi_scenario_reader *reader, const atemi_model *model,
                       const atemi_simulate_loops *loops, const char *name)
{
    bool taken = false;
    for (int i = 0; model && i < atemi_model_loop_count(model); ++i) {
        taken = taken || strcmp(atemi_model_loop(model, i)->name, name) == 0;
    }
    for (int i = 0; i < loops->count; ++i) {
        taken = taken || strcmp(loops->loops[i].name, name) == 0;
    }
    if (taken) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "'%s' is the name of another loop; give another one", name);
    }
}

static atemi_mat3 read_axis(atemi_scenario_reader *reader, const char *key, const char *help)
{
    const atemi_vec3 axis = atemi_scenario_vec3(
        reader, key, (atemi_vec3_key){.fallback = {0.0, 0.0, 1.0}, .help = help});
    const double length = atemi_vec3_norm(axis);
    if (!(length > 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "has no direction; give one, such as [0, 1, 0]");
        return atemi_mat3_identity();
    }
    return atemi_mat3_with_z(atemi_vec3_scale(1.0 / length, axis));
}

static atemi_transform pose_of(const atemi_data *at_start, int link)
{
    return link == ATEMI_NONE || !at_start ? atemi_transform_identity()
                                           : atemi_link_pose(at_start, link);
}

// The frame on the second link: where that on the first one is at the start, but for what is given.
static void read_second(atemi_scenario_reader *reader, const atemi_data *at_start, atemi_loop *loop)
{
    const atemi_transform first = pose_of(at_start, loop->first);
    const atemi_transform second = pose_of(at_start, loop->second);
    const atemi_transform drawn = atemi_transform_compose(&first, &loop->on_first);
    const atemi_transform back = atemi_transform_inverse(&second);
    loop->on_second = atemi_transform_compose(&back, &drawn);
    const atemi_vec3 place = atemi_scenario_vec3(
        reader, "second_point",
        (atemi_vec3_key){.unit = "m",
                         .fallback = loop->on_second.position,
                         .help = "in the frame of the second link, or in the world; without it, "
                                 "where the point is at the start"});
    loop->on_second.position = place;
    if (atemi_scenario_is_blank(reader) ||
        atemi_scenario_look(reader, "second_axis") != ATEMI_SCENARIO_ABSENT) {
        loop->on_second.rotation = read_axis(
            reader, "second_axis",
            "of a hinge, in the frame of the second link; without it, where the axis is at the "
            "start");
    }
}

static void read_loop(atemi_scenario_reader *reader, const atemi_model *model,
                      const atemi_data *at_start, atemi_simulate_loops *loops)
{
    atemi_loop loop = {.on_first = atemi_transform_identity()};
    loop.name = atemi_scenario_string(reader, "name",
                                      (atemi_string_key){.required = true, .help = "of the loop"});
    if (loop.name) {
        check_name(reader, model, loops, loop.name);
    }
    loop.kind = (atemi_loop_kind)atemi_scenario_choice(
        reader, "kind",
        (atemi_choice_key){.words = kinds,
                           .help = "what is joined: a point (as a ball joint), a point and an "
                                   "axis, or the links as a whole, as they are at the start"});
    loop.first = read_link(reader, model, "first", true, "link that is joined");
    loop.second = read_link(reader, model, "second", false,
                            "link that it is joined to; without it, the world");
    if (model && loop.first == loop.second) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader), "is the first link as well");
    }
    loop.on_first.position = atemi_scenario_vec3(
        reader, "point",
        (atemi_vec3_key){.unit = "m",
                         .help = "where it is joined, in the frame of the first link"});
    loop.on_first.rotation =
        read_axis(reader, "axis", "of a hinge, in the frame of the first link");
    read_second(reader, at_start, &loop);
    loops->loops[loops->count++] = loop;
}

// ---- All of them ----------------------------------------------------------------------------

// Where the links are at the start; NULL without a robot.
static atemi_data *data_at_start(atemi_scenario_reader *reader, const atemi_model *model,
                                 const atemi_scenario_start *start)
{
    const atemi_data_options options = {.max_contacts = 0};
    atemi_data              *data = NULL;
    atemi_error              error;
    if (!model || !start->q || atemi_scenario_failed(reader)) {
        return NULL;
    }
    if (atemi_data_create(model, &options, &data, &error)) {
        atemi_scenario_adopt(reader, atemi_scenario_last(reader), &error);
        return NULL;
    }
    atemi_update_kinematics(data, start->q, NULL, NULL);
    return data;
}

void atemi_simulate_loops_read(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_start *start, atemi_simulate_loops *loops)
{
    atemi_data *at_start = data_at_start(reader, model, start);
    *loops = (atemi_simulate_loops){0};
    const int count = atemi_scenario_enter_list(
        reader, "loops", 0, MAX_LOOPS,
        "links that are joined beside the tree of joints, so that they form closed loops");
    loops->loops = (atemi_loop *)atemi_scenario_allocate(reader, sizeof *loops->loops, count);
    while (atemi_scenario_next(reader)) {
        if (loops->loops) {
            read_loop(reader, model, at_start, loops);
        }
    }
    atemi_data_destroy(at_start);
}

void atemi_simulate_loops_destroy(atemi_simulate_loops *loops)
{
    atemi_release(loops->loops);
    *loops = (atemi_simulate_loops){0};
}
