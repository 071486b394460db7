// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven/ground.h"

#include <math.h>

// Ground is a bed of springs k and dampers c. A point at the depth d in it feels, with the rate d'
// and the velocity v across the normal, x from where it touched first,
//
//   f_n = max(0, k d + c d')
//   f_t = -(k x + c v)     as long as |f_t| <= friction f_n
//
// A point that slips takes the anchor of its spring along, so that f_t stays at that limit.

static atemi_vec3 across(atemi_vec3 a, atemi_vec3 normal)
{
    return atemi_vec3_sub(a, atemi_vec3_scale(atemi_vec3_dot(a, normal), normal));
}

// The force across, within the limit; the anchor follows.
static atemi_vec3 hold(ground_point *g, atemi_vec3 at, atemi_vec3 velocity, double limit)
{
    const atemi_ground_point *a = &g->about;
    const atemi_vec3          x = across(atemi_vec3_sub(at, g->anchor), a->normal);
    const atemi_vec3          damped = atemi_vec3_scale(a->damping, across(velocity, a->normal));
    atemi_vec3                force =
        atemi_vec3_scale(-1.0, atemi_vec3_add(atemi_vec3_scale(a->stiffness, x), damped));
    const double size = atemi_vec3_norm(force);
    if (size > limit) {
        force = atemi_vec3_scale(limit / size, force);
        g->anchor =
            atemi_vec3_add(at, atemi_vec3_scale(1.0 / a->stiffness, atemi_vec3_add(force, damped)));
    }
    return force;
}

void atemi_ground_touch(ground_point *ground, atemi_vec3 at, atemi_vec3 velocity)
{
    const atemi_ground_point *a = &ground->about;
    const double              gap = atemi_vec3_dot(a->normal, atemi_vec3_sub(at, a->place));
    const double              rate = -atemi_vec3_dot(a->normal, velocity);
    const double push = gap < 0.0 ? fmax(0.0, a->damping * rate - a->stiffness * gap) : 0.0;
    ground->touch = (atemi_touch){.position = at, .gap = gap};
    if (gap < 0.0 && !ground->touches) {
        ground->anchor = at;
    }
    ground->touches = gap < 0.0;
    if (push > 0.0) {
        ground->touch.force = atemi_vec3_add(atemi_vec3_scale(push, a->normal),
                                             hold(ground, at, velocity, a->friction * push));
    }
}
