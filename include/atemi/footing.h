// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a robot stands on: the ZMP of its contact forces and the support polygon of its contacts,
/// on one plane of the world. Of a simulation, or of a posture.

#pragma once

#include "atemi/simulation.h"
#include "atemi/support.h"

ATEMI_BEGIN

/// What a robot stands on at an instant.
typedef struct atemi_footing {
    int surface; ///< index of the plane, or ATEMI_NONE: every contact counts, on z = 0
    atemi_support_plane plane;
    int                 count;   ///< of points, in contact or not
    atemi_vec3         *corners; ///< [count] scratch
    atemi_force        *forces;  ///< [count] scratch
} atemi_footing;

/// Lays the scratch out on an arena. The plane is the first that a point may touch and that no link
/// carries.
/// @param points [count] of the simulation
ATEMI_API atemi_footing atemi_footing_take(atemi_arena *arena, const atemi_surface *surfaces,
                                           const atemi_simulation_point *points, int count);

/// Where a robot stands.
typedef struct atemi_foothold {
    bool       presses; ///< there is a ZMP
    atemi_vec3 zmp;     ///< NaN where there is none
    double     margin;  ///< from the ZMP to the edge of the support polygon, m; NaN likewise
} atemi_foothold;

/// Looks at a simulation as it is. O(points log points), no allocation.
ATEMI_API atemi_foothold atemi_footing_look(const atemi_footing          *footing,
                                            const atemi_simulation_point *points,
                                            const atemi_simulation       *simulation);

/// The points of a posture that touch their surfaces: nearer than 1e-6 m, or inside.
typedef struct atemi_touching_points {
    int          *points; ///< [count] their indices, ascending
    int           count;
    int          *links; ///< [link_count] that they are on, each once
    int           link_count;
    atemi_support support; ///< of those on the first plane that is touched; empty without one
    atemi_vec3   *corners; ///< scratch of the support
} atemi_touching_points;

/// Lays the lists out on an arena, for `count` points.
ATEMI_API atemi_touching_points atemi_touching_points_take(atemi_arena       *arena,
                                                           const atemi_model *model, int count);

/// Finds the points that touch at the state of the last atemi_update_kinematics(). Surfaces stand
/// still. O(count log count), no allocation.
/// @param points [count] of a simulation
ATEMI_API void atemi_touching_points_find(const atemi_data *data, const atemi_surface *surfaces,
                                          const atemi_simulation_point *points, int count,
                                          atemi_touching_points *touching);

ATEMI_END
