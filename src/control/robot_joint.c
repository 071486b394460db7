// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/coordination.h"
#include "control/coordination_options.h"

#include <math.h>
#include <stddef.h>

// The one place that says how a joint of a robot is driven and controlled unless its user says
// otherwise. A joint alone on a test bench (atemi_joint_drive_default(): 5,000 N m/rad, a torque
// loop of 200 rad/s) is stable with any stiffness. In a robot, light links between two springs
// carry heavy ones, and it is not (docs/theory/control_plant.md, "Springs and loops in a chain").
// So a leg joint of r2_like, which is made for E = 330 N m and V = 1 rad/s, has
//
//   a stiffer spring k            a softer one cannot bear the stiffness that goes with the weight
//   a slower torque loop          damping up to k / loop is passive
//   in_chain                      and beyond that the loop slows down
//   K <= k / 4                    a quarter of the spring can be had well damped
//   D >= 60 us k                  links with little inertia swing below it
//   demands to 0.95 E             what pushes the robot bends its springs a little further
//   demands by 25 E / s           a damper at its limit that lags shakes the robot: with 15 E / s
//                                 and 100 N m a kick did, at 10 Hz for ever
//
// and every other joint is the same joint in units of its own rating: E bends its spring by the
// same angle, V makes the same back EMF, the winding loses the same part of E V, and the rotor on
// the spring has the same damping ratio.
//
//   torques ~ E,  k ~ E,  K_t = K_e ~ 1 / V,  currents ~ E V,  R, L ~ 1 / (E V),  d ~ sqrt(k rotor)
static const double leg_effort = 330.0;        // E, N m
static const double leg_velocity = 1.0;        // V, rad/s
static const double leg_rotor = 0.746;         // kg m^2 at the joint
static const double chain_spring = 50000.0;    // k, N m/rad
static const double chain_damping = 20.0;      // of the spring, N m s/rad
static const double chain_bandwidth = 100.0;   // of the torque loop, rad/s
static const double stiffness_fraction = 0.25; // of the spring
static const double least_damping = 6e-5;      // of the spring, s
static const double highest_damping = 0.1;     // of the spring, s
static const double torque_change = 25.0;      // effort limits a second, of demands
static const double windup_fraction = 0.06;    // of the effort limit
static const double torque_fraction = 0.95;    // of the effort limit that is demanded at most

const atemi_joint *atemi_coordination_model_joint(const atemi_model *model, int i)
{
    const int first = atemi_base_v_count(atemi_model_base(model));
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count > 0 && joint->first_v == first + i) {
            return joint;
        }
    }
    return NULL;
}

// ---- The drive ------------------------------------------------------------------------------

static double given_or(double given, double otherwise)
{
    return isnan(given) ? otherwise : given;
}

// Currents and voltages, in those of the leg joint: another winding or gear makes the same joint.
static void complete_motor(const atemi_joint_rating *rating, atemi_joint_drive *d)
{
    const atemi_joint_drive leg = atemi_joint_drive_default();
    const double usual = leg.gear * leg.torque_constant * leg_velocity / rating->velocity;
    const double constant = given_or(d->torque_constant, d->back_emf);
    d->torque_constant = given_or(constant, usual / d->gear);
    d->back_emf = given_or(d->back_emf, d->torque_constant);
    const double leg_current = leg_effort / (leg.gear * leg.torque_constant);
    const double current = rating->effort / (d->gear * d->torque_constant) / leg_current;
    const double voltage =
        d->gear * d->back_emf * rating->velocity / (leg.gear * leg.back_emf * leg_velocity);
    d->peak_current = given_or(d->peak_current, leg.peak_current * current);
    d->bus_voltage = given_or(d->bus_voltage, leg.bus_voltage * voltage);
    d->resistance = given_or(d->resistance, leg.resistance * voltage / current);
    d->inductance = given_or(d->inductance, leg.inductance / leg.resistance * d->resistance);
}

void atemi_joint_drive_complete(const atemi_model *model, int i, atemi_joint_drive *drive)
{
    ATEMI_REQUIRE(model && drive);
    const atemi_joint *joint = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE(joint);
    const atemi_joint_rating rating = atemi_joint_rating_of(model, i);
    const atemi_joint_drive  leg = atemi_joint_drive_default();
    const double             r = atemi_joint_lever(joint);
    atemi_joint_drive       *d = drive;
    d->gear = given_or(d->gear, leg.gear / r);
    complete_motor(&rating, d);
    const double N = d->gear, torque = rating.effort / leg_effort * leg.gear / N;
    const double speed = rating.velocity / leg_velocity * N / leg.gear;
    d->rotor_inertia = given_or(d->rotor_inertia, rating.rotor / (N * N));
    d->coulomb = given_or(d->coulomb, leg.coulomb * torque);
    d->viscous = given_or(d->viscous, leg.viscous * torque / speed);
    d->spring = given_or(d->spring, chain_spring * rating.effort / (leg_effort * r));
    const double rotor = d->rotor_inertia * N * N / leg_rotor;
    d->spring_damping =
        given_or(d->spring_damping, atemi_joint_drive_is_elastic(d)
                                        ? chain_damping * sqrt(d->spring / chain_spring * rotor)
                                        : 0.0);
}

atemi_joint_drive atemi_joint_drive_unknown(void)
{
    const double x = (double)NAN;
    return (atemi_joint_drive){x, x, x, x, x, x, x, x, x, x, x, x};
}

atemi_joint_drive atemi_joint_drive_of(const atemi_model *model, int i)
{
    atemi_joint_drive drive = atemi_joint_drive_unknown();
    atemi_joint_drive_complete(model, i, &drive);
    return drive;
}

// ---- Its control ----------------------------------------------------------------------------

atemi_joint_control_options atemi_joint_control_options_of(const atemi_model *model, int i,
                                                           const atemi_joint_drive *drive)
{
    atemi_joint_control_options o = atemi_joint_control_options_rigid();
    ATEMI_REQUIRE_OR(model && drive, o);
    const atemi_joint *joint = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE_OR(joint, o);
    const atemi_joint_rating rating = atemi_joint_rating_of(model, i);
    if (atemi_joint_drive_is_elastic(drive)) {
        o = atemi_joint_control_options_default();
    }
    o.stuck_torque *= rating.effort / leg_effort * o.drive.gear / drive->gear;
    o.drive = *drive;
    o.torque_bandwidth = fmin(o.torque_bandwidth, chain_bandwidth);
    o.in_chain = true;
    o.current_limit =
        fmin(rating.effort / (drive->gear * drive->torque_constant), drive->peak_current);
    o.lowest = joint->limits.lower;
    o.highest = joint->limits.upper;
    o.speed_limit = rating.velocity;
    o.torque_limit = torque_fraction * rating.effort;
    o.torque_rate = torque_change * rating.effort;
    return o;
}

// ---- Its coordination -----------------------------------------------------------------------

atemi_impedance_limits atemi_impedance_limits_of(const atemi_joint_drive *drive)
{
    const atemi_impedance_limits none = {0};
    ATEMI_REQUIRE_OR(drive, none);
    const double k = drive->spring;
    return atemi_joint_drive_is_elastic(drive)
               ? (atemi_impedance_limits){stiffness_fraction * k, least_damping * k,
                                          highest_damping * k}
               : none;
}

atemi_coordinated_joint atemi_coordinated_joint_default(const atemi_model *model, int i)
{
    const atemi_coordinated_joint none = {0};
    ATEMI_REQUIRE_OR(model, none);
    const atemi_joint *joint = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE_OR(joint, none);
    const atemi_joint_rating rating = atemi_joint_rating_of(model, i);
    const double             r = atemi_joint_lever(joint);
    const atemi_joint_drive  drive = atemi_joint_drive_of(model, i);
    return (atemi_coordinated_joint){
        .elastic = true,
        .velocity = rating.velocity,
        .acceleration = 2.0 * r,
        .retreat_velocity = rating.velocity,
        .retreat_acceleration = 1.0 * r,
        .torque_limit = fmin(100.0 / r, rating.effort),
        .dynamics = {20.0, 1.2},
        .windup_limit = windup_fraction * rating.effort,
        .impedance = atemi_impedance_limits_of(&drive),
        .gravity = 1.0,
        .highest_frequency = INFINITY,
    };
}

// The joint's own damping is a part of what it gets.
atemi_impedance atemi_coordinated_joint_impedance(const atemi_coordinated_joint *joint,
                                                  double                         inertia)
{
    const atemi_impedance none = {0};
    ATEMI_REQUIRE_OR(joint, none);
    atemi_impedance_limits limits = joint->impedance;
    atemi_desired_dynamics dynamics = joint->dynamics;
    limits.damping_min += joint->own_damping;
    limits.damping_max += joint->own_damping;
    dynamics.natural_frequency = fmin(dynamics.natural_frequency, joint->highest_frequency);
    atemi_impedance wanted =
        atemi_desired_impedance(inertia + joint->loop_inertia, dynamics, limits);
    wanted.damping -= joint->own_damping;
    return wanted;
}

void atemi_coordinated_joint_fit(const atemi_model *model, int i,
                                 const atemi_joint_control_options *control, bool joint_friction,
                                 atemi_coordinated_joint *joint)
{
    ATEMI_REQUIRE(model && control && joint);
    const atemi_joint *of_model = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE(of_model);
    joint->elastic = control->takes_torque || atemi_joint_drive_is_elastic(&control->drive);
    joint->loop_inertia = atemi_joint_control_loop_inertia(control);
    joint->own_damping = joint_friction ? of_model->damping : 0.0;
}

atemi_status atemi_joint_control_start_of(const atemi_model *model, int i,
                                          const atemi_joint_control_options *options,
                                          atemi_joint_control *control, atemi_error *error)
{
    const atemi_joint *joint = model ? atemi_coordination_model_joint(model, i) : NULL;
    atemi_error        trouble;
    ATEMI_REQUIRE_OR(joint, ATEMI_ERROR_CONTRACT);
    const atemi_status status = atemi_joint_control_start(options, control, &trouble);
    return status ? atemi_fail(error, status, "joint %s: %s", joint->name, trouble.message)
                  : ATEMI_OK;
}
