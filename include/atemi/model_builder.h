// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer model. Makes models without a file: a robot from descriptions of its parts, the same robot
/// with other masses or lengths, and a scene from a robot and the bodies around it.

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

ATEMI_BEGIN

// ---- Building -----------------------------------------------------------------------------------
//
// Builds a model from descriptions of its parts, in any order, and checks that they make a robot.
//
// Strings are copied. Each description may carry the place it comes from; errors then point at
// it. After an error the builder is only good for destroying.

/// What a builder refuses to exceed.
enum { ATEMI_MAX_LINKS = 200000, ATEMI_MAX_NAME = 255 };

/// Where a description stands in its file; zeros where it does not come from one.
typedef struct atemi_place {
    int line, column;
} atemi_place;

/// A link.
typedef struct atemi_link_description {
    const char   *name;
    atemi_inertia inertia; ///< in the link's frame; all zero for a link without mass
    atemi_place   place;
} atemi_link_description;

/// A joint, with the names of the links it joins.
typedef struct atemi_joint_description {
    const char      *name;
    atemi_joint_type type;
    const char      *parent; ///< link names; they may be described later
    const char      *child;
    atemi_transform  origin;
    atemi_vec3       axis; ///< of any length but zero; ignored for fixed and floating joints
    atemi_limits     limits;
    const char      *mimic; ///< name of the joint copied, or NULL
    double           mimic_multiplier;
    double           mimic_offset;
    double           armature;
    double           damping;
    double           friction;
    double           servo_stiffness, servo_damping;
    atemi_place      place;
} atemi_joint_description;

/// A contact site, with the name of its link.
typedef struct atemi_site_description {
    const char     *name;
    const char     *link;
    atemi_transform pose;
    double          size_x, size_y;
    atemi_place     place;
} atemi_site_description;

/// What a link looks like, or touches with.
typedef struct atemi_geometry_description {
    const char     *link;
    bool            collision;
    atemi_shape     shape;
    atemi_transform pose;
    atemi_vec3      size;
    double          color[4];
    const char     *uri;  ///< or NULL
    const char     *path; ///< or NULL
    atemi_place     place;
} atemi_geometry_description;

/// One coordinate of a named posture; coordinates not named are zero. Those of one posture are
/// added one after the other.
typedef struct atemi_posture_description {
    const char *posture;
    const char *joint; ///< a joint with one coordinate
    double      value;
    atemi_place place;
} atemi_posture_description;

/// A closed loop, with the names of its links; see atemi_loop.
typedef struct atemi_loop_description {
    const char     *name;
    atemi_loop_kind kind;
    const char     *first, *second; ///< link names, NULL for the world
    atemi_transform on_first, on_second;
    atemi_place     place;
} atemi_loop_description;

/// Two links, by name, that do not count as touching each other.
typedef struct atemi_apart_description {
    const char *first, *second;
    atemi_place place;
} atemi_apart_description;

/// What a description leaves open.
typedef struct atemi_model_options {
    atemi_base base;
    atemi_vec3 gravity;           ///< m/s^2
    bool       mimic_as_coupled;  ///< otherwise a mimic joint has a coordinate of its own
    bool       open_loops;        ///< leaves closed loops out, with a warning
    bool       massless_as_fixed; ///< keeps joints that move nothing with a mass, with a warning;
                                  ///< otherwise they are refused
} atemi_model_options;

/// Floating base, gravity (0, 0, -9.81), mimic joints coupled.
ATEMI_API atemi_model_options atemi_model_options_default(void);

typedef struct atemi_model_builder atemi_model_builder;

/// A joint description with identity origin, axis (1, 0, 0) as in URDF, no limits, no friction.
ATEMI_API atemi_joint_description atemi_joint_description_default(void);

/// `file` (which may be NULL) is what errors name.
ATEMI_API atemi_status atemi_model_builder_create(const char *robot, const char *file,
                                                  atemi_model_builder **builder,
                                                  atemi_error          *error);
ATEMI_API void         atemi_model_builder_destroy(atemi_model_builder *builder);

/// Add one part. Its values are checked at once, how the parts fit together in the end.
ATEMI_API atemi_status atemi_model_builder_add_link(atemi_model_builder          *builder,
                                                    const atemi_link_description *link,
                                                    atemi_error                  *error);
ATEMI_API atemi_status atemi_model_builder_add_joint(atemi_model_builder           *builder,
                                                     const atemi_joint_description *joint,
                                                     atemi_error                   *error);
ATEMI_API atemi_status atemi_model_builder_add_site(atemi_model_builder          *builder,
                                                    const atemi_site_description *site,
                                                    atemi_error                  *error);
ATEMI_API atemi_status atemi_model_builder_add_geometry(atemi_model_builder              *builder,
                                                        const atemi_geometry_description *geometry,
                                                        atemi_error                      *error);
ATEMI_API atemi_status atemi_model_builder_add_posture(atemi_model_builder             *builder,
                                                       const atemi_posture_description *posture,
                                                       atemi_error                     *error);
ATEMI_API atemi_status atemi_model_builder_add_loop(atemi_model_builder          *builder,
                                                    const atemi_loop_description *loop,
                                                    atemi_error                  *error);
ATEMI_API atemi_status atemi_model_builder_add_apart(atemi_model_builder           *builder,
                                                     const atemi_apart_description *pair,
                                                     atemi_error                   *error);

/// Makes the model. Refuses: no link, several roots, joints in a circle, a link with two parents,
/// names that are unknown, doubled or empty, values that are not finite, negative masses, a zero
/// axis, limits upside down, a mimic of itself or of a joint without one coordinate, a moving end
/// of the tree without any inertia. An inertia that breaks the triangle inequality is a warning to
/// the log hook that names the amount. O(n log n) time, O(n) memory.
ATEMI_API atemi_status atemi_model_builder_finish(const atemi_model_builder *builder,
                                                  const atemi_model_options *options,
                                                  atemi_model **model, atemi_error *error);

// ---- Variations ---------------------------------------------------------------------------------
//
// The same robot with other masses or lengths: what it carries, or what one believes of it.

/// A load that a link carries, as a point.
typedef struct atemi_payload {
    int        link;
    double     mass;     ///< kg
    atemi_vec3 position; ///< in the link's frame, m
} atemi_payload;

/// In what a robot differs from another one.
typedef struct atemi_model_variation {
    double               masses;   ///< factor of all masses, with the same mass distribution
    double               lengths;  ///< factor of all lengths but those of shapes and soles
    const atemi_payload *payloads; ///< [payload_count] beside that
    int                  payload_count;
} atemi_model_variation;

/// No difference: factors of 1, no load.
ATEMI_API atemi_model_variation atemi_model_variation_none(void);

/// Makes the varied robot: the same parts with the same indices and coordinates.
/// @return ATEMI_ERROR_INPUT for a factor or a mass that is not positive, or a link that is not
///         there
ATEMI_API atemi_status atemi_model_vary(const atemi_model           *model,
                                        const atemi_model_variation *variation,
                                        atemi_model **varied, atemi_error *error);

// ---- Scenes -------------------------------------------------------------------------------------
//
// Scenes: a robot and what stands beside it, a target to be struck for one, as one model.
//
// The world is the root, its base fixed. The robot's base becomes a joint of the same coordinates,
// then come the bodies, so that the robot's coordinates stay what they are and where they are:
//
//     q = (q of the robot, q of body 0, q of body 1, ...),   v, a and tau likewise
//
// Names and order stay as well. With r links of the robot, and therefore r - 1 joints:
//
//     link    0: the world      1 + i: link i of the robot     1 + r + k: body k
//     joint   0: the base       1 + j: joint j of the robot        r + k: that of body k
//
// A body may be another robot: its links and joints are then called "NAME/LINK" and "NAME/JOINT",
// and the joint of its base is called NAME. Links and joints after it are found by name.
//
// Sites, postures and geometries keep their indices; geometries of bodies come last.

/// A thing beside the robot: one link on a joint to the world. While the joint's coordinates are
/// zero (of a quaternion: neutral), the body is at `pose`.
typedef struct atemi_scene_body {
    const char      *name;  ///< of its link and of its joint
    atemi_transform  pose;  ///< in the world
    atemi_joint_type type;  ///< what it can do: stand fixed, slide as a nail, float, ...
    atemi_shape      shape; ///< that it looks like, no mesh
    atemi_vec3       size;  ///< of that; zero for nothing
    atemi_vec3       axis;  ///< of the joint, in the body's frame; any length but zero
    double           damping, friction; ///< of the joint, see atemi_joint
    atemi_inertia    inertia;           ///< in the body's frame
    double           color[4];          ///< red green blue alpha, 0 to 1; alpha 0 for none
    /// A robot in place of all that but name and pose: its base is that of the robot.
    const atemi_model *robot;
    bool               collides; ///< the shape is a collision geometry as well
} atemi_scene_body;

/// A solid box about the origin of its frame, which is the world's: it floats. The axis is x.
ATEMI_API atemi_scene_body atemi_scene_body_box(const char *name, double mass, atemi_vec3 size);

/// A solid ball, box, cylinder or capsule of that mass, likewise; its shape collides.
ATEMI_API atemi_scene_body atemi_scene_body_solid(const char *name, double mass, atemi_shape shape,
                                                  atemi_vec3 size);

/// Makes the scene; the robot and the bodies are copied. Gravity is the robot's. The root is called
/// "world" and the joint of the robot's base "base", with underscores behind if the robot has these
/// names already.
///
/// @param robot  NULL for bodies alone: then the world has no joint "base", and gravity is
///               (0, 0, -9.81)
/// @param bodies [body_count]
/// @param scene  result, to be destroyed
/// @return ATEMI_ERROR_INPUT for the name of a body that another part has, for a moving body
///         without mass, and for a robot with a sagittal base, whose coordinates no joint has
///
/// O(n log n) time, O(n) memory.
ATEMI_API atemi_status atemi_scene_create(const atemi_model *robot, const atemi_scene_body *bodies,
                                          int body_count, atemi_model **scene, atemi_error *error);

ATEMI_END
