// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_parts.h"

#include <math.h>

// The slope of the floor, as soles feel it that carry the robot: with the upwards normal n of a
// sole, the floor rises by s = (-n_x / n_z, -n_y / n_z) along x and y. On uneven ground soles lie
// on edges, so that the slope is a mean over some steps. A foot that rolls with its leg shows no
// more than how the floor rises along the sole. At a place r the floor is expected at
//
//   z = z_sole + s (r - r_sole)

static const double slope_part = 0.3; // of a step's slope that counts at once

void biped_slope_stand(biped_slope *slope, const atemi_transform *sole)
{
    slope->from = (floor_point){sole->position.x, sole->position.y};
    slope->height = sole->position.z;
}

void biped_slope_feel(biped_slope *slope, const atemi_transform *sole, bool rolls)
{
    const atemi_vec3 n = sole->rotation.z, ahead = sole->rotation.x;
    const double     across = hypot(ahead.x, ahead.y), c = ahead.x / across, d = ahead.y / across;
    const double     x = -n.x / n.z - slope->x, y = -n.y / n.z - slope->y;
    const double     along = ahead.z / across - c * slope->x - d * slope->y;
    slope->x += slope_part * (rolls ? along * c : x);
    slope->y += slope_part * (rolls ? along * d : y);
}

double biped_slope_height(const biped_slope *slope, double x, double y)
{
    return slope->height + slope->x * (x - slope->from.x) + slope->y * (y - slope->from.y);
}

atemi_mat3 biped_slope_rotation(const biped_slope *s, double heading)
{
    const double     c = cos(heading), d = sin(heading), rise = c * s->x + d * s->y;
    const double     up = 1.0 / sqrt(1.0 + s->x * s->x + s->y * s->y);
    const double     along = 1.0 / sqrt(1.0 + rise * rise);
    const atemi_vec3 n = {-up * s->x, -up * s->y, up};
    const atemi_vec3 ahead = {along * c, along * d, along * rise};
    return (atemi_mat3){ahead, atemi_vec3_cross(n, ahead), n};
}
