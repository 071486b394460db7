// SPDX-License-Identifier: Apache-2.0

/// @file
/// A joint to be controlled, simulated: motor, gear and spring of atemi/joint_drive.h, with the
/// sensors and the delay of a real one. For tests and simulation.
///
/// The link is an inertia of its own (atemi_joint_plant_advance), or moves as a simulation of the
/// whole robot says, which gets the torque in return (atemi_joint_plant_follow).
///
/// A plant is plain data in the caller's memory. Nothing here allocates. The same seed gives the
/// same bits.

#pragma once

#include "atemi/joint_control.h"

#include <stdint.h>

ATEMI_BEGIN

/// A joint as it really is, and how its sensors see it. Zero steps and deviations mean none.
typedef struct atemi_joint_plant_options {
    atemi_joint_drive drive;
    double            link_inertia;      ///< kg m^2 at the joint
    bool              acts_next_tick;    ///< a voltage acts one call of apply() later
    double            substep;           ///< s, the longest of the integration
    double            motor_step;        ///< rad of the motor between two counts
    double            joint_step;        ///< rad between two counts
    double            current_step;      ///< A between two counts
    double            motor_deviation;   ///< rad, standard deviation of the noise before counting
    double            joint_deviation;   ///< rad
    double            current_deviation; ///< A
    uint64_t          seed;              ///< of the noise
    double            lowest, highest;   ///< where its stops stand, rad; infinite where none do
    double            stop_stiffness;    ///< N m/rad
    double            stop_damping;      ///< N m s/rad
} atemi_joint_plant_options;

/// A leg joint of r2_like: 10 kg m^2, 16384 counts a turn at the motor, 2^19 at the joint, 1/32 A;
/// noise of one count each; delay of a tick; 10 us; stops of 1e5 N m/rad and 200 N m s/rad, which
/// stand nowhere.
ATEMI_API atemi_joint_plant_options atemi_joint_plant_options_default(void);

/// A wrist joint of r2_like, which has no spring: 0.02 kg m^2.
ATEMI_API atemi_joint_plant_options atemi_joint_plant_options_rigid(void);

/// A joint at an instant. Positions and velocities may be set before a motion; at rest in 0
/// otherwise.
typedef struct atemi_joint_plant {
    atemi_joint_plant_options options;
    double                    current;                        ///< A
    double                    motor_position, motor_velocity; ///< rad, rad/s of the motor
    double                    joint_position, joint_velocity; ///< rad, rad/s
    double                    voltage, next_voltage;          ///< that acts, and that will, V
    double                    half_step, decay, gain;         ///< of the winding; not to be touched
    uint64_t                  random;                         ///< not to be touched
} atemi_joint_plant;

/// @return ATEMI_ERROR_INPUT where a figure cannot be; the message says which
ATEMI_API atemi_status atemi_joint_plant_start(const atemi_joint_plant_options *options,
                                               atemi_joint_plant *plant, atemi_error *error);

/// Gives the bridge its voltage for a tick.
ATEMI_API void atemi_joint_plant_apply(atemi_joint_plant *plant, double voltage);

/// Goes on by `duration` s, the link moved by the drive and by `load`, N m.
ATEMI_API void atemi_joint_plant_advance(atemi_joint_plant *plant, double duration, double load);

/// Goes on by `duration` s while the link moves with `velocity` from `position`.
/// @return the mean torque of the drive on the link, N m
///
/// Without spring the motor moves as the link does: the link's inertia must have gear^2 times the
/// rotor's in it (armature), and friction is proportional to speed below 1 rad/s of the motor.
ATEMI_API double atemi_joint_plant_follow(atemi_joint_plant *plant, double duration,
                                          double position, double velocity);

/// The torque of the spring on the link now, N m; 0 where there is none.
ATEMI_API double atemi_joint_plant_torque(const atemi_joint_plant *plant);

/// The torque with which a stop meets the link in the next `time` s, N m; 0 between the stops. The
/// link ends that time with the velocity that the torque was found for: no stop gives back more
/// energy than it got, however long the time.
/// @param mobility of the link, rad/s^2 per N m; 0 for one that no torque moves
ATEMI_API double atemi_joint_plant_stop_torque(const atemi_joint_plant *plant, double time,
                                               double mobility);

/// What the sensors show now, with their noise and steps.
ATEMI_API void atemi_joint_plant_measure(atemi_joint_plant       *plant,
                                         atemi_joint_measurement *measurement);

ATEMI_END
