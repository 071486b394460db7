// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/events.h"

#include "simulate/events/adaptive.h"
#include "simulate/events/mode_rules.h"
#include "simulate/events/moreau_step.h"
#include "simulate/events/projection.h"
#include "simulate/events/step_limit.h"
#include "simulate/inputs.h"

#include <math.h>
#include <string.h>

// When a condition breaks, a point that reaches its surface collides; all else follows the rules of
// modes (mode_rules.h), which look at one patch at a time. Where what they come to does not agree
// with itself, the modes of all points in touch are predicted together (mode_prediction.h), or
// decided by a step of Moreau's.

enum {
    MOST_SETTLINGS = 60,
    MOST_PREDICTIONS = 3,
    MOST_JAMS = 3,
    MOST_RESTLESS = 20,
    MOST_TOUCHES = 3
};

// Where an event follows another so soon, in s, more of them crowd together, ever closer (Zeno): it
// counts for several.
static const double hasty = 1e-6;
enum { HASTE = 6 };

// Moments are the step over 2^7 at first, and over 2 at last.
enum { SHORTEST_MOMENT = 7, LONGEST_MOMENT = 1 };

void atemi_events_follow(atemi_simulation_contacts *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        atemi_point_follow(set, i);
        set->leaving[i] = set->leaving[i] && set->states[i].view.gap < atemi_touching;
    }
    atemi_joint_modes_follow(&set->joints);
}

// ---- Settling -------------------------------------------------------------------------------

// Where points are redundant their forces are not unique. The least ones will do, unless a
// condition is broken by them; then those that were found when all points were decided together.
static bool take_distribution(atemi_simulation_contacts *set)
{
    const bool may = set->distribution_known && !set->distribution_used;
    set->distribution_used = set->distribution_used || may;
    return may;
}

static void forget_distribution(atemi_simulation_contacts *set)
{
    set->distribution_known = set->distribution_used = false;
}

// The first condition on forces that is broken.
static atemi_condition broken_force(const atemi_simulation_contacts *set, double *margins)
{
    atemi_conditions_measure(set, margins);
    for (int i = 0; i < set->point_count; ++i) {
        margins[i] = 1.0;
    }
    for (int c = atemi_conditions_count(set) - 3 * set->joints.count;
         c < atemi_conditions_count(set); ++c) {
        margins[c] = atemi_conditions_is_hold(set, c) ? margins[c] : 1.0;
    }
    return atemi_conditions_broken(set, margins);
}

// What begins to slip does so in the direction that friction has been found to act against.
static void set_out(atemi_simulation_contacts *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (set->modes[i] == ATEMI_CONTACT_SLIP && set->directed[i] &&
            atemi_point_slide_speed(set, i) < atemi_creeping) {
            set->directions[i] = set->leads[i];
        }
    }
}

static int first_of(const bool *candidates, int count)
{
    for (int i = 0; i < count; ++i) {
        if (candidates[i]) {
            return i;
        }
    }
    return ATEMI_NONE;
}

// How long it takes the first point that is not in touch, and comes nearer, to get there; `longest`
// at most.
static double time_to_touch(const atemi_simulation_contacts *set, double longest)
{
    double least = longest;
    for (int i = 0; i < set->point_count; ++i) {
        const double gap = set->states[i].view.gap, approach = atemi_point_approach(set, i);
        if (atemi_point_is_rigid(set, i) && !atemi_point_is_held(set, i) && gap >= atemi_touching &&
            approach > 0.0) {
            least = fmin(least, gap / approach);
        }
    }
    for (int k = 0; k < set->joints.count; ++k) {
        const double v = set->joints.v[k], gap = atemi_joint_gap(&set->joints, k, v < 0.0 ? 1 : -1);
        if (v != 0.0 && gap >= atemi_touching) {
            least = fmin(least, gap / fabs(v));
        }
    }
    return least;
}

static bool moreau_step(atemi_simulation *s, double h)
{
    return atemi_moreau_step(&s->step, &s->touchdown, &s->set, &s->state, &s->ledger, h);
}

static bool project(atemi_simulation *s)
{
    return atemi_project(&s->step.evaluation, &s->set, &s->state, &s->ledger);
}

// Moves on by a moment, or by a shorter one where other points are about to touch: at last, until
// they do.
static bool jump(atemi_simulation *s, double moment)
{
    const double longest = atemi_step_limit(&s->step.evaluation, s->options.step);
    bool         done = moreau_step(s, moment);
    for (int i = 0; i < 4 && !done; ++i) {
        moment /= 16.0;
        done = moreau_step(s, moment);
    }
    done = done || moreau_step(s, time_to_touch(&s->set, longest));
    if (done) {
        project(s);
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
    return atemi_step_limit(&s->step.evaluation,
                            fmin(grown, fmax(s->step.limit - s->state.time, shortest)));
}

static void collide(atemi_simulation *s)
{
    atemi_touch_down(&s->touchdown, &s->step.evaluation, &s->set, &s->state, &s->ledger);
}

static void report(atemi_simulation *s, atemi_event event)
{
    atemi_ledger_report(&s->ledger, &s->hooks, s->state.time, event);
}

static void report_point(atemi_simulation *s, int point, atemi_event event)
{
    atemi_ledger_report_point(&s->ledger, &s->hooks, s->state.time, &s->set, point, event);
}

// An impulse without a collision; first, that of what touches and comes nearer.
static bool strike(atemi_simulation *s)
{
    if (atemi_touchdown_is_due(&s->set)) {
        collide(s);
        project(s);
    }
    if (!jump(s, moment_after(s, s->jams))) {
        return false;
    }
    ++s->jams;
    report_point(s, first_of(s->step.evaluation.prediction.candidates, s->set.point_count),
                 (atemi_event){.kind = ATEMI_EVENT_JAM});
    return true;
}

// Whether a point that slides is to stick, which takes an impulse.
static bool stops_at_once(const atemi_simulation_contacts *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (set->modes[i] == ATEMI_CONTACT_STICK &&
            atemi_point_slide_speed(set, i) > atemi_standing) {
            return true;
        }
    }
    return false;
}

typedef enum settling { SETTLED, CHANGED, JAMMED } settling;

// Decides all points in touch together. Whether what slides goes on sliding then.
static bool predict(atemi_simulation *s)
{
    atemi_evaluation      *e = &s->step.evaluation;
    atemi_mode_prediction *p = &e->prediction;
    atemi_evaluation_predict_modes(e, &s->set, &s->state);
    atemi_mode_prediction_apply(p, &s->set);
    memcpy(s->set.distribution, p->forces, (size_t)s->set.point_count * sizeof *p->forces);
    for (int k = 0; k < s->set.joints.count; ++k) {
        s->set.joints.states[k].preferred = p->joint_forces[k];
    }
    s->set.distribution_known = true;
    s->set.distribution_used = false;
    return !stops_at_once(&s->set);
}

static bool agrees(atemi_simulation *s)
{
    atemi_evaluation_accelerate(&s->step.evaluation, s->state.a);
    return atemi_evaluation_agrees(&s->step.evaluation, &s->set, s->state.a);
}

// Looks once for what is broken and changes that: by the rules, or, where these do not agree with
// themselves, by a prediction.
static settling settle_once(atemi_simulation *s, bool by_rules, int *predictions)
{
    const bool         may_predict = *predictions < MOST_PREDICTIONS;
    const atemi_status status = atemi_evaluate_state(&s->step.evaluation, &s->set, &s->state);
    if (status && !may_predict) {
        return JAMMED;
    }
    const atemi_condition broken = status ? (atemi_condition){.kind = ATEMI_CONDITION_NONE}
                                          : broken_force(&s->set, s->step.margins);
    const bool            is_broken = broken.kind != ATEMI_CONDITION_NONE;
    if (is_broken && take_distribution(&s->set)) {
        return CHANGED;
    }
    if (is_broken && (by_rules || !may_predict)) {
        atemi_mode_rules_apply(&s->set, &broken);
        return CHANGED;
    }
    if (may_predict && (status || is_broken || !agrees(s))) {
        ++*predictions;
        if (!predict(s)) {
            return JAMMED;
        }
        project(s);
        return CHANGED;
    }
    return SETTLED;
}

// Changes modes until nothing is broken.
static bool settles(atemi_simulation *s)
{
    int      predictions = 0;
    settling came = CHANGED;
    for (int i = 0; i < MOST_SETTLINGS && came == CHANGED; ++i) {
        came = settle_once(s, i % 10 != 9, &predictions);
    }
    return came == SETTLED;
}

// Where no modes agree with themselves, as with sliding and much friction (Painleve), there is an
// impulse without a collision. Where none agree after it either, as those of redundant points of
// which one alone would jam, the robot goes on from impulse to impulse.
static atemi_status settle(atemi_simulation *s)
{
    s->settled = settles(s);
    for (int i = 0; i < MOST_JAMS && !s->settled; ++i) {
        if (!strike(s)) {
            return ATEMI_ERROR_SINGULAR;
        }
        s->settled = settles(s);
    }
    if (s->settled) {
        s->jams = 0;
        set_out(&s->set);
    }
    return ATEMI_OK;
}

// ---- Events ---------------------------------------------------------------------------------

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
static bool is_reported(const atemi_simulation_contacts *set, const atemi_contact_mode *before,
                        int point)
{
    for (int i = 0; i < point; ++i) {
        if (set->patches[i] == set->patches[point] && before[i] == before[point] &&
            set->modes[i] == set->modes[point]) {
            return true;
        }
    }
    return false;
}

// Friction only: stops are reported by collisions.
static void report_joints(atemi_simulation *s)
{
    const atemi_joint_modes *joints = &s->set.joints;
    for (int k = 0; k < joints->count; ++k) {
        const bool was = joints->kept[k].held, is = joints->states[k].held;
        if (was != is && atemi_joint_friction_of(joints, k) > 0.0) {
            report(s, (atemi_event){.kind = is ? ATEMI_EVENT_JOINT_STICK : ATEMI_EVENT_JOINT_SLIP,
                                    .point = ATEMI_NONE,
                                    .joint = joints->bounds->joints[joints->rates[k]]});
        }
    }
}

// Collisions report touchdowns on rigid surfaces. A patch slips or sticks once.
static void report_changes(atemi_simulation *s)
{
    report_joints(s);
    const atemi_simulation_contacts *set = &s->set;
    const atemi_contact_mode        *before = set->kept_modes;
    for (int i = 0; i < set->point_count; ++i) {
        const atemi_event_kind kind = kind_of_change(before[i], set->modes[i]);
        const bool             of_patch = kind == ATEMI_EVENT_SLIP || kind == ATEMI_EVENT_STICK;
        const bool collided = kind == ATEMI_EVENT_TOUCHDOWN && atemi_point_is_rigid(set, i);
        if (before[i] != set->modes[i] && !collided && !(of_patch && is_reported(set, before, i))) {
            const double speed = kind == ATEMI_EVENT_TOUCHDOWN ? atemi_point_approach(set, i) : 0.0;
            report_point(s, i, (atemi_event){.kind = kind, .speed = speed});
        }
    }
}

atemi_status atemi_events_touch(atemi_simulation *s)
{
    atemi_observe(&s->step.evaluation, &s->set, s->state.q, s->state.v);
    collide(s);
    project(s);
    return settle(s);
}

// Whether a broken condition makes a collision.
static bool is_collision(const atemi_simulation_contacts *set, const atemi_condition *broken)
{
    return broken->kind == ATEMI_CONDITION_STOP ||
           (broken->kind == ATEMI_CONDITION_GAP && atemi_point_is_rigid(set, broken->point));
}

// How fast what collides approaches.
static double approach_of(const atemi_simulation_contacts *set, const atemi_condition *broken)
{
    return broken->kind == ATEMI_CONDITION_STOP ? fabs(set->joints.v[broken->joint])
                                                : atemi_point_approach(set, broken->point);
}

// Events that follow each other without end, as where a patch comes to rest rotating about points
// that take turns to stand, are stepped over: by ever longer moments at whose end all points in
// touch are decided together.
static atemi_status calm(atemi_simulation *s)
{
    const double moment = moment_after(s, s->restless - MOST_RESTLESS);
    return jump(s, moment) ? settle(s) : ATEMI_OK;
}

// The number of events other than hard collisions since the last whole step, with haste.
static int more_restless(const atemi_simulation *s)
{
    const bool haste = s->state.time - s->stirred < hasty && s->restless < MOST_RESTLESS;
    const int  more = s->restless + (haste ? HASTE : 1);
    return haste && more > MOST_RESTLESS ? MOST_RESTLESS + 1 : more;
}

static bool is_calm(const atemi_simulation *s)
{
    return s->restless <= MOST_RESTLESS;
}

static void note_event(atemi_simulation *s, bool hard)
{
    s->restless = hard ? 0 : more_restless(s);
    s->stirred = s->state.time;
}

static atemi_status resolve(atemi_simulation *s)
{
    atemi_simulation_contacts *set = &s->set;
    const atemi_condition      broken = atemi_conditions_broken(set, s->step.margins);
    const bool                 collides = is_collision(set, &broken);
    const bool hard = collides && approach_of(set, &broken) > s->options.slowest_bounce;
    note_event(s, hard);
    forget_distribution(set);
    if (collides) {
        collide(s);
    } else {
        atemi_mode_rules_apply(set, &broken);
    }
    project(s);
    const atemi_status status = settle(s);
    return status || is_calm(s) ? status : calm(s);
}

static void keep_modes(atemi_simulation_contacts *set)
{
    memcpy(set->kept_modes, set->modes, (size_t)set->point_count * sizeof *set->modes);
    memcpy(set->joints.kept, set->joints.states,
           (size_t)set->joints.count * sizeof *set->joints.states);
}

atemi_status atemi_events_handle(atemi_simulation *s)
{
    keep_modes(&s->set);
    project(s); // what the step has drifted
    const atemi_status status = resolve(s);
    report_changes(s);
    return status;
}

// How fast the fastest of what touches approaches.
static double fastest_approach(const atemi_simulation_contacts *set)
{
    double fastest = 0.0;
    for (int i = 0; i < set->point_count; ++i) {
        const bool touches = atemi_point_is_rigid(set, i) && !atemi_point_is_held(set, i) &&
                             set->states[i].view.gap < atemi_touching;
        fastest = touches ? fmax(fastest, atemi_point_approach(set, i)) : fastest;
    }
    for (int k = 0; k < set->joints.count; ++k) {
        const double v = set->joints.v[k];
        fastest = atemi_joint_touches(&set->joints, k, v < 0.0 ? 1 : -1) ? fmax(fastest, fabs(v))
                                                                         : fastest;
    }
    return fastest;
}

// What has reached its surface at the end of a moment collides.
static void land(atemi_simulation *s)
{
    project(s);
    if (atemi_touchdown_is_due(&s->set)) {
        note_event(s, fastest_approach(&s->set) > s->options.slowest_bounce);
        collide(s);
        project(s);
    }
}

bool atemi_events_jump(atemi_simulation *s, double moment, atemi_status *status)
{
    keep_modes(&s->set);
    bool done = moreau_step(s, moment);
    for (int i = 0; i < MOST_TOUCHES && !done && s->step.touch > 0.0 && is_calm(s); ++i) {
        done = moreau_step(s, s->step.touch);
    }
    if (!done) {
        return false;
    }
    land(s);
    *status = settle(s);
    report_changes(s);
    return true;
}

atemi_status atemi_events_jam(atemi_simulation *s)
{
    keep_modes(&s->set);
    const atemi_status status = strike(s) ? settle(s) : ATEMI_ERROR_SINGULAR;
    report_changes(s);
    return status;
}

// What has jammed is decided by an impulse, which asks the hooks itself.
atemi_status atemi_events_renew(atemi_simulation *s)
{
    atemi_step *step = &s->step;
    step->jump = (double)INFINITY;
    const bool differ = atemi_inputs_differ(step, &s->state);
    if (!s->settled || !differ) {
        return ATEMI_OK;
    }
    atemi_adaptive_forget(step->adaptive);
    s->settled = !atemi_evaluate_state(&step->evaluation, &s->set, &s->state);
    if (!s->settled) {
        return ATEMI_OK;
    }
    atemi_conditions_measure(&s->set, step->margins);
    return atemi_conditions_any_broken(&s->set, step->margins) ? atemi_events_handle(s) : ATEMI_OK;
}
