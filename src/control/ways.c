// SPDX-License-Identifier: Apache-2.0

#include "control/ways.h"

#include "atemi/contract.h"
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

static void begin_way(moved_joint *j, const atemi_trapezoid_task *task)
{
    if (atemi_trapezoid_fastest(task, &j->way)) {
        j->driver = DRIVER_WAY;
        j->way_time = 0.0;
    }
}

// Braking from v within the way s takes v^2 / 2s.
static double braking(const moved_joint *j)
{
    const double v = j->command.velocity;
    const double limit = v > 0.0 ? j->joint->limits.upper : j->joint->limits.lower;
    const double room = fabs(limit - j->command.position);
    const double least = 0.5 * v * v / j->settings.acceleration;
    return room < least && room > 0.0 ? 0.5 * v * v / room : j->settings.acceleration;
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
    begin_way(joint, &task);
}

// A joint that did not follow had no part in the velocity of its command.
void atemi_ways_retreat(moved_joint *joint)
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
    begin_way(joint, &task);
}

static void command_joint(moved_joint *j, double period, atemi_axis_state state)
{
    const double position = inside(j, state.position);
    j->mean_velocity = (position - j->command.position) / period;
    j->command = position == state.position ? state : (atemi_axis_state){.position = position};
}

// At the end of a way that does not end at rest, and is not followed by another, the joint stops.
static void arrive(atemi_coordination *c, moved_joint *j)
{
    const int goal = j->goal;
    j->driver = DRIVER_NONE;
    if (goal) {
        atemi_goal_end(c, goal, ATEMI_OUTCOME_REACHED, ATEMI_NONE);
    }
    command_joint(j, c->options.period, j->way.end);
    stop_joint(j);
}

static void advance_way(atemi_coordination *c, moved_joint *j)
{
    const double period = c->options.period;
    j->way_time += period;
    if (j->way_time >= j->way.duration) {
        arrive(c, j);
    } else {
        command_joint(j, period, atemi_trapezoid_at(&j->way, j->way_time));
    }
}

// ---- All of them ----------------------------------------------------------------------------

static atemi_trapezoid_task task_of(const moved_joint *j, const atemi_joint_target *target)
{
    return (atemi_trapezoid_task){j->command,
                                  {.position = target->position, .velocity = target->velocity},
                                  j->settings.velocity,
                                  j->settings.acceleration};
}

void atemi_ways_plan(atemi_coordination *c, const atemi_joint_target *targets, int count,
                     double duration, int goal, atemi_command_source source)
{
    for (int i = 0; i < count; ++i) {
        c->tasks[i] = task_of(&c->joints[targets[i].joint], &targets[i]);
    }
    if (!atemi_trapezoid_synchronize(c->tasks, count, duration, c->ways)) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        moved_joint *j = &c->joints[targets[i].joint];
        j->driver = DRIVER_WAY;
        j->retreats = false;
        j->goal = goal;
        j->source = source;
        j->way = c->ways[i];
        j->way_time = 0.0;
    }
}

void atemi_ways_advance(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->joints[i].driver == DRIVER_WAY) {
            advance_way(c, &c->joints[i]);
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

double atemi_ways_share(const atemi_coordination *c, joint_driver driver, const double *positions)
{
    double share = 1.0;
    for (int i = 0; i < c->count; ++i) {
        const moved_joint *j = &c->joints[i];
        const double       way = fabs(positions[i] - j->command.position);
        const double       most = j->settings.velocity * c->options.period;
        share = j->driver == driver && way > most * (1.0 + step_rounding) ? fmin(share, most / way)
                                                                          : share;
    }
    return share;
}

double atemi_ways_step_to(atemi_coordination *c, joint_driver driver, const double *positions)
{
    const double share = atemi_ways_share(c, driver, positions);
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        if (j->driver == driver) {
            const double from = j->command.position;
            step_joint(j, c->options.period,
                       share < 1.0 ? from + share * (positions[i] - from) : positions[i]);
        }
    }
    return share;
}

// ---- Goals ----------------------------------------------------------------------------------

static void describe_joints(const atemi_coordination *c, int goal, atemi_goal_record *record)
{
    record->done = 1.0;
    for (int i = 0; i < c->count; ++i) {
        const moved_joint *j = &c->joints[i];
        if (j->goal == goal) {
            const double left = fabs(j->way.end.position - j->position);
            const double part = j->way.duration > 0.0 ? j->way_time / j->way.duration : 1.0;
            record->position = fmax(record->position, left);
            record->done = fmin(record->done, part);
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

void atemi_goals_stop_all(atemi_coordination *c, atemi_goal_outcome outcome)
{
    atemi_goal_stop(c, c->nodes.goal, outcome, ATEMI_NONE);
    for (int i = 0; i < c->count; ++i) {
        atemi_goal_stop(c, c->joints[i].goal, outcome, ATEMI_NONE);
    }
}
