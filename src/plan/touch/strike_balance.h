// SPDX-License-Identifier: Apache-2.0

/// @file
/// Balance before and after a blow: where the ZMP is while the robot gathers speed and slows down.

#pragma once

#include "plan/problem/strike_constraints.h"
#include "plan/problem/strike_setup.h"
#include "plan/problem/strike_variables.h"

enum { STRIKE_PHASE_SAMPLES = 9 }; ///< instants of each phase at which the ZMP is constrained

/// What the robot stands on.
typedef struct strike_support {
    atemi_support polygon; ///< of `vertices`: not to be copied
    int           corner_count;
    atemi_vec3    corners[STRIKE_MAX_CORNERS], vertices[STRIKE_MAX_CORNERS];
} strike_support;

/// Finds it from the feet's places.
void strike_support_find(const strike_setup *setup, const atemi_kinematics *kinematics,
                         strike_support *support);

/// How far a ZMP is inside of the support polygon: for each corner of a foot, of the edge that
/// begins there; 1 m where it is no vertex.
/// @param zmp     NULL for one that is outside
/// @param margins [corner_count] result, m; the least is the distance to the edge
void strike_support_margins(const strike_support *support, const atemi_vec3 *zmp, double *margins);

/// The constraints of the ZMP in both phases.
/// @param com the centre of mass at first touch
/// @return the least margin, m
double strike_constrain_balance(const strike_setup *setup, const strike_values *x, atemi_vec3 com,
                                const strike_support *support, strike_rows *rows);
