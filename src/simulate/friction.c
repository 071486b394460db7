// SPDX-License-Identifier: Apache-2.0

#include "simulate/friction.h"

#include "contact/friction_limit.h"
#include "simulate/point_forces.h"

#include <math.h>

// The sticking points of a patch carry what the surface rubs with, F_t and its moment about the
// normal, together. What each of them can carry is its static friction times its normal force.

// The plane of a patch, with its origin at the first point.
typedef struct plane {
    atemi_vec3 origin, x, y;
} plane;

typedef struct rubbing {
    plane                plane;
    int                  count;
    atemi_friction_point points[ATEMI_FRICTION_LIMIT_MOST_POINTS];
    int                  index[ATEMI_FRICTION_LIMIT_MOST_POINTS];
    atemi_vec3           load;
} rubbing;

static plane plane_of(const atemi_simulation *s, const atemi_patch *sum)
{
    const atemi_vec3 n = sum->normal;
    const atemi_vec3 other =
        fabs(n.x) < 0.6 ? (atemi_vec3){1.0, 0.0, 0.0} : (atemi_vec3){0.0, 1.0, 0.0};
    const atemi_vec3 across = atemi_vec3_cross(n, other);
    const atemi_vec3 y = atemi_vec3_scale(1.0 / atemi_vec3_norm(across), across);
    return (plane){s->sightings[sum->first].position, atemi_vec3_cross(y, n), y};
}

static bool sticks_in(const atemi_simulation *s, int point, int patch)
{
    return s->patches[point] == patch && s->modes[point] == ATEMI_CONTACT_STICK;
}

static rubbing rubbing_of(const atemi_simulation *s, int patch, const atemi_patch *sum)
{
    rubbing r = {.plane = plane_of(s, sum)};
    for (int i = 0; i < s->point_count; ++i) {
        if (!sticks_in(s, i, patch)) {
            continue;
        }
        const atemi_vec3 d = atemi_vec3_sub(s->sightings[i].position, r.plane.origin);
        const double     x = atemi_vec3_dot(d, r.plane.x), y = atemi_vec3_dot(d, r.plane.y);
        const double     fx = atemi_vec3_dot(s->forces[i], r.plane.x);
        const double     fy = atemi_vec3_dot(s->forces[i], r.plane.y);
        const double     f = atemi_world_normal_force(s, i), push = s->points[i].tied ? fabs(f) : f;
        r.index[r.count] = i;
        r.points[r.count++] =
            (atemi_friction_point){x, y, s->points[i].static_friction * fmax(push, 0.0)};
        r.load.x -= fx;
        r.load.y -= fy;
        r.load.z -= x * fy - y * fx;
    }
    return r;
}

double atemi_patch_friction(const atemi_simulation *s, int patch, const atemi_patch *sum)
{
    const rubbing r = rubbing_of(s, patch, sum);
    const double  gauge = atemi_friction_limit_find(r.points, r.count, r.load).gauge;
    return gauge >= 1.0 ? 1.0 - 1.0 / gauge : gauge - 1.0;
}

void atemi_patch_slip(const atemi_simulation *s, int patch, const atemi_patch *sum,
                      atemi_vec3 *directions)
{
    const rubbing              r = rubbing_of(s, patch, sum);
    const atemi_friction_limit limit = atemi_friction_limit_find(r.points, r.count, r.load);
    const atemi_vec3           slip = limit.slip;
    for (int k = 0; k < r.count; ++k) {
        const bool stands = limit.pivot != ATEMI_NONE && r.points[k].x == r.points[limit.pivot].x &&
                            r.points[k].y == r.points[limit.pivot].y;
        const double ux = slip.x - slip.z * r.points[k].y, uy = slip.y + slip.z * r.points[k].x;
        const double speed = hypot(ux, uy);
        const double scale = stands || speed == 0.0 ? 0.0 : 1.0 / speed;
        directions[r.index[k]] = atemi_vec3_add(atemi_vec3_scale(scale * ux, r.plane.x),
                                                atemi_vec3_scale(scale * uy, r.plane.y));
    }
}
