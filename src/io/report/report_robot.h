// SPDX-License-Identifier: Apache-2.0

/// @file
/// The robot of a recording as reports and figures draw it: parts on links, and meshes.

#pragma once

#include "atemi/recording.h"
#include "io/bytes/file.h"
#include "io/robot/mesh.h"

/// Something to draw on a link.
typedef struct atemi_report_part {
    int             link;
    atemi_shape     shape;
    atemi_transform pose; ///< in the link's frame
    atemi_vec3      size; ///< as in atemi_geometry
    double          color[4];
    int             mesh; ///< index, or ATEMI_NONE
} atemi_report_part;

/// A mesh, once for all parts that show it.
typedef struct atemi_report_mesh {
    atemi_file_identity file; ///< however the model spells its path
    atemi_mesh          mesh; ///< empty where it cannot be read or does not fit
} atemi_report_mesh;

/// The bytes of all meshes of a page before they are packed. As base64, the worst that packing
/// makes of them, they are 64 MiB: some seconds for a browser, and a page that can still be mailed.
enum { ATEMI_REPORT_MESH_BYTES = 48 << 20 };

typedef struct atemi_report_robot {
    atemi_model       *model; ///< NULL where the recording holds none
    int                part_count, part_capacity;
    atemi_report_part *parts; ///< those of a link stand together, links in the model's order
    int                mesh_count, mesh_capacity;
    atemi_report_mesh *meshes;     ///< all that parts refer to
    size_t             mesh_bytes; ///< of those, at most ATEMI_REPORT_MESH_BYTES
    int                left_out;   ///< meshes that did not fit
    int                missing;    ///< shapes whose mesh is not found
} atemi_report_robot;

/// Loads robot, parts and meshes. A link shows its visual shapes, or those for touching, or, where
/// it has none, capsules from its origin to its child joints.
/// @param robot to be destroyed, whatever the result
atemi_status atemi_report_robot_load(const atemi_recording *recording, atemi_report_robot *robot,
                                     atemi_error *error);
void         atemi_report_robot_destroy(atemi_report_robot *robot);

/// The columns of a joint's coordinates, in q's order.
/// @return how many: all, or 0 where one is not recorded
int atemi_report_joint_columns(const atemi_recording *recording, const atemi_joint *joint,
                               int columns[7]);

/// The same for the base.
int atemi_report_base_columns(const atemi_recording *recording, atemi_base base, int columns[7]);

/// Adds a part; ATEMI_ERROR_MEMORY.
atemi_status atemi_report_add_part(atemi_report_robot *robot, const atemi_report_part *part,
                                   atemi_error *error);

/// Adds capsules in place of shapes (report_derived.c).
atemi_status atemi_report_derive_parts(atemi_report_robot *robot, int link, atemi_error *error);
