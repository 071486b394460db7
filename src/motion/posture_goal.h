// SPDX-License-Identifier: Apache-2.0

/// @file
/// The goals of a posture as equations: their errors, and how these change with the velocities.

#pragma once

#include "atemi/inverse_kinematics.h"
#include "motion/least_norm.h"

/// A degree of freedom that may be used.
typedef struct atemi_posture_freedom {
    int    v;            ///< its index in v
    int    q;            ///< the coordinate that it alone changes, or ATEMI_NONE
    int    joint;        ///< that it belongs to, or ATEMI_NONE for the base
    double lower, upper; ///< of the coordinate
    bool   free;         ///< not held by a limit
} atemi_posture_freedom;

/// Scratch for up to `max_goals` goals.
struct atemi_inverse_kinematics_scratch {
    atemi_motion *errors; ///< [goals] of the posture found, along the axes of each target

    atemi_data            *data; ///< at the posture that was looked at last
    int                    max_goals;
    atemi_posture_freedom *freedoms; ///< [count] those that may be used
    double                *frame;    ///< [6 x v_count] the rows of one goal
    double                *rows;     ///< [row_count x count] weighted
    double                *residual; ///< [row_count] weighted
    double                *normal;   ///< [count x count] J^T J, lower triangle
    double                *bending;  ///< [count x count] of the goals' curvature, as above
    double                *factor;   ///< [count x count]
    double                *gradient, *step, *packed; ///< [count]
    int                   *free;                     ///< [count] columns of the factor
    double                *trial, *best, *motion;    ///< [q_count], [q_count], [v_count]
    double                *columns;                  ///< [3 x count]
    atemi_least_norm      *least;
    int                    count, row_count;
};

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
