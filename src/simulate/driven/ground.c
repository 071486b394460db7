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
//
// A force moves the point by mu, 1/kg. With the damper's force by the velocity before a tick of h,
// and the spring's in its middle, the tick is stable for 4 > 2 h c mu + h^2 k mu. So
//
//   k' = min(k, 1 / (2 h^2 mu)),   c' = c / (1 + h c mu)
//
// count: nothing of the spring, and little of the damper, changes where feet are not light.

static atemi_vec3 across(atemi_vec3 a, atemi_vec3 normal)
{
    return atemi_vec3_sub(a, atemi_vec3_scale(atemi_vec3_dot(a, normal), normal));
}

// The force across, within the limit; the anchor follows.
static atemi_vec3 hold(ground_point *g, atemi_vec3 at, atemi_vec3 velocity, double limit)
{
    const atemi_ground_point *a = &g->about;
    const atemi_vec3          x = across(atemi_vec3_sub(at, g->anchor), a->normal);
    const atemi_vec3          damped = atemi_vec3_scale(g->damping, across(velocity, a->normal));
    atemi_vec3                force =
        atemi_vec3_scale(-1.0, atemi_vec3_add(atemi_vec3_scale(g->stiffness, x), damped));
    const double size = atemi_vec3_norm(force);
    if (size > limit) {
        force = atemi_vec3_scale(limit / size, force);
        g->anchor =
            atemi_vec3_add(at, atemi_vec3_scale(1.0 / g->stiffness, atemi_vec3_add(force, damped)));
    }
    return force;
}

void atemi_ground_start(double period, double mobility, ground_point *ground)
{
    const atemi_ground_point *a = &ground->about;
    *ground = (ground_point){
        .about = *a,
        .stiffness = fmin(a->stiffness, 0.5 / (period * period * mobility)),
        .damping = a->damping / (1.0 + period * a->damping * mobility),
    };
}

void atemi_ground_touch(ground_point *ground, atemi_vec3 at, atemi_vec3 velocity)
{
    const atemi_ground_point *a = &ground->about;
    const double              gap = atemi_vec3_dot(a->normal, atemi_vec3_sub(at, a->place));
    const double              rate = -atemi_vec3_dot(a->normal, velocity);
    const double              push =
        gap < 0.0 ? fmax(0.0, ground->damping * rate - ground->stiffness * gap) : 0.0;
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
