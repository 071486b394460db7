// SPDX-License-Identifier: Apache-2.0

#include "simulate/foresight.h"

#include "dynamics/blocks.h"
#include "simulate/ahead.h"
#include "simulate/ledger.h"
#include "simulate/modes.h"
#include "simulate/patches.h"
#include "simulate/projection.h"
#include "simulate/runge_kutta.h"
#include "simulate/sightings.h"

#include <math.h>
#include <string.h>

static const double moment = 1e-5;   // dt, s
static const double fraction = 1e-6; // of gravity: an acceleration that is as good as none

enum { MOST_LIFTS = 20 };

static double no_acceleration(const atemi_simulation *s)
{
    return fraction * (1.0 + atemi_vec3_norm(atemi_model_gravity(s->model)));
}

// Points that leave are not in touch any more, and those that come are not yet, whatever their gap:
// they bump.
static bool is_in_touch(const atemi_simulation *s, int point, double touching)
{
    const atemi_sighting *seen = &s->sightings[point];
    const double          leaves = atemi_vec3_dot(seen->carrier, seen->view.normal);
    return !s->points[point].compliance &&
           (atemi_world_holds(s, point) ||
            (seen->view.gap < touching && fabs(leaves) < 1e2 * atemi_creeping));
}

// Adds the accelerations to what was observed last, the state reached.
static void accelerate(atemi_simulation *s)
{
    const atemi_vec3 nowhere = {0.0, 0.0, 0.0};
    atemi_kinematics_accelerations(s->model, s->a, false, nowhere, &s->dynamics.bias.kinematics);
}

// The acceleration of the link at `arm` from its origin.
static atemi_vec3 acceleration_at(const atemi_simulation *s, int link, atemi_vec3 turning,
                                  atemi_vec3 arm)
{
    const atemi_motion a = atemi_link_acceleration_in(s->model, &s->dynamics.bias.kinematics, link);
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
    const bool            slow = atemi_vec3_norm(seen->velocity) < atemi_creeping;
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
    accelerate(s);
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
        s->rubs[i] = atemi_world_slide_speed(s, i) > atemi_creeping ? s->points[i].kinetic_friction
                                                                    : s->points[i].static_friction;
    }
}

// The mode of a point from how it moves a moment later.
static void take_mode(atemi_simulation *s, int point, double none)
{
    const atemi_vec3 slide = atemi_world_along(s, point, s->ahead[point]);
    const double     speed = atemi_vec3_norm(slide);
    if (atemi_vec3_dot(s->ahead[point], s->sightings[point].view.normal) > none) {
        atemi_mode_open(s, point);
    } else if (speed > none) {
        s->modes[point] = ATEMI_CONTACT_SLIP;
        s->directions[point] = atemi_vec3_scale(1.0 / speed, slide);
    } else {
        atemi_mode_stick(s, point);
    }
}

// Keeps the forces that go with modes that were found together: impulses in so long a time.
static void keep_shares(atemi_simulation *s, double time)
{
    for (int i = 0; i < s->point_count; ++i) {
        s->shares[i] = atemi_vec3_scale(1.0 / time, s->impulses[i]);
    }
    s->shares_known = true;
    s->shares_used = false;
}

void atemi_foresight_decide(atemi_simulation *s, double touching)
{
    find_what_touches(s, touching);
    atemi_look_ahead(s, s->q, s->v, moment);
    keep_shares(s, moment);
    for (int i = 0; i < s->point_count; ++i) {
        if (s->foreseen[i]) {
            take_mode(s, i, moment * no_acceleration(s));
        }
    }
}

// ---- Jumping --------------------------------------------------------------------------------

// The robot flies for a moment dt, without its contacts, and bumps at the end with all that was in
// touch. Points that their surfaces had to hold, with the acceleration c, are inside then, and are
// lifted out. Flight keeps energy, the bump changes it by  p.u' - p.A p / 2,  and lifting gains
// c_n.A_nn^-1 c_n dt^2 / 2  at most: in all  p_t.u'_t  and what friction's share of p.A p takes,
// which is a loss. What is left of third order, and would be a gain, is taken from the motion.
// Lifting turns links, which lowers other points: those in touch are lifted as well, and no other
// may be inside after it (flight alone, as deep as all that falls, does not tell).

// What is in touch does not slip in flight, so that evaluation does not look ahead itself.
static bool fly(atemi_simulation *s, double by)
{
    memcpy(s->modes_held, s->modes, (size_t)s->point_count * sizeof *s->modes);
    for (int i = 0; i < s->point_count; ++i) {
        s->modes[i] = s->foreseen[i] ? ATEMI_CONTACT_OPEN : s->modes[i];
    }
    atemi_runge_kutta_begin(s);
    if (atemi_world_evaluate(s, s->time, s->q, s->v, s->start_a)) {
        return false;
    }
    atemi_ledger_look(s, 0, s->v);
    return !atemi_runge_kutta_step(s, by);
}

static void fly_back(atemi_simulation *s)
{
    atemi_runge_kutta_undo(s);
    memcpy(s->modes, s->modes_held, (size_t)s->point_count * sizeof *s->modes);
    atemi_world_evaluate(s, s->time, s->q, s->v, s->a);
}

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

static void bump_in_touch(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        s->contacts[i] =
            (atemi_contact){.link = s->points[i].link,
                            .point = s->sightings[i].touch,
                            .normal = s->sightings[i].view.normal,
                            .mode = s->foreseen[i] ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN,
                            .friction = s->rubs[i]};
    }
    atemi_collision_in(s->model, s->q, s->v, s->contacts, s->point_count, NULL, &s->bump, s->v,
                       s->impulses, NULL);
    atemi_world_observe(s, s->q, s->v);
    for (int i = 0; i < s->point_count; ++i) {
        s->ahead[i] = s->sightings[i].velocity;
    }
}

// Holds what was in touch and is inside; whether there is more of that than before.
static bool hold_sunken(atemi_simulation *s)
{
    bool more = false;
    for (int i = 0; i < s->point_count; ++i) {
        if (s->foreseen[i] && s->modes[i] == ATEMI_CONTACT_OPEN && s->sightings[i].view.gap < 0.0) {
            s->modes[i] = ATEMI_CONTACT_SLIP;
            more = true;
        }
    }
    return more;
}

// Each time by what the constraints are in first order, which is not all where it is much.
static void lift_out(atemi_simulation *s)
{
    bool off = hold_sunken(s);
    for (int i = 0; i < MOST_LIFTS && off; ++i) {
        off = atemi_world_project_positions(s);
        off = hold_sunken(s) || off;
    }
}

// Kinetic and potential, of what was observed last.
static double energy_of(const atemi_simulation *s)
{
    const atemi_kinematics *k = &s->dynamics.bias.kinematics;
    return atemi_kinetic_energy_in(s->model, k) + atemi_potential_energy_in(s->model, k);
}

// Slows all motion down until there is no more energy than that.
static void limit_energy(atemi_simulation *s, double most)
{
    const double gained = energy_of(s) - most;
    if (gained > 0.0) {
        const double moving = atemi_kinetic_energy_in(s->model, &s->dynamics.bias.kinematics);
        const double part = gained < moving ? sqrt(1.0 - gained / moving) : 0.0;
        for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
            s->v[i] *= part;
        }
        atemi_world_observe(s, s->q, s->v);
    }
}

// The end of the flight; whether nothing else is inside then.
static bool lands(atemi_simulation *s, double touching)
{
    const double energy = energy_of(s);
    bump_in_touch(s);
    lift_out(s);
    if (is_inside(s, touching)) {
        return false;
    }
    limit_energy(s, energy);
    atemi_ledger_keep_stages(s);
    atemi_ledger_keep_bump(s, energy_of(s) - energy);
    return true;
}

bool atemi_foresight_jump(atemi_simulation *s, double touching, double by)
{
    find_what_touches(s, touching);
    if (!fly(s, by) || !lands(s, touching)) {
        fly_back(s);
        return false;
    }
    keep_shares(s, by);
    for (int i = 0; i < s->point_count; ++i) {
        if (s->foreseen[i]) {
            take_mode(s, i, atemi_creeping);
        }
    }
    return true;
}

// ---- Sliding --------------------------------------------------------------------------------

static const double straight = 0.02; // across its way, of an acceleration along it
static const double followed = 0.3;  // of a speed: what a step may change of what turns

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
    return (slide){.turns = across > straight * speed * size || speed < atemi_creeping,
                   .speed = speed,
                   .acceleration = size};
}

static bool any_rubs(const atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_rubs(s, i)) {
            return true;
        }
    }
    return false;
}

double atemi_foresight_stride(atemi_simulation *s, double h)
{
    double longest = h;
    if (!any_rubs(s)) {
        return h;
    }
    accelerate(s);
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_rubs(s, i)) {
            const slide x = slide_of(s, i);
            if (x.turns && x.acceleration > 0.0) {
                const double follows =
                    fmax(followed * x.speed / x.acceleration, s->options.step / 16.0);
                longest = fmin(longest, follows);
            }
        }
    }
    return longest;
}

bool atemi_foresight_strayed(const atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_rubs(s, i)) {
            const atemi_vec3 was = atemi_world_along(s, i, s->start_sightings[i].velocity);
            const atemi_vec3 is = atemi_world_along(s, i, s->sightings[i].velocity);
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

bool atemi_foresight_stops(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_rubs(s, i) && !s->directed[i] &&
            atemi_world_slide_speed(s, i) > atemi_creeping) {
            const slide x = slide_of(s, i);
            if (x.turns && x.speed < x.acceleration * s->options.step) {
                return true;
            }
        }
    }
    return false;
}
