// SPDX-License-Identifier: Apache-2.0

/// @file
/// The goals of a posture as equations: their errors, and how these change with the velocities.

#pragma once

#include "atemi/inverse_kinematics.h"

/// A degree of freedom that may be used.
typedef struct atemi_posture_freedom {
    int    v;            ///< its index in v
    int    q;            ///< the coordinate that it alone changes, or ATEMI_NONE
    int    joint;        ///< that it belongs to, or ATEMI_NONE for the base
    double lower, upper; ///< of the coordinate
    bool   free;         ///< not held by a limit
} atemi_posture_freedom;

/// Fills the scratch's `errors` at q, and its kinematics.
/// @return the cost: half the sum of (weight error)^2
double atemi_posture_errors(const double *q, const atemi_posture_goal *goals, int count,
                            atemi_inverse_kinematics_scratch *s);

/// Fills `rows`, `residual`, `gradient`, `normal` and `bending` at the q of the last errors.
void atemi_posture_linearize(const atemi_model *model, const atemi_posture_goal *goals, int count,
                             atemi_inverse_kinematics_scratch *s);

/// Lists the degrees of freedom that the options allow.
void atemi_posture_freedoms(const atemi_model                      *model,
                            const atemi_inverse_kinematics_options *options,
                            atemi_inverse_kinematics_scratch       *s);
