// SPDX-License-Identifier: Apache-2.0

/// @file
/// Builds a model from descriptions of its parts, in any order, and checks that they make a robot.
///
/// Strings are copied. Each description may carry the place it comes from; errors then point at
/// it. After an error the builder is only good for destroying.

#pragma once

#include "atemi/error.h"
#include "atemi/model.h"

ATEMI_BEGIN

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

/// What a description leaves open.
typedef struct atemi_model_options {
    atemi_base base;
    atemi_vec3 gravity;          ///< m/s^2
    bool       mimic_as_coupled; ///< otherwise a mimic joint has a coordinate of its own
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

/// Makes the model. Refuses: no link, several roots, a loop, a link with two parents, names that
/// are unknown, doubled or empty, values that are not finite, negative masses, a zero axis, limits
/// upside down, a mimic of itself or of a joint without one coordinate, a moving end of the tree
/// without any inertia. An inertia that breaks the triangle inequality is a warning to the log hook
/// that names the amount. O(n log n) time, O(n) memory.
ATEMI_API atemi_status atemi_model_builder_finish(const atemi_model_builder *builder,
                                                  const atemi_model_options *options,
                                                  atemi_model **model, atemi_error *error);

ATEMI_END
