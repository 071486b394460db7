// SPDX-License-Identifier: Apache-2.0

/// @file
/// The supporting foot as [WALK] has it: the robot is rooted there, and its first joint says how
/// the foot stands. The equation of motion then has as many rows as the gait has freedoms, and no
/// constraint; a base with contacts in their modes is the other parametrization of the same.
///
///     Fig. 2      first joint
///     (a)         none: the sole stands
///     (b)         turns about the line of contact
///     (c)         slides along the floor
///     (d)         slides, and turns about the line of contact

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

typedef struct atemi_support_foot {
    int        link; ///< of the robot
    atemi_vec3 edge; ///< where the line of contact is, along y; in the link's frame, on the floor
    bool       rotates, slips;
} atemi_support_foot;

/// Makes the rooted robot: fixed base, floor z = 0, the edge at x = 0. Its first coordinates are
/// the edge's x, if it slips, and the foot's turn about y, if it turns; then come the joints, with
/// the coordinates that they have in the robot. Links have their names; those between the foot and
/// the robot's root have their frames at the joint that leads to the foot. Shapes and postures are
/// left out.
/// @return ATEMI_ERROR_INPUT if the robot's base is not sagittal, or a joint has more than one
///         coordinate
atemi_status atemi_support_foot_model(const atemi_support_foot *foot, const atemi_model *robot,
                                      atemi_model **rooted, atemi_error *error);

/// The rooted robot's coordinates from those of the robot: the joints', and zeros before them.
/// @param robot_x  [q_count] or [v_count] of the robot
/// @param rooted_x [q_count of the rooted robot] result
void atemi_support_foot_root(const atemi_model *robot, const atemi_model *rooted,
                             const double *robot_x, double *rooted_x);
