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

// Where the points are and what they carry stands in s->set.sticking_points, which they are in
// s->set.sticking_index.
typedef struct rubbing {
    plane      plane;
    int        count;
    atemi_vec3 load;
} rubbing;

static plane plane_of(const atemi_simulation *s, const atemi_patch *sum)
{
    const atemi_vec3 n = sum->normal;
    const atemi_vec3 other =
        fabs(n.x) < 0.6 ? (atemi_vec3){1.0, 0.0, 0.0} : (atemi_vec3){0.0, 1.0, 0.0};
    const atemi_vec3 across = atemi_vec3_cross(n, other);
    const atemi_vec3 y = atemi_vec3_scale(1.0 / atemi_vec3_norm(across), across);
    return (plane){s->set.states[sum->first].position, atemi_vec3_cross(y, n), y};
}

static bool sticks_in(const atemi_simulation *s, int point, int patch)
{
    return s->set.patches[point] == patch && s->set.modes[point] == ATEMI_CONTACT_STICK;
}

static rubbing rubbing_of(const atemi_simulation *s, int patch, const atemi_patch *sum)
{
    rubbing r = {.plane = plane_of(s, sum)};
    for (int i = 0; i < s->set.point_count; ++i) {
        if (!sticks_in(s, i, patch)) {
            continue;
        }
        const atemi_vec3 d = atemi_vec3_sub(s->set.states[i].position, r.plane.origin);
        const double     x = atemi_vec3_dot(d, r.plane.x), y = atemi_vec3_dot(d, r.plane.y);
        const double     fx = atemi_vec3_dot(s->set.forces[i], r.plane.x);
        const double     fy = atemi_vec3_dot(s->set.forces[i], r.plane.y);
        const double f = atemi_world_normal_force(s, i), push = s->set.points[i].tied ? fabs(f) : f;
        s->set.sticking_index[r.count] = i;
        s->set.sticking_points[r.count++] =
            (atemi_friction_point){x, y, s->set.points[i].static_friction * fmax(push, 0.0)};
        r.load.x -= fx;
        r.load.y -= fy;
        r.load.z -= x * fy - y * fx;
    }
    return r;
}

static atemi_friction_limit limit_of(const atemi_simulation *s, const rubbing *r)
{
    return atemi_friction_limit_find(s->set.sticking_points, r->count, r->load,
                                     &s->set.friction_limit);
}

double atemi_patch_friction(const atemi_simulation *s, int patch, const atemi_patch *sum)
{
    const rubbing r = rubbing_of(s, patch, sum);
    const double  gauge = limit_of(s, &r).gauge;
    return gauge >= 1.0 ? 1.0 - 1.0 / gauge : gauge - 1.0;
}

// Whether the body turns about this place.
static bool is_pivot(const atemi_simulation *s, const atemi_friction_limit *limit,
                     atemi_friction_point at)
{
    return limit->pivot != ATEMI_NONE && at.x == s->set.sticking_points[limit->pivot].x &&
           at.y == s->set.sticking_points[limit->pivot].y;
}

void atemi_patch_slip(const atemi_simulation *s, int patch, const atemi_patch *sum,
                      atemi_vec3 *directions)
{
    const rubbing              r = rubbing_of(s, patch, sum);
    const atemi_friction_limit limit = limit_of(s, &r);
    const atemi_vec3           slip = limit.slip;
    for (int k = 0; k < r.count; ++k) {
        const atemi_friction_point at = s->set.sticking_points[k];
        const double               ux = slip.x - slip.z * at.y, uy = slip.y + slip.z * at.x;
        const double               speed = hypot(ux, uy);
        const double scale = is_pivot(s, &limit, at) || speed == 0.0 ? 0.0 : 1.0 / speed;
        directions[s->set.sticking_index[k]] = atemi_vec3_add(
            atemi_vec3_scale(scale * ux, r.plane.x), atemi_vec3_scale(scale * uy, r.plane.y));
    }
}
