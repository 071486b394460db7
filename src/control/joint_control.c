// SPDX-License-Identifier: Apache-2.0

#include "atemi/joint_control.h"

#include "atemi/base.h"
#include "control/joint_balance.h"
#include "control/joint_command.h"
#include "control/joint_loops.h"
#include "control/joint_options.h"
#include "control/joint_parts.h"
#include "control/joint_tracker.h"

#include <math.h>

// A tick: what is sensed (here), what is asked for (joint_command.c), what is wrong (here), and
// then the loops (joint_loops.c) or the brake.

static const double overspeed = 1.5;     // of the speed limit
static const double contradiction = 0.1; // of the bus voltage, unexplained

enum {
    STOPPING = ATEMI_JOINT_MOTOR_STUCK | ATEMI_JOINT_JOINT_STUCK | ATEMI_JOINT_NO_COMMAND |
               ATEMI_JOINT_OVERSPEED | ATEMI_JOINT_TORQUE_CONTRADICTED
};

// ---- Starting -------------------------------------------------------------------------------

// A reading is not believed that is farther from what was expected than twice the greatest speed
// goes in a tick.
static void start_trackers(atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    const double                       gate = 2.0 * overspeed * o->speed_limit * o->period;
    atemi_joint_tracker_start(o->period, o->motor_tracking, gate * o->drive.gear, &c->motor);
    atemi_joint_tracker_start(o->period, o->joint_tracking, gate, &c->joint);
}

static void find_gains(atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    const atemi_joint_drive           *d = &o->drive;
    const winding                      w = atemi_winding_over(d, o->period);
    const double                       load = o->link_inertia / (d->gear * d->gear);
    c->is_elastic = !o->takes_torque && atemi_joint_drive_is_elastic(d);
    c->reduction = 1.0 / d->gear;
    c->effect = 1.0 / d->torque_constant;
    c->compliance = 1.0 / d->spring;
    c->part = 1.0 / d->bus_voltage;
    c->inertia = d->rotor_inertia + (c->is_elastic ? 0.0 : load);
    c->mobility = 1.0 / c->inertia;
    c->decay = w.decay;
    c->gain = w.gain;
    c->need = 1.0 / w.gain;
    c->approach = -expm1(-o->current_bandwidth * o->period);
    c->learning = -expm1(-0.5 * o->current_bandwidth * o->period);
    c->quickness = -expm1(-o->velocity_bandwidth * o->period) / o->period;
}

static void find_balance_gains(atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    c->smoothing = -expm1(-o->torque_bandwidth * o->period);
    c->moving = c->inertia * c->smoothing / o->period;
    c->motor_noise = c->inertia * o->torque_bandwidth * c->motor.gains[1];
    c->joint_noise = o->drive.spring * c->reduction * c->joint.gains[0];
    c->lasting = (int)fmin(1.0 / (o->torque_bandwidth * o->period), 1e9);
}

static void begin(const atemi_joint_control_options *options, unsigned history,
                  atemi_joint_control *control)
{
    *control = (atemi_joint_control){.options = *options, .history = history};
    find_gains(control);
    start_trackers(control);
    find_balance_gains(control);
}

atemi_status atemi_joint_control_start(const atemi_joint_control_options *options,
                                       atemi_joint_control *control, atemi_error *error)
{
    ATEMI_REQUIRE_OR(options && control, ATEMI_ERROR_CONTRACT);
    const atemi_status status = atemi_joint_control_options_check(options, error);
    if (!status) {
        begin(options, 0, control);
    }
    return status;
}

void atemi_joint_control_restart(atemi_joint_control *control)
{
    ATEMI_REQUIRE(control);
    const atemi_joint_control_options options = control->options;
    begin(&options, control->history, control);
}

unsigned atemi_joint_control_history(const atemi_joint_control *control)
{
    ATEMI_REQUIRE_OR(control, 0);
    return control->history;
}

// ---- Sensing --------------------------------------------------------------------------------

// A reading is believed that a voltage would explain as the model may leave over. Before the
// motor's speed is known, every current that the bridge can carry is.
static bool is_current_credible(const atemi_joint_control *c, double reading, bool is_first)
{
    const atemi_joint_drive *d = &c->options.drive;
    const double             limit = contradiction * d->bus_voltage;
    return is_first ? fabs(reading) <= 1.5 * d->peak_current
                    : fabs(reading - c->expected) <= limit * c->gain;
}

static void sense_current(atemi_joint_control *c, double reading)
{
    c->current_before = c->current;
    c->current = c->expected;
    if (!c->options.senses_current || c->current_lost) {
        return;
    }
    const bool is_first = c->motor.begun < 2;
    if (!is_current_credible(c, reading, is_first)) {
        c->faults |= ATEMI_JOINT_CURRENT_SENSOR;
        return;
    }
    c->unexplained += is_first ? 0.0 : c->learning * (reading - c->expected) * c->need;
    c->current = reading;
}

static void sense_motor(atemi_joint_control *c, double reading)
{
    const double mean = 0.5 * (c->current + c->current_before); // since the last tick
    const double acceleration = atemi_joint_motor_acceleration(c, mean);
    const bool   is_first = c->motor.begun < 2;
    if (!atemi_joint_tracker_update(&c->motor, reading, acceleration)) {
        c->faults |= ATEMI_JOINT_MOTOR_READING;
    }
    if (is_first) {
        atemi_joint_balance_start(c);
    } else if (c->is_elastic) {
        atemi_joint_balance_update(c, mean);
    }
}

static void sense_joint(atemi_joint_control *c, double reading)
{
    const atemi_joint_drive *d = &c->options.drive;
    const double             motor_position = c->motor.position * c->reduction;
    const double             motor_velocity = c->motor.velocity * c->reduction;
    if (!c->is_elastic) {
        c->position = motor_position;
        c->velocity = motor_velocity;
        return;
    }
    if (!atemi_joint_tracker_update(&c->joint, reading, 0.0)) {
        c->faults |= ATEMI_JOINT_JOINT_READING;
    }
    c->position = c->joint.position;
    c->velocity = c->joint.velocity;
    c->torque = d->spring * (motor_position - c->position) +
                d->spring_damping * (motor_velocity - c->velocity);
}

// As if the motor sat on the joint: what is asked of its speed and place is asked of the joint.
static void sense_joint_alone(atemi_joint_control *c, double reading)
{
    const double gear = c->options.drive.gear;
    if (!atemi_joint_tracker_update(&c->joint, reading, 0.0)) {
        c->faults |= ATEMI_JOINT_JOINT_READING;
    }
    c->position = c->joint.position;
    c->velocity = c->joint.velocity;
    c->motor.position = gear * c->position;
    c->motor.velocity = gear * c->velocity;
    c->torque = c->torque_given;
}

static void sense_stop(atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    c->stop_side = (c->position >= o->highest) - (c->position <= o->lowest);
}

// ---- Judging --------------------------------------------------------------------------------

// A frozen reading is a fault where the torque that nothing explains would have moved the motor far
// meanwhile, or where the torques contradict each other. A joint that is simply held explains its
// torques.
static bool is_stuck(const atemi_joint_control *c, atemi_joint_tracker *t, bool contradicted)
{
    const double excess = fabs(c->motor.excess), time = t->suspect * c->options.period;
    const bool   is_suspect = t->frozen && c->inertia * excess > c->options.stuck_torque;
    t->suspect = atemi_joint_ticks(t->suspect, is_suspect);
    const bool went_far = 0.5 * excess * time * time > c->options.stuck_travel;
    return is_suspect && (went_far || (contradicted && time > c->options.patience));
}

static bool is_lost(const atemi_joint_control *c, atemi_joint_tracker *t)
{
    const bool lost = t->rejected * c->options.period > c->options.patience;
    if (lost) {
        atemi_joint_tracker_give_up(t);
    }
    return lost;
}

// The loops can do without the current's sensor.
static bool find_current_lost(atemi_joint_control *c)
{
    const bool contradicts = fabs(c->unexplained) > contradiction * c->options.drive.bus_voltage;
    if (contradicts) {
        const atemi_joint_drive *d = &c->options.drive;
        c->current_lost = true;
        c->stop.sensor_torque = fabs(c->unexplained) / d->resistance * d->torque_constant * d->gear;
        c->unexplained = 0.0;
        atemi_joint_balance_start(c);
    }
    return c->current_lost;
}

// The fault's bit where it is there.
static unsigned bit_if(atemi_joint_fault fault, bool is_there)
{
    return is_there ? (unsigned)fault : 0u;
}

// A reading that is known to be stuck is why the torques contradict each other.
static unsigned find_contradiction(atemi_joint_control *c)
{
    const bool     contradicted = c->balance.broken > c->lasting;
    const unsigned stuck = bit_if(ATEMI_JOINT_MOTOR_STUCK, is_stuck(c, &c->motor, contradicted)) |
                           bit_if(ATEMI_JOINT_JOINT_STUCK, is_stuck(c, &c->joint, contradicted));
    return stuck ? stuck : bit_if(ATEMI_JOINT_TORQUE_CONTRADICTED, contradicted);
}

static void find_faults(atemi_joint_control *c)
{
    const atemi_joint_control_options *o = &c->options;
    const double                       fastest = overspeed * o->speed_limit * o->drive.gear;
    c->faults |=
        bit_if(ATEMI_JOINT_CURRENT_SENSOR, find_current_lost(c)) | find_contradiction(c) |
        bit_if(ATEMI_JOINT_NO_COMMAND, c->commanded && c->command_age > o->command_timeout) |
        bit_if(ATEMI_JOINT_AT_STOP, c->stop_side != 0) |
        bit_if(ATEMI_JOINT_OVERSPEED, fabs(c->motor.velocity) > fastest) | c->command_faults;
    c->history |= c->faults;
}

static void note_stop(atemi_joint_control *c)
{
    if (c->state != ATEMI_JOINT_SAFE_STOP) {
        const double gear = c->options.drive.gear;
        c->stop.faults =
            c->faults & (STOPPING | ATEMI_JOINT_MOTOR_READING | ATEMI_JOINT_JOINT_READING);
        c->stop.speed = fabs(c->motor.velocity) * c->reduction;
        c->stop.unexplained_torque = c->inertia * fabs(c->motor.excess) * gear;
        c->stop.contradiction = fabs(c->balance.unexplained) * gear;
        c->stop.allowance = atemi_joint_balance_allowance(c) * gear;
    }
}

static void judge(atemi_joint_control *c)
{
    find_faults(c);
    const bool motor_lost = is_lost(c, &c->motor), joint_lost = is_lost(c, &c->joint);
    if (motor_lost || joint_lost || (c->faults & STOPPING) || c->state == ATEMI_JOINT_SAFE_STOP) {
        note_stop(c);
        c->state = ATEMI_JOINT_SAFE_STOP;
    } else {
        c->state = c->faults ? ATEMI_JOINT_WARNING : ATEMI_JOINT_OK;
    }
}

// ---- A tick ---------------------------------------------------------------------------------

static void sense(atemi_joint_control *c, const atemi_joint_measurement *m)
{
    if (c->options.takes_torque) {
        sense_joint_alone(c, m->joint_position);
        sense_stop(c);
        return;
    }
    sense_current(c, m->current);
    sense_motor(c, m->motor_position);
    sense_joint(c, m->joint_position);
    sense_stop(c);
    atemi_joint_loops_look_ahead(c);
}

static void hear(atemi_joint_control *c, const atemi_joint_command *command)
{
    c->command_age += c->options.period;
    if (command) {
        atemi_joint_command_take(c, command);
    }
}

static void act(atemi_joint_control *c, atemi_joint_output *output)
{
    if (c->commanded && c->state != ATEMI_JOINT_SAFE_STOP) {
        atemi_joint_loops_run(c, output);
    } else {
        atemi_joint_loops_brake(c, output);
    }
}

static void report(const atemi_joint_control *c, atemi_joint_output *output)
{
    const atemi_joint_drive *d = &c->options.drive;
    const bool               is_sensed = c->is_elastic || c->options.takes_torque;
    output->torque = is_sensed ? c->torque : d->gear * d->torque_constant * c->current;
    output->motor_velocity = c->motor.velocity;
    output->joint_velocity = c->velocity;
    output->state = c->state;
    output->faults = c->faults;
}

void atemi_joint_control_step(atemi_joint_control           *control,
                              const atemi_joint_measurement *measurement,
                              const atemi_joint_command *command, atemi_joint_output *output)
{
    ATEMI_REQUIRE(control && measurement && output);
    *output = (atemi_joint_output){0};
    control->faults = 0;
    sense(control, measurement);
    hear(control, command);
    judge(control);
    act(control, output);
    report(control, output);
}

void atemi_joint_controls_step(atemi_joint_control           *controls,
                               const atemi_joint_measurement *measurements,
                               const atemi_joint_command *commands, int count,
                               atemi_joint_output *outputs)
{
    ATEMI_REQUIRE(count >= 0 && (count == 0 || (controls && measurements && outputs)));
    for (int i = 0; i < count; ++i) {
        atemi_joint_control_step(&controls[i], &measurements[i], commands ? &commands[i] : NULL,
                                 &outputs[i]);
    }
}

// ---- Texts ----------------------------------------------------------------------------------

const char *atemi_joint_state_text(atemi_joint_state state)
{
    static const char *const texts[] = {"ok", "warning", "safe stop"};
    ATEMI_REQUIRE_OR(state <= ATEMI_JOINT_SAFE_STOP, "");
    return texts[state];
}

const char *atemi_joint_fault_text(atemi_joint_fault fault)
{
    static const char *const texts[] = {
        "motor encoder not credible",
        "joint encoder not credible",
        "motor encoder stuck",
        "joint encoder stuck",
        "current sensor",
        "no command",
        "command limited",
        "command unfit",
        "at a stop",
        "overspeed",
        "torque contradicted",
    };
    const int bits = (int)fault;
    ATEMI_REQUIRE_OR(bits > 0 && bits <= ATEMI_JOINT_TORQUE_CONTRADICTED && !(bits & (bits - 1)),
                     "");
    int bit = 0;
    while (bits >> bit != 1) {
        ++bit;
    }
    return texts[bit];
}
