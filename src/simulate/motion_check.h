// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a motion must not come to: inputs that are no numbers, and speeds beyond all bounds.

#pragma once

#include "atemi/simulation.h"

struct atemi_evaluation;

/// Notes the first torque or external force that was asked for last and is not finite.
void atemi_inputs_look(struct atemi_evaluation *e, double time);

/// Whether inputs were finite until now. @return ATEMI_ERROR_SINGULAR with the joint or the link
atemi_status atemi_inputs_check(const struct atemi_evaluation *e, atemi_error *error);

/// Whether velocities are within all bounds.
bool atemi_motion_is_bounded(const struct atemi_evaluation *e, const double *v);
