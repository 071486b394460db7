// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_start.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "dynamics/kinematics.h"
#include "io/scenario/scenario_base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_joint_list.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>
#include <string.h>

// A robot is put on a surface by Newton's method on the height s of its base: point i, at the gap
// g_i and with the surface's normal n_i, touches about when s has grown by -g_i / (n_i . up), and
// the lowest point is the one that needs most.

enum { MOST_SHIFTS = 100 };

// In m: what counts as in touch for the simulation, how exactly a robot is put down, and the least
// n . up of a surface that can be stood on.
static const double touching = 1e-9, settled = 1e-13, steepest = 1e-3;

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
    const atemi_number_key way = {.unit = "m",
                                  .help = "of prismatic joints, in place of the posture's"};
    const atemi_number_key rate = {.unit = "rad/s", .help = "of revolute joints"};
    const atemi_number_key speed = {.unit = "m/s", .help = "of prismatic joints"};
    atemi_scenario_read_joint_positions(reader, "joints", angle, false, model, start->q);
    start->joints_mark = atemi_scenario_last(reader);
    atemi_scenario_read_joint_positions(reader, "slides", way, true, model, start->q);
    atemi_scenario_read_joint_rates(reader, "joint_velocities", rate, false, model, start->v);
    atemi_scenario_read_joint_rates(reader, "slide_velocities", speed, true, model, start->v);
    atemi_scenario_read_base(reader, model, start->q, start->v);
    atemi_scenario_alias(reader, "place_on", "on");
    start->on = atemi_scenario_string(
        reader, "place_on",
        (atemi_string_key){.help = "a surface: shifts the base against gravity until the lowest "
                                   "contact point touches it"});
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

typedef struct placement {
    const atemi_model             *model;
    const atemi_scenario_surfaces *surfaces;
    const atemi_scenario_contacts *contacts;
    atemi_kinematics               kinematics;
    atemi_vec3                     up;
} placement;

static atemi_surface_view look(const placement *p, int point)
{
    const atemi_simulation_point *about = &p->contacts->points[point];
    const atemi_transform         pose = atemi_link_pose_in(p->model, &p->kinematics, about->link);
    atemi_surface_view            view = atemi_surface_look(&p->surfaces->surfaces[about->surface],
                                                            atemi_transform_apply(&pose, about->point));
    view.gap -= about->radius;
    return view;
}

// How much the base has to go up; NaN where no point is above the surface's upper side.
static double find_shift(const placement *p, int surface)
{
    double most = -INFINITY;
    for (int i = 0; i < p->contacts->count; ++i) {
        if (p->contacts->points[i].surface == surface) {
            const atemi_surface_view view = look(p, i);
            const double             slope = atemi_vec3_dot(view.normal, p->up);
            most = slope > steepest ? fmax(most, -view.gap / slope) : (double)NAN;
        }
        if (isnan(most)) {
            break;
        }
    }
    return isfinite(most) ? most : (double)NAN;
}

static void put_on(atemi_scenario_reader *reader, placement *p, atemi_scenario_start *start)
{
    double shift = INFINITY;
    for (int i = 0; i < MOST_SHIFTS && fabs(shift) > settled; ++i) {
        atemi_kinematics_update(p->model, start->q, NULL, NULL, &p->kinematics);
        shift = find_shift(p, start->on_surface);
        if (isnan(shift)) {
            atemi_scenario_fail(reader, start->on_mark,
                                "no contact point is above '%s', so the robot cannot be put on it; "
                                "give start.position",
                                start->on);
            return;
        }
        if (!atemi_scenario_shift_base(p->model, atemi_vec3_scale(shift, p->up), start->q)) {
            atemi_scenario_fail(reader, start->on_mark,
                                "the base is %s and cannot be shifted against gravity; leave it "
                                "out",
                                atemi_base_text(atemi_model_base(p->model)));
            return;
        }
    }
    if (!(fabs(shift) < touching)) {
        atemi_scenario_fail(
            reader, start->on_mark,
            "found no height at which the robot stands on '%s'; give start.position", start->on);
    }
}

static void check_place(atemi_scenario_reader *reader, const placement *p, int point)
{
    const atemi_simulation_point *about = &p->contacts->points[point];
    const atemi_scenario_contact *contact = &p->contacts->about[point];
    const char                   *surface = p->surfaces->names[about->surface];
    const double                  gap = look(p, point).gap;
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

static void place(atemi_scenario_reader *reader, placement *p, atemi_scenario_start *start)
{
    const atemi_vec3 gravity = atemi_model_gravity(p->model), z = {0.0, 0.0, 1.0};
    const double     size = atemi_vec3_norm(gravity);
    p->up = size > 0.0 ? atemi_vec3_scale(-1.0 / size, gravity) : z;
    if (start->on) {
        put_on(reader, p, start);
    }
    atemi_kinematics_update(p->model, start->q, NULL, NULL, &p->kinematics);
    for (int i = 0; i < p->contacts->count; ++i) {
        check_place(reader, p, i);
    }
}

void atemi_scenario_place_start(atemi_scenario_reader *reader, const atemi_model *model,
                                const atemi_scenario_surfaces *surfaces,
                                const atemi_scenario_contacts *contacts,
                                atemi_scenario_start          *start)
{
    placement   p = {.model = model, .surfaces = surfaces, .contacts = contacts};
    atemi_error error;
    if (!model || atemi_scenario_failed(reader)) {
        return;
    }
    atemi_arena arena = atemi_arena_measuring();
    atemi_kinematics_take(&arena, model);
    if (atemi_arena_create(&arena, arena.used, &error)) {
        atemi_scenario_adopt(reader, start->on_mark, &error);
        return;
    }
    p.kinematics = atemi_kinematics_take(&arena, model);
    place(reader, &p, start);
    atemi_arena_destroy(&arena);
}

void atemi_scenario_start_destroy(atemi_scenario_start *start)
{
    atemi_release(start->q);
    atemi_release(start->v);
    *start = (atemi_scenario_start){0};
}
