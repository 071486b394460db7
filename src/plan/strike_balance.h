// SPDX-License-Identifier: Apache-2.0

/// @file
/// Balance before and after a blow: where the ZMP is while the robot gathers speed and slows down.

#pragma once

#include "plan/strike_problem.h"

/// What the robot stands on, from the feet's places.
void strike_find_support(strike_problem *problem);

/// How far a ZMP is inside of the support polygon: for each corner of a foot, of the edge that
/// begins there; 1 m where it is no vertex.
/// @param zmp     NULL for one that is outside
/// @param margins [corner_count] result, m; the least is the distance to the edge
void strike_find_margins(const strike_problem *problem, const atemi_vec3 *zmp, double *margins);

/// The constraints of the ZMP in both phases.
void strike_constrain_phases(strike_problem *problem);
