// SPDX-License-Identifier: Apache-2.0

#include "simulate/events.h"

#include "simulate/conditions.h"
#include "simulate/foresight.h"
#include "simulate/friction.h"
#include "simulate/meeting.h"
#include "simulate/modes.h"
#include "simulate/patches.h"
#include "simulate/point_forces.h"
#include "simulate/projection.h"
#include "simulate/sightings.h"
#include "simulate/step_limit.h"

#include <math.h>
#include <string.h>

// What follows when a condition breaks: a point that reaches its surface bumps; one whose force
// would pull is let go; a patch whose centre of pressure reaches an edge keeps the ends of that
// edge; what cannot stick slips against its friction; what stops slipping sticks if it can. These
// rules look at one patch at a time. Where what they come to does not agree with itself, all points
// in touch are decided together (foresight.h).

static const double touching = 2e-10; // m: within this a point is in touch
static const double standing = 1e-7;  // m/s: slower has stopped when it turns back

enum { MOST_SETTLINGS = 60, MOST_FORESIGHTS = 3, MOST_JAMS = 3, MOST_RESTLESS = 20 };

// Moments are the step over 2^7 at first, and over 2 at last.
enum { SHORTEST_MOMENT = 7, LONGEST_MOMENT = 1 };

// ---- Lift-off -------------------------------------------------------------------------------

static int weakest_point(const atemi_simulation *s, int patch)
{
    int weakest = ATEMI_NONE;
    for (int i = 0; i < s->set.point_count; ++i) {
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
    for (int i = 0; i < s->set.point_count; ++i) {
        if (atemi_world_holds_in(s, i, patch) &&
            (!presses || !is_end_of_edge(&p, s->set.states[i].position))) {
            atemi_mode_open(s, i);
        }
    }
}

static void lift(atemi_simulation *s, int patch)
{
    const atemi_patch sum = atemi_world_patch(s, patch);
    const int         weakest = weakest_point(s, patch);
    if (s->set.points[weakest].tied) {
        s->set.signs[weakest] = -s->set.signs[weakest];
    } else if (sum.whole) {
        lift_whole(s, patch, &sum);
    } else {
        atemi_mode_open(s, weakest);
    }
}

// ---- Sticking and slipping ------------------------------------------------------------------

static void begin_to_slip(atemi_simulation *s, int patch)
{
    const atemi_patch sum = atemi_world_patch(s, patch);
    atemi_patch_slip(s, patch, &sum, s->set.slips);
    for (int i = 0; i < s->set.point_count; ++i) {
        const bool sticks = s->set.patches[i] == patch && s->set.modes[i] == ATEMI_CONTACT_STICK;
        if (sticks &&
            (sum.sticking == 1 || atemi_vec3_dot(s->set.slips[i], s->set.slips[i]) > 0.0)) {
            s->set.modes[i] = ATEMI_CONTACT_SLIP;
            s->set.directions[i] = s->set.slips[i];
            s->set.signs[i] = s->set.points[i].tied && atemi_world_normal_force(s, i) < 0.0
                                  ? -1.0
                                  : s->set.signs[i];
        }
    }
}

// A point that has stopped sticks, and with it the others of its patch that stand: all of them, or
// the patch turns about it. One that is fast goes round a corner.
static void stop(atemi_simulation *s, int point)
{
    if (atemi_world_slide_speed(s, point) >= standing) {
        atemi_mode_follow(s, point);
        return;
    }
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->set.patches[i] == s->set.patches[point] && s->set.modes[i] == ATEMI_CONTACT_SLIP &&
            atemi_world_slide_speed(s, i) < standing) {
            atemi_mode_stick(s, i);
        }
    }
}

void atemi_events_follow(atemi_simulation *s)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        atemi_mode_follow(s, i);
        s->set.leaving[i] = s->set.leaving[i] && s->set.states[i].view.gap < touching;
    }
}

// ---- Settling -------------------------------------------------------------------------------

static bool is_rigid(const atemi_simulation *s, int point)
{
    return !s->set.points[point].compliance;
}

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
        s->set.modes[what->point] = s->set.modes[what->point] == ATEMI_CONTACT_SOFT
                                        ? ATEMI_CONTACT_OPEN
                                        : ATEMI_CONTACT_SOFT;
        break;
    case ATEMI_CONDITION_NONE:
        break;
    }
}

// Where points are redundant their forces are not unique. The least ones will do, unless a
// condition is broken by them; then those that were found when all points were decided together.
static bool take_shares(atemi_simulation *s)
{
    const bool may = s->set.distribution_known && !s->set.distribution_used;
    s->set.distribution_used = s->set.distribution_used || may;
    return may;
}

static void forget_shares(atemi_simulation *s)
{
    s->set.distribution_known = s->set.distribution_used = false;
}

// The first condition on forces that is broken.
static atemi_condition broken_force(atemi_simulation *s)
{
    atemi_conditions_measure(s, s->step.margins);
    for (int i = 0; i < s->set.point_count; ++i) {
        s->step.margins[i] = 1.0;
    }
    return atemi_conditions_broken(s, s->step.margins);
}

// What begins to slip does so in the direction that friction has been found to act against.
static void set_out(atemi_simulation *s)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->set.modes[i] == ATEMI_CONTACT_SLIP && s->set.directed[i] &&
            atemi_world_slide_speed(s, i) < atemi_creeping) {
            s->set.directions[i] = s->set.leads[i];
        }
    }
}

static int first_in_touch(const atemi_simulation *s)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->prediction.candidates[i]) {
            return i;
        }
    }
    return ATEMI_NONE;
}

// How long it takes the first point that is not in touch, and comes nearer, to get there; `longest`
// at most.
static double time_to_touch(const atemi_simulation *s, double longest)
{
    double least = longest;
    for (int i = 0; i < s->set.point_count; ++i) {
        const double gap = s->set.states[i].view.gap, approach = atemi_world_approach(s, i);
        if (is_rigid(s, i) && !atemi_world_holds(s, i) && gap >= touching && approach > 0.0) {
            least = fmin(least, gap / approach);
        }
    }
    return least;
}

// Moves on by a moment, or by a shorter one where other points are about to touch: at last, until
// they do.
static bool jump(atemi_simulation *s, double moment)
{
    const double longest = atemi_step_limit(s, s->options.step);
    bool         done = atemi_foresight_jump(s, touching, moment);
    for (int i = 0; i < 4 && !done; ++i) {
        moment /= 16.0;
        done = atemi_foresight_jump(s, touching, moment);
    }
    done = done || atemi_foresight_jump(s, touching, time_to_touch(s, longest));
    if (done) {
        atemi_world_project(s);
    }
    return done;
}

// One that grows with the number of those before it. A moment is a step of the Runge-Kutta method
// and no longer than that may be: in Talos, whose servos damp light wrists within 14 us, half a
// millisecond would multiply their motion by thousands. It ends where inputs jump, unless that is
// nearer than the shortest moment.
static double moment_after(const atemi_simulation *s, int jumps)
{
    const int    most = SHORTEST_MOMENT - LONGEST_MOMENT;
    const double shortest = ldexp(s->options.step, -SHORTEST_MOMENT);
    const double grown = ldexp(shortest, jumps < most ? jumps : most);
    return atemi_step_limit(s, fmin(grown, fmax(s->step.limit - s->state.time, shortest)));
}

// The blow without a collision; first, that of what touches and comes nearer.
static bool strike(atemi_simulation *s)
{
    if (atemi_meeting_is_due(s, touching)) {
        atemi_meet(s, touching);
        atemi_world_project(s);
    }
    if (!jump(s, moment_after(s, s->step.jams))) {
        return false;
    }
    ++s->step.jams;
    atemi_mode_tell(s, (atemi_event){.kind = ATEMI_EVENT_JAM, .point = first_in_touch(s)});
    return true;
}

// Whether a point that slides is to stick, which takes a blow.
static bool stops_at_once(const atemi_simulation *s)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        if (s->set.modes[i] == ATEMI_CONTACT_STICK && atemi_world_slide_speed(s, i) > standing) {
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
    const atemi_status status =
        atemi_world_evaluate(s, s->state.time, s->state.q, s->state.v, s->state.a);
    if (status && !may_foresee) {
        return JAMMED;
    }
    const atemi_condition broken =
        status ? (atemi_condition){.kind = ATEMI_CONDITION_NONE} : broken_force(s);
    const bool is_broken = broken.kind != ATEMI_CONDITION_NONE;
    if (is_broken && take_shares(s)) {
        return CHANGED;
    }
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
// blow without a collision. Where none agree after it either, as those of redundant points of which
// one alone would jam, the robot goes on from blow to blow.
static atemi_status settle(atemi_simulation *s)
{
    s->step.settled = settles(s);
    for (int i = 0; i < MOST_JAMS && !s->step.settled; ++i) {
        if (!strike(s)) {
            return ATEMI_ERROR_SINGULAR;
        }
        s->step.settled = settles(s);
    }
    if (s->step.settled) {
        s->step.jams = 0;
        set_out(s);
    }
    return ATEMI_OK;
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
        if (s->set.patches[i] == s->set.patches[point] && before[i] == before[point] &&
            s->set.modes[i] == s->set.modes[point]) {
            return true;
        }
    }
    return false;
}

// Bumps tell of touchdowns on rigid surfaces. A patch slips or sticks once.
static void tell_changes(atemi_simulation *s, const atemi_contact_mode *before)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        const atemi_event_kind kind = kind_of_change(before[i], s->set.modes[i]);
        const bool             of_patch = kind == ATEMI_EVENT_SLIP || kind == ATEMI_EVENT_STICK;
        const bool             bumped = kind == ATEMI_EVENT_TOUCHDOWN && is_rigid(s, i);
        if (before[i] != s->set.modes[i] && !bumped && !(of_patch && is_told(s, before, i))) {
            const double speed = kind == ATEMI_EVENT_TOUCHDOWN ? atemi_world_approach(s, i) : 0.0;
            atemi_mode_tell(s, (atemi_event){.kind = kind, .point = i, .speed = speed});
        }
    }
}

atemi_status atemi_events_touch(atemi_simulation *s)
{
    atemi_world_observe(s, s->state.q, s->state.v);
    atemi_meet(s, touching);
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
    const double moment = moment_after(s, s->step.restless - MOST_RESTLESS);
    return jump(s, moment) ? settle(s) : ATEMI_OK;
}

static atemi_status resolve(atemi_simulation *s)
{
    const atemi_condition broken = atemi_conditions_broken(s, s->step.margins);
    const bool            bumps = reaches_rigid(s, &broken);
    const bool hard = bumps && atemi_world_approach(s, broken.point) > s->options.slowest_bounce;
    s->step.restless = hard ? 0 : s->step.restless + 1;
    forget_shares(s);
    if (bumps) {
        atemi_meet(s, touching);
    } else {
        change(s, &broken);
    }
    atemi_world_project(s);
    const atemi_status status = settle(s);
    return status || s->step.restless <= MOST_RESTLESS ? status : calm(s);
}

atemi_status atemi_events_handle(atemi_simulation *s)
{
    memcpy(s->set.modes_before, s->set.modes, (size_t)s->set.point_count * sizeof *s->set.modes);
    atemi_world_project(s); // what the step has drifted
    const atemi_status status = resolve(s);
    tell_changes(s, s->set.modes_before);
    return status;
}

bool atemi_events_jump(atemi_simulation *s, double moment, atemi_status *status)
{
    memcpy(s->set.modes_before, s->set.modes, (size_t)s->set.point_count * sizeof *s->set.modes);
    if (!atemi_foresight_jump(s, touching, moment)) {
        return false;
    }
    atemi_world_project(s);
    *status = settle(s);
    tell_changes(s, s->set.modes_before);
    return true;
}

atemi_status atemi_events_jam(atemi_simulation *s)
{
    memcpy(s->set.modes_before, s->set.modes, (size_t)s->set.point_count * sizeof *s->set.modes);
    const atemi_status status = strike(s) ? settle(s) : ATEMI_ERROR_SINGULAR;
    tell_changes(s, s->set.modes_before);
    return status;
}
