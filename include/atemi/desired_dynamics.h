// SPDX-License-Identifier: Apache-2.0

/// @file
/// Stiffness and damping of a joint from the motion it shall have, and changes that come step by
/// step: the Desired Dynamics of [R2].
///
/// Limits are kept in this order: stiffness, damping, damping ratio, natural frequency. So the
/// ratio is kept wherever the limits allow any stiffness that has it.

#pragma once

#include "atemi/api.h"

ATEMI_BEGIN

/// How a joint shall swing.
typedef struct atemi_desired_dynamics {
    double natural_frequency; ///< rad/s, not negative
    double damping_ratio;     ///< not negative
} atemi_desired_dynamics;

/// What a joint may be given.
typedef struct atemi_impedance_limits {
    double stiffness;   ///< at most, N m/rad
    double damping_min; ///< N m s/rad: joints with little inertia swing below it
    double damping_max; ///< N m s/rad
} atemi_impedance_limits;

/// What a joint gets.
typedef struct atemi_impedance {
    double stiffness; ///< N m/rad
    double damping;   ///< N m s/rad
} atemi_impedance;

/// The impedance that gives a joint its dynamics, within limits: [R2] eq. 1-3.
/// @param inertia effective, kg m^2; where it is not positive there is no stiffness
ATEMI_API atemi_impedance atemi_desired_impedance(double inertia, atemi_desired_dynamics desired,
                                                  atemi_impedance_limits limits);

/// `goal`, or as far from `now` towards it as `step` goes.
ATEMI_API double atemi_blend(double now, double goal, double step);

ATEMI_END
