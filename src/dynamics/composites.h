// SPDX-License-Identifier: Apache-2.0

/// @file
/// Composite bodies: everything from a node outwards, frozen into one body.

#pragma once

#include "dynamics/blocks.h"

/// The composites of a block of nodes, in world axes, about each node's own origin. (About the
/// common origin a small body far away would drown in the rounding of its m x^2.)
typedef struct atemi_composite_block {
    lanes  mass;
    lanes3 first_moment;
    lanes3 inertia, product; ///< (xx, yy, zz), (yz, xz, xy)
    lanes3 linear, angular;  ///< momentum of a unit rate, moment about the common origin
    lanes  diagonal;         ///< M_ii without rotor
} atemi_composite_block;

/// The bodies of all nodes by themselves, in world axes: mass, first moment, inertia; after the
/// poses.
void atemi_bodies_rotate(const atemi_model *model, const atemi_kinematics *k,
                         atemi_composite_block *bodies);

/// Adds every body to those that carry it: bodies become composites.
void atemi_composites_chain(const atemi_model *model, const atemi_kinematics *k,
                            atemi_composite_block *composites);

/// Gathers the composites of all nodes; after the poses.
void atemi_composites_gather(const atemi_model *model, const atemi_kinematics *k,
                             atemi_composite_block *composites);

/// The momentum of each composite as its node moves at unit rate; after the gathering.
void atemi_composites_momenta(const atemi_model *model, const atemi_kinematics *k,
                              atemi_composite_block *composites);
