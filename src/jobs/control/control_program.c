// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_program.h"

#include <math.h>
#include <stdio.h>

// A tap is a change of the force in the load cell that soon goes back to where it was, f less its
// smoothed value, while the robot has been quiet for a while: then nothing of its own changes it.
// Somebody who comes to lean on the robot, or leaves it, is no tap.

static const double settling = 0.3;  // s
static const double smoothing = 0.2; // s
static const double tap_time = 0.3;  // s, at most

static double now(const control_program *p)
{
    return atemi_whole_body_plant_time(p->loop->plant);
}

static void fail(control_program *p, const control_task *task, const char *why)
{
    p->failed = true;
    snprintf(p->reason, sizeof p->reason, "task %d (%s): %.300s", p->next,
             atemi_control_deed_text(task->deed), why);
    atemi_control_note(p->log, now(p), "failed", NULL, "%s", p->reason);
}

// ---- Motions --------------------------------------------------------------------------------

void atemi_control_program_locate(control_program *program)
{
    control_program *p = program;
    atemi_kinematics_update(p->scenario->robot.model,
                            atemi_coordination_posture(p->loop->coordination), NULL, NULL,
                            &p->kinematics);
}

static atemi_transform commanded(const control_program *p, const atemi_node_target *t)
{
    const atemi_transform link =
        atemi_link_pose_in(p->scenario->robot.model, &p->kinematics, t->link);
    return atemi_transform_compose(&link, &t->frame);
}

static void resolve(control_program *p, const control_task *task)
{
    atemi_control_program_locate(p);
    p->node_count = task->node_count;
    for (int i = 0; i < task->node_count; ++i) {
        const control_node *node = &task->nodes[i];
        p->nodes[i] = node->target;
        const atemi_transform at = commanded(p, &node->target);
        atemi_transform      *goal = &p->nodes[i].target;
        goal->position = node->is_relative ? at.position : goal->position;
        goal->rotation = node->keeps_turn ? at.rotation : goal->rotation;
        goal->position = atemi_vec3_add(goal->position, node->by);
    }
}

static atemi_status give_nodes(control_program *p, const control_task *task, atemi_error *error)
{
    atemi_node_motion motion = task->motion;
    motion.joints = NULL;
    for (int i = 0; i < p->loop->count; ++i) {
        motion.joints = task->used[i] ? motion.joints : task->used;
    }
    atemi_control_program_locate(p);
    for (int i = 0; i < p->node_count; ++i) {
        p->from[i] = commanded(p, &p->nodes[i]);
    }
    return atemi_coordination_move_nodes(p->loop->coordination, ATEMI_SOURCE_USER, p->nodes,
                                         p->node_count, &motion, error);
}

static atemi_status give_motion(control_program *p, const control_task *task, atemi_error *error)
{
    atemi_coordination *c = p->loop->coordination;
    atemi_status        status = ATEMI_OK;
    if (task->deed == CONTROL_JOINTS) {
        status = atemi_coordination_move_joints(c, ATEMI_SOURCE_USER, task->targets,
                                                task->target_count, task->duration, error);
    } else if (task->deed == CONTROL_NODES) {
        status = give_nodes(p, task, error);
    } else {
        status = atemi_coordination_follow(c, ATEMI_SOURCE_USER, task->crumb_joints,
                                           task->crumb_joint_count, task->crumbs, task->crumb_count,
                                           error);
    }
    p->goal = atemi_coordination_goals(c)->last;
    p->is_told = false;
    ++p->motions;
    return status;
}

static atemi_status begin_motion(control_program *p, const control_task *task, atemi_error *error)
{
    p->motion = p->next;
    p->node_count = 0;
    if (task->deed == CONTROL_NODES) {
        resolve(p, task);
    }
    return give_motion(p, task, error);
}

static atemi_status go_on(control_program *p, atemi_error *error)
{
    return p->motion == ATEMI_NONE
               ? atemi_fail(error, ATEMI_ERROR_INPUT, "there was no motion to be continued")
               : give_motion(p, &p->scenario->tasks.tasks[p->motion], error);
}

static double inside(const atemi_limits *limits, double position)
{
    return fmin(fmax(position, limits->lower), limits->upper);
}

static atemi_status stay(control_program *p, const control_task *task, atemi_error *error)
{
    int count = 0;
    for (int i = 0; i < p->loop->count; ++i) {
        const atemi_joint *joint = atemi_control_joint(p->scenario->robot.model, i);
        if (task->used[i]) {
            p->targets[count++] = (atemi_joint_target){
                .joint = i, .position = inside(&joint->limits, p->loop->positions[i])};
        }
    }
    return atemi_coordination_move_joints(p->loop->coordination, ATEMI_SOURCE_USER, p->targets,
                                          count, task->duration, error);
}

// ---- Tasks ----------------------------------------------------------------------------------

static atemi_status give(control_program *p, const control_task *task, atemi_error *error)
{
    atemi_coordination *c = p->loop->coordination;
    switch (task->deed) {
    case CONTROL_JOINTS:
    case CONTROL_NODES:
    case CONTROL_FOLLOW:
        return begin_motion(p, task, error);
    case CONTROL_STOP:
        atemi_coordination_stop(c);
        return ATEMI_OK;
    case CONTROL_SET:
        return atemi_control_set(&task->setting, c, error);
    case CONTROL_STAY:
        return stay(p, task, error);
    case CONTROL_BASE:
        return atemi_coordination_set_base(c, ATEMI_SOURCE_USER, task->link, NULL, error);
    case CONTROL_GRIP:
        atemi_control_grip(&p->grips, p->loop, task->link, task->rail);
        return ATEMI_OK;
    case CONTROL_RELEASE:
        atemi_control_release(p->loop, p->log, task->link);
        return ATEMI_OK;
    case CONTROL_OFFLOAD:
        atemi_control_loop_offload(p->loop, task->share, task->duration);
        return ATEMI_OK;
    case CONTROL_CONTINUE:
        return go_on(p, error);
    case CONTROL_RESUME:
        atemi_coordination_resume(c);
        return ATEMI_OK;
    }
    return ATEMI_OK;
}

// ---- Cues -----------------------------------------------------------------------------------

atemi_goal_outcome atemi_control_program_outcome(const control_program *program)
{
    const atemi_goal_record *record =
        atemi_goal_log_find(atemi_coordination_goals(program->loop->coordination), program->goal);
    return record ? record->outcome : ATEMI_OUTCOME_REACHED;
}

static bool is_still(const control_program *p)
{
    const atemi_coordination_report report = atemi_coordination_report_get(p->loop->coordination);
    const bool blends = p->loop->offload != p->loop->offload_goal || report.base_share < 1.0;
    return !report.moving && !blends && !atemi_control_grips_close(&p->grips);
}

static bool is_cued(control_program *p, const control_task *task)
{
    const atemi_goal_outcome outcome = atemi_control_program_outcome(p);
    switch (task->cue) {
    case CUE_NOW:
        return true;
    case CUE_STILL:
        return is_still(p);
    case CUE_REACHED:
        if (is_still(p) && outcome != ATEMI_OUTCOME_REACHED) {
            char why[CONTROL_REASON];
            snprintf(why, sizeof why, "waits for a goal that ended as %s",
                     atemi_goal_outcome_text(outcome));
            fail(p, task, why);
        }
        return is_still(p) && outcome == ATEMI_OUTCOME_REACHED;
    case CUE_TAP:
        return p->tapped;
    }
    return true;
}

// Whether the task is due: its time has come, and its cue was there for long enough.
static bool is_due(control_program *p, const control_task *task)
{
    const double rounding = 1e-9;
    if (isnan(p->cued) && is_cued(p, task)) {
        p->cued = task->cue == CUE_NOW ? p->given : now(p);
    }
    return !p->failed && !isnan(p->cued) && now(p) >= task->at - rounding &&
           now(p) >= p->cued + task->wait - rounding;
}

// ---- Taps and goals -------------------------------------------------------------------------

static void notice(control_program *p, double change)
{
    const double threshold = p->scenario->cell.threshold;
    if (isnan(p->touched) && change > threshold) {
        p->touched = now(p);
        p->strength = 0.0;
    }
    p->strength = fmax(p->strength, change);
    if (!isnan(p->touched) && change < 0.5 * threshold) {
        p->touched = NAN;
        p->tapped = true;
        ++p->taps;
        atemi_control_note(p->log, now(p), "tap", NULL, "a tap of %.3g N was felt", p->strength);
    }
}

static void feel(control_program *p)
{
    const double period = p->scenario->coordination.period;
    if (p->scenario->cell.joint == ATEMI_NONE) {
        return;
    }
    const atemi_vec3 f =
        atemi_whole_body_plant_wrench(p->loop->plant, p->scenario->cell.joint).linear;
    const atemi_vec3 change = atemi_vec3_sub(f, p->slow);
    p->quiet = is_still(p) ? p->quiet + period : 0.0;
    const bool is_new = p->quiet < settling || now(p) - p->touched > tap_time;
    if (is_new) {
        p->slow = f;
        p->touched = NAN;
        return;
    }
    notice(p, atemi_vec3_norm(change));
    if (isnan(p->touched)) {
        p->slow = atemi_vec3_add(p->slow, atemi_vec3_scale(-expm1(-period / smoothing), change));
    }
}

static void tell_goal(control_program *p)
{
    const atemi_goal_record *record =
        atemi_goal_log_find(atemi_coordination_goals(p->loop->coordination), p->goal);
    if (!record || record->outcome == ATEMI_OUTCOME_ACTIVE || p->is_told) {
        return;
    }
    const char *joint = record->joint >= 0
                            ? atemi_control_joint(p->scenario->robot.model, record->joint)->name
                            : NULL;
    p->is_told = true;
    atemi_control_note(p->log, now(p), atemi_goal_outcome_text(record->outcome), joint,
                       "goal %d: %s%s%s", record->id, atemi_goal_outcome_text(record->outcome),
                       joint ? " by " : "", joint ? joint : "");
}

// ---- A step ---------------------------------------------------------------------------------

static void give_next(control_program *p, const control_task *task)
{
    atemi_error error = {0};
    atemi_control_note(p->log, now(p), "task", atemi_control_deed_text(task->deed), "task %d: %s",
                       p->next, atemi_control_deed_text(task->deed));
    if (give(p, task, &error)) {
        fail(p, task, error.message);
    }
    p->given = now(p);
    p->cued = NAN;
    p->tapped = false;
    ++p->next;
}

static void look_after_grips(control_program *p)
{
    atemi_control_grips_step(&p->grips, p->loop, p->log);
    const control_grip *failed = atemi_control_grips_failed(&p->grips);
    if (failed && !p->failed) {
        p->failed = true;
        snprintf(p->reason, sizeof p->reason,
                 "%.100s did not close on %.100s: %.3g mm and %.3g rad are left",
                 atemi_model_link(p->scenario->robot.model, failed->link)->name,
                 p->scenario->rails.names[failed->rail], 1e3 * failed->left, failed->left_turn);
    }
}

void atemi_control_program_step(control_program *program)
{
    control_program     *p = program;
    const control_tasks *tasks = &p->scenario->tasks;
    tell_goal(p);
    look_after_grips(p);
    feel(p);
    while (!p->failed && p->next < tasks->count && is_due(p, &tasks->tasks[p->next])) {
        give_next(p, &tasks->tasks[p->next]);
    }
}

// ---- Creating -------------------------------------------------------------------------------

static void take(atemi_arena *arena, control_program *program)
{
    program->kinematics = atemi_kinematics_take(arena, program->scenario->robot.model);
    program->targets = atemi_arena_array(arena, atemi_joint_target, program->loop->count);
    program->grips.grips = atemi_arena_array(arena, control_grip, program->scenario->tasks.count);
}

atemi_status atemi_control_program_create(control_loop *loop, control_log *log,
                                          control_program *program, atemi_error *error)
{
    *program = (control_program){.scenario = loop->scenario,
                                 .loop = loop,
                                 .log = log,
                                 .cued = NAN,
                                 .touched = NAN,
                                 .motion = ATEMI_NONE};
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, program);
    const atemi_status status = atemi_arena_create(&program->arena, arena.used, error);
    if (!status) {
        take(&program->arena, program);
    }
    return status;
}

void atemi_control_program_destroy(control_program *program)
{
    atemi_arena_destroy(&program->arena);
}
