// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inverse kinematics of all nodes of a command together.

#pragma once

#include "control/coordination_parts.h"

/// Finds the posture, in `trial`, in which the nodes are where they shall be now: in a few
/// iterations, in more while a critical axis is off.
/// @return whether the critical axes are there
bool atemi_nodes_solve(atemi_coordination *c);
