// SPDX-License-Identifier: Apache-2.0

#include "simulate/slow_sliding.h"

#include "simulate/ahead.h"
#include "simulate/patches.h"
#include "simulate/sightings.h"

// Friction acts against sliding u, however slow. What slides slowly turns fast into the direction
// in which its acceleration and its friction agree, in a time of about |u| / |acceleration|, which
// no step can follow. Slower than what a step can change, the direction is therefore that of
// u + dt a, which is found by looking ahead. On a line that is the same; in a plane the error is of
// the order of dt.

static const double slow_part = 5.0; // of what gravity changes in a step

static bool is_slow(const atemi_simulation *s, int point, double least)
{
    return atemi_world_rubs(s, point) && atemi_world_slide_speed(s, point) < least;
}

// Friction never drives: where the point is about to turn back, its direction is that of now.
static atemi_vec3 between(atemi_vec3 now, atemi_vec3 later)
{
    const double     speed = atemi_vec3_norm(now);
    const atemi_vec3 n = atemi_vec3_scale(speed > 0.0 ? 1.0 / speed : 0.0, now);
    const atemi_vec3 l = atemi_vec3_scale(1.0 / atemi_vec3_norm(later), later);
    const double     back = fmax(-atemi_vec3_dot(n, l), 0.0);
    const atemi_vec3 d = atemi_vec3_add(atemi_vec3_scale(1.0 - back, l), atemi_vec3_scale(back, n));
    return atemi_vec3_scale(1.0 / atemi_vec3_norm(d), d);
}

// A velocity seen ahead, turned back with the link: steps follow how that turns.
static atemi_vec3 turned_back(const atemi_simulation *s, int link, atemi_vec3 ahead)
{
    const atemi_transform now = atemi_link_pose_in(s->model, &s->dynamics.bias.kinematics, link);
    const atemi_transform later = atemi_link_pose_in(s->model, &s->kinematics, link);
    return atemi_mat3_apply(&now.rotation, atemi_mat3_apply_transposed(&later.rotation, ahead));
}

// A point that turns back keeps its friction until that is noticed: its stop is an event.
static void direct(atemi_simulation *s, int point, double none)
{
    const atemi_vec3 now = atemi_world_along(s, point, s->sightings[point].velocity);
    const atemi_vec3 later =
        atemi_world_along(s, point, turned_back(s, s->points[point].link, s->ahead[point]));
    const bool goes_on = atemi_vec3_dot(later, s->directions[point]) > 0.0 &&
                         atemi_vec3_dot(now, s->directions[point]) >= 0.0;
    s->directed[point] = goes_on && atemi_vec3_norm(later) > none;
    if (s->directed[point]) {
        s->leads[point] = between(now, later);
    }
}

// All held points, as they rub now.
static void foresee_held_points(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        s->foreseen[i] = atemi_world_holds(s, i) && !s->points[i].tied;
        s->rubs[i] = s->modes[i] == ATEMI_CONTACT_SLIP ? s->points[i].kinetic_friction
                                                       : s->points[i].static_friction;
    }
}

void atemi_slow_sliding_direct(atemi_simulation *s, const double *q, const double *v)
{
    const double dt = 0.5 * s->options.step;
    const double change = dt * (1.0 + atemi_vec3_norm(atemi_model_gravity(s->model)));
    bool         any = false;
    for (int i = 0; i < s->point_count; ++i) {
        s->directed[i] = false;
        any = any || is_slow(s, i, slow_part * change);
    }
    if (!any) {
        return;
    }
    foresee_held_points(s);
    atemi_look_ahead(s, q, v, dt);
    for (int i = 0; i < s->point_count; ++i) {
        if (is_slow(s, i, slow_part * change)) {
            direct(s, i, 1e-6 * change);
        }
    }
}
