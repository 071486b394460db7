// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the dynamics kernels keep of a state, in blocks of nodes beside the model's own, and the
/// stages of kinematics that the other algorithms start from.
///
/// Everything is in world axes. Motions are taken at one common point, the origin of
/// atemi_kinematics, which rides on the first body: so a motion is handed from parent to child by
/// adding, nothing is rotated along the chains, and the results do not lose digits when the robot
/// is far from the world's origin. Moments and inertias are taken about each node's own origin: a
/// small body far from the common point would drown in the rounding of x times its weight.

#pragma once

#include "dynamics/kinematics.h"
#include "math/quad.h"
#include "model/layout.h"

/// The state of motion of a block of nodes.
typedef struct atemi_kinematics_block {
    lanes3 x, y, z;  ///< axes of the node's frame; before the chain, in the parent's frame
    lanes3 position; ///< of the node's frame, from the origin; before the chain, in the parent's
    lanes3 reach;    ///< from the parent's origin to the node's, in world axes
    lanes3 axis_linear, axis_angular;                 ///< S: the motion of a unit rate
    lanes3 linear, angular;                           ///< v: the body's velocity
    lanes3 acceleration_linear, acceleration_angular; ///< a: the body's spatial acceleration
} atemi_kinematics_block;

/// The pose of a node once more, as the chain hands it on.
typedef struct atemi_node_pose {
    quad3 rotation;
    quad  position; ///< from the origin
} atemi_node_pose;

/// Poses and joint axes.
void atemi_kinematics_poses(const atemi_model *model, const double *q, atemi_kinematics *k);

/// Velocities; after the poses.
void atemi_kinematics_velocities(const atemi_model *model, const double *v, atemi_kinematics *k);

/// Spatial accelerations, on top of `base`, the acceleration of the world; after the velocities.
/// `a` may be NULL for zero. With `v_is_zero` the velocities are not looked at.
void atemi_kinematics_accelerations(const atemi_model *model, const double *a, bool v_is_zero,
                                    atemi_vec3 base, atemi_kinematics *k);

/// Where a link's origin is, from the common origin.
atemi_vec3 atemi_link_place(const atemi_model *model, const atemi_kinematics *k, int link);

/// Where a point of a link is, from the common origin.
/// @param point in the link's frame
atemi_vec3 atemi_point_place(const atemi_model *model, const atemi_kinematics *k, int link,
                             atemi_vec3 point);

/// From nodes to the entries of v that drive them: to[v] = sum of scale node.
void atemi_nodes_scatter(const atemi_model *model, const double *nodes, double *to);
