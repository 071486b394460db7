// SPDX-License-Identifier: Apache-2.0

/// @file
/// The memory of every algorithm for one model, and the algorithms as they read in a formula.

#pragma once

#include "atemi/forward_dynamics.h"
#include "atemi/inverse_dynamics.h"
#include "atemi/kinematics.h"
#include "atemi/mass_matrix.h"
#include "atemi/momentum_matrix.h"

typedef struct scratch {
    atemi_arena                    arena;
    const atemi_model             *model;
    atemi_kinematics               kinematics;
    atemi_inverse_dynamics_scratch inverse;
    atemi_mass_matrix_scratch      mass;
    atemi_mass_factor              factor;
    atemi_forward_dynamics_scratch forward;
    atemi_momentum_matrix_scratch  momentum;
} scratch;

/// Lays out all scratches on an arena, as each of the library's own does.
void scratch_take(atemi_arena *arena, const atemi_model *model, scratch *s);

/// Takes memory for all of them; to be destroyed.
scratch scratch_create(const atemi_model *model);
void    scratch_destroy(scratch *s);

/// The largest |a_i - b_i|, and the largest |a_i|. NaN if there is any.
double largest_difference(const double *a, const double *b, int count);
double largest_size(const double *a, int count);
double largest_motion_difference(atemi_motion a, atemi_motion b);
double largest_pose_difference(const atemi_transform *a, const atemi_transform *b);
