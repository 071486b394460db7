// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_stance.h"

#include "atemi/base.h"
#include "jobs/job.h"

#include <math.h>
#include <stdio.h>

// A robot has fallen when its centre of mass has sunk by a third of its first height above the
// contact that was lowest. A contact is lifted when nothing presses it.

static const double fallen = 1.0 / 3.0;
static const double slight = 0.01; // of the weight: less does not count as a pressure

static const atemi_standing_contact *contact_of(const control_session *s, int i)
{
    return &s->scenario->holds.contacts[i];
}

static atemi_transform pose_of(const control_session *s, int i)
{
    const atemi_standing_contact *c = contact_of(s, i);
    return atemi_whole_body_plant_pose(s->plant, c->link, &c->frame);
}

static double weight_of(const control_session *s)
{
    const atemi_model *model = s->scenario->robot.model;
    return atemi_model_mass(model) * atemi_vec3_norm(atemi_model_gravity(model));
}

control_pressure atemi_control_pressure(const control_session *session, int contact)
{
    const atemi_standing_contact *c = contact_of(session, contact);
    const atemi_force             f = atemi_control_loop_contact_wrench(session->loop, contact);
    control_pressure              p = {f.linear.z, (double)NAN, (double)NAN, -1.0};
    if (p.push > 0.0) {
        p.x = -f.angular.y / p.push;
        p.y = f.angular.x / p.push;
        p.margin = 1.0;
        p.margin = c->size_x > 0.0 ? fmin(p.margin, 1.0 - 2.0 * fabs(p.x) / c->size_x) : p.margin;
        p.margin = c->size_y > 0.0 ? fmin(p.margin, 1.0 - 2.0 * fabs(p.y) / c->size_y) : p.margin;
    }
    return p;
}

// Of the centre of mass, in the world.
static double height_of(control_stance *stance, const control_session *s)
{
    const atemi_model *model = s->scenario->robot.model;
    atemi_kinematics_update(model, atemi_whole_body_plant_q(s->plant), NULL, NULL,
                            &stance->kinematics);
    return atemi_center_of_mass_in(model, &stance->kinematics).z;
}

static double lowest_contact(const control_stance *stance)
{
    double lowest = (double)INFINITY;
    for (int i = 0; i < stance->contact_count; ++i) {
        lowest = fmin(lowest, stance->places[i].z);
    }
    return lowest;
}

// ---- Watching

static void watch_contact(control_stance *stance, const control_session *s, int i)
{
    const control_pressure p = atemi_control_pressure(s, i);
    const atemi_transform  at = pose_of(s, i);
    const atemi_vec3       off = atemi_vec3_sub(at.position, stance->places[i]);
    const atemi_vec3       up = s->scenario->holds.normals[i];
    const atemi_vec3 across = atemi_vec3_sub(off, atemi_vec3_scale(atemi_vec3_dot(off, up), up));
    const bool       presses = p.push > slight * weight_of(s);
    const char *name = atemi_model_link(s->scenario->robot.model, contact_of(s, i)->link)->name;
    stance->slide = fmax(stance->slide, atemi_vec3_norm(across));
    stance->edge = presses ? fmin(stance->edge, p.margin) : stance->edge;
    if (presses == stance->lifted[i]) {
        stance->lifted[i] = !presses;
        atemi_control_note(s->log, atemi_whole_body_plant_time(s->plant),
                           presses ? "stands" : "lifted", name,
                           presses ? "%s is on its ground again" : "%s left its ground", name);
    }
}

static void watch_fall(control_stance *stance, const control_session *s)
{
    const double time = atemi_whole_body_plant_time(s->plant);
    const double first = fabs(stance->height - lowest_contact(stance));
    const double sunk = stance->height - height_of(stance, s);
    if (isinf(stance->fell) && sunk > fallen * first) {
        stance->fell = time;
        snprintf(stance->fall, sizeof stance->fall,
                 "fell at %.4g s: its centre of mass sank by %.3g m, and was %.3g m high", time,
                 sunk, first);
        atemi_control_note(s->log, time, "fell", NULL, "the robot %s", stance->fall);
    }
}

void atemi_control_stance_step(control_stance *stance, const control_session *session)
{
    const atemi_standing_report r = atemi_coordination_standing(session->coordination);
    if (!stance->contact_count || !(atemi_whole_body_plant_time(session->plant) > 0.0)) {
        return;
    }
    stance->missing = fmax(stance->missing, fmax(r.missing, r.capture));
    for (int i = 0; i < stance->contact_count; ++i) {
        watch_contact(stance, session, i);
    }
    watch_fall(stance, session);
}

// ---- Beginning and end

atemi_status atemi_control_stance_create(const control_session *session, control_stance *stance,
                                         atemi_error *error)
{
    const atemi_model *model = session->scenario->robot.model;
    *stance = (control_stance){.contact_count = session->scenario->holds.contact_count,
                               .edge = 1.0,
                               .fell = (double)INFINITY};
    atemi_arena arena = atemi_arena_measuring();
    stance->kinematics = atemi_kinematics_take(&arena, model);
    const atemi_status status = atemi_arena_create(&stance->arena, arena.used, error);
    if (status || !stance->contact_count) {
        return status;
    }
    stance->kinematics = atemi_kinematics_take(&stance->arena, model);
    for (int i = 0; i < stance->contact_count; ++i) {
        stance->places[i] = pose_of(session, i).position;
    }
    stance->height = height_of(stance, session);
    return ATEMI_OK;
}

void atemi_control_stance_destroy(control_stance *stance)
{
    atemi_arena_destroy(&stance->arena);
}

atemi_status atemi_control_stance_report(const control_stance *stance, atemi_recording *recording,
                                         atemi_error *error)
{
    const atemi_recorded_value results[] = {{"fell", !isinf(stance->fell), NULL},
                                            {"largest_slide", stance->slide, "m"},
                                            {"least_pressure_margin", stance->edge, NULL},
                                            {"largest_missing", stance->missing, NULL}};
    return stance->contact_count
               ? atemi_job_add_results(recording, results, sizeof results / sizeof *results, error)
               : ATEMI_OK;
}
