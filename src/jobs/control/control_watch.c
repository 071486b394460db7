// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_watch.h"

#include "atemi/quaternion.h"

#include <math.h>
#include <stddef.h>

// ---- Motions --------------------------------------------------------------------------------

// The part of a way that the node shall go: not along axes that do not matter, or that it presses
// along.
static atemi_vec3 seen(const atemi_node_target *t, atemi_vec3 way)
{
    atemi_vec3    e = atemi_mat3_apply_transposed(&t->target.rotation, way);
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
    const atemi_vec3 way = seen(t, atemi_vec3_sub(at, from));
    const double     length = atemi_vec3_dot(line, line);
    const double     along = length > 0.0 ? atemi_vec3_dot(way, line) / length : 0.0;
    const double     share = fmin(fmax(along, 0.0), 1.0);
    return atemi_vec3_norm(atemi_vec3_sub(way, atemi_vec3_scale(share, line)));
}

static double turn_left(const atemi_node_target *t, const atemi_mat3 *at)
{
    const atemi_mat3 back = atemi_mat3_transposed(at);
    const atemi_mat3 turn = atemi_mat3_multiply(&t->target.rotation, &back);
    return atemi_vec3_norm(atemi_quaternion_log(atemi_quaternion_from_matrix(&turn)));
}

static void begin_motion(control_watch *w, const control_program *p, const atemi_transform *at)
{
    const atemi_node_target *t = &p->nodes[0];
    w->given = p->motions;
    w->begin = *at;
    w->motions[w->motion_count++] = (control_motion){
        .task = p->motion,
        .begun = atemi_whole_body_plant_time(p->loop->plant),
        .way = atemi_vec3_norm(atemi_vec3_sub(t->target.position, p->from[0].position))};
}

static void watch_motion(control_watch *w, const control_program *p)
{
    const atemi_node_target *t = &p->nodes[0];
    const atemi_transform    at = atemi_whole_body_plant_pose(p->loop->plant, t->link, &t->frame);
    if (w->given != p->motions) {
        begin_motion(w, p, &at);
    }
    control_motion       *m = &w->motions[w->motion_count - 1];
    const atemi_transform link =
        atemi_link_pose_in(p->scenario->robot.model, &p->kinematics, t->link);
    const atemi_transform told = atemi_transform_compose(&link, &t->frame);
    const atemi_vec3      off = atemi_vec3_sub(at.position, told.position);
    m->moved = atemi_vec3_norm(atemi_vec3_sub(at.position, w->begin.position));
    m->tracking = fmax(m->tracking, atemi_vec3_norm(seen(t, off)));
    m->off_line = fmax(m->off_line, distance_from_line(t, p->from[0].position, at.position));
    m->error = atemi_vec3_norm(seen(t, atemi_vec3_sub(at.position, t->target.position)));
    m->turn = turn_left(t, &at.rotation);
}

// ---- Joints ---------------------------------------------------------------------------------

static double part_of(double value, double limit)
{
    return limit > 0.0 ? fabs(value) / limit : 0.0;
}

static void watch_jumps(control_watch *w, const control_loop *loop, int i, bool switches)
{
    const atemi_joint_command *c = &loop->commands[i];
    const double               forward = c->inertia_torque + c->gravity_torque;
    const double               demand = loop->outputs[i].torque_demand;
    if (w->has_before) {
        w->forward_step = fmax(w->forward_step, fabs(forward - w->forward[i]));
        w->torque_step = fmax(w->torque_step, fabs(demand - w->demands[i]));
        w->base_step = switches ? fmax(w->base_step, fabs(demand - w->demands[i])) : w->base_step;
    }
    w->forward[i] = forward;
    w->demands[i] = demand;
}

static void watch_stop(control_watch *w, const control_loop *loop, int i, control_log *log)
{
    const atemi_model *model = loop->scenario->robot.model;
    if (loop->outputs[i].state == ATEMI_JOINT_SAFE_STOP && !w->stopped[i]) {
        w->stopped[i] = true;
        ++w->safe_stops;
        atemi_control_note(log, atemi_whole_body_plant_time(loop->plant), "safe stop",
                           atemi_control_joint(model, i)->name, "%s stopped safely, faults %u",
                           atemi_control_joint(model, i)->name, loop->outputs[i].faults);
    }
}

static void watch_joints(control_watch *w, const control_loop *loop, control_log *log)
{
    const double *v = atemi_whole_body_plant_v(loop->plant);
    const bool    switches = atemi_coordination_report_get(loop->coordination).base_share < 1.0;
    const int     first = atemi_base_v_count(atemi_model_base(loop->scenario->robot.model));
    for (int i = 0; i < loop->count; ++i) {
        const atemi_limits *limits = &atemi_control_joint(loop->scenario->robot.model, i)->limits;
        const atemi_joint_output *o = &loop->outputs[i];
        watch_jumps(w, loop, i, switches);
        watch_stop(w, loop, i, log);
        w->feedback = fmax(w->feedback, fabs(o->feedback_torque));
        w->torque_part = fmax(w->torque_part, part_of(o->torque, limits->effort));
        w->speed_part = fmax(w->speed_part, part_of(v[first + i], limits->velocity));
        if (loop->scenario->joints[i].elastic) {
            w->deviation =
                fmax(w->deviation, fabs(loop->commands[i].position - loop->positions[i]));
        }
    }
    w->has_before = true;
}

void atemi_control_watch_tick(control_watch *watch, const control_loop *loop)
{
    double largest = 0.0;
    for (int i = 0; i < loop->scenario->contacts.count; ++i) {
        largest =
            fmax(largest, atemi_vec3_norm(atemi_whole_body_plant_touch(loop->plant, i).force));
    }
    watch->contact_force = fmax(watch->contact_force, largest);
    if (watch->motion_count) {
        control_motion *m = &watch->motions[watch->motion_count - 1];
        m->force = fmax(m->force, largest);
    }
    for (int i = 0; i < loop->count; ++i) {
        watch->current =
            fmax(watch->current, fabs(atemi_whole_body_plant_joint(loop->plant, i)->current));
    }
}

// ---- Everything -----------------------------------------------------------------------------

static void watch_forces(control_watch *w, const control_loop *loop)
{
    for (int i = 0; i < loop->scenario->people.hand_count; ++i) {
        const atemi_force f = atemi_whole_body_plant_pull_force(loop->plant, i);
        w->hand_forces[i] = fmax(w->hand_forces[i], atemi_vec3_norm(f.linear));
        w->hand_force = fmax(w->hand_force, w->hand_forces[i]);
    }
    for (int i = 0; i < atemi_model_link_count(loop->scenario->robot.model); ++i) {
        const atemi_force f = atemi_whole_body_plant_hold_force(loop->plant, i);
        w->hold_force = fmax(w->hold_force, atemi_vec3_norm(f.linear));
        w->hold_moment = fmax(w->hold_moment, atemi_vec3_norm(f.angular));
    }
}

void atemi_control_watch_step(control_watch *watch, const control_program *program,
                              control_log *log)
{
    const control_loop *loop = program->loop;
    watch_joints(watch, loop, log);
    watch_forces(watch, loop);
    watch->energy = fmax(watch->energy, atemi_coordination_report_get(loop->coordination).energy);
    if (program->node_count) {
        watch_motion(watch, program);
    }
}

static void take(atemi_arena *arena, const control_loop *loop, control_watch *watch)
{
    watch->demands = atemi_arena_array(arena, double, loop->count);
    watch->forward = atemi_arena_array(arena, double, loop->count);
    watch->stopped = atemi_arena_array(arena, bool, loop->count);
    watch->motions = atemi_arena_array(arena, control_motion, loop->scenario->tasks.count);
}

atemi_status atemi_control_watch_create(const control_loop *loop, control_watch *watch,
                                        atemi_error *error)
{
    *watch = (control_watch){0};
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, loop, watch);
    const atemi_status status = atemi_arena_create(&watch->arena, arena.used, error);
    if (!status) {
        take(&watch->arena, loop, watch);
    }
    return status;
}

void atemi_control_watch_destroy(control_watch *watch)
{
    atemi_arena_destroy(&watch->arena);
}
