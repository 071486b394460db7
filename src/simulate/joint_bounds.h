// SPDX-License-Identifier: Apache-2.0

/// @file
/// The bounds of joints: stops, dry friction and damping of each entry of v, from the model.

#pragma once

#include "atemi/base.h"
#include "atemi/simulation.h"

typedef struct atemi_joint_bounds {
    int     count;             ///< v_count
    int    *joints;            ///< [count] the joint that moves with it, or ATEMI_NONE
    int    *coordinates;       ///< [count] its place in q, or ATEMI_NONE if nothing stops it
    double *lower, *upper;     ///< [count] where it stops
    double *viscous, *coulomb; ///< [count] N m s/rad or N s/m, N m or N
    double *efforts;           ///< [count] N m or N
} atemi_joint_bounds;

atemi_joint_bounds atemi_joint_bounds_take(atemi_arena *arena, const atemi_model *model);

/// Moves the stops of joints that are beyond them in q to where they are: nothing pushes them back.
void atemi_joint_bounds_admit(atemi_joint_bounds *bounds, const double *q);

/// By how much the joint that is farthest beyond its stops in q is beyond them, rad or m; 0 if none
/// is.
double atemi_joint_bounds_overrun(const atemi_joint_bounds *bounds, const double *q);

/// A coupled joint bounds the joint that it copies.
void atemi_joint_bounds_fill(const atemi_model *model, const atemi_simulation_options *options,
                             atemi_joint_bounds *bounds);
