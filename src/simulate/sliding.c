// SPDX-License-Identifier: Apache-2.0

#include "simulate/sliding.h"

#include <math.h>

static const double straight = 0.02; // across its path, of an acceleration along it
static const double followed =
    0.3; // of a speed: what a step may change where the direction changes

// What decides a step about a slipping point.
typedef struct slide {
    bool   veers; // its direction changes
    double speed, acceleration;
} slide;

// Needs kinematics with accelerations.
static slide slide_of(const atemi_evaluation *e, const atemi_contact_set *set, int point)
{
    const atemi_contact_state *seen = &set->states[point];
    const atemi_vec3           u = atemi_point_along(set, point, seen->velocity);
    const atemi_vec3           a =
        atemi_point_along(set, point, atemi_point_acceleration(e, set, point, seen->arm));
    const double speed = atemi_vec3_norm(u), size = atemi_vec3_norm(a);
    const double across = atemi_vec3_norm(atemi_vec3_cross(u, a));
    return (slide){.veers = across > straight * speed * size || speed < atemi_creeping,
                   .speed = speed,
                   .acceleration = size};
}

static bool any_rubs(const atemi_contact_set *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_rubs(set, i)) {
            return true;
        }
    }
    return false;
}

double atemi_sliding_step(atemi_evaluation *e, const atemi_contact_set *set, const double *a,
                          double h)
{
    double longest = h;
    if (!any_rubs(set)) {
        return h;
    }
    atemi_evaluation_accelerate(e, a);
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_rubs(set, i)) {
            const slide x = slide_of(e, set, i);
            if (x.veers && x.acceleration > 0.0) {
                const double follows =
                    fmax(followed * x.speed / x.acceleration, e->options->step / 16.0);
                longest = fmin(longest, follows);
            }
        }
    }
    return longest;
}

bool atemi_sliding_strayed(const atemi_contact_set *set, const atemi_contact_state *before)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_rubs(set, i)) {
            const atemi_vec3 was = atemi_point_along(set, i, before[i].velocity);
            const atemi_vec3 is = atemi_point_along(set, i, set->states[i].velocity);
            const double     speed = atemi_vec3_norm(was);
            const double     change = atemi_vec3_norm(atemi_vec3_sub(is, was));
            const double     across = atemi_vec3_norm(atemi_vec3_cross(was, is));
            if (change > followed * speed && across > straight * speed * speed) {
                return true;
            }
        }
    }
    return false;
}

bool atemi_sliding_stops(const atemi_evaluation *e, const atemi_contact_set *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_rubs(set, i) && !set->directed[i] &&
            atemi_point_slide_speed(set, i) > atemi_creeping) {
            const slide x = slide_of(e, set, i);
            if (x.veers && x.speed < x.acceleration * e->options->step) {
                return true;
            }
        }
    }
    return false;
}
