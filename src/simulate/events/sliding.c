// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/sliding.h"

#include <math.h>

// ---- Direction ------------------------------------------------------------------------------

// Friction acts against sliding u, however slow. What slides slowly turns fast into the direction
// in which its acceleration and its friction agree, in a time of about |u| / |acceleration|, which
// no step can follow. Slower than what a step can change, the direction is therefore that of
// u + dt a, by a prediction. On a line that is the same; in a plane the error is of
// the order of dt.

static const double slow_part = 5.0; // of what gravity changes in a step

static bool is_slow(const atemi_simulation_contacts *set, int point, double least)
{
    return atemi_point_rubs(set, point) && atemi_point_slide_speed(set, point) < least;
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

// A predicted velocity, rotated back with the link: steps follow how that rotates.
static atemi_vec3 rotated_back(const atemi_evaluation *e, int link, atemi_vec3 predicted)
{
    const atemi_transform now = atemi_link_pose_in(e->model, &e->dynamics.bias.kinematics, link);
    const atemi_transform later = atemi_link_pose_in(e->model, &e->prediction.kinematics, link);
    return atemi_mat3_apply(&now.rotation, atemi_mat3_apply_transposed(&later.rotation, predicted));
}

// A point that turns back keeps its friction until that is noticed: its stop is an event.
static void direct(const atemi_evaluation *e, atemi_simulation_contacts *set, int point,
                   double none)
{
    const atemi_vec3 now = atemi_point_along(set, point, set->states[point].velocity);
    const atemi_vec3 later = atemi_point_along(
        set, point, rotated_back(e, set->points[point].link, e->prediction.velocities[point]));
    const bool goes_on = atemi_vec3_dot(later, set->directions[point]) > 0.0 &&
                         atemi_vec3_dot(now, set->directions[point]) >= 0.0;
    set->directed[point] = goes_on && atemi_vec3_norm(later) > none;
    if (set->directed[point]) {
        set->leads[point] = between(now, later);
    }
}

// All held points and joints, as they rub now.
static void predict_held_points(atemi_mode_prediction           *prediction,
                                const atemi_simulation_contacts *set)
{
    for (int k = 0; k < set->joints.count; ++k) {
        atemi_mode_prediction_nominate(prediction, &set->joints, k, set->joints.states[k].held);
    }
    for (int i = 0; i < set->point_count; ++i) {
        prediction->candidates[i] = atemi_point_is_held(set, i) && !set->points[i].tied;
        prediction->friction[i] = set->modes[i] == ATEMI_CONTACT_SLIP
                                      ? set->points[i].kinetic_friction
                                      : set->points[i].static_friction;
    }
}

void atemi_sliding_direct(atemi_evaluation *e, atemi_simulation_contacts *set, const double *q,
                          const double *v)
{
    const double dt = 0.5 * e->options->step;
    const double change = dt * (1.0 + e->gravity);
    bool         any = false;
    for (int i = 0; i < set->point_count; ++i) {
        set->directed[i] = false;
        any = any || is_slow(set, i, slow_part * change);
    }
    if (!any) {
        return;
    }
    predict_held_points(&e->prediction, set);
    atemi_mode_prediction_move(&e->prediction, e->model, set, &e->dynamics, q, v, dt);
    for (int i = 0; i < set->point_count; ++i) {
        if (is_slow(set, i, slow_part * change)) {
            direct(e, set, i, 1e-6 * change);
        }
    }
}

// ---- Length of steps ------------------------------------------------------------------------

static const double straight = 0.02; // across its path, of an acceleration along it
static const double followed =
    0.3; // of a speed: what a step may change where the direction changes

// What decides a step about a slipping point.
typedef struct slide {
    bool   veers; // its direction changes
    double speed, acceleration;
} slide;

// Needs kinematics with accelerations.
static slide slide_of(const atemi_evaluation *e, const atemi_simulation_contacts *set, int point)
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

static bool any_rubs(const atemi_simulation_contacts *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (atemi_point_rubs(set, i)) {
            return true;
        }
    }
    return false;
}

double atemi_sliding_step(atemi_evaluation *e, const atemi_simulation_contacts *set,
                          const double *a, double h)
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

bool atemi_sliding_strayed(const atemi_simulation_contacts *set, const atemi_contact_state *before)
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

bool atemi_sliding_stops(const atemi_evaluation *e, const atemi_simulation_contacts *set)
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
