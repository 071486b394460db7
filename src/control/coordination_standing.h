// SPDX-License-Identifier: Apache-2.0

/// @file
/// The torques, inertias and balance of a robot that stands on contacts.

#pragma once

#include "control/coordination_parts.h"

/// Whether the robot stands on contacts.
static inline bool atemi_coordination_is_standing(const atemi_coordination *c)
{
    return c->options.contact_count > 0;
}

/// Finds the torques that it takes, how well it stands, and the effective inertias. The commanded
/// motion is in u and du.
void atemi_coordination_stand(atemi_coordination *c);

/// Of `missing` in atemi_standing_report: what is less is rounding, and costs of the program.
static const double atemi_standing_tolerance = 1e-4;

/// The middle of the soles that the robot stands on, in the posture that was placed last.
/// @return false where the robot stands on no sole
bool atemi_coordination_middle(const atemi_coordination *c, atemi_vec3 *middle);
