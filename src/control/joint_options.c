// SPDX-License-Identifier: Apache-2.0

#include "control/joint_options.h"

#include "atemi/base.h"
#include "control/joint_parts.h"

#include <math.h>

atemi_joint_control_options atemi_joint_control_options_default(void)
{
    return (atemi_joint_control_options){
        .drive = atemi_joint_drive_default(),
        .period = 2e-4,
        .senses_current = true,
        .acts_next_tick = true,
        .current_bandwidth = 3000.0,
        .velocity_bandwidth = 800.0,
        .torque_bandwidth = 200.0,
        .position_bandwidth = 30.0,
        .motor_tracking = 1500.0,
        .joint_tracking = 500.0,
        .current_limit = 30.0,
        .speed_limit = 1.0,
        .torque_limit = 330.0,
        .torque_rate = 5000.0,
        .lowest = -INFINITY,
        .highest = INFINITY,
        .stop_rate = 10.0,
        .command_period = 0.02,
        .command_timeout = 0.1,
        .patience = 1e-3,
        .stuck_torque = 0.1,
        .stuck_travel = 0.5,
    };
}

atemi_joint_control_options atemi_joint_control_options_rigid(void)
{
    atemi_joint_control_options options = atemi_joint_control_options_default();
    options.drive = atemi_joint_drive_rigid();
    options.link_inertia = 0.02;
    options.period = 2e-3;
    options.current_bandwidth = 500.0;
    options.velocity_bandwidth = 80.0;
    options.torque_bandwidth = 40.0;
    options.position_bandwidth = 20.0;
    options.motor_tracking = 200.0;
    options.joint_tracking = 200.0;
    options.current_limit = 10.0;
    options.speed_limit = 2.0;
    options.torque_limit = 20.0;
    options.torque_rate = 1000.0;
    options.patience = 1e-2;
    options.stuck_torque = 0.02;
    return options;
}

// Bandwidths are at most this much of the rate of ticks, as those of the defaults at 5 kHz and 500
// Hz are; a reading is missed for some ticks before that is a fault.
static const double current_part = 0.6, velocity_part = 0.16, torque_part = 0.04;
static const double motor_part = 0.3, joint_part = 0.4;
static const double patience_ticks = 5.0;

atemi_joint_control_options
atemi_joint_control_options_at(const atemi_joint_control_options *options, double period)
{
    ATEMI_REQUIRE_OR(options && period > 0.0, atemi_joint_control_options_default());
    atemi_joint_control_options o = *options;
    const double                rate = 1.0 / period;
    o.period = period;
    o.current_bandwidth = fmin(o.current_bandwidth, current_part * rate);
    o.velocity_bandwidth = fmin(o.velocity_bandwidth, velocity_part * rate);
    o.torque_bandwidth = fmin(o.torque_bandwidth, torque_part * rate);
    o.position_bandwidth = fmin(o.position_bandwidth, torque_part * rate);
    o.motor_tracking = fmin(o.motor_tracking, motor_part * rate);
    o.joint_tracking = fmin(o.joint_tracking, joint_part * rate);
    o.patience = fmax(o.patience, patience_ticks * period);
    return o;
}

// The motor follows the joint's speed with the lag of its loops; the torque loop lets go what that
// bends the spring by.
double atemi_joint_control_loop_inertia(const atemi_joint_control_options *options)
{
    ATEMI_REQUIRE_OR(options, 0.0);
    const atemi_joint_control_options *o = options;
    if (o->takes_torque) {
        return o->drive.rotor_inertia * o->drive.gear * o->drive.gear;
    }
    const double lag = 1.0 / o->velocity_bandwidth + 1.0 / o->current_bandwidth + 0.5 * o->period;
    return atemi_joint_drive_is_elastic(&o->drive) ? o->drive.spring * lag / o->torque_bandwidth
                                                   : 0.0;
}

static atemi_status check_figures(const atemi_joint_control_options *o, atemi_error *error)
{
    const joint_figure figures[] = {
        {"link inertia", " kg m^2", o->link_inertia, true, false},
        {"period", " s", o->period, false, false},
        {"current bandwidth", " rad/s", o->current_bandwidth, false, false},
        {"velocity bandwidth", " rad/s", o->velocity_bandwidth, false, false},
        {"torque bandwidth", " rad/s", o->torque_bandwidth, false, false},
        {"position bandwidth", " rad/s", o->position_bandwidth, false, false},
        {"motor tracking", " rad/s", o->motor_tracking, false, false},
        {"joint tracking", " rad/s", o->joint_tracking, false, false},
        {"current limit", " A", o->current_limit, false, false},
        {"speed limit", " rad/s", o->speed_limit, false, false},
        {"torque limit", " N m", o->torque_limit, false, false},
        {"torque rate", " N m/s", o->torque_rate, false, true},
        {"stop rate", " 1/s", o->stop_rate, false, false},
        {"command period", " s", o->command_period, true, false},
        {"command timeout", " s", o->command_timeout, false, true},
        {"patience", " s", o->patience, true, false},
        {"stuck torque", " N m", o->stuck_torque, false, true},
        {"stuck travel", " rad", o->stuck_travel, false, true},
    };
    return atemi_joint_figures_check("joint control", figures,
                                     (int)(sizeof figures / sizeof *figures), error);
}

static atemi_status check_rate(const char *name, double rate, double limit, const char *reason,
                               atemi_error *error)
{
    return rate <= limit ? ATEMI_OK
                         : atemi_fail(error, ATEMI_ERROR_INPUT,
                                      "the %s of the joint control is %g rad/s: %s allows %g", name,
                                      rate, reason, limit);
}

// What the back EMF does within a tick is predicted once: a tick of more than twice the motor's own
// time constant, J R / (K_t K_e), would be unstable.
static atemi_status check_motor(const atemi_joint_control_options *o, atemi_error *error)
{
    const atemi_joint_drive *d = &o->drive;
    const bool               is_rigid = !atemi_joint_drive_is_elastic(d);
    const double             moved =
        d->rotor_inertia + (is_rigid ? o->link_inertia / (d->gear * d->gear) : 0.0);
    const double limit = 2.0 * moved * d->resistance / (d->torque_constant * d->back_emf);
    return o->period <= limit
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the period of the joint control is %g s: its motor answers to "
                            "voltages too fast for more than %g s; shorten the period, or let the "
                            "drive close its own current loop (takes_torque)",
                            o->period, limit);
}

static atemi_status check_rates(const atemi_joint_control_options *o, atemi_error *error)
{
    const double half = 0.5 * o->velocity_bandwidth, tick = 1.0 / o->period;
    if (o->takes_torque) {
        return check_rate("joint tracking", o->joint_tracking, tick, "the period", error);
    }
    atemi_status status = check_motor(o, error);
    status = status ? status
                    : check_rate("velocity bandwidth", o->velocity_bandwidth, 0.25 * tick,
                                 "the period", error);
    if (!status) {
        status = check_rate("torque bandwidth", o->torque_bandwidth, half,
                            "half the velocity bandwidth", error);
    }
    if (!status) {
        status = check_rate("position bandwidth", o->position_bandwidth, half,
                            "half the velocity bandwidth", error);
    }
    if (!status) {
        status = check_rate("motor tracking", o->motor_tracking, tick, "the period", error);
    }
    return status ? status
                  : check_rate("joint tracking", o->joint_tracking, tick, "the period", error);
}

atemi_status atemi_joint_control_options_check(const atemi_joint_control_options *options,
                                               atemi_error                       *error)
{
    const atemi_joint_control_options *o = options;
    atemi_status                       status = atemi_joint_drive_check(&o->drive, error);
    if (!status) {
        status = check_figures(o, error);
    }
    if (!status) {
        status = check_rates(o, error);
    }
    if (!status && !(o->lowest < o->highest)) {
        status =
            atemi_fail(error, ATEMI_ERROR_INPUT,
                       "the stops of the joint control are %g and %g rad: give the lower first",
                       o->lowest, o->highest);
    }
    return status;
}
