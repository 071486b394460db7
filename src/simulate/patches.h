// SPDX-License-Identifier: Apache-2.0

/// @file
/// Patches: the points of a link that are held on one surface.

#pragma once

#include "simulate/world.h"

/// Whether a point is held by a rigid surface: sticks or slips.
bool atemi_world_holds(const atemi_simulation *s, int point);
bool atemi_world_holds_in(const atemi_simulation *s, int point, int patch);

/// Whether the direction in which a point slides matters: it has friction, and is not tied.
bool atemi_world_rubs(const atemi_simulation *s, int point);

/// The held points of a patch.
typedef struct atemi_patch {
    int        held, sticking, first;
    bool       whole; ///< all stick, and three of them span a plane: the link is held as a whole
    atemi_vec3 normal;
} atemi_patch;

atemi_patch atemi_world_patch(const atemi_simulation *s, int patch);

/// The centre of a patch's held points, in the link's frame or in the world.
atemi_vec3 atemi_world_patch_center(const atemi_simulation *s, int patch, bool in_link);
