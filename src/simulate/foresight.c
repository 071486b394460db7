// SPDX-License-Identifier: Apache-2.0

#include "simulate/foresight.h"

#include "atemi/configuration.h"
#include "simulate/ahead.h"

#include <math.h>
#include <string.h>

static const double moment = 1e-5;   // dt, s
static const double fraction = 1e-6; // of gravity: an acceleration that is as good as none
static const double creeping = 1e-9; // m/s: slower has no direction

static double no_acceleration(const atemi_simulation *s)
{
    return fraction * (1.0 + atemi_vec3_norm(atemi_model_gravity(s->model)));
}

// Points that leave are not in touch any more, whatever their gap.
static bool is_in_touch(const atemi_simulation *s, int point, double touching)
{
    const atemi_sighting *seen = &s->sightings[point];
    const double          leaves = atemi_vec3_dot(seen->carrier, seen->view.normal);
    return !s->points[point].compliance &&
           (atemi_world_holds(s, point) || (seen->view.gap < touching && leaves < 1e2 * creeping));
}

// The acceleration of the link at `arm` from its origin.
static atemi_vec3 acceleration_at(const atemi_simulation *s, int link, atemi_vec3 turning,
                                  atemi_vec3 arm)
{
    const atemi_motion a = atemi_link_acceleration(s->model, &s->kinematics, link);
    return atemi_vec3_add(atemi_motion_at(a, arm).linear,
                          atemi_vec3_cross(turning, atemi_vec3_cross(turning, arm)));
}

// How fast the rate of a point's gap grows.
static double gap_acceleration(const atemi_simulation *s, int point)
{
    const atemi_sighting *seen = &s->sightings[point];
    const atemi_vec3      n = seen->view.normal, u = seen->carrier;
    const atemi_vec3      center =
        atemi_vec3_add(seen->arm, atemi_vec3_scale(s->points[point].radius, n));
    const atemi_vec3 a = acceleration_at(s, s->points[point].link, seen->turning, center);
    return atemi_vec3_dot(n, a) + atemi_vec3_dot(u, atemi_symmetric3_apply(&seen->view.bending, u));
}

static bool agrees(const atemi_simulation *s, int point, double touching)
{
    const atemi_sighting *seen = &s->sightings[point];
    const bool            slow = atemi_vec3_norm(seen->velocity) < creeping;
    if (s->modes[point] == ATEMI_CONTACT_OPEN) {
        return !is_in_touch(s, point, touching) || gap_acceleration(s, point) > -no_acceleration(s);
    }
    if (s->modes[point] == ATEMI_CONTACT_SLIP && slow && s->points[point].radius == 0.0) {
        const atemi_vec3 a = acceleration_at(s, s->points[point].link, seen->turning, seen->arm);
        const atemi_vec3 d = s->directed[point] ? s->leads[point] : s->directions[point];
        return atemi_vec3_dot(a, d) > -no_acceleration(s);
    }
    return true;
}

bool atemi_foresight_agrees(atemi_simulation *s, double touching)
{
    atemi_kinematics_update(s->model, s->q, s->v, s->a, &s->kinematics);
    for (int i = 0; i < s->point_count; ++i) {
        if (!s->points[i].tied && !agrees(s, i, touching)) {
            return false;
        }
    }
    return true;
}

// ---- Decision -------------------------------------------------------------------------------

static void find_what_touches(atemi_simulation *s, double touching)
{
    for (int i = 0; i < s->point_count; ++i) {
        s->foreseen[i] = is_in_touch(s, i, touching) && !s->points[i].tied;
        s->rubs[i] = atemi_world_slide_speed(s, i) > creeping ? s->points[i].kinetic_friction
                                                              : s->points[i].static_friction;
    }
}

// The mode of a point from how it moves a moment later.
static void take_mode(atemi_simulation *s, int point, double none)
{
    const atemi_sighting *seen = &s->sightings[point];
    const atemi_vec3      slide = atemi_world_along(s, point, s->ahead[point]);
    const double          speed = atemi_vec3_norm(slide);
    if (atemi_vec3_dot(s->ahead[point], seen->view.normal) > none) {
        s->modes[point] = ATEMI_CONTACT_OPEN;
        s->leaving[point] = true;
    } else if (speed > none) {
        s->modes[point] = ATEMI_CONTACT_SLIP;
        s->directions[point] = atemi_vec3_scale(1.0 / speed, slide);
    } else {
        s->modes[point] = ATEMI_CONTACT_STICK;
        s->anchors[point] =
            atemi_vec3_sub(seen->position, atemi_vec3_scale(seen->view.gap, seen->view.normal));
    }
}

atemi_status atemi_foresight_decide(atemi_simulation *s, double touching)
{
    find_what_touches(s, touching);
    const atemi_status status = atemi_look_ahead(s, s->q, s->v, moment, s->foreseen, s->rubs);
    for (int i = 0; i < s->point_count && !status; ++i) {
        if (s->foreseen[i]) {
            take_mode(s, i, moment * no_acceleration(s));
        }
    }
    return status;
}

// ---- Jumping --------------------------------------------------------------------------------

static bool is_inside(const atemi_simulation *s, double touching)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (!s->foreseen[i] && s->modes[i] == ATEMI_CONTACT_OPEN &&
            s->sightings[i].view.gap < -0.6 * touching) {
            return true;
        }
    }
    return false;
}

// A straight step of turning links ends with their points a little inside.
static void lift_out(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->foreseen[i]) {
            s->modes[i] = s->sightings[i].view.gap < 0.0 ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_OPEN;
        }
    }
    atemi_world_project_positions(s);
    atemi_world_observe(s, s->q, s->v);
}

bool atemi_foresight_jump(atemi_simulation *s, double touching, double by)
{
    find_what_touches(s, touching);
    if (atemi_look_ahead(s, s->q, s->v, by, s->foreseen, s->rubs)) {
        return false;
    }
    atemi_configuration_integrate(s->model, s->q, s->ahead_v, by, s->stage_q);
    atemi_world_observe(s, s->stage_q, s->ahead_v);
    if (is_inside(s, touching)) {
        atemi_world_observe(s, s->q, s->v);
        return false;
    }
    memcpy(s->q, s->stage_q, (size_t)atemi_model_q_count(s->model) * sizeof *s->q);
    memcpy(s->v, s->ahead_v, (size_t)atemi_model_v_count(s->model) * sizeof *s->v);
    s->time += by;
    lift_out(s);
    for (int i = 0; i < s->point_count; ++i) {
        if (s->foreseen[i]) {
            take_mode(s, i, creeping);
        }
    }
    return true;
}

// ---- Sliding --------------------------------------------------------------------------------

static const double straight = 0.02; // across its way, of an acceleration along it

// What decides a step about a slipping point.
typedef struct slide {
    bool   turns;
    double speed, acceleration;
} slide;

// Needs kinematics with accelerations.
static slide slide_of(const atemi_simulation *s, int point)
{
    const atemi_sighting *seen = &s->sightings[point];
    const atemi_vec3      u = atemi_world_along(s, point, seen->velocity);
    const atemi_vec3      a = atemi_world_along(
        s, point, acceleration_at(s, s->points[point].link, seen->turning, seen->arm));
    const double speed = atemi_vec3_norm(u), size = atemi_vec3_norm(a);
    const double across = atemi_vec3_norm(atemi_vec3_cross(u, a));
    return (slide){.turns = across > straight * speed * size || speed < creeping,
                   .speed = speed,
                   .acceleration = size};
}

static bool any_slips(const atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_SLIP && !s->points[i].tied) {
            return true;
        }
    }
    return false;
}

double atemi_foresight_stride(atemi_simulation *s, double h)
{
    double longest = h;
    if (!any_slips(s)) {
        return h;
    }
    atemi_kinematics_update(s->model, s->q, s->v, s->a, &s->kinematics);
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_SLIP && !s->points[i].tied) {
            const slide x = slide_of(s, i);
            if (x.turns && x.acceleration > 0.0) {
                const double follows = fmax(0.3 * x.speed / x.acceleration, s->options.step / 16.0);
                longest = fmin(longest, follows);
            }
        }
    }
    return longest;
}

bool atemi_foresight_stops(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_SLIP && !s->points[i].tied && !s->directed[i] &&
            atemi_world_slide_speed(s, i) > creeping) {
            const slide x = slide_of(s, i);
            if (x.turns && x.speed < x.acceleration * s->options.step) {
                return true;
            }
        }
    }
    return false;
}
