// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/step_touches.h"

#include "simulate/simulation.h"

#include <math.h>

// A touch has one place, half way between both shapes, at which opposite forces act: what one body
// gets the other one gives, in momentum and in moment of momentum.

// Slower, in m/s, what comes into touch does not slide; what is in touch sticks, or is still there.
static const double standing = 1e-6, still = 1e-5;

// What is apart by more has lifted off, m.
static const double apart = 1e-6;

void atemi_step_touches_find(atemi_simulation *s, double h)
{
    const atemi_kinematics *k = &s->step.evaluation.dynamics.bias.kinematics;
    atemi_time_step        *t = &s->time_step;
    atemi_touch_set_find(&t->touches, s->model, k, s->set.surfaces, h);
    for (int i = 0; i < t->touches.touch_count; ++i) {
        t->touch_before[i] = atemi_touch_velocity(s->model, k, &t->touches.touches[i].place);
    }
}

// ---- Rows -----------------------------------------------------------------------------------

static double speed_along(atemi_vec3 u, atemi_vec3 n)
{
    return atemi_vec3_norm(atemi_vec3_sub(u, atemi_vec3_scale(atemi_vec3_dot(u, n), n)));
}

static double friction_of(const atemi_simulation *s, int i)
{
    const atemi_touch_state *touch = &s->time_step.touches.touches[i];
    const double             along = speed_along(s->time_step.touch_before[i], touch->at.normal);
    const bool               slides = touch->mode == ATEMI_CONTACT_SLIP ||
                        (touch->mode == ATEMI_CONTACT_OPEN && along > standing);
    return atemi_touch_friction(&s->time_step.touches, touch, slides);
}

static void add(atemi_simulation *s, int i, double h, atemi_vec3 end)
{
    atemi_time_step         *t = &s->time_step;
    const atemi_touch_state *touch = &t->touches.touches[i];
    const atemi_vec3         n = touch->at.normal, before = t->touch_before[i];
    const double             reached = touch->at.gap + 0.5 * h * atemi_vec3_dot(end, n);
    const double             restitution = atemi_touch_restitution(&t->touches, touch);
    const double             friction = friction_of(s, i);
    t->points[t->point_count] =
        (atemi_step_point){.index = i,
                           .gap = touch->at.gap,
                           .before = before,
                           .restitution = restitution,
                           .hits = restitution > 0.0 && reached < 0.0 &&
                                   -atemi_vec3_dot(before, n) > s->options.slowest_bounce};
    t->cones[t->point_count] = (atemi_cone){n, friction};
    t->smooth_cones[t->point_count++] = (atemi_cone){n, 0.0};
}

void atemi_step_touches_gather(atemi_simulation *s, double h)
{
    atemi_time_step        *t = &s->time_step;
    const atemi_kinematics *k = &s->step.evaluation.dynamics.bias.kinematics;
    for (int i = 0; i < t->touches.touch_count; ++i) {
        const atemi_touch_state *touch = &t->touches.touches[i];
        const atemi_vec3         end = atemi_touch_velocity(s->model, k, &touch->place);
        const double speed = fmax(atemi_vec3_norm(end), atemi_vec3_norm(t->touch_before[i]));
        if (touch->at.gap < h * speed) {
            add(s, i, h, end);
        }
    }
}

// ---- What has come of them ------------------------------------------------------------------

static void report(atemi_simulation *s, atemi_event_kind kind, const atemi_touch_state *touch,
                   double speed, atemi_vec3 impulse)
{
    const atemi_touch_report about = atemi_touch_report_of(&s->time_step.touches, touch);
    atemi_ledger_report(&s->ledger, &s->hooks, s->state.time,
                        (atemi_event){.kind = kind,
                                      .point = ATEMI_NONE,
                                      .joint = ATEMI_NONE,
                                      .touch = &about,
                                      .speed = speed,
                                      .impulse = impulse});
}

static atemi_vec3 vector_at(const double *x)
{
    return (atemi_vec3){x[0], x[1], x[2]};
}

static void follow(atemi_simulation *s, int point, double h)
{
    atemi_time_step   *t = &s->time_step;
    atemi_touch_state *touch = &t->touches.touches[t->points[point].index];
    const atemi_vec3   n = touch->at.normal, p = vector_at(t->impulses + 3 * (size_t)point);
    const atemi_vec3   u = vector_at(t->after + 3 * (size_t)point);
    const bool         was = touch->mode != ATEMI_CONTACT_OPEN;
    const bool         leaves = atemi_vec3_dot(u, n) > still;
    const bool         closed = atemi_vec3_dot(p, n) > 0.0 || (was && !leaves);
    touch->force = atemi_vec3_scale(1.0 / h, p);
    touch->mode = !closed || leaves           ? ATEMI_CONTACT_OPEN
                  : speed_along(u, n) > still ? ATEMI_CONTACT_SLIP
                                              : ATEMI_CONTACT_STICK;
}

// Touches of one pair, and how they were before.
typedef struct pair_walk {
    int  at;     ///< in the touches that are kept
    bool closed; ///< some was
    bool told;   ///< they touched down, and have not lifted off since
} pair_walk;

static bool is_same(const atemi_touch_state *a, const atemi_touch_state *b)
{
    return a->first == b->first && a->second == b->second;
}

static bool precedes(const atemi_touch_state *a, const atemi_touch_state *b)
{
    return a->first < b->first || (a->first == b->first && a->second < b->second);
}

// How the touches of a pair were; those of pairs before it, that have none any more, lift off.
static void walk_to(atemi_simulation *s, const atemi_touch_state *of, pair_walk *walk)
{
    const atemi_touch_set *set = &s->time_step.touches;
    walk->closed = walk->told = false;
    while (walk->at < set->kept_count) {
        const atemi_touch_state *kept = &set->kept[walk->at];
        const bool               is_it = of && is_same(kept, of);
        bool                     closed = false, told = false;
        if (of && !is_it && !precedes(kept, of)) {
            return;
        }
        for (; walk->at < set->kept_count && is_same(kept, &set->kept[walk->at]); ++walk->at) {
            closed = closed || set->kept[walk->at].mode != ATEMI_CONTACT_OPEN;
            told = told || set->kept[walk->at].told;
        }
        if (is_it) {
            walk->closed = closed;
            walk->told = told;
            return;
        }
        if (told) {
            report(s, ATEMI_EVENT_LIFT_OFF, kept, 0.0, (atemi_vec3){0.0, 0.0, 0.0});
        }
    }
}

// The sum of the impulses of a pair's touches, and the fastest approach of one that has any.
static atemi_vec3 impulse_of(const atemi_simulation *s, int first, int end, double h, double *speed)
{
    const atemi_time_step *t = &s->time_step;
    atemi_vec3             sum = {0.0, 0.0, 0.0};
    *speed = 0.0;
    for (int i = first; i < end; ++i) {
        const atemi_touch_state *touch = &t->touches.touches[i];
        sum = atemi_vec3_add(sum, atemi_vec3_scale(h, touch->force));
        if (atemi_vec3_dot(touch->force, touch->at.normal) > 0.0) {
            *speed = fmax(*speed, -atemi_vec3_dot(t->touch_before[i], touch->at.normal));
        }
    }
    return sum;
}

// Whether a pair is in touch, or was and is apart by no more than what soles and floors shake by: a
// stiff servo lets go of a corner for a step, and it comes back without a speed.
static bool is_together(const atemi_touch_set *set, int first, int end, bool was)
{
    bool is = false;
    for (int i = first; i < end; ++i) {
        is = is || set->touches[i].mode != ATEMI_CONTACT_OPEN ||
             (was && set->touches[i].at.gap < apart);
    }
    return is;
}

static void follow_pair(atemi_simulation *s, int first, int end, double h, pair_walk *walk)
{
    atemi_touch_set         *set = &s->time_step.touches;
    const atemi_touch_state *of = &set->touches[first];
    double                   speed;
    const atemi_vec3         impulse = impulse_of(s, first, end, h, &speed);
    walk_to(s, of, walk);
    const bool collides = !walk->closed && speed > still;
    if (collides) {
        ++s->ledger.statistics.collisions;
        s->time_step.smooth = false;
    }
    if (collides && !walk->told) {
        report(s, ATEMI_EVENT_TOUCHDOWN, of, speed, impulse);
    }
    const bool together = is_together(set, first, end, walk->told || collides);
    if (walk->told && !together) {
        report(s, ATEMI_EVENT_LIFT_OFF, of, 0.0, (atemi_vec3){0.0, 0.0, 0.0});
    }
    for (int i = first; i < end; ++i) {
        set->touches[i].told = together;
    }
}

void atemi_step_touches_follow(atemi_simulation *s, double h)
{
    atemi_time_step *t = &s->time_step;
    atemi_touch_set *set = &t->touches;
    pair_walk        walk = {0};
    int              point = t->contact_count;
    for (int i = 0; i < set->touch_count; ++i) {
        if (point < t->point_count && t->points[point].index == i) {
            follow(s, point++, h);
        } else {
            set->touches[i].mode = ATEMI_CONTACT_OPEN;
            set->touches[i].force = (atemi_vec3){0.0, 0.0, 0.0};
        }
    }
    for (int i = 0, first = 0; i < set->touch_count; ++i) {
        if (i + 1 == set->touch_count || !is_same(&set->touches[first], &set->touches[i + 1])) {
            follow_pair(s, first, i + 1, h, &walk);
            first = i + 1;
        }
    }
    walk_to(s, NULL, &walk);
}

void atemi_step_touches_start(atemi_simulation *s)
{
    atemi_touch_set *set = &s->time_step.touches;
    atemi_step_touches_find(s, s->options.step);
    for (int i = 0; i < set->touch_count; ++i) {
        atemi_touch_state *touch = &set->touches[i];
        const double approach = -atemi_vec3_dot(s->time_step.touch_before[i], touch->at.normal);
        if (touch->at.gap > atemi_touching || approach > atemi_creeping) {
            touch->mode = ATEMI_CONTACT_OPEN;
            touch->force = (atemi_vec3){0.0, 0.0, 0.0};
        }
        touch->told = touch->mode != ATEMI_CONTACT_OPEN;
    }
}

static void add_load(atemi_simulation *s, int link, atemi_vec3 at, atemi_vec3 force)
{
    if (link != ATEMI_NONE) {
        const atemi_kinematics *k = &s->step.evaluation.dynamics.bias.kinematics;
        const atemi_vec3        origin = atemi_link_pose_in(s->model, k, link).position;
        atemi_force            *load = &s->step.evaluation.loads[link];
        load->linear = atemi_vec3_add(load->linear, force);
        load->angular =
            atemi_vec3_add(load->angular, atemi_vec3_cross(atemi_vec3_sub(at, origin), force));
    }
}

void atemi_step_touches_load(atemi_simulation *s)
{
    const atemi_touch_set *set = &s->time_step.touches;
    for (int i = 0; i < set->touch_count; ++i) {
        const atemi_touch_state *touch = &set->touches[i];
        add_load(s, touch->place.link, touch->at.position, touch->force);
        add_load(s, touch->place.other, touch->at.position, atemi_vec3_scale(-1.0, touch->force));
    }
}

// ---- The interface --------------------------------------------------------------------------

int atemi_simulation_touch_count(const atemi_simulation *simulation)
{
    return simulation->options.method == ATEMI_METHOD_STEPS
               ? simulation->time_step.touches.touch_count
               : atemi_shape_points_touching(&simulation->set);
}

atemi_touch_report atemi_simulation_touch(const atemi_simulation *simulation, int index)
{
    const atemi_touch_set *set = &simulation->time_step.touches;
    ATEMI_REQUIRE_OR(index >= 0 && index < atemi_simulation_touch_count(simulation),
                     (atemi_touch_report){0});
    return simulation->options.method == ATEMI_METHOD_STEPS
               ? atemi_touch_report_of(set, &set->touches[index])
               : atemi_shape_point_report(&simulation->set,
                                          atemi_shape_point_touching(&simulation->set, index));
}
