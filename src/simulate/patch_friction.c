// SPDX-License-Identifier: Apache-2.0

#include "simulate/patch_friction.h"

#include "contact/friction_limit.h"

#include <math.h>

// The sticking points of a patch carry what the surface rubs with, F_t and its moment about the
// normal, together. What each of them can carry is its static friction times its normal force.

// The plane of a patch, with its origin at the first point.
typedef struct plane {
    atemi_vec3 origin, x, y;
} plane;

// Where the points are and what they carry stands in set->sticking_points, which they are in
// set->sticking_index.
typedef struct rubbing {
    plane      plane;
    int        count;
    atemi_vec3 load;
} rubbing;

static plane plane_of(const atemi_contact_set *set, const atemi_patch *sum)
{
    const atemi_vec3 n = sum->normal;
    const atemi_vec3 other =
        fabs(n.x) < 0.6 ? (atemi_vec3){1.0, 0.0, 0.0} : (atemi_vec3){0.0, 1.0, 0.0};
    const atemi_vec3 across = atemi_vec3_cross(n, other);
    const atemi_vec3 y = atemi_vec3_scale(1.0 / atemi_vec3_norm(across), across);
    return (plane){set->states[sum->first].position, atemi_vec3_cross(y, n), y};
}

static bool sticks_in(const atemi_contact_set *set, int point, int patch)
{
    return set->patches[point] == patch && set->modes[point] == ATEMI_CONTACT_STICK;
}

static rubbing rubbing_of(const atemi_contact_set *set, int patch, const atemi_patch *sum)
{
    rubbing r = {.plane = plane_of(set, sum)};
    for (int i = 0; i < set->point_count; ++i) {
        if (!sticks_in(set, i, patch)) {
            continue;
        }
        const atemi_vec3 d = atemi_vec3_sub(set->states[i].position, r.plane.origin);
        const double     x = atemi_vec3_dot(d, r.plane.x), y = atemi_vec3_dot(d, r.plane.y);
        const double     fx = atemi_vec3_dot(set->forces[i], r.plane.x);
        const double     fy = atemi_vec3_dot(set->forces[i], r.plane.y);
        const double f = atemi_point_normal_force(set, i), push = set->points[i].tied ? fabs(f) : f;
        set->sticking_index[r.count] = i;
        set->sticking_points[r.count++] =
            (atemi_friction_point){x, y, set->points[i].static_friction * fmax(push, 0.0)};
        r.load.x -= fx;
        r.load.y -= fy;
        r.load.z -= x * fy - y * fx;
    }
    return r;
}

static atemi_friction_limit limit_of(const atemi_contact_set *set, const rubbing *r)
{
    return atemi_friction_limit_find(set->sticking_points, r->count, r->load, &set->friction_limit);
}

double atemi_patch_friction(const atemi_contact_set *set, int patch, const atemi_patch *sum)
{
    const rubbing r = rubbing_of(set, patch, sum);
    const double  gauge = limit_of(set, &r).gauge;
    return gauge >= 1.0 ? 1.0 - 1.0 / gauge : gauge - 1.0;
}

// Whether the body turns about this place.
static bool is_pivot(const atemi_contact_set *set, const atemi_friction_limit *limit,
                     atemi_friction_point at)
{
    return limit->pivot != ATEMI_NONE && at.x == set->sticking_points[limit->pivot].x &&
           at.y == set->sticking_points[limit->pivot].y;
}

void atemi_patch_slip(const atemi_contact_set *set, int patch, const atemi_patch *sum,
                      atemi_vec3 *directions)
{
    const rubbing              r = rubbing_of(set, patch, sum);
    const atemi_friction_limit limit = limit_of(set, &r);
    const atemi_vec3           slip = limit.slip;
    for (int k = 0; k < r.count; ++k) {
        const atemi_friction_point at = set->sticking_points[k];
        const double               ux = slip.x - slip.z * at.y, uy = slip.y + slip.z * at.x;
        const double               speed = hypot(ux, uy);
        const double scale = is_pivot(set, &limit, at) || speed == 0.0 ? 0.0 : 1.0 / speed;
        directions[set->sticking_index[k]] = atemi_vec3_add(
            atemi_vec3_scale(scale * ux, r.plane.x), atemi_vec3_scale(scale * uy, r.plane.y));
    }
}
