// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "control/breadcrumb_trail.h"
#include "control/command_checks.h"
#include "control/joint_trajectories.h"
#include "control/node_group.h"

#include <math.h>

// Every command is checked in full before it changes anything.

// ---- Joints ---------------------------------------------------------------------------------

static atemi_status check_position(const moved_joint *j, double position, atemi_error *error)
{
    const atemi_limits *limits = &j->joint->limits;
    if (isfinite(position) && position >= limits->lower && position <= limits->upper) {
        return ATEMI_OK;
    }
    return atemi_fail(error, ATEMI_ERROR_INPUT,
                      "joint %s shall go to %g, but its range is %g to %g: stay within",
                      j->joint->name, position, limits->lower, limits->upper);
}

static atemi_status check_joint_target(const atemi_coordination *c, const atemi_joint_target *t,
                                       atemi_error *error)
{
    atemi_status status = atemi_command_check_joint(c, t->joint, error);
    status = status ? status : check_position(&c->joints[t->joint], t->position, error);
    if (!status && !(fabs(t->velocity) <= c->joints[t->joint].settings.velocity)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "joint %s shall arrive with %g, but its velocity is at most %g",
                          c->joints[t->joint].joint->name, t->velocity,
                          c->joints[t->joint].settings.velocity);
    }
    if (!status && !(fabs(t->acceleration) <= c->joints[t->joint].settings.acceleration)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "joint %s shall arrive with an acceleration of %g, but it is at most %g",
                          c->joints[t->joint].joint->name, t->acceleration,
                          c->joints[t->joint].settings.acceleration);
    }
    return status;
}

static atemi_status check_once(const atemi_coordination *c, int joint, int times,
                               atemi_error *error)
{
    return times == 1 ? ATEMI_OK
                      : atemi_fail(error, ATEMI_ERROR_INPUT,
                                   "joint %s is named more than once: give it one target",
                                   c->joints[joint].joint->name);
}

static atemi_status check_joint_targets(const atemi_coordination *c,
                                        const atemi_joint_target *targets, int count,
                                        double duration, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; !status && i < count; ++i) {
        int times = 0;
        for (int k = 0; k < count; ++k) {
            times += targets[k].joint == targets[i].joint;
        }
        status = check_joint_target(c, &targets[i], error);
        status = status ? status : check_once(c, targets[i].joint, times, error);
    }
    if (!status && !(duration >= 0.0 && isfinite(duration))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the motion shall take %g s: give a time, or 0 for the shortest",
                          duration);
    }
    return status;
}

// What a joint does now ends. Companions on trajectories of their own go on; those of nodes and
// breadcrumbs cannot.
static void release_joint(atemi_coordination *c, int i)
{
    const moved_joint *j = &c->joints[i];
    if (j->driver == DRIVER_TRAJECTORY) {
        atemi_goal_end(c, j->goal, ATEMI_OUTCOME_REPLACED, ATEMI_NONE);
    } else {
        atemi_goal_stop(c, j->goal, ATEMI_OUTCOME_REPLACED, ATEMI_NONE);
    }
    if (c->nodes.phase == NODES_WAITING && c->nodes.used[i]) {
        atemi_goal_stop(c, c->nodes.goal, ATEMI_OUTCOME_REPLACED, ATEMI_NONE);
    }
}

static int begin_goal(atemi_coordination *c, atemi_goal_motion motion, atemi_command_source source)
{
    c->last_command = c->time;
    return atemi_goal_log_begin(&c->log, motion, source, c->time);
}

atemi_status atemi_coordination_move_joints(atemi_coordination       *coordination,
                                            atemi_command_source      source,
                                            const atemi_joint_target *targets, int count,
                                            double duration, atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination && count >= 0 && (targets || count == 0), ATEMI_ERROR_CONTRACT);
    atemi_coordination *c = coordination;
    if (count == 0) {
        atemi_coordination_stop(c);
        return ATEMI_OK;
    }
    atemi_status status = atemi_command_check_motion(c, source, error);
    status = status ? status : check_joint_targets(c, targets, count, duration, error);
    if (!status) {
        for (int i = 0; i < count; ++i) {
            release_joint(c, targets[i].joint);
        }
        const int goal = begin_goal(c, ATEMI_MOTION_JOINTS, source);
        atemi_trajectories_plan(c, targets, count, duration, goal, source);
    }
    return status;
}

// ---- Nodes ----------------------------------------------------------------------------------

static atemi_status check_node(const atemi_coordination *c, const atemi_node_target *t, int index,
                               atemi_error *error)
{
    const atemi_force *f = &t->force;
    const double       sum =
        f->linear.x + f->linear.y + f->linear.z + f->angular.x + f->angular.y + f->angular.z;
    if (t->link < 0 || t->link >= atemi_model_link_count(c->model)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "node %d is on link %d, but there is no such link", index, t->link);
    }
    if (!atemi_command_is_pose(&t->frame) || !atemi_command_is_pose(&t->target) || !isfinite(sum)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "node %d: frame, target and force must be finite, and rotations be "
                          "rotations",
                          index);
    }
    for (int r = 0; r < 6; ++r) {
        if (t->priority[r] > ATEMI_PRIORITY_IGNORE) {
            return atemi_fail(error, ATEMI_ERROR_INPUT, "node %d: %d is no priority", index,
                              (int)t->priority[r]);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_node_motion(const atemi_coordination *c, const atemi_node_motion *m,
                                      atemi_error *error)
{
    const double positive[] = {m->velocity, m->acceleration, m->angular_velocity,
                               m->angular_acceleration};
    const double others[] = {m->duration,    m->posture_rate, m->force_rate,
                             m->moment_rate, m->force_speed,  m->force_travel};
    bool         fine = true;
    for (int i = 0; i < 4; ++i) {
        fine = fine && positive[i] > 0.0 && isfinite(positive[i]);
    }
    for (int i = 0; i < 6; ++i) {
        fine = fine && others[i] >= 0.0 && isfinite(others[i]);
    }
    for (int i = 0; m->posture && i < c->count; ++i) {
        fine = fine && isfinite(m->posture[i]);
    }
    return fine ? ATEMI_OK
                : atemi_fail(error, ATEMI_ERROR_INPUT,
                             "velocities and accelerations of nodes must be positive, all else of "
                             "their motion not negative, and everything finite");
}

static atemi_status check_nodes(const atemi_coordination *c, const atemi_node_target *targets,
                                int count, const atemi_node_motion *motion, atemi_error *error)
{
    atemi_status status = check_node_motion(c, motion, error);
    if (!status && (count < 1 || count > c->options.max_nodes)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%d nodes: there may be 1 to %d (max_nodes)",
                          count, c->options.max_nodes);
    }
    for (int k = 0; !status && k < count; ++k) {
        status = check_node(c, &targets[k], k, error);
    }
    return status;
}

atemi_status atemi_coordination_move_nodes(atemi_coordination      *coordination,
                                           atemi_command_source     source,
                                           const atemi_node_target *targets, int count,
                                           const atemi_node_motion *motion, atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination && targets, ATEMI_ERROR_CONTRACT);
    atemi_coordination     *c = coordination;
    const atemi_node_motion standard = atemi_node_motion_default();
    const atemi_node_motion wanted = motion ? *motion : standard;
    atemi_status            status = atemi_command_check_motion(c, source, error);
    status = status ? status : check_nodes(c, targets, count, &wanted, error);
    if (!status) {
        const int goal = begin_goal(c, ATEMI_MOTION_NODES, source);
        atemi_nodes_command(c, targets, count, &wanted, goal, source);
    }
    return status;
}

// ---- Breadcrumbs ----------------------------------------------------------------------------

static atemi_status check_crumbs(const atemi_coordination *c, const int *joints, int joint_count,
                                 const double *positions, int count, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int k = 0; !status && k < joint_count; ++k) {
        status = atemi_command_check_joint(c, joints[k], error);
        for (int i = 0; !status && i < count; ++i) {
            const double position = positions[(ptrdiff_t)i * joint_count + k];
            status = check_position(&c->joints[joints[k]], position, error);
        }
    }
    return status;
}

static atemi_status check_capacity(const atemi_coordination *c, int waiting, int count,
                                   atemi_error *error)
{
    const int capacity = c->options.max_breadcrumbs - waiting;
    return count <= capacity ? ATEMI_OK
                             : atemi_fail(error, ATEMI_ERROR_INPUT,
                                          "%d breadcrumbs, but there is memory for %d now "
                                          "(max_breadcrumbs is %d): give the rest later",
                                          count, capacity, c->options.max_breadcrumbs);
}

atemi_status atemi_coordination_follow(atemi_coordination  *coordination,
                                       atemi_command_source source, const int *joints,
                                       int joint_count, const double *positions, int count,
                                       atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination && joints && positions, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(joint_count > 0 && joint_count <= coordination->count && count > 0,
                     ATEMI_ERROR_CONTRACT);
    atemi_coordination *c = coordination;
    const bool          more = atemi_trail_is_of(&c->crumbs, joints, joint_count);
    atemi_status        status = atemi_command_check_motion(c, source, error);
    status = status ? status : check_crumbs(c, joints, joint_count, positions, count, error);
    status = status ? status : check_capacity(c, more ? c->crumbs.count : 0, count, error);
    if (status) {
        return status;
    }
    if (!more) {
        atemi_goal_stop(c, c->crumbs.goal, ATEMI_OUTCOME_REPLACED, ATEMI_NONE);
        for (int k = 0; k < joint_count; ++k) {
            release_joint(c, joints[k]);
        }
        const int goal = begin_goal(c, ATEMI_MOTION_BREADCRUMBS, source);
        atemi_trail_begin(c, joints, joint_count, goal, source);
    }
    c->last_command = c->time;
    atemi_trail_add(c, positions, count);
    return ATEMI_OK;
}

// ---- Everything -----------------------------------------------------------------------------

void atemi_coordination_stop(atemi_coordination *coordination)
{
    ATEMI_REQUIRE(coordination);
    coordination->last_command = coordination->time;
    atemi_goals_stop_all(coordination, ATEMI_OUTCOME_STOPPED, ATEMI_NONE);
}

void atemi_coordination_heartbeat(atemi_coordination *coordination)
{
    ATEMI_REQUIRE(coordination);
    coordination->last_command = coordination->time;
}

void atemi_coordination_resume(atemi_coordination *coordination)
{
    ATEMI_REQUIRE(coordination);
    coordination->limp = false;
    atemi_passivity_watch_restart(&coordination->watch);
}

void atemi_coordination_set_mode(atemi_coordination *coordination, atemi_command_mode mode)
{
    ATEMI_REQUIRE(coordination && mode <= ATEMI_MODE_SUPERVISOR);
    coordination->mode = mode;
}
