// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer model. The model of a robot: a tree of links and joints, immutable once made, shared by
/// all threads.
///
/// Links and joints keep the names, frames and order of the description (depth first, children in
/// the order of the file). Links joined by fixed joints move as one body, but each stays
/// addressable. Coordinates: q holds the base (position, then quaternion x y z w) and then the
/// joints; v holds the base twist in the base's own frame (linear, angular) and then the joint
/// rates. See docs/conventions.md.

#pragma once

#include "atemi/base.h"
#include "atemi/math.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

ATEMI_BEGIN

/// How the root link is held.
typedef enum atemi_base {
    ATEMI_BASE_FIXED,    ///< bolted to the world: no coordinates
    ATEMI_BASE_PLANAR,   ///< in the horizontal plane: q = x, y, turn about z
    ATEMI_BASE_SAGITTAL, ///< in the vertical x-z plane: q = x, z, turn about y
    ATEMI_BASE_FLOATING, ///< free: q = x, y, z, quaternion x y z w; v = twist in the base's frame
} atemi_base;

/// What a joint lets its child link do.
typedef enum atemi_joint_type {
    ATEMI_JOINT_FIXED,
    ATEMI_JOINT_REVOLUTE,   ///< turns about the axis, one coordinate, limited
    ATEMI_JOINT_CONTINUOUS, ///< turns about the axis, one coordinate, unlimited
    ATEMI_JOINT_PRISMATIC,  ///< slides along the axis, one coordinate
    ATEMI_JOINT_PLANAR,     ///< slides and turns in the plane normal to the axis: q = x, y, turn
    ATEMI_JOINT_FLOATING,   ///< free, coordinates as of a floating base
} atemi_joint_type;

enum { ATEMI_NONE = -1 };

/// The bounds of a joint with one coordinate. Unknown ones are infinite.
typedef struct atemi_limits {
    double lower, upper; ///< rad or m
    double velocity;     ///< rad/s or m/s, either direction
    double effort;       ///< N m or N, either direction
} atemi_limits;

/// A joint that copies another: q = multiplier q_joint + offset.
typedef struct atemi_mimic {
    int    joint; ///< the joint copied, or ATEMI_NONE
    double multiplier;
    double offset;
} atemi_mimic;

/// A joint: what it moves, how far, and what brakes it.
typedef struct atemi_joint {
    const char      *name;
    atemi_joint_type type;
    int              parent_link;
    int              child_link;
    atemi_transform  origin; ///< joint frame in the parent link; at q = 0 also the child link's
    atemi_vec3       axis;   ///< unit vector in the joint frame
    atemi_limits     limits;
    atemi_mimic      mimic;
    double           armature; ///< rotor inertia felt at the joint, kg m^2 or kg
    double           damping;  ///< viscous friction, N m s/rad or N s/m
    double           friction; ///< Coulomb friction, N m or N
    /// Of the position servo that the description gives the joint, N m/rad and N m s/rad or N/m and
    /// N s/m; 0 where it names none. Nothing applies them by itself.
    double servo_stiffness, servo_damping;
    int    first_q; ///< index of the first coordinate in q, ATEMI_NONE if it has none
    int    first_v; ///< index of the first rate in v, ATEMI_NONE if it has none
    int    q_count; ///< 0 for fixed and mimic joints
    int    v_count;
} atemi_joint;

/// A rigid body.
typedef struct atemi_link {
    const char   *name;
    int           parent_joint; ///< ATEMI_NONE for the root
    atemi_inertia inertia;      ///< in the link's frame, as described
} atemi_link;

/// A place on a link that may touch the world: a point, or a rectangle in its own x-y plane.
typedef struct atemi_site {
    const char     *name;
    int             link;
    atemi_transform pose; ///< in the link's frame; z points out of the ground, into the robot
    double          size_x, size_y; ///< side lengths of the rectangle, both 0 for a point
} atemi_site;

typedef enum atemi_shape {
    ATEMI_SHAPE_BOX,      ///< size: side lengths
    ATEMI_SHAPE_CYLINDER, ///< size: radius, length along z, 0
    ATEMI_SHAPE_SPHERE,   ///< size: radius, 0, 0
    ATEMI_SHAPE_CAPSULE,  ///< size: radius, length along z without the caps, 0
    ATEMI_SHAPE_MESH,     ///< size: scale
} atemi_shape;

/// What a link looks like.
typedef struct atemi_geometry {
    int             link;
    bool            collision; ///< for touching, otherwise for looking at
    atemi_shape     shape;
    atemi_transform pose; ///< in the link's frame
    atemi_vec3      size;
    double          color[4]; ///< red green blue alpha, 0 to 1; alpha 0 where none is given
    const char     *uri;      ///< of a mesh as described, otherwise NULL
    const char     *path;     ///< of a mesh file that was found, otherwise NULL
} atemi_geometry;

/// How a closed loop joins its links.
typedef enum atemi_loop_kind {
    ATEMI_LOOP_POINT, ///< at a point, as a ball joint: three rows
    ATEMI_LOOP_HINGE, ///< at a point and along an axis: five rows
    ATEMI_LOOP_WELD,  ///< as a whole: six rows
} atemi_loop_kind;

/// Two links that are joined beside the tree, so that joints and links form a closed loop.
typedef struct atemi_loop {
    const char     *name;
    atemi_loop_kind kind;
    int             first, second; ///< links; ATEMI_NONE for the world
    /// Frames in those links, or in the world. Their origins meet; so do the z axes of a hinge, and
    /// all axes of a weld.
    atemi_transform on_first, on_second;
} atemi_loop;

/// Two links.
typedef struct atemi_link_pair {
    int first, second;
} atemi_link_pair;

/// A robot. Create one with atemi/robots.h, atemi/robots.h or atemi/model_builder.h.
typedef struct atemi_model atemi_model;

/// Releases the model. NULL is fine.
ATEMI_API void atemi_model_destroy(atemi_model *model);

/// What the description says of the whole robot.
ATEMI_API const char *atemi_model_name(const atemi_model *model);
ATEMI_API atemi_base  atemi_model_base(const atemi_model *model);
ATEMI_API atemi_vec3  atemi_model_gravity(const atemi_model *model);

/// The mass of everything that moves: with a fixed base, links bolted to the world do not count.
ATEMI_API double atemi_model_mass(const atemi_model *model);

ATEMI_API int atemi_model_q_count(const atemi_model *model); ///< length of q
ATEMI_API int atemi_model_v_count(const atemi_model *model); ///< length of v, a and tau
ATEMI_API int atemi_model_link_count(const atemi_model *model);
ATEMI_API int atemi_model_joint_count(const atemi_model *model); ///< fixed and mimic ones included
ATEMI_API int atemi_model_site_count(const atemi_model *model);
ATEMI_API int atemi_model_geometry_count(const atemi_model *model);
ATEMI_API int atemi_model_posture_count(const atemi_model *model);
ATEMI_API int atemi_model_loop_count(const atemi_model *model);
ATEMI_API int atemi_model_apart_count(const atemi_model *model);

/// The parts by index; NULL with a broken contract where there is no such index.
ATEMI_API const atemi_link     *atemi_model_link(const atemi_model *model, int index);
ATEMI_API const atemi_joint    *atemi_model_joint(const atemi_model *model, int index);
ATEMI_API const atemi_site     *atemi_model_site(const atemi_model *model, int index);
ATEMI_API const atemi_geometry *atemi_model_geometry(const atemi_model *model, int index);
ATEMI_API const atemi_loop     *atemi_model_loop(const atemi_model *model, int index);
ATEMI_API const char           *atemi_model_posture_name(const atemi_model *model, int index);

/// All closed loops [loop_count]. Simulations close them, and a contact set may
/// (atemi/contact.h); all other algorithms see the tree.
ATEMI_API const atemi_loop *atemi_model_loops(const atemi_model *model);

/// Pairs of links [apart_count] that do not count as touching each other, as the description says:
/// shapes in simulations and the distances of a planned motion pass them over.
ATEMI_API const atemi_link_pair *atemi_model_apart(const atemi_model *model);

/// The named posture's configuration [q_count]; the base is at its neutral pose.
ATEMI_API const double *atemi_model_posture(const atemi_model *model, int index);

/// The index of a name, or ATEMI_NONE. O(log n).
ATEMI_API int atemi_model_find_link(const atemi_model *model, const char *name);
ATEMI_API int atemi_model_find_joint(const atemi_model *model, const char *name);
ATEMI_API int atemi_model_find_site(const atemi_model *model, const char *name);
ATEMI_API int atemi_model_find_posture(const atemi_model *model, const char *name);

/// The number of coordinates of the base: 0, 3, 3 or 7 in q and 0, 3, 3 or 6 in v.
ATEMI_API int atemi_base_q_count(atemi_base base);
ATEMI_API int atemi_base_v_count(atemi_base base);

/// "fixed", "planar", "sagittal", "floating".
ATEMI_API const char *atemi_base_text(atemi_base base);

/// "fixed", "revolute", "continuous", "prismatic", "planar", "floating".
ATEMI_API const char *atemi_joint_type_text(atemi_joint_type type);

/// "point", "hinge", "weld".
ATEMI_API const char *atemi_loop_kind_text(atemi_loop_kind kind);

/// The rows of a loop of that kind: 3, 5 or 6.
ATEMI_API int atemi_loop_rows(atemi_loop_kind kind);

/// "box", "cylinder", "sphere", "capsule", "mesh".
ATEMI_API const char *atemi_shape_text(atemi_shape shape);

// ---- Configurations -----------------------------------------------------------------------------
//
// The configuration space: q is not a vector (quaternions), so it is moved and compared here.

/// Every joint at zero, the base at the origin, upright.
ATEMI_API void atemi_configuration_neutral(const atemi_model *model, double *q);

/// A configuration within the joint limits: uniform there, within +-pi where there are none;
/// base positions within +-1 m, orientations uniform. A function of the seed alone.
ATEMI_API void atemi_configuration_random(const atemi_model *model, uint64_t seed, double *q);

/// Follows the constant velocity `v` for the time `dt` from `q`: along the screw for floating and
/// planar joints. Quaternions come out normalized. `result` may alias `q`.
ATEMI_API void atemi_configuration_integrate(const atemi_model *model, const double *q,
                                             const double *v, double dt, double *result);

/// dq/dt, the rates of change of the coordinates themselves; for quaternions, four numbers.
/// @param rate [q_count]
ATEMI_API void atemi_configuration_rate(const atemi_model *model, const double *q, const double *v,
                                        double *rate);

/// The velocity that leads from `from` to `to` in unit time: the inverse of the above.
ATEMI_API void atemi_configuration_difference(const atemi_model *model, const double *from,
                                              const double *to, double *v);

/// Scales every quaternion in q to length one.
ATEMI_API void atemi_configuration_normalize(const atemi_model *model, double *q);

ATEMI_END
