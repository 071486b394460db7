// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the parts of the joint control share: small formulas of the drive, and limits.

#pragma once

#include "atemi/joint_control.h"

/// x, but not outside of [low, high]. Limits seldom hold: a branch, which is predicted, is faster
/// here than a minimum, which is waited for.
static inline double between(double x, double low, double high)
{
    return x > high ? high : x < low ? low : x;
}

/// x, but not outside of [-limit, limit].
static inline double within(double x, double limit)
{
    return between(x, -limit, limit);
}

/// How the current goes on over a time with constant voltage v across the winding (what is left of
/// the voltage beside that of the motion): i' = decay i + gain v, without error.
typedef struct winding {
    double decay; ///< exp(-R t / L)
    double gain;  ///< (1 - decay) / R, A/V
} winding;

winding atemi_winding_over(const atemi_joint_drive *drive, double time);

static inline double winding_next(const winding *w, double current, double voltage)
{
    return w->decay * current + w->gain * voltage;
}

/// The friction that the motor feels at the speed w. Coulomb friction is proportional to the speed
/// below 1 rad/s of the motor, so that noise does not make it chatter.
static inline double drive_friction(const atemi_joint_drive *drive, double w)
{
    return drive->coulomb * within(w, 1.0) + drive->viscous * w;
}

/// A figure that a check looks at.
typedef struct joint_figure {
    const char *name, *unit;
    double      value;
    bool        may_be_zero, may_be_infinite;
} joint_figure;

/// Refuses the first figure that is negative, zero or infinite and may not be; NaN always.
/// @param subject what the figures are of, e.g. "drive"
atemi_status atemi_joint_figures_check(const char *subject, const joint_figure *figures, int count,
                                       atemi_error *error);
