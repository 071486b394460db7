// SPDX-License-Identifier: Apache-2.0

#include "control/trajectory_monitor.h"

#include "control/coordination_standing.h"
#include "control/joint_trajectories.h"

#include <math.h>
#include <string.h>

// A joint does not follow if, with e its position error now, k its stiffness and T its torque
// limit,
//
//   |e| k scale > T
//
// ([R2] III-A). It then goes from its command to where it is, rapidly, in every step in which it
// still does not follow; so the force on an obstacle fades instead of dropping.

// ---- Sensing --------------------------------------------------------------------------------

static bool sense_joint(moved_joint *j, double position, double velocity, double torque)
{
    j->sensed = isfinite(position) && isfinite(velocity) && isfinite(torque);
    if (j->sensed) {
        j->position = position;
        j->velocity = velocity;
        j->torque = torque;
    }
    return j->sensed;
}

// The command begins where the joints are.
static void start(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        j->command = (atemi_axis_state){.position = j->position};
        c->q[c->first_q + i] = j->position;
    }
    c->started = true;
}

// A link that is let go is no longer held in what was before either.
static void sense_holds(atemi_coordination *c, const bool *held)
{
    bool joins = false;
    for (int i = 0; i < atemi_model_link_count(c->model); ++i) {
        const bool now = held && held[i];
        c->held_before[i] = (c->held_fraction < 1.0 ? c->held_before[i] : c->held[i]) && now;
        joins = joins || (now && !c->held[i]);
        c->held[i] = now;
    }
    c->held_fraction = joins && c->started ? 0.0 : c->held_fraction;
}

void atemi_monitor_sense(atemi_coordination *c, const atemi_coordination_measurement *measurement)
{
    bool all = true;
    sense_holds(c, measurement->held);
    c->senses_torques = measurement->torques != NULL;
    for (int i = 0; i < c->count; ++i) {
        moved_joint *j = &c->joints[i];
        all = sense_joint(j, measurement->positions[i], measurement->velocities[i],
                          measurement->torques ? measurement->torques[i] : 0.0) &&
              all;
        j->stopped = measurement->stopped && measurement->stopped[i];
        c->q_sensed[c->first_q + i] = j->position;
    }
    c->blind_time = all ? 0.0 : c->blind_time + c->options.period;
    c->faults |= all ? 0 : ATEMI_COORDINATION_MEASUREMENT;
    if (all && !c->started) {
        start(c);
    }
}

// ---- Following ------------------------------------------------------------------------------

static double error_of(const moved_joint *j, double period)
{
    return command_ahead(j, period).position - j->position;
}

static bool follows(const atemi_coordination *c, const moved_joint *j)
{
    const double pull = fabs(error_of(j, c->options.period)) * j->impedance.stiffness;
    return !j->settings.elastic || !j->sensed ||
           pull * c->options.deviation_scale <= j->torque_limit;
}

// A robot of which one joint brakes does not go where it is commanded.
static void watch_stops(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->joints[i].stopped) {
            c->faults |= ATEMI_COORDINATION_JOINT_STOPPED;
            atemi_goals_stop_all(c, ATEMI_OUTCOME_FAULT, i);
            return;
        }
    }
}

static atemi_deviation_response response_to(const atemi_coordination *c, int i)
{
    const atemi_deviation_hook *hook = &c->options.deviation;
    const moved_joint          *j = &c->joints[i];
    const atemi_deviation       deviation = {.joint = i,
                                             .goal = j->goal,
                                             .time = c->time,
                                             .error = error_of(j, c->options.period),
                                             .torque = j->torque,
                                             .torque_limit = j->torque_limit};
    return hook->respond ? hook->respond(hook->context, &deviation) : ATEMI_DEVIATION_RETREAT;
}

static void respond(atemi_coordination *c, int i)
{
    moved_joint                   *j = &c->joints[i];
    const atemi_deviation_response response = response_to(c, i);
    c->faults |= ATEMI_COORDINATION_OBSTRUCTED;
    if (response != ATEMI_DEVIATION_GO_ON) {
        atemi_goal_stop(c, j->goal, ATEMI_OUTCOME_OBSTRUCTED, i);
    }
    if (response == ATEMI_DEVIATION_RETREAT) {
        atemi_trajectories_retreat(j);
    }
}

static void watch_joints(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (!follows(c, &c->joints[i])) {
            respond(c, i);
        }
    }
}

// ---- Commands and measurements --------------------------------------------------------------

static bool is_moving(const atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->joints[i].goal) {
            return true;
        }
    }
    return c->nodes.goal != 0;
}

static void watch_commands(atemi_coordination *c)
{
    if (is_moving(c) && c->time - c->last_command > c->options.command_timeout) {
        c->faults |= ATEMI_COORDINATION_SILENT;
        atemi_goals_stop_all(c, ATEMI_OUTCOME_FAULT, ATEMI_NONE);
    }
}

static void watch_measurements(atemi_coordination *c)
{
    if (c->blind_time > c->options.patience) {
        c->faults |= ATEMI_COORDINATION_BLIND;
        atemi_goals_stop_all(c, ATEMI_OUTCOME_FAULT, ATEMI_NONE);
    }
}

// ---- Energy ---------------------------------------------------------------------------------

static atemi_feedback_port port_of(const moved_joint *j, double period)
{
    if (!j->settings.elastic) {
        return (atemi_feedback_port){0};
    }
    return (atemi_feedback_port){
        .torque = j->torque - j->inertia_torque - j->gravity_torque,
        .error = error_of(j, period),
        .rate = j->velocity - command_ahead(j, period).velocity,
        .stiffness = j->impedance.stiffness,
        .limit = j->torque_limit,
    };
}

static void give_trajectory(atemi_coordination *c)
{
    c->limp = true;
    atemi_goals_stop_all(c, ATEMI_OUTCOME_FAULT, ATEMI_NONE);
    for (int i = 0; i < c->count; ++i) {
        atemi_trajectories_retreat(&c->joints[i]);
    }
}

// Of a joint that is not sensed the last port counts.
static void watch_energy(atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->joints[i].sensed) {
            c->ports[i] = port_of(&c->joints[i], c->options.period);
        }
    }
    if (!atemi_passivity_watch_step(&c->watch, c->ports, c->options.period) && !c->limp) {
        give_trajectory(c);
    }
    c->faults |= c->limp ? ATEMI_COORDINATION_DIVERGING : 0;
}

void atemi_monitor_react(atemi_coordination *c)
{
    watch_measurements(c);
    watch_commands(c);
    watch_stops(c);
    watch_joints(c);
    if (c->senses_torques) {
        watch_energy(c);
    }
}

// ---- Balance --------------------------------------------------------------------------------

static const double largest_drift = 0.01; // of the height: a fraction of what a sole is long

// Beyond what it may be, and more than in the step before: a motion back is none to be stopped.
static bool gets_worse(double now, double before, double limit)
{
    const double rounding = 1e-3;
    return now > limit && now > before + rounding * (now - limit);
}

void atemi_monitor_balance(atemi_coordination *c)
{
    const atemi_standing_report *s = &c->stands;
    if (!atemi_coordination_is_standing(c)) {
        return;
    }
    const double missing = fmax(s->missing, s->capture);
    c->faults |= missing > atemi_standing_tolerance ? ATEMI_COORDINATION_UNBALANCED : 0;
    c->faults |= s->effort > 1.0 + atemi_standing_tolerance ? ATEMI_COORDINATION_OVERLOADED : 0;
    if (s->drift > largest_drift ||
        gets_worse(s->capture, c->was.capture, atemi_standing_tolerance)) {
        atemi_goals_stop_all(c, ATEMI_OUTCOME_UNBALANCED, ATEMI_NONE);
    }
    if (gets_worse(s->effort, c->was.effort, 1.0 + atemi_standing_tolerance)) {
        atemi_goals_stop_all(c, ATEMI_OUTCOME_OVERLOADED, s->joint);
    }
}
