// SPDX-License-Identifier: Apache-2.0

/// @file
/// A link in the sagittal plane: where it is, how it moves, and by which rates.

#pragma once

#include "dynamics/kinematics.h"

typedef struct atemi_planar_link {
    int     rates;
    double  x, z, angle;  ///< of its origin; the angle about y, positive forwards
    double  vx, vz, turn; ///< likewise, 1/s
    double  ax, az;       ///< of its origin while all rates stay as they are
    double  cosine, sine; ///< of the angle
    double *J;            ///< [6 x rates]
} atemi_planar_link;

/// A point of it.
typedef struct atemi_planar_point {
    double x, z, vx, vz, ax, az;
    double arm_x, arm_z; ///< from the link's origin, world axes
} atemi_planar_point;

/// Lays it out on an arena.
atemi_planar_link atemi_planar_link_take(atemi_arena *arena, const atemi_model *model);

/// Looks at a link.
/// @param kinematics of v, and of a = 0
void atemi_planar_link_look(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                            atemi_planar_link *seen);

/// @param place in the link's frame
atemi_planar_point atemi_planar_link_point(const atemi_planar_link *link, atemi_vec3 place);

/// What rate i adds to the velocity of the point along x and z, and to the turn of the link.
static inline double atemi_planar_x(const atemi_planar_link *link, double arm_z, int i)
{
    return link->J[i] + arm_z * link->J[4 * link->rates + i];
}

static inline double atemi_planar_z(const atemi_planar_link *link, double arm_x, int i)
{
    return link->J[2 * link->rates + i] - arm_x * link->J[4 * link->rates + i];
}

static inline double atemi_planar_turn(const atemi_planar_link *link, int i)
{
    return link->J[4 * link->rates + i];
}
