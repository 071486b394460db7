// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"
#include "control/coordination_options.h"
#include "control/task_sequence_parts.h"

#include <math.h>
#include <stddef.h>

static void locate(atemi_task_sequence *s)
{
    atemi_kinematics_update(s->model, atemi_coordination_posture(s->coordination), NULL, NULL,
                            &s->kinematics);
}

static atemi_transform commanded(const atemi_task_sequence *s, const atemi_node_target *t)
{
    const atemi_transform link = atemi_link_pose_in(s->model, &s->kinematics, t->link);
    return atemi_transform_compose(&link, &t->frame);
}

static bool is_node(const atemi_task_sequence *s, int link)
{
    for (int i = 0; i < s->state.node_count; ++i) {
        if (s->nodes[i].link == link) {
            return true;
        }
    }
    return false;
}

// What is held besides the base stays where it is: without that, the shortest motion of a hand
// moves a foot that cannot follow.
static void add_held(atemi_task_sequence *s)
{
    const atemi_sequence_hooks *hooks = &s->options.hooks;
    const int                   base = atemi_coordination_report_get(s->coordination).base_link;
    int                         left = hooks->is_held ? s->options.max_holds : 0;
    for (int i = 0; i < atemi_model_link_count(s->model) && left; ++i) {
        if (i != base && !is_node(s, i) && hooks->is_held(hooks->context, i)) {
            atemi_node_target *node = &s->nodes[s->state.node_count++];
            *node = atemi_node_target_default();
            node->link = i;
            node->target = commanded(s, node);
            --left;
        }
    }
}

static void resolve(atemi_task_sequence *s, const atemi_control_task *task)
{
    locate(s);
    s->state.node_count = task->node_count;
    for (int i = 0; i < task->node_count; ++i) {
        const atemi_task_node *node = &task->nodes[i];
        s->nodes[i] = node->target;
        const atemi_transform at = commanded(s, &node->target);
        atemi_transform      *goal = &s->nodes[i].target;
        goal->position = node->is_relative ? at.position : goal->position;
        goal->rotation = node->keeps_rotation ? at.rotation : goal->rotation;
        goal->position = atemi_vec3_add(goal->position, node->by);
    }
    add_held(s);
}

static atemi_status give_nodes(atemi_task_sequence *s, const atemi_control_task *task,
                               atemi_error *error)
{
    atemi_node_motion motion = task->motion;
    motion.joints = NULL;
    for (int i = 0; i < s->joint_count && task->joints; ++i) {
        motion.joints = task->joints[i] ? motion.joints : task->joints;
    }
    locate(s);
    for (int i = 0; i < s->state.node_count; ++i) {
        s->starts[i] = commanded(s, &s->nodes[i]);
    }
    return atemi_coordination_move_nodes(s->coordination, ATEMI_SOURCE_USER, s->nodes,
                                         s->state.node_count, &motion, error);
}

static atemi_status give_motion(atemi_task_sequence *s, const atemi_control_task *task,
                                atemi_error *error)
{
    atemi_coordination *c = s->coordination;
    atemi_status        status = ATEMI_OK;
    if (task->action == ATEMI_TASK_JOINTS) {
        status = atemi_coordination_move_joints(c, ATEMI_SOURCE_USER, task->targets,
                                                task->target_count, task->duration, error);
    } else if (task->action == ATEMI_TASK_NODES) {
        status = give_nodes(s, task, error);
    } else {
        status = atemi_coordination_follow(c, ATEMI_SOURCE_USER, task->breadcrumb_joints,
                                           task->breadcrumb_joint_count, task->breadcrumbs,
                                           task->breadcrumb_count, error);
    }
    s->state.goal = atemi_coordination_goals(c)->last;
    s->is_reported = false;
    ++s->state.motion_count;
    return status;
}

atemi_status atemi_sequence_begin_motion(atemi_task_sequence *s, const atemi_control_task *task,
                                         atemi_error *error)
{
    s->state.motion = s->state.next;
    s->state.node_count = 0;
    if (task->action == ATEMI_TASK_NODES) {
        resolve(s, task);
    }
    return give_motion(s, task, error);
}

atemi_status atemi_sequence_continue_motion(atemi_task_sequence *s, atemi_error *error)
{
    return s->state.motion == ATEMI_NONE
               ? atemi_fail(error, ATEMI_ERROR_INPUT, "there was no motion to be continued")
               : give_motion(s, &s->tasks[s->state.motion], error);
}

static double inside(const atemi_limits *limits, double position)
{
    return fmin(fmax(position, limits->lower), limits->upper);
}

atemi_status atemi_sequence_stay(atemi_task_sequence *s, const atemi_control_task *task,
                                 atemi_error *error)
{
    int count = 0;
    for (int i = 0; i < s->joint_count; ++i) {
        const atemi_joint *joint = atemi_coordination_model_joint(s->model, i);
        if (!task->joints || task->joints[i]) {
            s->targets[count++] = (atemi_joint_target){
                .joint = i, .position = inside(&joint->limits, s->senses->positions[i])};
        }
    }
    return atemi_coordination_move_joints(s->coordination, ATEMI_SOURCE_USER, s->targets, count,
                                          task->duration, error);
}
