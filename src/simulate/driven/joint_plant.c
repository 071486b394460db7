// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"

#include "atemi/base.h"
#include "control/joint_parts.h"
#include "math/random.h"

#include <math.h>

// The equations of atemi/joint_control.h, in substeps of h:
//
//   winding    i over h/2, without error for the motor's speed at that moment
//   motion     positions over h/2, velocities over h, positions over h/2
//   winding    i over h/2
//
// which is of second order. Friction takes from the motor's speed after h at most h C / J, and
// stops it where that is more than it has: a motor that stands is held as by real friction.
//
// A stop of stiffness k and damping c that the link, of mobility m, is in by x and nears with u:
//
//   f = max(0, k (x + h u') + c u'),   u' = u - h m f       while x + h u > 0
//
// With U = k max(0, x)^2 / 2, which is convex, U + u^2 / 2 m then never grows, whatever h is.

static const double turn = 6.283185307179586;

// ---- Options --------------------------------------------------------------------------------

atemi_joint_plant_options atemi_joint_plant_options_default(void)
{
    atemi_joint_plant_options options = {
        .drive = atemi_joint_drive_default(),
        .link_inertia = 10.0,
        .acts_next_tick = true,
        .substep = 1e-5,
        .motor_step = turn / 16384.0,
        .joint_step = turn / 524288.0,
        .current_step = 1.0 / 32.0,
        .lowest = -INFINITY,
        .highest = INFINITY,
        .stop_stiffness = 1e5,
        .stop_damping = 200.0,
    };
    options.motor_deviation = options.motor_step;
    options.joint_deviation = options.joint_step;
    options.current_deviation = options.current_step;
    return options;
}

atemi_joint_plant_options atemi_joint_plant_options_rigid(void)
{
    atemi_joint_plant_options options = atemi_joint_plant_options_default();
    options.drive = atemi_joint_drive_rigid();
    options.link_inertia = 0.02;
    return options;
}

static atemi_status check(const atemi_joint_plant_options *o, atemi_error *error)
{
    const joint_figure figures[] = {
        {"link inertia", " kg m^2", o->link_inertia, false, false},
        {"substep", " s", o->substep, false, false},
        {"motor step", " rad", o->motor_step, true, false},
        {"joint step", " rad", o->joint_step, true, false},
        {"current step", " A", o->current_step, true, false},
        {"motor deviation", " rad", o->motor_deviation, true, false},
        {"joint deviation", " rad", o->joint_deviation, true, false},
        {"current deviation", " A", o->current_deviation, true, false},
        {"stop stiffness", " N m/rad", o->stop_stiffness, false, false},
        {"stop damping", " N m s/rad", o->stop_damping, true, false},
    };
    atemi_status status = atemi_joint_drive_check(&o->drive, error);
    if (!status) {
        status = atemi_joint_figures_check("joint plant", figures,
                                           (int)(sizeof figures / sizeof *figures), error);
    }
    if (!status && !(o->lowest <= o->highest)) {
        status = atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the stops of the joint plant are %g and %g rad: give the lower first",
                            o->lowest, o->highest);
    }
    return status;
}

atemi_status atemi_joint_plant_start(const atemi_joint_plant_options *options,
                                     atemi_joint_plant *plant, atemi_error *error)
{
    ATEMI_REQUIRE_OR(options && plant, ATEMI_ERROR_CONTRACT);
    const atemi_status status = check(options, error);
    if (!status) {
        *plant = (atemi_joint_plant){.options = *options, .random = options->seed};
    }
    return status;
}

// ---- Winding --------------------------------------------------------------------------------

static void charge(atemi_joint_plant *p)
{
    const atemi_joint_drive *d = &p->options.drive;
    const winding            w = {p->decay, p->gain};
    const double             across = p->voltage - d->back_emf * p->motor_velocity;
    p->current = within(winding_next(&w, p->current, across), d->peak_current);
}

// ---- Motion ---------------------------------------------------------------------------------

static bool is_elastic(const atemi_joint_plant *p)
{
    return isfinite(p->options.drive.spring);
}

static double spring_torque(const atemi_joint_plant *p)
{
    const atemi_joint_drive *d = &p->options.drive;
    const double             N = d->gear;
    return d->spring * (p->motor_position / N - p->joint_position) +
           d->spring_damping * (p->motor_velocity / N - p->joint_velocity);
}

static void drift(atemi_joint_plant *p, double time)
{
    p->motor_position += time * p->motor_velocity;
    p->joint_position += time * p->joint_velocity;
}

// Of the stop that stands `room` ahead of a link that goes there with `speed`.
static double stop_push(const atemi_joint_plant_options *o, double room, double speed, double time,
                        double mobility)
{
    const double ahead = time * speed - room;
    const double c = o->stop_damping, hard = c + time * o->stop_stiffness;
    return ahead > 0.0
               ? fmax(0.0, (o->stop_stiffness * ahead + c * speed) / (1.0 + time * mobility * hard))
               : 0.0;
}

static double stop_torque(const atemi_joint_plant *p, double time, double mobility)
{
    const atemi_joint_plant_options *o = &p->options;
    const double                     q = p->joint_position, v = p->joint_velocity;
    return stop_push(o, q - o->lowest, -v, time, mobility) -
           stop_push(o, o->highest - q, v, time, mobility);
}

// The motor's speed after friction has acted on it for a time.
static double rubbed(const atemi_joint_drive *d, double inertia, double w, double time)
{
    const double slowed = fabs(w) - time * d->coulomb / inertia;
    return slowed > 0.0 ? copysign(slowed / (1.0 + time * d->viscous / inertia), w) : 0.0;
}

static void kick_motor(atemi_joint_plant *p, double inertia, double load, double time)
{
    const atemi_joint_drive *d = &p->options.drive;
    const double             torque = d->torque_constant * p->current - load / d->gear;
    p->motor_velocity = rubbed(d, inertia, p->motor_velocity + time * torque / inertia, time);
}

static void kick(atemi_joint_plant *p, double load, double time)
{
    const atemi_joint_drive *d = &p->options.drive;
    const double             link = p->options.link_inertia, N = d->gear;
    if (is_elastic(p)) {
        const double torque = spring_torque(p);
        const double stop = stop_torque(p, time, 1.0 / link);
        kick_motor(p, d->rotor_inertia, torque, time);
        p->joint_velocity += time * (torque + load + stop) / link;
    } else {
        const double inertia = d->rotor_inertia + link / (N * N);
        const double stop = stop_torque(p, time, 1.0 / (N * N * inertia));
        kick_motor(p, inertia, -(load + stop), time);
        p->joint_velocity = p->motor_velocity / N;
    }
}

// ---- Going on -------------------------------------------------------------------------------

// How many substeps, and the winding's figures for half of one.
static int plan(atemi_joint_plant *p, double duration)
{
    const int    count = (int)fmax(1.0, ceil(duration / p->options.substep - 1e-9));
    const double half = 0.5 * duration / count;
    if (half != p->half_step) {
        const winding w = atemi_winding_over(&p->options.drive, half);
        p->half_step = half;
        p->decay = w.decay;
        p->gain = w.gain;
    }
    return count;
}

void atemi_joint_plant_apply(atemi_joint_plant *plant, double voltage)
{
    ATEMI_REQUIRE(plant);
    const double given = within(voltage, plant->options.drive.bus_voltage);
    plant->voltage = plant->options.acts_next_tick ? plant->next_voltage : given;
    plant->next_voltage = given;
}

void atemi_joint_plant_advance(atemi_joint_plant *plant, double duration, double load)
{
    ATEMI_REQUIRE(plant && duration >= 0.0);
    const int    count = plan(plant, duration);
    const double half = plant->half_step;
    for (int i = 0; i < count; ++i) {
        charge(plant);
        drift(plant, half);
        kick(plant, load, 2.0 * half);
        drift(plant, half);
        charge(plant);
    }
}

static void set_link(atemi_joint_plant *p, double position, double velocity)
{
    p->joint_position = position;
    p->joint_velocity = velocity;
    if (!is_elastic(p)) {
        p->motor_position = p->options.drive.gear * position;
        p->motor_velocity = p->options.drive.gear * velocity;
    }
}

// The torque on a link whose velocity is given, and the motor's answer.
static double follow_once(atemi_joint_plant *p, double time)
{
    const atemi_joint_drive *d = &p->options.drive;
    if (!is_elastic(p)) {
        return d->gear * (d->torque_constant * p->current - drive_friction(d, p->motor_velocity));
    }
    const double torque = spring_torque(p);
    kick_motor(p, d->rotor_inertia, torque, time);
    return torque;
}

double atemi_joint_plant_follow(atemi_joint_plant *plant, double duration, double position,
                                double velocity)
{
    ATEMI_REQUIRE_OR(plant && duration >= 0.0, 0.0);
    const int    count = plan(plant, duration);
    const double half = plant->half_step;
    double       sum = 0.0;
    set_link(plant, position, velocity);
    for (int i = 0; i < count; ++i) {
        charge(plant);
        drift(plant, half);
        sum += follow_once(plant, 2.0 * half);
        drift(plant, half);
        charge(plant);
    }
    return sum / count;
}

double atemi_joint_plant_torque(const atemi_joint_plant *plant)
{
    ATEMI_REQUIRE_OR(plant, 0.0);
    return is_elastic(plant) ? spring_torque(plant) : 0.0;
}

double atemi_joint_plant_stop_torque(const atemi_joint_plant *plant, double time, double mobility)
{
    ATEMI_REQUIRE_OR(plant && time >= 0.0 && !(mobility < 0.0), 0.0);
    return stop_torque(plant, time, mobility);
}

// ---- Sensors --------------------------------------------------------------------------------

static double sensed(atemi_joint_plant *p, double value, double deviation, double step)
{
    const double noisy =
        deviation > 0.0 ? value + deviation * random_normal_next(&p->random) : value;
    return step > 0.0 ? step * round(noisy / step) : noisy;
}

void atemi_joint_plant_measure(atemi_joint_plant *plant, atemi_joint_measurement *measurement)
{
    ATEMI_REQUIRE(plant && measurement);
    const atemi_joint_plant_options *o = &plant->options;
    measurement->motor_position =
        sensed(plant, plant->motor_position, o->motor_deviation, o->motor_step);
    measurement->joint_position =
        sensed(plant, plant->joint_position, o->joint_deviation, o->joint_step);
    measurement->current = sensed(plant, plant->current, o->current_deviation, o->current_step);
}
