// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"

#include "atemi/base.h"

#include <float.h>
#include <stdbool.h>

// The smallest turn that takes z to the unit vector a, with c = 1 - a_z:
//
//   R = | 1 - k a_x a_x    -k a_x a_y     a_x |
//       |  -k a_x a_y     1 - k a_y a_y   a_y |      k = 1 / (1 + a_z) = c / (a_x^2 + a_y^2)
//       |     -a_x            -a_y        a_z |
//
// The first form of k cancels in the lower half space, the second in the upper. In the second,
// k a_x a_y = c u_x u_y with u the direction of (a_x, a_y), which is arbitrary at a = -z.

static const double unit_tolerance = 1e-6; // of the squared length; guards against bugs only

// Rows and columns x and y of R, by k a_x a_x, k a_x a_y and k a_y a_y. The differences from zero
// keep a zero positive.
static atemi_mat3 rotation_to(atemi_vec3 axis, double kxx, double kxy, double kyy)
{
    const atemi_mat3 R = {
        {1.0 - kxx, 0.0 - kxy, 0.0 - axis.x}, {0.0 - kxy, 1.0 - kyy, 0.0 - axis.y}, axis};
    return R;
}

atemi_mat3 atemi_mat3_from_rpy(double roll, double pitch, double yaw)
{
    const double cr = cos(roll), cp = cos(pitch), cy = cos(yaw);
    const double sr = sin(roll), sp = sin(pitch), sy = sin(yaw);

    // R_z(yaw) R_y(pitch) R_x(roll)
    const atemi_mat3 R = {{cy * cp, sy * cp, -sp},
                          {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
                          {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}};
    return R;
}

atemi_mat3 atemi_mat3_with_z(atemi_vec3 axis)
{
    ATEMI_REQUIRE_OR(fabs(atemi_vec3_dot(axis, axis) - 1.0) <= unit_tolerance,
                     atemi_mat3_identity());

    if (axis.z >= 0.0) {
        const double k = 1.0 / (1.0 + axis.z);
        return rotation_to(axis, k * axis.x * axis.x, k * axis.x * axis.y, k * axis.y * axis.y);
    }
    const double length = hypot(axis.x, axis.y);
    const bool   is_tilted = length >= DBL_MIN; // below, the direction has lost its digits
    const double ux = is_tilted ? axis.x / length : 0.0;
    const double uy = is_tilted ? axis.y / length : 1.0;
    const double c = 1.0 - axis.z;
    return rotation_to(axis, c * ux * ux, c * ux * uy, c * uy * uy);
}
