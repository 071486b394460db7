// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer io. Robots from files, URDF or MJCF, and the robots that ship inside the library.

#pragma once

#include "atemi/base.h"
#include "atemi/model_builder.h"
#include "atemi/surface.h"

ATEMI_BEGIN

// ---- From files ---------------------------------------------------------------------------------
//
// Reads robots from URDF and from MuJoCo's MJCF; the outermost element, `<robot>` or `<mujoco>`,
// says which. The bytes are not trusted: any file ends in a model or in one error that names file,
// line, column, cause and remedy, in bounded time and memory.
//
// What MJCF says and a model has no place for is named in warnings to the log hook (docs/mjcf.md).
// A file's own gravity (`<option gravity>` of MJCF, `atemi:gravity` of `<robot>`) counts where the
// options have the default.
//
// Beyond the standard of URDF it reads rotor inertia (`armature` of `<dynamics>`, or Drake's
// `drake:rotor_inertia` and `drake:gear_ratio` in a transmission), contact sites (`<atemi:site>`
// in a link), named postures (`<atemi:posture>`) and pairs of links that do not touch
// (`<atemi:apart>`). See docs/urdf.md.

/// How a robot is read.
typedef struct atemi_urdf_options {
    atemi_model_options model;
    const char *package_path; ///< folders that hold packages, separated by ':', searched before
                              ///< ROS_PACKAGE_PATH and the folders above the file; or NULL
    const char *srdf;         ///< path of an SRDF file of the robot: postures, and pairs of links
                              ///< that do not count as touching; or NULL
    const atemi_site_description *sites; ///< [site_count] besides those of the file
    int                           site_count;
} atemi_urdf_options;

/// Default model options, no package path of its own and no more sites.
ATEMI_API atemi_urdf_options atemi_urdf_options_default(void);

/// Reads a file. Meshes that are not found are no error, unless a body of MJCF has its mass from
/// one.
/// @param options NULL for the defaults
ATEMI_API atemi_status atemi_urdf_load(const char *path, const atemi_urdf_options *options,
                                       atemi_model **model, atemi_error *error);

/// Reads `size` bytes of XML; `name` stands for the file in messages and may be NULL. MJCF cannot
/// include files here, as there is no folder to find them from.
ATEMI_API atemi_status atemi_urdf_parse(const char *text, size_t size, const char *name,
                                        const atemi_urdf_options *options, atemi_model **model,
                                        atemi_error *error);

// ---- Shapes with meshes -------------------------------------------------------------------------

/// The collision shapes of a robot, with the vertices of its meshes.
typedef struct atemi_robot_shapes {
    atemi_touch_shape *list; ///< [count]
    int                count;
    int                lost_count; ///< meshes that were not found, or have fewer than four vertices
    const atemi_geometry *lost;    ///< the first of those, of the model; or NULL
    atemi_vec3          **vertices; ///< [count] NULL where a shape is no mesh
} atemi_robot_shapes;

/// Reads them. A mesh touches as the convex hull of its vertices.
/// @param result to be destroyed
ATEMI_API atemi_status atemi_robot_shapes_load(const atemi_model *model, double friction,
                                               double restitution, atemi_robot_shapes *result,
                                               atemi_error *error);
ATEMI_API void         atemi_robot_shapes_destroy(atemi_robot_shapes *shapes);

// ---- To files -----------------------------------------------------------------------------------

/// The formats that a model can be written in.
typedef enum atemi_robot_format {
    ATEMI_ROBOT_URDF, ///< with our extensions (docs/urdf.md): read again it is the same robot
    ATEMI_ROBOT_MJCF, ///< MuJoCo's: the same robot there
} atemi_robot_format;

/// The model as text. Meshes are named by the paths of the files that were found. What the format
/// has no place for is named in warnings to the log hook: closed loops in URDF; in MJCF speed
/// limits, and meshes that are not found or that MuJoCo cannot read. URDF does not say how the base
/// moves. O(links x parts) time.
/// @param text result, ends in a zero; to be given to atemi_release()
/// @param size result: bytes before that zero; may be NULL
ATEMI_API atemi_status atemi_robot_write(const atemi_model *model, atemi_robot_format format,
                                         char **text, size_t *size, atemi_error *error);

// ---- Shipped robots -----------------------------------------------------------------------------
//
// The robots that ship inside the library.

/// The number of shipped robots and their names in alphabetical order.
ATEMI_API int         atemi_robots_count(void);
ATEMI_API const char *atemi_robots_name(int index);

/// The URDF text of a shipped robot and its length in bytes; NULL if there is none of that name.
ATEMI_API const char *atemi_robots_urdf(const char *name, size_t *size);

/// Loads a shipped robot.
/// @param options NULL for the defaults
ATEMI_API atemi_status atemi_robots_load(const char *name, const atemi_urdf_options *options,
                                         atemi_model **model, atemi_error *error);

ATEMI_END
