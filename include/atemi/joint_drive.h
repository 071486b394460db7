// SPDX-License-Identifier: Apache-2.0

/// @file
/// What drives a joint: a brushless motor, its bridge, a gear with friction, and a series spring.
///
/// With i the current, w the speed of the motor, u the voltage, q the joint's position, theta the
/// motor's, tau the torque on the joint:
///
///     L di/dt = u - R i - K_e w
///     J dw/dt = K_t i - C sign(w) - b w - tau / N
///     tau     = k (theta / N - q) + d (w / N - dq/dt)
///
/// The same numbers describe the joint that is simulated (atemi/joint_plant.h) and the model that
/// its controller believes in (atemi/joint_control.h).

#pragma once

#include "atemi/error.h"

#include <stdbool.h>

ATEMI_BEGIN

/// A motor with gear and spring. Friction and inertia are those that the motor feels.
typedef struct atemi_joint_drive {
    double resistance;      ///< R, Ohm
    double inductance;      ///< L, H
    double torque_constant; ///< K_t, N m/A
    double back_emf;        ///< K_e, V s/rad
    double bus_voltage;     ///< V: the bridge gives at most this, either way
    double peak_current;    ///< A: the bridge lets through at most this, either way
    double rotor_inertia;   ///< J, kg m^2
    double gear;            ///< N, turns of the motor for one of the joint
    double coulomb;         ///< C, N m
    double viscous;         ///< b, N m s/rad
    double spring;          ///< k, N m/rad at the joint; INFINITY where there is no spring
    double spring_damping;  ///< d, N m s/rad at the joint
} atemi_joint_drive;

/// A leg joint of r2_like alone on a test bench, with a spring of 5,000 N m/rad; for one of a robot
/// see atemi_joint_drive_of(). K_t, K_e, J, N and the peak current are published figures; R, L,
/// bus, friction and spring are ours (docs/theory/joint_control.md).
ATEMI_API atemi_joint_drive atemi_joint_drive_default(void);

/// A wrist joint of r2_like, which has no spring.
ATEMI_API atemi_joint_drive atemi_joint_drive_rigid(void);

/// Whether there is a spring.
ATEMI_API bool atemi_joint_drive_is_elastic(const atemi_joint_drive *drive);

/// Refuses friction and damping that are negative, anything else that is not positive, and what is
/// not finite. The message names the figure.
ATEMI_API atemi_status atemi_joint_drive_check(const atemi_joint_drive *drive, atemi_error *error);

ATEMI_END
