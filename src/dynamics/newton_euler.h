// SPDX-License-Identifier: Apache-2.0

/// @file
/// Inverse dynamics under any gravity: what atemi_inverse_dynamics() and [ENE]'s INV share.

#pragma once

#include "dynamics/inverse_dynamics.h"

/// As atemi_inverse_dynamics_in(), with `gravity` in place of the model's.
void atemi_newton_euler(const atemi_model *model, const double *q, const double *v, const double *a,
                        atemi_vec3 gravity, const atemi_force *external,
                        atemi_inverse_dynamics_scratch *scratch, double *tau);

/// The same with poses and, if `moving`, velocities in the kinematics of the scratch already.
void atemi_newton_euler_at(const atemi_model *model, bool moving, const double *a,
                           atemi_vec3 gravity, const atemi_force *external,
                           atemi_inverse_dynamics_scratch *scratch, double *tau);
