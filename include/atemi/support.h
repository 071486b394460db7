// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. What a robot stands on: the support polygon, the centre of pressure (ZMP) and how
/// far it is from the polygon's edge.
///
/// Points and forces are in the world, m and N. Nothing allocates, nothing keeps global state.

#pragma once

#include "atemi/math.h"
#include "atemi/model.h"

ATEMI_BEGIN

/// The plane that the robot stands on. Wherever one is asked for, NULL is the floor z = 0.
typedef struct atemi_support_plane {
    atemi_vec3 point;  ///< any point of the plane
    atemi_vec3 normal; ///< unit vector, out of the ground
} atemi_support_plane;

/// A convex polygon on a plane. One vertex is a point, two are a line, none is a robot in the air.
typedef struct atemi_support {
    atemi_support_plane plane;
    const atemi_vec3 *vertices; ///< [count] on the plane, counter-clockwise seen against the normal
    int               count;
} atemi_support;

/// Where a point is relative to the edge of a support polygon.
typedef struct atemi_support_margin {
    double     distance; ///< m, positive inside, negative outside
    atemi_vec3 nearest;  ///< the point of the boundary that is nearest
    int        edge;     ///< which is on the edge from this vertex to the next; or ATEMI_NONE
} atemi_support_margin;

/// The floor z = 0, normal (0, 0, 1).
ATEMI_API atemi_support_plane atemi_support_plane_floor(void);

/// The corners of a site in the world, counter-clockwise about its z axis.
///
/// @param link_pose the pose of the site's link, see atemi_link_pose()
/// @param corners   1 for a point, 2 for a line (one side length is 0), 4 for a rectangle
/// @return how many there are
ATEMI_API int atemi_site_corners(const atemi_site *site, const atemi_transform *link_pose,
                                 atemi_vec3 corners[4]);

/// The smallest convex polygon that holds the points as seen along the plane's normal.
///
/// Points that are doubled or lie in line are dropped, as long as all points stay within a
/// tolerance of the polygon: 1e-12 of its size plus 4 roundings of the largest coordinate. The
/// result is exactly the same in any order of the points.
///
/// @param plane    or NULL for the floor
/// @param points   [count] finite, anywhere: on the plane or off it
/// @param count    0 or more
/// @param vertices [count] memory for the result, which refers to it; may be `points` itself
///
/// O(count log count). Cannot fail; points that are not finite break the contract and support
/// nothing.
ATEMI_API atemi_support atemi_support_polygon(const atemi_support_plane *plane,
                                              const atemi_vec3 *points, int count,
                                              atemi_vec3 *vertices);

/// The signed distance from a point to the edge of the polygon, measured in the plane: the point is
/// moved there along the normal first.
///
/// Inside a line or a point there is no room, so the distance is at most 0. Where there is no
/// polygon it is minus infinity, with the point itself as `nearest` and no edge. Of edges equally
/// near, the first is named. O(vertices).
ATEMI_API atemi_support_margin atemi_support_distance(const atemi_support *support,
                                                      atemi_vec3           point);

/// The centre of pressure of contact forces, also called zero-moment point (ZMP): the point of the
/// plane about which they have no moment but along the normal.
///
/// @param plane  or NULL for the floor
/// @param points [count] where the forces act
/// @param forces [count] of the ground onto the robot, world axes, each moment about its point
/// @param center the result; untouched when there is none
///
/// @return false when the forces do not press the robot off the plane: when their sum along the
///         normal is not positive, or within 1e-12 of the sum of their sizes
ATEMI_API bool atemi_center_of_pressure(const atemi_support_plane *plane, const atemi_vec3 *points,
                                        const atemi_force *forces, int count, atemi_vec3 *center);

/// The same point from the robot's motion: the ground gives what gravity does not.
///
/// @param plane          or NULL for the floor
/// @param mass           of the robot, kg
/// @param gravity        m/s^2, e.g. (0, 0, -9.81)
/// @param center_of_mass in the world
/// @param rate           time derivative of atemi_momentum(): of the linear momentum, N, and of the
///                       angular momentum about the centre of mass, N m; world axes
/// @param zmp            the result; untouched when there is none
///
/// @return false when the ground does not press, as in free flight: when its force along the normal
///         is not positive, or within 1e-12 of the weight and the rate of momentum
ATEMI_API bool atemi_zmp_from_momentum(const atemi_support_plane *plane, double mass,
                                       atemi_vec3 gravity, atemi_vec3 center_of_mass,
                                       atemi_force rate, atemi_vec3 *zmp);

ATEMI_END
