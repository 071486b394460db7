// SPDX-License-Identifier: Apache-2.0

#include "simulate/events.h"

#include "dynamics/newton_euler.h"
#include "simulate/conditions.h"
#include "simulate/foresight.h"
#include "simulate/friction.h"

#include <math.h>
#include <string.h>

// What follows when a condition breaks: a point that reaches its surface bumps; one whose force
// would pull is let go; a patch whose centre of pressure reaches an edge keeps the ends of that
// edge; what cannot stick slips against its friction; what stops slipping sticks if it can. These
// rules look at one patch at a time. Where what they come to does not agree with itself, all points
// in touch are decided together (foresight.h).

static const double touching = 1e-9; // m: within this a point is in touch
static const double creeping = 1e-9; // m/s: slower has no direction
static const double standing = 1e-7; // m/s: slower has stopped when it turns back

enum { MOST_SETTLINGS = 60, MOST_FORESIGHTS = 3, MOST_JAMS = 3, MOST_RESTLESS = 20 };

// ---- Lift-off -------------------------------------------------------------------------------

static void let_go(atemi_simulation *s, int point)
{
    s->modes[point] = ATEMI_CONTACT_OPEN;
    s->leaving[point] = true;
}

static int weakest_point(const atemi_simulation *s, int patch)
{
    int weakest = ATEMI_NONE;
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch) &&
            (weakest == ATEMI_NONE ||
             atemi_world_normal_force(s, i) < atemi_world_normal_force(s, weakest))) {
            weakest = i;
        }
    }
    return weakest;
}

static bool is_end_of_edge(const atemi_pressure *p, atemi_vec3 position)
{
    const int        edge = p->margin.edge, next = (edge + 1) % p->support.count;
    const atemi_vec3 a = atemi_vec3_sub(position, p->support.vertices[edge]);
    const atemi_vec3 b = atemi_vec3_sub(position, p->support.vertices[next]);
    return fmin(atemi_vec3_dot(a, a), atemi_vec3_dot(b, b)) < touching * touching;
}

static void lift_whole(atemi_simulation *s, int patch, const atemi_patch *sum)
{
    const atemi_pressure p = atemi_conditions_pressure(s, patch, sum);
    const bool           presses = p.total > atemi_conditions_no_force(s);
    for (int i = 0; i < s->point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch) &&
            (!presses || !is_end_of_edge(&p, s->sightings[i].position))) {
            let_go(s, i);
        }
    }
}

static void lift(atemi_simulation *s, int patch)
{
    const atemi_patch sum = atemi_world_patch(s, patch);
    const int         weakest = weakest_point(s, patch);
    if (s->points[weakest].tied) {
        s->signs[weakest] = -s->signs[weakest];
    } else if (sum.whole) {
        lift_whole(s, patch, &sum);
    } else {
        let_go(s, weakest);
    }
}

// ---- Sticking and slipping ------------------------------------------------------------------

static void begin_to_slip(atemi_simulation *s, int patch)
{
    const atemi_patch sum = atemi_world_patch(s, patch);
    atemi_patch_slip(s, patch, &sum, s->slips);
    for (int i = 0; i < s->point_count; ++i) {
        const bool sticks = s->patches[i] == patch && s->modes[i] == ATEMI_CONTACT_STICK;
        if (sticks && (sum.sticking == 1 || atemi_vec3_dot(s->slips[i], s->slips[i]) > 0.0)) {
            s->modes[i] = ATEMI_CONTACT_SLIP;
            s->directions[i] = s->slips[i];
            s->signs[i] =
                s->points[i].tied && atemi_world_normal_force(s, i) < 0.0 ? -1.0 : s->signs[i];
        }
    }
}

// The point of the surface under a point that is as good as on it.
static atemi_vec3 foot_of(const atemi_sighting *seen)
{
    return atemi_vec3_sub(seen->position, atemi_vec3_scale(seen->view.gap, seen->view.normal));
}

static void begin_to_stick(atemi_simulation *s, int point)
{
    s->modes[point] = ATEMI_CONTACT_STICK;
    s->anchors[point] = foot_of(&s->sightings[point]);
}

static void follow(atemi_simulation *s, int point)
{
    const atemi_vec3 slide = atemi_world_along(s, point, s->sightings[point].velocity);
    const double     speed = atemi_vec3_norm(slide);
    if (s->modes[point] == ATEMI_CONTACT_SLIP && speed > creeping) {
        s->directions[point] = atemi_vec3_scale(1.0 / speed, slide);
    }
}

// A point that has stopped sticks, and with it the others of its patch that stand: all of them, or
// the patch turns about it. One that is fast goes round a corner.
static void stop(atemi_simulation *s, int point)
{
    if (atemi_world_slide_speed(s, point) >= standing) {
        follow(s, point);
        return;
    }
    for (int i = 0; i < s->point_count; ++i) {
        if (s->patches[i] == s->patches[point] && s->modes[i] == ATEMI_CONTACT_SLIP &&
            atemi_world_slide_speed(s, i) < standing) {
            begin_to_stick(s, i);
        }
    }
}

void atemi_events_follow(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        follow(s, i);
        s->leaving[i] = s->leaving[i] && s->sightings[i].view.gap < touching;
    }
}

// ---- Settling -------------------------------------------------------------------------------

static void change(atemi_simulation *s, const atemi_condition *what)
{
    switch (what->kind) {
    case ATEMI_CONDITION_PRESSURE:
        lift(s, what->patch);
        break;
    case ATEMI_CONDITION_FRICTION:
        begin_to_slip(s, what->patch);
        break;
    case ATEMI_CONDITION_SLIDE:
        stop(s, what->point);
        break;
    case ATEMI_CONDITION_GAP: // of a soft surface; rigid ones bump
        s->modes[what->point] =
            s->modes[what->point] == ATEMI_CONTACT_SOFT ? ATEMI_CONTACT_OPEN : ATEMI_CONTACT_SOFT;
        break;
    case ATEMI_CONDITION_NONE:
        break;
    }
}

// The first condition on forces that is broken.
static atemi_condition broken_force(atemi_simulation *s)
{
    atemi_conditions_measure(s, s->margins);
    for (int i = 0; i < s->point_count; ++i) {
        s->margins[i] = 1.0;
    }
    return atemi_conditions_broken(s, s->margins);
}

// What begins to slip does so in the direction that friction has been found to act against.
static void set_out(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_SLIP && s->directed[i] &&
            atemi_world_slide_speed(s, i) < creeping) {
            s->directions[i] = s->leads[i];
        }
    }
}

static void tell(atemi_simulation *s, atemi_event event)
{
    event.time = s->time;
    ++s->statistics.events;
    if (s->hooks.event) {
        s->hooks.event(s->hooks.context, &event);
    }
}

static int first_in_touch(const atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->foreseen[i]) {
            return i;
        }
    }
    return ATEMI_NONE;
}

// Moves on by a moment, or by a shorter one where other points are about to touch.
static bool jump(atemi_simulation *s, double moment)
{
    for (int i = 0; i < 5; ++i, moment /= 16.0) {
        if (atemi_foresight_jump(s, touching, moment)) {
            atemi_world_project(s);
            return true;
        }
    }
    return false;
}

// The blow without a collision.
static bool strike(atemi_simulation *s)
{
    if (!jump(s, s->options.step * 0x1p-7)) {
        return false;
    }
    tell(s, (atemi_event){.kind = ATEMI_EVENT_JAM, .point = first_in_touch(s)});
    return true;
}

// Whether a point that slides is to stick, which takes a blow.
static bool stops_at_once(const atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_STICK && atemi_world_slide_speed(s, i) > standing) {
            return true;
        }
    }
    return false;
}

typedef enum settling { SETTLED, CHANGED, JAMMED } settling;

// Looks once for what is broken and changes that: by the rules, or, where these do not agree with
// themselves, all points in touch together.
static settling settle_once(atemi_simulation *s, bool by_rules, int *foresights)
{
    const bool         may_foresee = *foresights < MOST_FORESIGHTS;
    const atemi_status status = atemi_world_evaluate(s, s->time, s->q, s->v, s->a);
    if (status && !may_foresee) {
        return JAMMED;
    }
    const atemi_condition broken =
        status ? (atemi_condition){.kind = ATEMI_CONDITION_NONE} : broken_force(s);
    const bool is_broken = broken.kind != ATEMI_CONDITION_NONE;
    if (is_broken && (by_rules || !may_foresee)) {
        change(s, &broken);
        return CHANGED;
    }
    if (may_foresee && (status || is_broken || !atemi_foresight_agrees(s, touching))) {
        ++*foresights;
        atemi_foresight_decide(s, touching);
        if (stops_at_once(s)) {
            return JAMMED;
        }
        atemi_world_project(s);
        return CHANGED;
    }
    return SETTLED;
}

// Changes modes until nothing is broken.
static bool settles(atemi_simulation *s)
{
    int      foresights = 0;
    settling came = CHANGED;
    for (int i = 0; i < MOST_SETTLINGS && came == CHANGED; ++i) {
        came = settle_once(s, i % 10 != 9, &foresights);
    }
    return came == SETTLED;
}

// Where no modes agree with themselves, as with sliding and much friction (Painleve), there is a
// blow without a collision.
static atemi_status settle(atemi_simulation *s)
{
    for (int jams = 0; !settles(s); ++jams) {
        if (jams == MOST_JAMS || !strike(s)) {
            return ATEMI_ERROR_SINGULAR;
        }
    }
    set_out(s);
    return ATEMI_OK;
}

// ---- Bumps ----------------------------------------------------------------------------------

static bool is_rigid(const atemi_simulation *s, int point)
{
    return !s->points[point].compliance;
}

static bool is_in_touch(const atemi_simulation *s, int point)
{
    return is_rigid(s, point) && (atemi_world_holds(s, point) || s->points[point].tied ||
                                  s->sightings[point].view.gap < touching);
}

static double largest(int n, const double *x)
{
    double found = 0.0;
    for (int i = 0; i < n; ++i) {
        found = fmax(found, fabs(x[i]));
    }
    return found;
}

// The worst error of  M (v' - v) = sum of J_i^T p_i,  relative to M v and M v': inverse dynamics
// without gravity, with the impulses as forces.
static double balance(atemi_simulation *s, const double *before)
{
    const atemi_vec3 weightless = {0.0, 0.0, 0.0};
    const int        n = atemi_model_v_count(s->model);
    double          *difference = s->stage_v, *result = s->rates[0];
    memset(s->loads, 0, (size_t)atemi_model_link_count(s->model) * sizeof *s->loads);
    for (int i = 0; i < s->point_count; ++i) {
        atemi_force *load = &s->loads[s->points[i].link];
        load->linear = atemi_vec3_add(load->linear, s->impulses[i]);
        load->angular =
            atemi_vec3_add(load->angular, atemi_vec3_cross(s->sightings[i].arm, s->impulses[i]));
    }
    for (int i = 0; i < n; ++i) {
        difference[i] = s->v[i] - before[i];
    }
    atemi_newton_euler(s->model, s->q, NULL, before, weightless, NULL, &s->inverse, result);
    double momentum = largest(n, result);
    atemi_newton_euler(s->model, s->q, NULL, s->v, weightless, NULL, &s->inverse, result);
    momentum = fmax(momentum, largest(n, result));
    atemi_newton_euler(s->model, s->q, NULL, difference, weightless, s->loads, &s->inverse, result);
    return momentum > 0.0 ? largest(n, result) / momentum : 0.0;
}

static void bump(atemi_simulation *s)
{
    atemi_bump_report report;
    for (int i = 0; i < s->point_count; ++i) {
        const atemi_simulation_point *point = &s->points[i];
        s->contacts[i] =
            (atemi_contact){.link = point->link,
                            .point = s->sightings[i].touch,
                            .normal = s->sightings[i].view.normal,
                            .mode = is_in_touch(s, i) ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN,
                            .friction = point->kinetic_friction};
        s->restitution[i] =
            atemi_world_approach(s, i) > s->options.slowest_bounce ? point->restitution : 0.0;
    }
    memcpy(s->start_v, s->v, (size_t)atemi_model_v_count(s->model) * sizeof *s->v);
    atemi_bump(s->model, s->q, s->v, s->contacts, s->point_count, s->restitution, &s->bump, s->v,
               s->impulses, &report);
    ++s->statistics.bumps;
    s->statistics.bump_energy -= report.energy;
    s->statistics.bump_balance = fmax(s->statistics.bump_balance, balance(s, s->start_v));
}

static void tell_bump(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        const double speed = atemi_world_approach(s, i);
        if (s->modes[i] == ATEMI_CONTACT_OPEN && is_in_touch(s, i) && speed > creeping) {
            tell(s, (atemi_event){.kind = ATEMI_EVENT_TOUCHDOWN,
                                  .point = i,
                                  .speed = speed,
                                  .impulse = s->impulses[i]});
            if (s->points[i].restitution > 0.0 && speed <= s->options.slowest_bounce) {
                tell(s, (atemi_event){.kind = ATEMI_EVENT_REST, .point = i, .speed = speed});
            }
        }
    }
}

// What rests on its surface after a bump is held, and slips if it slides. A point that leaves too
// slowly to bounce is held as well (and let go again if its force would pull): or two ends of an
// edge could take turns for ever.
static void take_modes(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        const bool rests =
            is_in_touch(s, i) &&
            (s->points[i].tied || atemi_world_approach(s, i) > -s->options.slowest_bounce);
        if (!is_rigid(s, i)) {
            continue;
        }
        if (rests) {
            begin_to_stick(s, i);
            s->modes[i] =
                atemi_world_slide_speed(s, i) > creeping ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_STICK;
            follow(s, i);
        } else if (is_in_touch(s, i)) {
            let_go(s, i);
        }
    }
}

static void meet(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (is_in_touch(s, i) && !s->points[i].tied && atemi_world_approach(s, i) > creeping) {
            bump(s);
            tell_bump(s);
            atemi_world_observe(s, s->q, s->v);
            break;
        }
    }
    take_modes(s);
}

// ---- The way through an event ---------------------------------------------------------------

static atemi_event_kind kind_of_change(atemi_contact_mode was, atemi_contact_mode is)
{
    if (is == ATEMI_CONTACT_OPEN) {
        return ATEMI_EVENT_LIFT_OFF;
    }
    if (was == ATEMI_CONTACT_OPEN) {
        return ATEMI_EVENT_TOUCHDOWN;
    }
    return is == ATEMI_CONTACT_SLIP ? ATEMI_EVENT_SLIP : ATEMI_EVENT_STICK;
}

// Whether a point before this one in its patch has changed alike.
static bool is_told(const atemi_simulation *s, const atemi_contact_mode *before, int point)
{
    for (int i = 0; i < point; ++i) {
        if (s->patches[i] == s->patches[point] && before[i] == before[point] &&
            s->modes[i] == s->modes[point]) {
            return true;
        }
    }
    return false;
}

// Bumps tell of touchdowns on rigid surfaces. A patch slips or sticks once.
static void tell_changes(atemi_simulation *s, const atemi_contact_mode *before)
{
    for (int i = 0; i < s->point_count; ++i) {
        const atemi_event_kind kind = kind_of_change(before[i], s->modes[i]);
        const bool             of_patch = kind == ATEMI_EVENT_SLIP || kind == ATEMI_EVENT_STICK;
        const bool             bumped = kind == ATEMI_EVENT_TOUCHDOWN && is_rigid(s, i);
        if (before[i] != s->modes[i] && !bumped && !(of_patch && is_told(s, before, i))) {
            const double speed = kind == ATEMI_EVENT_TOUCHDOWN ? atemi_world_approach(s, i) : 0.0;
            tell(s, (atemi_event){.kind = kind, .point = i, .speed = speed});
        }
    }
}

atemi_status atemi_events_touch(atemi_simulation *s)
{
    atemi_world_observe(s, s->q, s->v);
    meet(s);
    atemi_world_project(s);
    return settle(s);
}

static bool reaches_rigid(const atemi_simulation *s, const atemi_condition *broken)
{
    return broken->kind == ATEMI_CONDITION_GAP && is_rigid(s, broken->point);
}

// Events that follow each other without end, as where a patch comes to rest turning about points
// that take turns to stand, are stepped over: by ever longer moments at whose end all points in
// touch are decided together.
static atemi_status calm(atemi_simulation *s)
{
    const int    times = s->restless - MOST_RESTLESS;
    const double moment = s->options.step * ldexp(1.0, (times < 6 ? times : 6) - 7);
    return jump(s, moment) ? settle(s) : ATEMI_OK;
}

static atemi_status resolve(atemi_simulation *s)
{
    const atemi_condition broken = atemi_conditions_broken(s, s->margins);
    const bool            bumps = reaches_rigid(s, &broken);
    const bool hard = bumps && atemi_world_approach(s, broken.point) > s->options.slowest_bounce;
    s->restless = hard ? 0 : s->restless + 1;
    if (bumps) {
        meet(s);
    } else {
        change(s, &broken);
    }
    atemi_world_project(s);
    const atemi_status status = settle(s);
    return status || s->restless <= MOST_RESTLESS ? status : calm(s);
}

atemi_status atemi_events_handle(atemi_simulation *s)
{
    memcpy(s->modes_before, s->modes, (size_t)s->point_count * sizeof *s->modes);
    atemi_world_project(s); // what the step has drifted
    const atemi_status status = resolve(s);
    tell_changes(s, s->modes_before);
    return status;
}

bool atemi_events_jump(atemi_simulation *s, double moment, atemi_status *status)
{
    memcpy(s->modes_before, s->modes, (size_t)s->point_count * sizeof *s->modes);
    if (!atemi_foresight_jump(s, touching, moment)) {
        return false;
    }
    atemi_world_project(s);
    *status = settle(s);
    tell_changes(s, s->modes_before);
    return true;
}

atemi_status atemi_events_jam(atemi_simulation *s)
{
    memcpy(s->modes_before, s->modes, (size_t)s->point_count * sizeof *s->modes);
    const atemi_status status = strike(s) ? settle(s) : ATEMI_ERROR_SINGULAR;
    tell_changes(s, s->modes_before);
    return status;
}
