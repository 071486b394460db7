// SPDX-License-Identifier: Apache-2.0

/// @file
/// Hybrid control: along some axes a node presses with a force instead of going to a place.

#pragma once

#include "control/coordination_parts.h"

/// Finds what a node presses with, from the torques that were measured.
void atemi_node_force_find(atemi_coordination *c, guided_node *node);

/// Moves the force axes of a node by one step.
/// @return false where it went too far without meeting anything
bool atemi_node_force_advance(const atemi_coordination *c, guided_node *node);
