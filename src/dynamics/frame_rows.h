// SPDX-License-Identifier: Apache-2.0

/// @file
/// The Jacobian of a point that is fixed on a link.

#pragma once

#include "dynamics/kinematics.h"

/// J with  (velocity of the point, angular velocity of the link) = J v, in world axes.
/// @param point in the link's frame
/// @param J     [6 x v_count] row-major
void atemi_frame_rows(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                      atemi_vec3 point, double *J);
