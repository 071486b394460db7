// SPDX-License-Identifier: Apache-2.0

/// @file
/// Scenes: a robot and what stands beside it, a target to be struck for one, as one model.
///
/// The world is the root, its base fixed. The robot's base becomes a joint of the same coordinates,
/// then come the bodies, so that the robot's coordinates stay what they are and where they are:
///
///     q = (q of the robot, q of body 0, q of body 1, ...),   v, a and tau likewise
///
/// Names and order stay as well. With r links of the robot, and therefore r - 1 joints:
///
///     link    0: the world      1 + i: link i of the robot     1 + r + k: body k
///     joint   0: the base       1 + j: joint j of the robot        r + k: that of body k
///
/// Sites, postures and geometries keep their indices; geometries of bodies come last.

#pragma once

#include "atemi/error.h"
#include "atemi/model.h"

ATEMI_BEGIN

/// A thing beside the robot: one link on a joint to the world. While the joint's coordinates are
/// zero (of a quaternion: neutral), the body is at `pose`.
typedef struct atemi_scene_body {
    const char      *name; ///< of its link and of its joint
    atemi_transform  pose; ///< in the world
    atemi_joint_type type; ///< what it can do: stand fixed, slide as a nail, float, ...
    atemi_vec3       axis; ///< of the joint, in the body's frame; any length but zero
    double           damping, friction; ///< of the joint, see atemi_joint
    atemi_inertia    inertia;           ///< in the body's frame
    atemi_vec3       size;              ///< of the box that it looks like; zero for nothing
    double           color[4];          ///< red green blue alpha, 0 to 1; alpha 0 for none
} atemi_scene_body;

/// A solid box about the origin of its frame, which is the world's: it floats. The axis is x.
ATEMI_API atemi_scene_body atemi_scene_body_box(const char *name, double mass, atemi_vec3 size);

/// Makes the scene; the robot and the bodies are copied. Gravity is the robot's. The root is called
/// "world" and the joint of the robot's base "base", with underscores behind if the robot has these
/// names already.
///
/// @param bodies [body_count]
/// @param scene  result, to be destroyed
/// @return ATEMI_ERROR_INPUT for the name of a body that another part has, for a moving body
///         without mass, and for a robot with a sagittal base, whose coordinates no joint has
///
/// O(n log n) time, O(n) memory.
ATEMI_API atemi_status atemi_scene_create(const atemi_model *robot, const atemi_scene_body *bodies,
                                          int body_count, atemi_model **scene, atemi_error *error);

ATEMI_END
