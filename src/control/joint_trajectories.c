// SPDX-License-Identifier: Apache-2.0

#include "control/joint_trajectories.h"

#include "atemi/base.h"
#include "control/joint_parts.h"
#include "control/node_group.h"

#include <math.h>

// Ways start from what is commanded, never from what is measured: so commands are continuous with
// their velocities whatever interrupts what ([R2] III-A).

// ---- One joint ------------------------------------------------------------------------------

static double inside(const moved_joint *j, double position)
{
    return between(position, j->joint->limits.lower, j->joint->limits.upper);
}

static void begin_trajectory(moved_joint *j, const atemi_trapezoid_task *task)
{
    j->generated = false;
    if (atemi_trapezoid_fastest(task, &j->trajectory)) {
        j->driver = DRIVER_TRAJECTORY;
        j->trajectory_time = 0.0;
    }
}

// Braking from v within the distance s takes v^2 / 2s.
static double braking(const moved_joint *j)
{
    const double v = j->command.velocity;
    const double limit = v > 0.0 ? j->joint->limits.upper : j->joint->limits.lower;
    const double margin = fabs(limit - j->command.position);
    const double least = 0.5 * v * v / j->settings.acceleration;
    return margin < least && margin > 0.0 ? 0.5 * v * v / margin : j->settings.acceleration;
}

// Softly, before its limit.
static void stop_joint(moved_joint *joint)
{
    const double v = joint->command.velocity;
    joint->goal = 0;
    joint->driver = DRIVER_NONE;
    joint->retreats = false;
    joint->command.acceleration = 0.0;
    if (v == 0.0) {
        joint->mean_velocity = 0.0;
        return;
    }
    const double               A = braking(joint);
    const double               end = inside(joint, joint->command.position + 0.5 * v * fabs(v) / A);
    const atemi_trapezoid_task task = {joint->command, {.position = end}, fabs(v), A};
    begin_trajectory(joint, &task);
}

// A joint that did not follow had no part in the velocity of its command.
void atemi_trajectories_retreat(moved_joint *joint)
{
    if (!joint->retreats) {
        joint->command = (atemi_axis_state){.position = joint->command.position};
    }
    const atemi_trapezoid_task task = {joint->command,
                                       {.position = inside(joint, joint->position)},
                                       joint->settings.retreat_velocity,
                                       joint->settings.retreat_acceleration};
    joint->goal = 0;
    joint->retreats = true;
    begin_trajectory(joint, &task);
}

static void command_joint(moved_joint *j, double period, atemi_axis_state state)
{
    const double position = inside(j, state.position);
    j->mean_velocity = (position - j->command.position) / period;
    j->command = position == state.position ? state : (atemi_axis_state){.position = position};
}

// At the end of a trajectory that does not end at rest, and is not followed by another, the joint
// stops.
static void arrive(atemi_coordination *c, moved_joint *j)
{
    const int goal = j->goal;
    j->driver = DRIVER_NONE;
    if (goal) {
        atemi_goal_end(c, goal, ATEMI_OUTCOME_REACHED, ATEMI_NONE);
    }
    command_joint(j, c->options.period, j->trajectory.end);
    stop_joint(j);
}

// A generator may exceed a joint's bound of velocity a little, as one does that is still to take
// its acceleration away.
static const double generator_margin = 1.25;

static bool is_possible(const moved_joint *j, double period, atemi_axis_state next)
{
    const double limit =
        generator_margin * fmax(j->settings.velocity, fabs(j->task.start.velocity));
    return isfinite(next.acceleration) && fabs(next.velocity) <= limit &&
           fabs(next.position - j->command.position) <= limit * period;
}

static atemi_axis_state state_now(const atemi_coordination *c, const moved_joint *j)
{
    const atemi_trajectory_generator *g = &c->options.generator;
    if (j->trajectory_time >= j->trajectory.duration) {
        return j->trajectory.end;
    }
    return j->generated ? g->at(g->context, &j->task, j->trajectory.duration, j->trajectory_time)
                        : atemi_trapezoid_at(&j->trajectory, j->trajectory_time);
}

static void advance_trajectory(atemi_coordination *c, int i)
{
    moved_joint *j = &c->joints[i];
    const double period = c->options.period;
    j->trajectory_time += period;
    const atemi_axis_state next = state_now(c, j);
    if (j->generated && !is_possible(j, period, next)) {
        atemi_goal_stop(c, j->goal, ATEMI_OUTCOME_FAULT, i);
    } else if (j->trajectory_time >= j->trajectory.duration) {
        arrive(c, j);
    } else {
        command_joint(j, period, next);
    }
}

// ---- All of them ----------------------------------------------------------------------------

static atemi_trapezoid_task task_of(const moved_joint *j, const atemi_joint_target *target)
{
    return (atemi_trapezoid_task){j->command,
                                  {target->position, target->velocity, target->acceleration},
                                  j->settings.velocity,
                                  j->settings.acceleration};
}

// Of a trajectory that is generated only duration and end count.
static bool generate(atemi_coordination *c, int count, double duration)
{
    const atemi_trajectory_generator *g = &c->options.generator;
    bool                              fine = true;
    for (int i = 0; i < count; ++i) {
        const double least = g->duration(g->context, &c->tasks[i]);
        fine = fine && isfinite(least);
        duration = fmax(duration, least);
    }
    for (int i = 0; i < count; ++i) {
        c->trajectories[i] = (atemi_trapezoid){.duration = duration, .end = c->tasks[i].end};
    }
    return fine;
}

static void refuse(atemi_coordination *c, const atemi_joint_target *targets, int count, int goal)
{
    atemi_goal_end(c, goal, ATEMI_OUTCOME_FAULT, ATEMI_NONE);
    for (int i = 0; i < count; ++i) {
        stop_joint(&c->joints[targets[i].joint]);
    }
}

void atemi_trajectories_plan(atemi_coordination *c, const atemi_joint_target *targets, int count,
                             double duration, int goal, atemi_command_source source)
{
    for (int i = 0; i < count; ++i) {
        c->tasks[i] = task_of(&c->joints[targets[i].joint], &targets[i]);
    }
    const bool generated = c->options.generator.at != NULL;
    if (!(generated ? generate(c, count, duration)
                    : atemi_trapezoid_synchronize(c->tasks, count, duration, c->trajectories))) {
        refuse(c, targets, count, goal);
        return;
    }
    for (int i = 0; i < count; ++i) {
        moved_joint *j = &c->joints[targets[i].joint];
        j->driver = DRIVER_TRAJECTORY;
        j->retreats = false;
        j->goal = goal;
        j->source = source;
        j->trajectory = c->trajectories[i];
        j->generated = generated;
        j->task = c->tasks[i];
        j->trajectory_time = 0.0;
    }
}

void atemi_trajectories_advance(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->joints[i].driver == DRIVER_TRAJECTORY) {
            advance_trajectory(c, i);
        }
    }
}

// With d_0 and d_1 the mean velocities of the last two steps, the acceleration is their difference
// per period, and the velocity at the end is d_1 and half of it.
static void step_joint(moved_joint *j, double period, double position)
{
    const double before = j->mean_velocity, V = j->settings.velocity;
    const double mean = (position - j->command.position) / period;
    command_joint(j, period,
                  (atemi_axis_state){position, within(mean + 0.5 * (mean - before), V),
                                     (mean - before) / period});
}

// Relative rounding error of steps.
static const double step_rounding = 1e-9;

double atemi_trajectories_fraction(const atemi_coordination *c, joint_driver driver,
                                   const double *positions)
{
    double fraction = 1.0;
    for (int i = 0; i < c->count; ++i) {
        const moved_joint *j = &c->joints[i];
        const double       distance = fabs(positions[i] - j->command.position);
        const double       limit = j->settings.velocity * c->options.period;
        fraction = j->driver == driver && distance > limit * (1.0 + step_rounding)
                       ? fmin(fraction, limit / distance)
                       : fraction;
    }
    return fraction;
}

double atemi_trajectories_step_to(atemi_coordination *c, joint_driver driver,
                                  const double *positions)
{
    const double fraction = atemi_trajectories_fraction(c, driver, positions);
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        if (j->driver == driver) {
            const double from = j->command.position;
            step_joint(j, c->options.period,
                       fraction < 1.0 ? from + fraction * (positions[i] - from) : positions[i]);
        }
    }
    return fraction;
}

// ---- Goals ----------------------------------------------------------------------------------

static void describe_joints(const atemi_coordination *c, int goal, atemi_goal_record *record)
{
    record->done = 1.0;
    for (int i = 0; i < c->count; ++i) {
        const moved_joint *j = &c->joints[i];
        if (j->goal == goal) {
            const double left = fabs(j->trajectory.end.position - j->position);
            const double done =
                j->trajectory.duration > 0.0 ? j->trajectory_time / j->trajectory.duration : 1.0;
            record->position = fmax(record->position, left);
            record->done = fmin(record->done, done);
        }
    }
}

static void describe_crumbs(const atemi_coordination *c, atemi_goal_record *record)
{
    const int all = c->crumbs.taken + c->crumbs.count;
    record->done = all > 0 ? (double)c->crumbs.taken / all : 1.0;
    for (int k = 0; k < c->crumbs.joint_count; ++k) {
        const moved_joint *j = &c->joints[c->crumbs.joints[k]];
        record->position = fmax(record->position, fabs(j->command.position - j->position));
    }
}

void atemi_goal_end(atemi_coordination *c, int goal, atemi_goal_outcome outcome, int joint)
{
    atemi_goal_record *record = atemi_goal_log_find(&c->log, goal);
    if (!record || record->outcome != ATEMI_OUTCOME_ACTIVE) {
        return;
    }
    record->outcome = outcome;
    record->ended = c->time;
    record->joint = joint;
    switch (record->motion) {
    case ATEMI_MOTION_JOINTS:
        describe_joints(c, goal, record);
        break;
    case ATEMI_MOTION_NODES:
        atemi_nodes_describe(c, record);
        break;
    case ATEMI_MOTION_BREADCRUMBS:
        describe_crumbs(c, record);
        break;
    }
}

void atemi_goal_stop(atemi_coordination *c, int goal, atemi_goal_outcome outcome, int joint)
{
    if (goal <= 0) {
        return;
    }
    atemi_goal_end(c, goal, outcome, joint);
    for (int i = 0; i < c->count; ++i) {
        if (c->joints[i].goal == goal) {
            stop_joint(&c->joints[i]);
        }
    }
    if (c->nodes.goal == goal) {
        c->nodes.phase = NODES_IDLE;
        c->nodes.goal = 0;
    }
    if (c->crumbs.goal == goal) {
        c->crumbs.count = 0;
        c->crumbs.goal = 0;
    }
}

void atemi_goals_stop_all(atemi_coordination *c, atemi_goal_outcome outcome, int joint)
{
    atemi_goal_stop(c, c->nodes.goal, outcome, joint);
    for (int i = 0; i < c->count; ++i) {
        atemi_goal_stop(c, c->joints[i].goal, outcome, joint);
    }
}
