// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer impact. How a virtual base and a blow (atemi/blow.h) change with the posture and the
/// motion of the robot, exactly, along several directions at once.
///
/// Each quantity has a row of derivatives, one for each direction.

#pragma once

#include "atemi/blow.h"

ATEMI_BEGIN

// ---- The virtual base ---------------------------------------------------------------------------
//
// A direction is a change of the configuration as in atemi/derivatives.h: v_count numbers. Each
// quantity has a row of derivatives, one for each direction.

/// The derivatives of a virtual base, and what is needed to find them.
typedef struct atemi_virtual_base_derivatives atemi_virtual_base_derivatives;

/// Lays them out on an arena.
/// @param links      grounded ones, at most
/// @param directions at most
/// @return NULL while measuring
ATEMI_API atemi_virtual_base_derivatives *
atemi_virtual_base_derivatives_take(atemi_arena *arena, const atemi_model *model, int links,
                                    int directions);

/// Finds the derivatives of C, c, the virtual mass and the point's Jacobian.
///
/// @param ground, point as in atemi_virtual_base_update(), which has found `base` with them
/// @param dq    [v_count x stride] a change of the configuration in each column
/// @param count of the directions
/// @param stride of the rows of dq, at least `count`
/// @return ATEMI_ERROR_INPUT where grounded links are heavy: only fixed ones have derivatives;
///         ATEMI_ERROR_SINGULAR where grounded links depend on each other
///
/// O(v_count^3 directions). No allocation.
ATEMI_API atemi_status atemi_virtual_base_derivatives_find(
    const atemi_model *model, const atemi_ground *ground, const atemi_striking_point *point,
    const atemi_virtual_base *base, const double *dq, int count, int stride,
    atemi_virtual_base_derivatives *derivatives, atemi_error *error);

/// How a virtual base changes: rows of `stride`, good until the next call of
/// atemi_virtual_base_derivatives_find().
typedef struct atemi_virtual_base_slopes {
    int           stride;
    const double *mass;     ///< [stride] of the virtual mass m_a, kg
    const double *response; ///< [v_count x stride] of c
    const double *jacobian; ///< [v_count x stride] of n^T J
} atemi_virtual_base_slopes;

/// The slopes that were found last.
ATEMI_API atemi_virtual_base_slopes
atemi_virtual_base_slopes_of(const atemi_virtual_base_derivatives *derivatives);

// ---- The blow -----------------------------------------------------------------------------------
//
// How a blow (atemi/blow.h) changes with the posture and the motion of the robot,
// exactly, along several directions at once.
//
// Each quantity has a row of derivatives, one for each direction. Events on the way (the contact
// turns or opens, a servo saturates, a joint creeps, a nail moves) shift in time, and the
// derivatives take that into account. The largest force changes as the force does at the instant
// where it is largest.

/// What changes along each direction: rows of `stride` for `count` directions.
typedef struct atemi_blow_directions {
    int           count, stride;
    const double *rates; ///< [v_count x stride] of `rates` of the setting; NULL for none
    const double *speed; ///< [stride] of `speed`, if the setting has no rates; NULL for none
    const double *drift; ///< [stride] of `drift`; NULL for none
    const double *held;  ///< [v_count x stride] of `held` of the servo; NULL for none
} atemi_blow_directions;

/// How the result of a blow changes: rows of `stride` in the scratch.
typedef struct atemi_blow_slopes {
    int           stride;
    const double *peak_force, *impulse;
    const double *hand_speed, *target_speed, *target_travel; ///< at the end
} atemi_blow_slopes;

/// Scratch of derivatives.
typedef struct atemi_blow_derivatives_scratch atemi_blow_derivatives_scratch;

/// Lays the scratch out on an arena.
/// @param directions at most
/// @return NULL while measuring
ATEMI_API atemi_blow_derivatives_scratch *
atemi_blow_derivatives_take(atemi_arena *arena, const atemi_model *model, int directions);

/// Computes a blow as atemi_blow() does, and how it changes.
///
/// @param base       updated with atemi_virtual_base_update()
/// @param posture    its derivatives, by atemi_virtual_base_derivatives_find(); they stay as they
/// are
/// @param directions as many as `posture` has
/// @param watch      NULL for none; samples have slopes
/// @param blow       scratch of atemi_blow()
/// @param slopes     result, good until the next call
/// @return as atemi_blow(); ATEMI_ERROR_INPUT for a law without slopes;
///         ATEMI_ERROR_SINGULAR where gains are limited as
///         atemi_blow_servo says, or where a mode ends although its margin only touches zero: then
///         the result is that of atemi_blow(), and the slopes are not good
///
/// No allocation.
ATEMI_API atemi_status
atemi_blow_derivatives(const atemi_virtual_base *base, atemi_virtual_base_derivatives *posture,
                       const atemi_blow_setting *setting, const atemi_blow_directions *directions,
                       const atemi_blow_options *options, const atemi_blow_watch *watch,
                       atemi_blow_scratch *blow, atemi_blow_derivatives_scratch *scratch,
                       atemi_blow_result *result, atemi_blow_slopes *slopes, atemi_error *error);

ATEMI_END
