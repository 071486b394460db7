// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_start.h"

#include "atemi/base.h"
#include "atemi/kinematics.h"
#include "atemi/model.h"
#include "atemi/simulation.h"
#include "io/scenario/scenario_base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_joint_list.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>
#include <string.h>

static const double touching = 1e-9; // m: counts as in touch for the simulation

// ---- Reading

static void read_posture(atemi_scenario_reader *reader, const atemi_model *model, double *q)
{
    const char *name = atemi_scenario_string(
        reader, "posture",
        (atemi_string_key){.help = "of the robot, by name; without it, all joints at 0"});
    const int index = atemi_scenario_pick(reader, atemi_scenario_postures(model), name);
    if (index >= 0 && q) {
        memcpy(q, atemi_model_posture(model, index),
               (size_t)atemi_model_q_count(model) * sizeof *q);
    }
}

static void read_state(atemi_scenario_reader *reader, const atemi_model *model,
                       const atemi_scenario_surfaces *surfaces, atemi_scenario_start *start)
{
    read_posture(reader, model, start->q);
    const atemi_number_key angle = {.unit = "rad",
                                    .help = "of revolute joints, in place of the posture's"};
    const atemi_number_key slide = {.unit = "m",
                                    .help = "of prismatic joints, in place of the posture's"};
    const atemi_number_key rate = {.unit = "rad/s", .help = "of revolute joints"};
    const atemi_number_key speed = {.unit = "m/s", .help = "of prismatic joints"};
    atemi_scenario_read_joint_positions(reader, "joints", angle, false, model, start->q);
    start->joints_mark = atemi_scenario_last(reader);
    atemi_scenario_read_joint_positions(reader, "slides", slide, true, model, start->q);
    atemi_scenario_read_joint_rates(reader, "joint_velocities", rate, false, model, start->v);
    atemi_scenario_read_joint_rates(reader, "slide_velocities", speed, true, model, start->v);
    atemi_scenario_read_base(reader, model, start->q, start->v);
    atemi_scenario_alias(reader, "place_on", "on");
    start->on = atemi_scenario_string(
        reader, "place_on",
        (atemi_string_key){.help = "a surface: shifts the base against gravity until the lowest "
                                   "contact point, or shape, touches it"});
    start->on_mark = atemi_scenario_last(reader);
    start->on_surface =
        atemi_scenario_pick(reader, atemi_scenario_surface_names(surfaces), start->on);
}

void atemi_scenario_read_start(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_surfaces *surfaces, atemi_scenario_start *start)
{
    *start = (atemi_scenario_start){0};
    if (model) {
        start->q =
            (double *)atemi_scenario_allocate(reader, sizeof *start->q, atemi_model_q_count(model));
        start->v =
            (double *)atemi_scenario_allocate(reader, sizeof *start->v, atemi_model_v_count(model));
    }
    if (start->q && start->v) {
        atemi_configuration_neutral(model, start->q);
    }
    if (atemi_scenario_enter(reader, "start", ATEMI_DEFAULTED, "the state at the beginning")) {
        read_state(reader, model, surfaces, start);
        atemi_scenario_leave(reader);
    }
}

// ---- Placing

static void fail_to_put_on(atemi_scenario_reader *reader, const atemi_model *model,
                           const atemi_scenario_start *start, atemi_status status)
{
    if (status == ATEMI_ERROR_NOT_FOUND) {
        atemi_scenario_fail(reader, start->on_mark,
                            "no contact point is above '%s', so the robot cannot be put on it; "
                            "give start.position",
                            start->on);
    } else if (status == ATEMI_ERROR_INPUT) {
        atemi_scenario_fail(reader, start->on_mark,
                            "the base is %s and cannot be shifted against gravity; leave it out",
                            atemi_base_text(atemi_model_base(model)));
    } else if (status) {
        atemi_scenario_fail(reader, start->on_mark,
                            "found no height at which the robot stands on '%s'; give "
                            "start.position",
                            start->on);
    }
}

static void check_place(atemi_scenario_reader *reader, const atemi_data *data,
                        const atemi_scenario_surfaces *surfaces,
                        const atemi_scenario_contacts *contacts, int point)
{
    const atemi_simulation_point *about = &contacts->points[point];
    const atemi_scenario_contact *contact = &contacts->about[point];
    const char                   *surface = surfaces->names[about->surface];
    const double                  gap = atemi_point_gap(data, surfaces->surfaces, about);
    if (about->tied && !(fabs(gap) <= touching)) {
        atemi_scenario_fail(reader, contact->mark,
                            "'%s' is tied to '%s' but starts %.3g m away from it; start on it",
                            contact->name, surface, gap);
    } else if (!about->compliance && !(gap >= -touching)) {
        atemi_scenario_fail(reader, contact->mark,
                            "'%s' starts %.3g m inside '%s'; give start.place_on: %s, or another "
                            "start.position",
                            contact->name, -gap, surface, surface);
    }
}

// Nothing where the scenario has failed already.
static atemi_data *data_for(atemi_scenario_reader *reader, const atemi_model *model,
                            const atemi_scenario_start *start)
{
    const atemi_data_options options = {.max_contacts = 0};
    atemi_data              *data = NULL;
    atemi_error              error;
    if (!model || atemi_scenario_failed(reader)) {
        return NULL;
    }
    if (atemi_data_create(model, &options, &data, &error)) {
        atemi_scenario_adopt(reader, start->on_mark, &error);
    }
    return data;
}

void atemi_scenario_place_start(atemi_scenario_reader *reader, const atemi_model *model,
                                const atemi_scenario_surfaces *surfaces,
                                const atemi_scenario_contacts *contacts,
                                atemi_scenario_start          *start)
{
    atemi_data *data = data_for(reader, model, start);
    atemi_error error;
    if (!data) {
        return;
    }
    if (start->on) {
        fail_to_put_on(reader, model, start,
                       atemi_place_on_surface(data, surfaces->surfaces, contacts->points,
                                              contacts->count, start->on_surface, start->q,
                                              &error));
    }
    atemi_update_kinematics(data, start->q, NULL, NULL);
    for (int i = 0; i < contacts->count; ++i) {
        check_place(reader, data, surfaces, contacts, i);
    }
    atemi_data_destroy(data);
}

void atemi_scenario_place_shapes(atemi_scenario_reader *reader, const atemi_model *model,
                                 const atemi_scenario_surfaces *surfaces,
                                 const atemi_touch_shape *shapes, int count,
                                 atemi_scenario_start *start)
{
    atemi_data *data = start->on ? data_for(reader, model, start) : NULL;
    atemi_error error;
    if (data) {
        fail_to_put_on(reader, model, start,
                       atemi_place_shapes_on_surface(data, &surfaces->surfaces[start->on_surface],
                                                     shapes, count, start->q, &error));
        atemi_data_destroy(data);
    }
}

void atemi_scenario_start_destroy(atemi_scenario_start *start)
{
    atemi_release(start->q);
    atemi_release(start->v);
    *start = (atemi_scenario_start){0};
}
