// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_tasks.h"

#include "atemi/base.h"
#include "control/task_words.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_forces.h"
#include "io/scenario/scenario_joint_range.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>
#include <string.h>

// The reader refuses more.
enum { MAX_TASKS = 1000, MAX_CRUMBS = 256 };

static double read_time(atemi_scenario_reader *reader, const char *key, const char *help)
{
    return atemi_scenario_number(
        reader, key,
        (atemi_number_key){.unit = "s", .lower = 0.0, .upper = INFINITY, .help = help});
}

static double read_positive(atemi_scenario_reader *reader, const char *key, const char *unit,
                            double fallback, const char *help)
{
    return atemi_scenario_number(reader, key,
                                 (atemi_number_key){.unit = unit,
                                                    .fallback = fallback,
                                                    .lower = 0.0,
                                                    .upper = INFINITY,
                                                    .open = true,
                                                    .help = help});
}

static int read_link(atemi_scenario_reader *reader, const atemi_model *model, const char *help)
{
    const char *name =
        atemi_scenario_string(reader, "link", (atemi_string_key){.required = true, .help = help});
    const int link = model ? atemi_scenario_pick(reader, atemi_scenario_links(model), name) : 0;
    return link < 0 ? 0 : link;
}

// ---- Joints ---------------------------------------------------------------------------------

// The joint of a name in the file, as a coordination counts.
static int joint_of_name(atemi_scenario_reader *reader, const atemi_model *model)
{
    const char *name = atemi_scenario_name(reader);
    for (int i = 0; i < atemi_control_joint_count(model); ++i) {
        if (strcmp(atemi_control_joint(model, i)->name, name) == 0) {
            return i;
        }
    }
    return ATEMI_NONE;
}

static void refuse_joint(atemi_scenario_reader *reader, const atemi_model *model)
{
    const char *name = atemi_scenario_name(reader);
    if (atemi_scenario_pick(reader, atemi_scenario_joints(model), name) >= 0) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the joint '%s' does not move by itself; give one that does", name);
    }
}

static void check_target(atemi_scenario_reader *reader, const atemi_model *model, int joint,
                         double angle)
{
    if (model) {
        atemi_scenario_check_joint(reader, atemi_scenario_last(reader),
                                   atemi_scenario_text(reader, NULL),
                                   atemi_control_joint(model, joint), angle);
    }
}

static void read_joints(atemi_scenario_reader *reader, const atemi_model *model,
                        atemi_control_task *task)
{
    const int count =
        atemi_scenario_enter_names(reader, "joints", 1, MAX_TASKS, "where each shall go, by name");
    atemi_joint_target *targets =
        (atemi_joint_target *)atemi_scenario_allocate(reader, sizeof *targets, count);
    task->targets = targets;
    while (atemi_scenario_next(reader)) {
        const double angle = atemi_scenario_number(
            reader, NULL, (atemi_number_key){.unit = "rad", .required = true});
        const int joint = joint_of_name(reader, model);
        if (model && joint == ATEMI_NONE) {
            refuse_joint(reader, model);
        } else if (targets) {
            check_target(reader, model, joint, angle);
            targets[task->target_count++] = (atemi_joint_target){.joint = joint, .position = angle};
        }
    }
}

// ---- Breadcrumbs ----------------------------------------------------------------------------

// A row of each joint.
typedef struct crumb_list {
    int     joint_count, count;
    int    *joints;
    double *rows; ///< [joint_count x MAX_CRUMBS]
} crumb_list;

static void read_crumbs_of(atemi_scenario_reader *reader, const atemi_model *model,
                           crumb_list *list)
{
    double    positions[MAX_CRUMBS] = {0};
    const int count = atemi_scenario_numbers(
        reader, NULL,
        (atemi_numbers_key){
            .each = {.unit = "rad", .required = true}, .least = 1, .most = MAX_CRUMBS},
        positions);
    const int joint = joint_of_name(reader, model);
    if (model && joint == ATEMI_NONE) {
        refuse_joint(reader, model);
    } else if (list->joint_count > 0 && count != list->count) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "has %d breadcrumbs, the joint before it %d; give all alike", count,
                            list->count);
    } else if (list->rows && list->joints) {
        const int k = list->joint_count++;
        list->count = count;
        list->joints[k] = joint;
        memcpy(list->rows + (ptrdiff_t)MAX_CRUMBS * k, positions, sizeof positions);
    }
}

// From a row of each joint to a row of each step.
static double *transposed(atemi_scenario_reader *reader, const crumb_list *list)
{
    const int n = list->joint_count;
    double   *rows = (double *)atemi_scenario_allocate(reader, sizeof *rows, n * MAX_CRUMBS);
    for (int i = 0; i < list->count && rows; ++i) {
        for (int k = 0; k < n; ++k) {
            rows[n * i + k] = list->rows[MAX_CRUMBS * k + i];
        }
    }
    return rows;
}

static void read_crumbs(atemi_scenario_reader *reader, const atemi_model *model,
                        atemi_control_task *task)
{
    const int  count = atemi_scenario_enter_names(reader, "breadcrumbs", 1, MAX_TASKS,
                                                  "positions of each joint, one a step, by name");
    crumb_list list = {0};
    list.joints = (int *)atemi_scenario_allocate(reader, sizeof *list.joints, count);
    list.rows = (double *)atemi_scenario_allocate(reader, sizeof *list.rows, count * MAX_CRUMBS);
    while (atemi_scenario_next(reader)) {
        read_crumbs_of(reader, model, &list);
    }
    task->breadcrumb_joint_count = list.joint_count;
    task->breadcrumb_count = list.count;
    task->breadcrumb_joints = list.joints;
    task->breadcrumbs = atemi_scenario_failed(reader) ? NULL : transposed(reader, &list);
    atemi_release(list.rows);
}

// ---- Nodes ----------------------------------------------------------------------------------

static bool is_given(const atemi_scenario_reader *reader, const char *key)
{
    return atemi_scenario_look(reader, key) != ATEMI_SCENARIO_ABSENT ||
           atemi_scenario_is_blank(reader);
}

static atemi_transform read_rail_target(atemi_scenario_reader *reader, const control_rails *rails)
{
    const char *name =
        atemi_scenario_string(reader, "rail", (atemi_string_key){.help = "or to where this is"});
    const int    rail = atemi_scenario_pick(reader, atemi_control_rail_names(rails), name);
    const double above = atemi_scenario_number(
        reader, "above",
        (atemi_number_key){.unit = "m", .help = "the rail, along the gripper's z axis"});
    atemi_transform target = rail >= 0 ? rails->believed[rail] : atemi_transform_identity();
    target.position = atemi_vec3_add(target.position, atemi_vec3_scale(above, target.rotation.z));
    return target;
}

static void read_place(atemi_scenario_reader *reader, const control_rails *rails,
                       atemi_task_node *node)
{
    node->is_relative = !is_given(reader, "position") && !is_given(reader, "rail");
    node->keeps_rotation = !is_given(reader, "rpy") && !is_given(reader, "rail");
    if (is_given(reader, "rail")) {
        node->target.target = read_rail_target(reader, rails);
    }
    if (is_given(reader, "position")) {
        node->target.target.position = atemi_scenario_vec3(
            reader, "position", (atemi_vec3_key){.unit = "m", .help = "to which it goes, world"});
    }
    if (is_given(reader, "rpy")) {
        const atemi_vec3 rpy = atemi_scenario_vec3(
            reader, "rpy",
            (atemi_vec3_key){.unit = "rad", .help = "of it then; without it, as it is"});
        node->target.target.rotation = atemi_mat3_from_rpy(rpy.x, rpy.y, rpy.z);
    }
    node->by = atemi_scenario_vec3(
        reader, "by",
        (atemi_vec3_key){.unit = "m", .help = "beyond that, or from where it is; world axes"});
}

static void read_ignored(atemi_scenario_reader *reader, atemi_node_target *target)
{
    static const char *const axes[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z", NULL};
    atemi_scenario_enter_list(reader, "ignore", 0, 6, "axes of the target that do not matter");
    while (atemi_scenario_next(reader)) {
        const int axis = atemi_scenario_choice(reader, NULL, (atemi_choice_key){.words = axes});
        target->priority[axis] = ATEMI_PRIORITY_IGNORE;
    }
}

static void read_force(atemi_scenario_reader *reader, atemi_node_target *target)
{
    target->force.linear = atemi_scenario_vec3(
        reader, "force",
        (atemi_vec3_key){.unit = "N",
                         .help = "of the robot; along axes of the target where it is not 0, it "
                                 "presses instead of going"});
    target->force_axes = (target->force.linear.x != 0.0 ? 1u : 0u) |
                         (target->force.linear.y != 0.0 ? 2u : 0u) |
                         (target->force.linear.z != 0.0 ? 4u : 0u);
}

static void read_node(atemi_scenario_reader *reader, const atemi_model *model,
                      const control_rails *rails, atemi_task_node *node)
{
    node->target = atemi_node_target_default();
    node->target.link = read_link(reader, model, "that carries the node");
    node->target.frame.position = atemi_scenario_vec3(
        reader, "point", (atemi_vec3_key){.unit = "m", .help = "of the link, in its frame"});
    read_place(reader, rails, node);
    read_ignored(reader, &node->target);
    read_force(reader, &node->target);
}

static void read_pace(atemi_scenario_reader *reader, atemi_node_motion *motion)
{
    *motion = atemi_node_motion_default();
    motion->velocity =
        read_positive(reader, "velocity", "m/s", motion->velocity, "of nodes, at most");
    motion->acceleration =
        read_positive(reader, "acceleration", "m/s^2", motion->acceleration, "at most");
    atemi_scenario_alias(reader, "angular_velocity", "turn_velocity");
    motion->angular_velocity =
        read_positive(reader, "angular_velocity", "rad/s", motion->angular_velocity, "at most");
    atemi_scenario_alias(reader, "angular_acceleration", "turn_acceleration");
    motion->angular_acceleration = read_positive(reader, "angular_acceleration", "rad/s^2",
                                                 motion->angular_acceleration, "at most");
    motion->force_rate = read_positive(reader, "force_rate", "m/N s", motion->force_rate,
                                       "of a node that presses, for each N that is missing");
    motion->force_travel =
        read_positive(reader, "force_travel", "m", motion->force_travel, "of such a node");
}

static void read_nodes(atemi_scenario_reader *reader, const atemi_model *model,
                       const control_rails *rails, atemi_control_task *task)
{
    const int count =
        atemi_scenario_enter_list(reader, "nodes", 1, CONTROL_MAX_NODES, "what goes where");
    atemi_task_node *nodes =
        (atemi_task_node *)atemi_scenario_allocate(reader, sizeof *nodes, count);
    task->nodes = nodes;
    while (atemi_scenario_next(reader)) {
        if (nodes) {
            read_node(reader, model, rails, &nodes[task->node_count++]);
        }
    }
    task->joints = atemi_control_read_joints(reader, "using", "joints that may move for it", model);
    read_pace(reader, &task->motion);
}

// ---- Tasks ----------------------------------------------------------------------------------

static void read_grip(atemi_scenario_reader *reader, const atemi_model *model,
                      const control_rails *rails, atemi_control_task *task)
{
    task->link = read_link(reader, model, "the gripper, whose frame goes onto the rail");
    const char *name = atemi_scenario_string(
        reader, "rail", (atemi_string_key){.required = true, .help = "by name"});
    if (!atemi_scenario_is_blank(reader)) {
        task->rail = atemi_scenario_pick(reader, atemi_control_rail_names(rails), name);
    }
}

static void read_offload(atemi_scenario_reader *reader, atemi_control_task *task)
{
    atemi_scenario_alias(reader, "fraction", "share");
    task->offload_fraction = atemi_scenario_number(
        reader, "fraction",
        (atemi_number_key){.upper = 1.0,
                           .reason = "a part of the whole",
                           .required = true,
                           .help = "of the weight that is taken away: 0 Earth, 1 orbit"});
}

static bool takes_time(atemi_task_action action)
{
    return action == ATEMI_TASK_JOINTS || action == ATEMI_TASK_NODES || action == ATEMI_TASK_STAY ||
           action == ATEMI_TASK_OFFLOAD;
}

static void read_action(atemi_scenario_reader *reader, const atemi_model *model,
                        const atemi_joint_plant_options *plants, const control_rails *rails,
                        atemi_control_task *task)
{
    const int  action = (int)task->action;
    const bool is_blank = atemi_scenario_is_blank(reader);
    if (atemi_scenario_wants(reader, action, ATEMI_TASK_JOINTS)) {
        read_joints(reader, model, task);
    }
    if (atemi_scenario_wants(reader, action, ATEMI_TASK_NODES)) {
        read_nodes(reader, model, rails, task);
    }
    if (atemi_scenario_wants(reader, action, ATEMI_TASK_FOLLOW)) {
        read_crumbs(reader, model, task);
    }
    if (atemi_scenario_wants(reader, action, ATEMI_TASK_SET)) {
        atemi_control_read_setting(reader, model, plants, &task->setting);
    }
    if (action == ATEMI_TASK_STAY && !is_blank) {
        task->joints = atemi_control_read_joints(reader, "of", "joints", model);
    }
    if (atemi_scenario_wants(reader, action, ATEMI_TASK_GRIP)) {
        read_grip(reader, model, rails, task);
    }
    if ((action == ATEMI_TASK_BASE || action == ATEMI_TASK_RELEASE) && !is_blank) {
        task->link = read_link(reader, model, "that is held from now on, or no longer");
    }
    if (atemi_scenario_wants(reader, action, ATEMI_TASK_OFFLOAD)) {
        read_offload(reader, task);
    }
    if (takes_time(task->action) || is_blank) {
        task->duration = read_time(reader, "duration", "0 for as soon as possible");
        task->motion.duration = task->duration;
    }
}

static void read_task(atemi_scenario_reader *reader, const atemi_model *model,
                      const atemi_joint_plant_options *plants, const control_rails *rails,
                      atemi_control_task *task, atemi_scenario_mark *mark)
{
    static const char *const cues[] = {"now", "still", "reached", "tap", NULL};
    task->action = (atemi_task_action)atemi_scenario_choice(
        reader, "do",
        (atemi_choice_key){.words = atemi_task_action_words, .required = true, .help = "what"});
    task->cue = (atemi_task_cue)atemi_scenario_choice(
        reader, "when",
        (atemi_choice_key){.words = cues,
                           .help = "after the task before it: at once, when nothing moves, when "
                                   "the motion reached its goal, when someone taps"});
    task->at = read_time(reader, "at", "not before");
    *mark = atemi_scenario_last(reader);
    task->wait = read_time(reader, "wait", "after what it waits for");
    read_action(reader, model, plants, rails, task);
}

void atemi_control_read_tasks(atemi_scenario_reader *reader, const atemi_model *model,
                              const atemi_joint_plant_options *plants, const control_rails *rails,
                              control_tasks *tasks)
{
    const int count =
        atemi_scenario_enter_list(reader, "tasks", 0, MAX_TASKS, "what to do, one after the other");
    *tasks = (control_tasks){0};
    tasks->tasks =
        (atemi_control_task *)atemi_scenario_allocate(reader, sizeof *tasks->tasks, count);
    tasks->marks =
        (atemi_scenario_mark *)atemi_scenario_allocate(reader, sizeof *tasks->marks, count);
    while (atemi_scenario_next(reader)) {
        if (tasks->tasks && tasks->marks) {
            const int i = tasks->count++;
            read_task(reader, model, plants, rails, &tasks->tasks[i], &tasks->marks[i]);
        }
    }
}

void atemi_control_check_tasks(atemi_scenario_reader *reader, const control_tasks *tasks,
                               double end)
{
    for (int i = 0; i < tasks->count; ++i) {
        atemi_scenario_check_times(reader, tasks->marks[i], "the task", tasks->tasks[i].at,
                                   INFINITY, end);
    }
}

void atemi_control_tasks_destroy(control_tasks *tasks)
{
    for (int i = 0; i < tasks->count; ++i) {
        atemi_control_task *task = &tasks->tasks[i];
        atemi_release((void *)task->targets);
        atemi_release((void *)task->nodes);
        atemi_release((void *)task->joints);
        atemi_release((void *)task->breadcrumb_joints);
        atemi_release((void *)task->breadcrumbs);
        atemi_release((void *)task->setting.joints);
    }
    atemi_release(tasks->tasks);
    atemi_release(tasks->marks);
    *tasks = (control_tasks){0};
}
