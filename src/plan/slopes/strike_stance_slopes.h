// SPDX-License-Identifier: Apache-2.0

/// @file
/// How joint torques and forces of the floor of a standing robot change with the variables.

#pragma once

#include "plan/slopes/strike_slopes.h"

/// Torques into `work->feet.torques`, with the stance there, and their changes into
/// `derivatives->tau` and `derivatives->forces`, from those of the motion in `at_q`, `at_v` and
/// `at_a`. Exact where all soles push; otherwise, where the forces that come nearest are found,
/// differences along these directions.
/// @param points, forces [STRIKE_MAX_CORNERS] results
/// @return how many there are
int strike_stance_vary(const strike_setup *setup, const double *q, const double *v, const double *a,
                       strike_workspace *work, strike_derivatives *derivatives,
                       atemi_contact_point *points, atemi_vec3 *forces);
