// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_watch.h"

#include "math/rotation.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

// ---- Motions --------------------------------------------------------------------------------

// The part of an offset that the node shall go: not along axes that do not matter, or that it
// presses along.
static atemi_vec3 seen(const atemi_node_target *t, atemi_vec3 offset)
{
    atemi_vec3    e = atemi_mat3_apply_transposed(&t->target.rotation, offset);
    double *const axes[] = {&e.x, &e.y, &e.z};
    for (int i = 0; i < 3; ++i) {
        if (t->priority[i] == ATEMI_PRIORITY_IGNORE || (t->force_axes >> i & 1u)) {
            *axes[i] = 0.0;
        }
    }
    return atemi_mat3_apply(&t->target.rotation, e);
}

static double distance_from_line(const atemi_node_target *t, atemi_vec3 from, atemi_vec3 at)
{
    const atemi_vec3 line = seen(t, atemi_vec3_sub(t->target.position, from));
    const atemi_vec3 offset = seen(t, atemi_vec3_sub(at, from));
    const double     length = atemi_vec3_dot(line, line);
    const double     along = length > 0.0 ? atemi_vec3_dot(offset, line) / length : 0.0;
    const double     fraction = fmin(fmax(along, 0.0), 1.0);
    return atemi_vec3_norm(atemi_vec3_sub(offset, atemi_vec3_scale(fraction, line)));
}

static void begin_motion(control_watch *w, const control_session *s, const atemi_sequence_report *r,
                         const atemi_transform *at)
{
    w->given = r->motion_count;
    w->begin = *at;
    w->motions[w->motion_count++] =
        (control_motion){.task = r->motion,
                         .begun = atemi_whole_body_plant_time(s->plant),
                         .distance = atemi_vec3_norm(
                             atemi_vec3_sub(r->nodes[0].target.position, r->starts[0].position))};
}

static atemi_transform commanded(control_watch *w, const control_session *s,
                                 const atemi_node_target *t)
{
    const atemi_model *model = s->scenario->robot.model;
    atemi_kinematics_update(model, atemi_coordination_posture(s->coordination), NULL, NULL,
                            &w->kinematics);
    const atemi_transform link = atemi_link_pose_in(model, &w->kinematics, t->link);
    return atemi_transform_compose(&link, &t->frame);
}

static void watch_motion(control_watch *w, const control_session *s, const atemi_sequence_report *r)
{
    const atemi_node_target *t = &r->nodes[0];
    const atemi_transform    at = atemi_whole_body_plant_pose(s->plant, t->link, &t->frame);
    if (w->given != r->motion_count) {
        begin_motion(w, s, r, &at);
    }
    control_motion  *m = &w->motions[w->motion_count - 1];
    const atemi_vec3 off = atemi_vec3_sub(at.position, commanded(w, s, t).position);
    m->moved = atemi_vec3_norm(atemi_vec3_sub(at.position, w->begin.position));
    m->tracking = fmax(m->tracking, atemi_vec3_norm(seen(t, off)));
    m->off_line = fmax(m->off_line, distance_from_line(t, r->starts[0].position, at.position));
    m->error = atemi_vec3_norm(seen(t, atemi_vec3_sub(at.position, t->target.position)));
    m->rotation = atemi_vec3_norm(rotation_between(&at.rotation, &t->target.rotation));
}

// ---- Joints ---------------------------------------------------------------------------------

static double part_of(double value, double limit)
{
    return limit > 0.0 ? fabs(value) / limit : 0.0;
}

static void watch_jumps(control_watch *w, const control_session *s, int i, bool switches)
{
    const atemi_joint_command *c = &atemi_control_loop_commands(s->loop)[i];
    const double               forward = c->inertia_torque + c->gravity_torque;
    const double               demand = atemi_control_loop_outputs(s->loop)[i].torque_demand;
    if (w->has_before) {
        w->forward_step = fmax(w->forward_step, fabs(forward - w->forward[i]));
        w->torque_step = fmax(w->torque_step, fabs(demand - w->demands[i]));
        w->base_step = switches ? fmax(w->base_step, fabs(demand - w->demands[i])) : w->base_step;
    }
    w->forward[i] = forward;
    w->demands[i] = demand;
}

// Faults of sensors and stops, in words, once each. Clipped commands and ends of ranges are no
// faults of the robot.
static void watch_faults(control_watch *w, const control_session *s, int i)
{
    static const unsigned worth = ~(unsigned)(ATEMI_JOINT_COMMAND_LIMITED | ATEMI_JOINT_AT_STOP);
    const atemi_joint_control *control = atemi_control_loop_joint(s->loop, i);
    const char                *name = atemi_control_joint(s->scenario->robot.model, i)->name;
    const bool                 stops = control->stop.faults && !w->stopped[i];
    const unsigned             faults =
        stops ? control->stop.faults : atemi_joint_control_history(control) & worth & ~w->noted[i];
    char text[CONTROL_STOP_TEXT];
    for (unsigned bit = 1; bit <= ATEMI_JOINT_TORQUE_CONTRADICTED; bit <<= 1) {
        if (faults & bit) {
            atemi_joint_fault_describe(control, (atemi_joint_fault)bit, text, sizeof text);
            atemi_control_note(s->log, atemi_whole_body_plant_time(s->plant),
                               stops ? "safe stop" : "fault", name, "%s: %s%s", name,
                               stops ? "stopped safely: " : "", text);
        }
    }
    w->noted[i] |= faults;
    if (stops) {
        w->stopped[i] = true;
        if (w->safe_stops++ == 0) {
            snprintf(w->first_stop, sizeof w->first_stop, "%.80s stopped safely: %.300s", name,
                     text);
        }
    }
}

static void watch_deviation(control_watch *w, const control_session *s, int i)
{
    const double command = atemi_control_loop_commands(s->loop)[i].position;
    if (atemi_joint_drive_is_elastic(&s->scenario->plants[i].drive)) {
        w->deviation = fmax(w->deviation, fabs(command - atemi_control_loop_positions(s->loop)[i]));
    }
}

static void watch_joints(control_watch *w, const control_session *s)
{
    const atemi_model *model = s->scenario->robot.model;
    const double      *v = atemi_whole_body_plant_v(s->plant);
    const bool switches = atemi_coordination_report_get(s->coordination).base_fraction < 1.0;
    const int  first = atemi_base_v_count(atemi_model_base(model));
    for (int i = 0; i < atemi_control_joint_count(model); ++i) {
        const atemi_limits       *limits = &atemi_control_joint(model, i)->limits;
        const atemi_joint_output *o = &atemi_control_loop_outputs(s->loop)[i];
        watch_jumps(w, s, i, switches);
        watch_faults(w, s, i);
        w->feedback = fmax(w->feedback, fabs(o->feedback_torque));
        w->speed_part = fmax(w->speed_part, part_of(v[first + i], limits->velocity));
        watch_deviation(w, s, i);
    }
    w->has_before = true;
}

// What the drive really does, between steps as well.
static void watch_drive(control_watch *w, const control_session *s, int i)
{
    const atemi_model *model = s->scenario->robot.model;
    const int          first = atemi_base_v_count(atemi_model_base(model));
    const double       torque = atemi_whole_body_plant_tau(s->plant)[first + i];
    const double       effort = atemi_control_joint(model, i)->limits.effort;
    w->torque_part = fmax(w->torque_part, part_of(torque, effort));
    w->current = fmax(w->current, fabs(atemi_whole_body_plant_joint(s->plant, i)->current));
}

void atemi_control_watch_tick(control_watch *watch, const control_session *session)
{
    const control_session *s = session;
    double                 largest = 0.0;
    for (int i = 0; i < s->scenario->contacts.count; ++i) {
        largest = fmax(largest, atemi_vec3_norm(atemi_whole_body_plant_touch(s->plant, i).force));
    }
    watch->contact_force = fmax(watch->contact_force, largest);
    if (watch->motion_count) {
        control_motion *m = &watch->motions[watch->motion_count - 1];
        m->force = fmax(m->force, largest);
    }
    for (int i = 0; i < atemi_control_joint_count(s->scenario->robot.model); ++i) {
        watch_drive(watch, s, i);
    }
}

// ---- Everything -----------------------------------------------------------------------------

static void watch_forces(control_watch *w, const control_session *s)
{
    for (int i = 0; i < s->scenario->people.hand_count; ++i) {
        const atemi_force f = atemi_whole_body_plant_pull_force(s->plant, i);
        w->hand_forces[i] = fmax(w->hand_forces[i], atemi_vec3_norm(f.linear));
        w->hand_force = fmax(w->hand_force, w->hand_forces[i]);
    }
    for (int i = 0; i < atemi_model_link_count(s->scenario->robot.model); ++i) {
        const atemi_force f = atemi_whole_body_plant_hold_force(s->plant, i);
        w->hold_force = fmax(w->hold_force, atemi_vec3_norm(f.linear));
        w->hold_moment = fmax(w->hold_moment, atemi_vec3_norm(f.angular));
    }
}

static void watch_injected(control_watch *w, const control_session *s)
{
    const control_faults *faults = &s->scenario->faults;
    for (int i = 0; i < faults->count; ++i) {
        const control_fault *f = &faults->faults[i];
        if (!w->begun[i] && atemi_whole_body_plant_time(s->plant) >= f->from) {
            w->begun[i] = true;
            atemi_control_note(s->log, fmax(f->from, 0.0), "injected", NULL, "put in: %s", f->text);
        }
    }
}

void atemi_control_watch_step(control_watch *watch, const control_session *session)
{
    const atemi_sequence_report r = atemi_task_sequence_report(session->sequence);
    watch_injected(watch, session);
    watch_joints(watch, session);
    watch_forces(watch, session);
    watch->energy =
        fmax(watch->energy, atemi_coordination_report_get(session->coordination).energy);
    if (r.node_count) {
        watch_motion(watch, session, &r);
    }
}

static void take(atemi_arena *arena, const control_scenario *scenario, control_watch *watch)
{
    const int count = atemi_control_joint_count(scenario->robot.model);
    watch->demands = atemi_arena_array(arena, double, count);
    watch->forward = atemi_arena_array(arena, double, count);
    watch->stopped = atemi_arena_array(arena, bool, count);
    watch->noted = atemi_arena_array(arena, unsigned, count);
    watch->begun = atemi_arena_array(arena, bool, scenario->faults.count);
    watch->motions = atemi_arena_array(arena, control_motion, scenario->tasks.count);
    watch->kinematics = atemi_kinematics_take(arena, scenario->robot.model);
}

atemi_status atemi_control_watch_create(const control_scenario *scenario, control_watch *watch,
                                        atemi_error *error)
{
    *watch = (control_watch){0};
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, scenario, watch);
    const atemi_status status = atemi_arena_create(&watch->arena, arena.used, error);
    if (!status) {
        take(&watch->arena, scenario, watch);
    }
    return status;
}

void atemi_control_watch_destroy(control_watch *watch)
{
    atemi_arena_destroy(&watch->arena);
}
