// SPDX-License-Identifier: Apache-2.0

#include "control/node_group.h"

#include "atemi/math.h"
#include "control/coordination_standing.h"
#include "control/joint_trajectories.h"
#include "control/node_force.h"
#include "control/node_path.h"
#include "control/node_solver.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

// All nodes are goals of one inverse kinematics, with weights of their priorities, and one more
// goal holds the base: the posture found is the one nearest to the last. What the nodes leave free
// may approach a posture: the search starts from where the null space of the nodes takes the
// joints.
//
// Time on the paths goes slower where a joint could not follow: nodes stay on their lines.

// ---- Taking a command -----------------------------------------------------------------------

void atemi_nodes_take(atemi_arena *arena, const atemi_coordination *c, node_group *g)
{
    const size_t n = (size_t)c->count, limit = (size_t)c->options.max_nodes;
    const int    rows = 6 * c->options.max_nodes;
    g->nodes = atemi_arena_array(arena, guided_node, limit);
    g->used = atemi_arena_array(arena, bool, n);
    g->posture = atemi_arena_array(arena, double, n);
    g->goals = atemi_arena_array(arena, atemi_posture_goal, limit + 2);
    g->moving = atemi_arena_array(arena, bool, atemi_model_v_count(c->model));
    g->inverse = atemi_inverse_kinematics_scratch_take(arena, c->model, c->options.max_nodes + 2);
    g->tasks = atemi_task_priority_take(arena, rows > c->count ? rows : c->count, c->count);
    g->rows = atemi_arena_array(arena, double, (size_t)rows *n);
    g->values = atemi_arena_array(arena, double, (size_t)rows + n);
    g->identity = atemi_arena_array(arena, double, n *n);
    g->least = atemi_least_norm_take(arena, c->count, 6);
    g->transposed = atemi_arena_array(arena, double, 6 * n);
    g->torques = atemi_arena_array(arena, double, n);
}

static bool is_same(atemi_vec3 a, atemi_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_same_pose(const atemi_transform *a, const atemi_transform *b)
{
    return is_same(a->rotation.x, b->rotation.x) && is_same(a->rotation.y, b->rotation.y) &&
           is_same(a->rotation.z, b->rotation.z) && is_same(a->position, b->position);
}

// Whether the command is for nodes that are under way.
static bool goes_on(const node_group *g, const atemi_node_target *targets, int count)
{
    bool same = g->phase == NODES_MOVING && g->count == count;
    for (int k = 0; same && k < count; ++k) {
        const atemi_node_target *now = &g->nodes[k].target;
        same = now->link == targets[k].link && is_same_pose(&now->frame, &targets[k].frame);
    }
    return same;
}

// The joints between a link and the root change their marks.
static void toggle_path(const atemi_model *model, int link, bool *marks)
{
    for (int j = atemi_model_link(model, link)->parent_joint; j != ATEMI_NONE;
         j = atemi_model_link(model, atemi_model_joint(model, j)->parent_link)->parent_joint) {
        marks[j] = !marks[j];
    }
}

static int rate_of(const atemi_model *model, int j)
{
    const atemi_joint *joint = atemi_model_joint(model, j);
    const int          source = joint->mimic.joint;
    return source == ATEMI_NONE ? joint->first_v : atemi_model_joint(model, source)->first_v;
}

void atemi_nodes_mark_path(atemi_coordination *c, int link, const bool *allowed, bool *joints)
{
    const int count = atemi_model_joint_count(c->model);
    memset(c->marks, 0, (size_t)count * sizeof *c->marks);
    toggle_path(c->model, link, c->marks);
    toggle_path(c->model, c->base.link, c->marks);
    for (int j = 0; j < count; ++j) {
        const int rate = rate_of(c->model, j);
        if (c->marks[j] && rate != ATEMI_NONE) {
            const int i = rate - c->first_v;
            joints[i] = joints[i] || !allowed || allowed[i];
        }
    }
}

static void find_joints(atemi_coordination *c, const atemi_node_motion *motion)
{
    node_group *g = &c->nodes;
    memset(g->used, 0, (size_t)c->count * sizeof *g->used);
    for (int k = 0; k < g->count; ++k) {
        atemi_nodes_mark_path(c, g->nodes[k].target.link, motion->joints, g->used);
    }
    for (int i = 0; i < c->first_v + c->count; ++i) {
        g->moving[i] = i < c->first_v || g->used[i - c->first_v];
    }
}

static void set_motion(const atemi_coordination *c, const atemi_node_motion *motion, node_group *g)
{
    g->motion = *motion;
    g->motion.joints = NULL;
    g->motion.posture = motion->posture ? g->posture : NULL;
    if (motion->posture) {
        memcpy(g->posture, motion->posture, (size_t)c->count * sizeof *g->posture);
    }
}

// Plans the paths of all nodes together.
static void plan(atemi_coordination *c)
{
    node_group *g = &c->nodes;
    for (int k = 0; k < g->count; ++k) {
        atemi_node_path_tasks(&g->nodes[k], &g->motion, c->tasks + PATH_AXES * k);
    }
    const int axes = PATH_AXES * g->count;
    if (!atemi_trapezoid_synchronize(c->tasks, axes, g->motion.duration, c->trajectories)) {
        atemi_goal_stop(c, g->goal, ATEMI_OUTCOME_FAULT, ATEMI_NONE);
        return;
    }
    g->time = g->duration = 0.0;
    for (int k = 0; k < g->count; ++k) {
        memcpy(g->nodes[k].trajectories, c->trajectories + PATH_AXES * k,
               sizeof g->nodes[k].trajectories);
    }
    for (int a = 0; a < axes; ++a) {
        g->duration = fmax(g->duration, c->trajectories[a].duration);
    }
    g->phase = NODES_MOVING;
}

// The centre of mass of a robot that stands goes above the middle of its soles meanwhile.
static void center(atemi_coordination *c)
{
    node_group *g = &c->nodes;
    atemi_base_frame_place(c->model, &c->base, &c->at_base, c->q);
    g->center_start = atemi_center_of_mass_in(c->model, &c->at_base.kinematics);
    g->is_centered = atemi_coordination_middle(c, &g->center_end);
}

static void own_joints(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->nodes.used[i]) {
            c->joints[i].driver = DRIVER_NODES;
            c->joints[i].goal = c->nodes.goal;
            c->joints[i].source = c->nodes.source;
        }
    }
}

// Its axes keep their velocities; a path that was slowed has less of it. Where force axes have
// taken the node is where it is now.
static void continue_trajectory(guided_node *node, const atemi_node_target *target, double pace)
{
    guided_node           moved = *node;
    const atemi_transform pose = atemi_node_path_pose(node);
    atemi_node_path_rest(&pose, &moved);
    for (int a = 0; a < PATH_AXES; ++a) {
        moved.states[a].velocity = pace * node->states[a].velocity;
    }
    memset(moved.offset, 0, sizeof moved.offset);
    moved.target = *target;
    *node = moved;
}

static void continue_trajectories(atemi_coordination *c, const atemi_node_target *targets)
{
    node_group *g = &c->nodes;
    for (int k = 0; k < g->count; ++k) {
        continue_trajectory(&g->nodes[k], &targets[k], g->pace);
    }
    own_joints(c);
    center(c);
    plan(c);
}

static void stop_used(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->nodes.used[i]) {
            atemi_goal_stop(c, c->joints[i].goal, ATEMI_OUTCOME_REPLACED, ATEMI_NONE);
        }
    }
}

static void wait_for_joints(atemi_coordination *c, const atemi_node_target *targets, int count,
                            const atemi_node_motion *motion)
{
    node_group *g = &c->nodes;
    atemi_goal_stop(c, g->goal, ATEMI_OUTCOME_REPLACED, ATEMI_NONE);
    g->count = count;
    for (int k = 0; k < count; ++k) {
        g->nodes[k] = (guided_node){.target = targets[k]};
    }
    find_joints(c, motion);
    stop_used(c);
    g->phase = NODES_WAITING;
}

void atemi_nodes_command(atemi_coordination *c, const atemi_node_target *targets, int count,
                         const atemi_node_motion *motion, int goal, atemi_command_source source)
{
    node_group *g = &c->nodes;
    const bool  on = goes_on(g, targets, count) && !motion->joints;
    if (on) {
        atemi_goal_end(c, g->goal, ATEMI_OUTCOME_REPLACED, ATEMI_NONE);
    } else {
        wait_for_joints(c, targets, count, motion);
    }
    set_motion(c, motion, g);
    g->goal = goal;
    g->source = source;
    if (on) {
        continue_trajectories(c, targets);
    }
}

// ---- Beginning ------------------------------------------------------------------------------

static bool are_joints_at_rest(const atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->nodes.used[i] && !is_at_rest(&c->joints[i])) {
            return false;
        }
    }
    return true;
}

static atemi_transform frame_at(const atemi_coordination *c, const atemi_node_target *t)
{
    const atemi_transform link = atemi_link_pose_in(c->model, &c->at_base.kinematics, t->link);
    return atemi_transform_compose(&link, &t->frame);
}

static void begin(atemi_coordination *c)
{
    atemi_base_frame_place(c->model, &c->base, &c->at_base, c->q);
    for (int k = 0; k < c->nodes.count; ++k) {
        const atemi_transform pose = frame_at(c, &c->nodes.nodes[k].target);
        atemi_node_path_rest(&pose, &c->nodes.nodes[k]);
    }
    c->nodes.pace = 1.0;
    own_joints(c);
    center(c);
    plan(c);
}

// ---- A step ---------------------------------------------------------------------------------

enum { SLOWER_ATTEMPTS = 3 };

static bool presses(const node_group *g)
{
    for (int k = 0; k < g->count; ++k) {
        if (g->nodes[k].target.force_axes) {
            return true;
        }
    }
    return false;
}

static bool press(atemi_coordination *c)
{
    bool met = true;
    for (int k = 0; k < c->nodes.count; ++k) {
        if (c->nodes.nodes[k].target.force_axes) {
            atemi_node_force_find(c, &c->nodes.nodes[k]);
            met = atemi_node_force_advance(c, &c->nodes.nodes[k]) && met;
        }
    }
    return met;
}

static void give_up(atemi_coordination *c, atemi_coordination_fault fault,
                    atemi_goal_outcome outcome)
{
    c->faults |= fault;
    atemi_goal_stop(c, c->nodes.goal, outcome, ATEMI_NONE);
}

static void arrive(atemi_coordination *c)
{
    const int goal = c->nodes.goal;
    for (int i = 0; i < c->count; ++i) {
        if (c->joints[i].goal == goal) {
            c->joints[i].command.velocity = c->joints[i].command.acceleration = 0.0;
        }
    }
    atemi_goal_stop(c, goal, ATEMI_OUTCOME_REACHED, ATEMI_NONE);
}

// A node that was slowed gains speed again as one from rest does.
static double recovered_pace(const node_group *g, double period)
{
    const double gain = fmin(g->motion.acceleration / g->motion.velocity,
                             g->motion.angular_acceleration / g->motion.angular_velocity);
    return fmin(g->pace + gain * period, 1.0);
}

static void follow(atemi_coordination *c)
{
    node_group *g = &c->nodes;
    if (atemi_trajectories_step_to(c, DRIVER_NODES, c->positions) < 1.0) {
        c->faults |= ATEMI_COORDINATION_SLOWED;
    } else if (g->time >= g->duration && !presses(g)) {
        arrive(c);
    }
}

static void look_ahead(atemi_coordination *c)
{
    for (int k = 0; k < c->nodes.count; ++k) {
        atemi_node_path_advance(&c->nodes.nodes[k],
                                c->nodes.time + c->nodes.pace * c->options.period);
    }
}

// Finds the posture of the next step.
// @return the fraction of the distance to it that the joints can go in a step; 0 where there is
// none
static double find_posture(atemi_coordination *c)
{
    look_ahead(c);
    if (!atemi_nodes_solve(c)) {
        return 0.0;
    }
    for (int i = 0; i < c->count; ++i) {
        c->positions[i] = c->trial[c->first_q + i];
    }
    return atemi_trajectories_fraction(c, DRIVER_NODES, c->positions);
}

// Time goes slower where joints cannot follow: nodes are on their lines, and brake as planned.
// @return whether there is a posture
static bool find_step(atemi_coordination *c)
{
    node_group *g = &c->nodes;
    double      fraction = find_posture(c);
    for (int k = 0; k < SLOWER_ATTEMPTS && fraction > 0.0 && fraction < 1.0; ++k) {
        c->faults |= ATEMI_COORDINATION_SLOWED;
        g->pace *= fraction;
        fraction = find_posture(c);
    }
    g->time += g->pace * c->options.period;
    return fraction > 0.0;
}

static void move(atemi_coordination *c)
{
    node_group *g = &c->nodes;
    g->pace = recovered_pace(g, c->options.period);
    if (!press(c)) {
        give_up(c, ATEMI_COORDINATION_NO_CONTACT, ATEMI_OUTCOME_NO_CONTACT);
    } else if (find_step(c)) {
        follow(c);
    } else {
        give_up(c, ATEMI_COORDINATION_OUT_OF_REACH, ATEMI_OUTCOME_OUT_OF_REACH);
    }
}

void atemi_nodes_advance(atemi_coordination *c)
{
    if (c->nodes.phase == NODES_MOVING) {
        move(c);
    } else if (c->nodes.phase == NODES_WAITING && are_joints_at_rest(c)) {
        begin(c);
    }
}

// ---- What was reached -----------------------------------------------------------------------

static double seen_length(const atemi_mat3 *axes, const atemi_priority *priority, atemi_vec3 a)
{
    const atemi_vec3 e = atemi_mat3_apply_transposed(axes, a);
    const double     all[] = {e.x, e.y, e.z};
    double           square = 0.0;
    for (int r = 0; r < 3; ++r) {
        square += priority[r] == ATEMI_PRIORITY_IGNORE ? 0.0 : all[r] * all[r];
    }
    return sqrt(square);
}

void atemi_nodes_describe(atemi_coordination *c, atemi_goal_record *record)
{
    const node_group *g = &c->nodes;
    record->done = g->phase == NODES_MOVING ? fmin(g->time / fmax(g->duration, 1e-9), 1.0) : 0.0;
    atemi_base_frame_place(c->model, &c->base, &c->at_base, c->q_sensed);
    for (int k = 0; k < g->count; ++k) {
        const atemi_node_target *t = &g->nodes[k].target;
        const atemi_transform    at = frame_at(c, t);
        const atemi_mat3        *axes = &t->target.rotation;
        const atemi_vec3         offset = atemi_vec3_sub(at.position, t->target.position);
        const atemi_vec3         rotation = rotation_between(axes, &at.rotation);
        record->position = fmax(record->position, seen_length(axes, t->priority, offset));
        record->rotation = fmax(record->rotation, seen_length(axes, t->priority + 3, rotation));
    }
}
