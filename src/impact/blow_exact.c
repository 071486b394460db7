// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_modes.h"
#include "impact/hermite.h"

#include <math.h>
#include <string.h>

// A step is taken twice, whole and as two halves. The halves count; what differs tells how large
// the error of the whole step was, and theirs is smaller by 2^15. Where a margin becomes negative,
// its mode ends: by Newton's rule within bounds, with a new step from the last good node for each
// guess, until the correction is so small that a few derivatives carry the state over it.

// Of the whole step, relative to what is largest so far.
static const double step_tolerance = 1e-6;

// s. What is fast is stirred up by the first touch most, and by every change of mode. All steps are
// the first one times a power of two, so that what is solved for a length serves again.
static const double first_step = 2e-4, next_step = 1.6e-3;

// Errors, relative to the tolerance, below which the next step is four times or twice as long, and
// above which it is a quarter.
static const double leap_error = 1e-3, grow_error = 0.5, far_error = 1e3;

// s. Over so short a time a state follows its slopes to rounding errors.
static const double short_time = 1e-9;

// s. Two events are not told apart.
static const double same_time = 1e-14;

// Relative to a slope before, one that is smaller is zero.
static const double rounding = 1e-9;

// s. A state is not moved farther by its derivatives.
static const double slide_time = 1e-4;

enum { MOST_EVALUATIONS = 200000, MOST_GUESSES = 60, MOST_SLIDES = 5 };

// How far beyond rounding a margin must be overstepped to end its mode at once.
static const double jump = 1e3;

typedef struct run {
    atemi_blow_propagator     propagator;
    const atemi_blow_problem *problem;
    atemi_blow_record        *record;
    atemi_blow_mode           mode;
    atemi_blow_reference      reference;
    atemi_blow_segment        segment;
    atemi_blow_node           left, middle, right, trial;
    atemi_blow_state          whole, sum;
    double                   *torque; // [stride]
    double                    step;
    double                    largest[2]; // rate and angle, in the coordinates of the segment
    bool                      done;
} run;

static void fill_node(run *r, atemi_blow_node *node)
{
    atemi_blow_node_fill(r->problem, &r->segment, &r->mode, r->torque, node);
}

// From a node over the time h.
static void reach(run *r, const atemi_blow_node *from, double h, atemi_blow_node *to)
{
    atemi_blow_propagator_prepare(&r->propagator, h, false);
    atemi_blow_propagator_step(&r->propagator, &from->state, false, &to->state);
    fill_node(r, to);
    ++r->record->result->evaluations;
}

static void copy_node(const run *r, const atemi_blow_node *from, atemi_blow_node *to)
{
    const size_t       stride = (size_t)r->problem->base->stride;
    const size_t       count = (size_t)atemi_blow_margin_count(r->problem);
    double            *rate = to->slope.rate;
    atemi_blow_margin *margins = to->margins;
    atemi_blow_state_copy(r->problem, &from->state, &to->state);
    to->slope = from->slope;
    to->force_slope = from->force_slope;
    to->slope.rate = memcpy(rate, from->slope.rate, stride * sizeof *rate);
    to->margins = memcpy(margins, from->margins, count * sizeof *margins);
}

// ---- Steps ----------------------------------------------------------------------------------

// (fmax would be a call.)
static double larger(double most, double x)
{
    return x > most ? x : most;
}

// Rates and angles in the coordinates of the segment, and how many there are.
static int coordinates(const run *r, const atemi_blow_state *state, const double *of[2])
{
    const bool chain = r->reference.chain.holds;
    of[0] = chain ? state->reduced_rate : state->rate;
    of[1] = chain ? state->reduced_angle : state->angle;
    return chain ? r->reference.chain.count : r->problem->base->count;
}

static void note_largest(run *r, const atemi_blow_state *state)
{
    const double *x[2];
    const int     n = coordinates(r, state, x);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < n; ++i) {
            r->largest[k] = larger(r->largest[k], fabs(x[k][i]));
        }
    }
}

// How much the whole step differs from its halves, relative to the tolerance.
static double difference(run *r)
{
    const atemi_blow_state *a = &r->whole, *b = &r->right.state;
    const double           *whole[2], *halves[2];
    const int               n = coordinates(r, a, whole);
    coordinates(r, b, halves);
    note_largest(r, b);
    double error = 0.0;
    for (int k = 0; k < 2; ++k) {
        double most = 0.0;
        for (int i = 0; i < n; ++i) {
            most = larger(most, fabs(whole[k][i] - halves[k][i]));
        }
        error += most > 0.0 ? most / r->largest[k] : 0.0;
    }
    const double speeds = fabs(a->hand - b->hand) + fabs(a->target - b->target);
    const double depths = r->problem->frequency * fabs(a->depth - b->depth);
    tally(r->problem->operations, 2.0 * n + 7.0, 1.0, 4.0);
    return (error + (speeds + depths) / r->problem->approach) / step_tolerance;
}

// The next step's length relative to this one's, a power of two. An error that stays small while
// steps grow is that of what is fast and dies out: then the steps may grow fast.
static double growth(double error)
{
    return error < leap_error ? 4.0 : error < grow_error ? 2.0 : 1.0;
}

// From left to `whole` at once, and by middle to right.
static void try_step(run *r, double h)
{
    atemi_blow_propagator *p = &r->propagator;
    atemi_blow_propagator_prepare(p, h, true);
    atemi_blow_propagator_step(p, &r->left.state, true, &r->whole);
    atemi_blow_propagator_prepare(p, 0.5 * h, true);
    atemi_blow_propagator_step(p, &r->left.state, false, &r->middle.state);
    atemi_blow_propagator_step(p, &r->middle.state, false, &r->right.state);
    r->record->result->evaluations += 3;
}

// From left by middle to right, as far as the tolerance lets.
// @return false if numbers overflow
static bool take_step(run *r)
{
    const double left = r->problem->options.duration - r->left.state.time;
    for (;;) {
        const double h = fmin(r->step, left);
        try_step(r, h);
        const double error = difference(r);
        if (!isfinite(error)) {
            return false;
        }
        if (error <= 1.0 || h <= short_time) {
            r->step = h < r->step ? r->step : h * growth(error);
            break;
        }
        r->step = (error > far_error ? 0.25 : 0.5) * r->step;
        while (r->step >= left) {
            r->step *= 0.5;
        }
    }
    fill_node(r, &r->middle);
    fill_node(r, &r->right);
    return true;
}

// ---- Events ---------------------------------------------------------------------------------

// Where a margin is overstepped between two nodes, as a part of the time between them; 2 if it is
// not.
static double overstep(const atemi_blow_margin *a, const atemi_blow_margin *b, double tolerance,
                       double h)
{
    const atemi_hermite curve = {{a->value, b->value}, {h * a->slope, h * b->slope}};
    if (curve.value[1] < -tolerance) {
        return atemi_hermite_root(&curve);
    }
    if (atemi_hermite_may_dip(&curve)) {
        const double turn = atemi_hermite_turn(&curve);
        return atemi_hermite_at(&curve, turn) < -tolerance ? turn : 2.0;
    }
    return 2.0;
}

static double tolerance_of(const run *r, int index)
{
    return atemi_blow_margin_tolerance(r->problem, &r->mode, index);
}

static bool is_overstepped(const run *r, int index, const atemi_blow_node *node)
{
    const double value = node->margins[index].value;
    return value < 0.0 && value < -tolerance_of(r, index);
}

// The margin that is overstepped first between two nodes, or ATEMI_NONE. Those that are not so at
// the end count only with `dips`.
static int first_overstep(const run *r, const atemi_blow_node *from, const atemi_blow_node *to,
                          bool dips, double *at)
{
    const double h = to->state.time - from->state.time;
    int          first = ATEMI_NONE;
    double       part = 2.0;
    for (int i = 0, count = atemi_blow_margin_count(r->problem); i < count; ++i) {
        const atemi_blow_margin *a = &from->margins[i], *b = &to->margins[i];
        if (b->value >= 0.0 && !(dips && a->slope < 0.0 && b->slope > 0.0)) {
            continue;
        }
        const double x = overstep(a, b, tolerance_of(r, i), h);
        if (x < part) {
            part = x;
            first = i;
        }
    }
    *at = part * h;
    return first;
}

// Moves `trial` to where the margin is zero, if that is near and in `low` .. `high` after `from`.
// @return false if not; `trial` is then perhaps nearer
static bool polish(run *r, int index, const atemi_blow_node *from, double low, double high)
{
    for (int i = 0; i < MOST_SLIDES; ++i) {
        const atemi_blow_margin m = r->trial.margins[index];
        const double            h = -m.value / m.slope;
        const double            t = r->trial.state.time - from->state.time + h;
        if (!(m.slope < 0.0 && fabs(h) <= slide_time && t >= low && t <= high)) {
            return false;
        }
        if (!atemi_blow_slide(r->problem, &r->segment, h, &r->whole, r->torque, &r->sum,
                              &r->trial)) {
            return false;
        }
        fill_node(r, &r->trial);
        if (fabs(h) <= short_time) {
            return true;
        }
    }
    return false;
}

// Brings `trial` to where the margin is zero. It is positive at `from` and negative `end` later, or
// where the guess is.
static void locate(run *r, int index, const atemi_blow_node *from, double guess, double end)
{
    double low = 0.0, high = end, t = guess;
    for (int i = 0; i < MOST_GUESSES; ++i) {
        reach(r, from, t, &r->trial);
        if (polish(r, index, from, low, high)) {
            return;
        }
        const atemi_blow_margin m = r->trial.margins[index];
        t = r->trial.state.time - from->state.time;
        if (m.value >= 0.0) {
            low = t;
        } else {
            high = t;
        }
        if (high - low <= same_time) {
            return;
        }
        const double next = m.slope < 0.0 ? t - m.value / m.slope : high;
        t = next > low && next < high ? next : 0.5 * (low + high);
    }
}

// A margin other than the one found that is overstepped at `trial`, or ATEMI_NONE.
static int earlier_event(const run *r, int found)
{
    for (int i = 0, count = atemi_blow_margin_count(r->problem); i < count; ++i) {
        if (i != found && is_overstepped(r, i, &r->trial)) {
            return i;
        }
    }
    return ATEMI_NONE;
}

// Brings `trial` to the first event that shows at the ends of the time between two nodes, or to
// where a margin dips below zero in between.
// @return its margin; ATEMI_NONE if there is none, and then with `trial` at the dip if that is real
static int find_overstep(run *r, const atemi_blow_node *from, const atemi_blow_node *to, bool *dips)
{
    double at;
    int    first = first_overstep(r, from, to, true, &at);
    *dips = false;
    if (first != ATEMI_NONE && !is_overstepped(r, first, to)) {
        reach(r, from, at, &r->trial);
        *dips = is_overstepped(r, first, &r->trial);
        first = *dips ? ATEMI_NONE : first_overstep(r, from, to, false, &at);
    }
    if (first != ATEMI_NONE) {
        locate(r, first, from, at, to->state.time - from->state.time);
    }
    return first;
}

// The first of all events between two nodes, at `trial`; ATEMI_NONE if there is none.
static int find_event(run *r, const atemi_blow_node *from, const atemi_blow_node *to)
{
    bool dips;
    int  found = find_overstep(r, from, to, &dips);
    for (int i = 0; i < MOST_GUESSES && (dips || found != ATEMI_NONE); ++i) {
        const double end = r->trial.state.time - from->state.time;
        const int    other = earlier_event(r, found);
        if (other == ATEMI_NONE || end <= same_time) {
            break;
        }
        locate(r, other, from, 0.5 * end, end);
        found = other;
    }
    return found;
}

// ---- What lies between nodes ----------------------------------------------------------------

// The value whose largest one is looked for, and its slope.
typedef atemi_blow_margin (*quantity)(const atemi_blow_node *node);

static atemi_blow_margin force_of(const atemi_blow_node *node)
{
    return (atemi_blow_margin){node->slope.force, node->force_slope};
}

static atemi_blow_margin depth_of(const atemi_blow_node *node)
{
    return (atemi_blow_margin){node->state.depth, node->state.hand - node->state.target};
}

static void note(run *r, const atemi_blow_node *node)
{
    atemi_blow_note(r->problem, &node->state, node->slope.force, r->record);
}

// Notes the state where the quantity turns from growing to falling between two nodes, if it exceeds
// `known` there.
static void note_peak(run *r, quantity of, const atemi_blow_node *from, const atemi_blow_node *to,
                      double known)
{
    const double            h = to->state.time - from->state.time;
    const atemi_blow_margin a = of(from), b = of(to);
    if (!(a.slope > 0.0 && b.slope < -rounding * a.slope)) {
        return;
    }
    const atemi_hermite curve = {{a.value, b.value}, {h * a.slope, h * b.slope}};
    double              low = 0.0, high = h, t = h * atemi_hermite_turn(&curve);
    if (atemi_hermite_at(&curve, t / h) < known * (1.0 - 1e-6)) {
        return;
    }
    double slopes[2] = {a.slope, b.slope};
    for (int i = 0; i < 8 && high - low > 1e-7 * h; ++i) {
        reach(r, from, t, &r->trial);
        note(r, &r->trial);
        const double slope = of(&r->trial).slope;
        const int    side = slope < 0.0;
        slopes[side] = slope;
        *(side ? &high : &low) = t;
        t = low + (high - low) * slopes[0] / (slopes[0] - slopes[1]);
    }
}

static void show_watched(run *r, const atemi_blow_node *from, const atemi_blow_node *to)
{
    double time;
    while (atemi_blow_is_watched(r->record, to->state.time, &time)) {
        const atemi_blow_node *at = from;
        if (time > from->state.time) {
            reach(r, from, time - from->state.time, &r->trial);
            at = &r->trial;
        }
        atemi_blow_show(r->problem, &at->state, &at->slope, r->record);
    }
}

// Takes what lies between two nodes into the record. `trial` is overwritten.
static void absorb(run *r, const atemi_blow_node *from, const atemi_blow_node *to)
{
    atemi_blow_result *result = r->record->result;
    note(r, to);
    if (r->mode.contact != ATEMI_BLOW_OPEN) {
        result->contact_time += to->state.time - from->state.time;
        note_peak(r, force_of, from, to, result->peak_force);
        note_peak(r, depth_of, from, to, result->compression);
    }
    show_watched(r, from, to);
}

// ---- Modes ----------------------------------------------------------------------------------

// The segment of the modes as they are, seen from the left node.
static void fill_segment(run *r, bool is_contact_alone)
{
    atemi_blow_segment_fill(r->problem, &r->reference, &r->mode, is_contact_alone, &r->segment);
    atemi_blow_propagator_enter(&r->propagator, &r->left.state);
    if (!is_contact_alone) {
        r->largest[0] = r->largest[1] = 0.0;
        note_largest(r, &r->left.state);
    }
    fill_node(r, &r->left);
}

static void end_mode(run *r, int index)
{
    const atemi_blow_contact before = r->mode.contact;
    atemi_blow_mode_end(r->problem, index, &r->left, &r->mode);
    ++r->record->result->mode_changes;
    fill_segment(r, index >= r->problem->element_count);
    note(r, &r->left);
    if (r->mode.contact != before) {
        r->record->result->released = r->mode.contact == ATEMI_BLOW_OPEN;
        r->done = r->record->result->released && !r->problem->options.past_release;
    }
}

// Ends modes that a jump of the force has made impossible, and those that end at the same time as
// the one that has `ended`.
static void settle(run *r, int ended)
{
    const int count = atemi_blow_margin_count(r->problem);
    for (int i = 0; i < count; ++i) {
        const atemi_blow_margin m = r->left.margins[i];
        const bool ends_too = ended != ATEMI_NONE && m.value + short_time * m.slope < 0.0;
        if (i != ended && (ends_too || m.value < -jump * tolerance_of(r, i))) {
            end_mode(r, i);
        }
    }
}

static void swap_nodes(atemi_blow_node *a, atemi_blow_node *b)
{
    const atemi_blow_node kept = *a;
    *a = *b;
    *b = kept;
}

// Goes to the next node, or to an event before it.
static void go_on(run *r, atemi_blow_node *to)
{
    const int event = find_event(r, &r->left, to);
    if (event == ATEMI_NONE) {
        absorb(r, &r->left, to);
        swap_nodes(&r->left, to);
        return;
    }
    copy_node(r, &r->trial, &r->right);
    absorb(r, &r->left, &r->right);
    swap_nodes(&r->left, &r->right);
    end_mode(r, event);
    settle(r, event);
    r->step = fmin(r->step, next_step);
}

static atemi_blow_node take_node(atemi_blow_vectors *vectors, atemi_blow_margin *margins)
{
    atemi_blow_node node = {.state = atemi_blow_state_take(vectors), .margins = margins};
    node.slope.rate = atemi_blow_vector(vectors);
    return node;
}

static void take_all(run *r, atemi_blow_vectors *vectors, atemi_blow_scratch *scratch)
{
    const int n = r->problem->base->count, count = atemi_blow_margin_count(r->problem);
    r->left = take_node(vectors, scratch->margins);
    r->middle = take_node(vectors, scratch->margins + count);
    r->right = take_node(vectors, scratch->margins + 2 * count);
    r->trial = take_node(vectors, scratch->margins + 3 * count);
    r->whole = atemi_blow_state_take(vectors);
    r->sum = atemi_blow_state_take(vectors);
    r->torque = atemi_blow_vector(vectors);
    r->segment.damping = atemi_blow_vector(vectors);
    r->segment.stiffness = atemi_blow_vector(vectors);
    r->segment.torque = atemi_blow_vector(vectors);
    r->segment.drift = atemi_blow_vector(vectors);
    r->segment.reduced_drift = atemi_blow_vector(vectors);
    r->segment.deviants = scratch->axes + 2 * n;
    r->reference.damping = atemi_blow_vector(vectors);
    r->reference.stiffness = atemi_blow_vector(vectors);
    r->reference.axes = scratch->axes;
    r->reference.places = scratch->axes + n;
    r->reference.chain = atemi_blow_reduction_take(r->problem, vectors);
    atemi_blow_propagator_make(r->problem, &r->reference, &r->segment, scratch->lanes, vectors,
                               &r->propagator);
}

static double begin_step(const atemi_blow_problem *problem)
{
    double step = first_step;
    while (step * problem->frequency > 1.0) {
        step *= 0.5;
    }
    return step;
}

atemi_status atemi_blow_exactly(const atemi_blow_problem *problem, atemi_blow_vectors *vectors,
                                atemi_blow_scratch *scratch, atemi_blow_state *state,
                                atemi_blow_record *record, atemi_error *error)
{
    run r = {.problem = problem, .record = record, .step = begin_step(problem)};
    take_all(&r, vectors, scratch);
    atemi_blow_state_copy(problem, state, &r.left.state);
    atemi_blow_modes_begin(problem, state, &r.mode);
    atemi_blow_reference_find(problem, &r.reference);
    fill_segment(&r, false);
    settle(&r, ATEMI_NONE);
    note(&r, &r.left);
    while (!r.done && problem->options.duration - r.left.state.time > same_time) {
        const int changes = record->result->mode_changes;
        if (record->result->evaluations > MOST_EVALUATIONS) {
            return atemi_fail(
                error, ATEMI_ERROR_LIMIT,
                "the blow is not through after %d evaluations and %d changes of mode, "
                "at %g s: soften the surface or the servo, or shorten the duration",
                record->result->evaluations, changes, r.left.state.time);
        }
        if (!take_step(&r)) {
            return atemi_fail(error, ATEMI_ERROR_LIMIT,
                              "the blow's numbers overflow after %g s: its masses, gains or "
                              "stiffness are too far apart",
                              r.left.state.time);
        }
        go_on(&r, &r.middle);
        if (record->result->mode_changes == changes) {
            go_on(&r, &r.right);
        }
    }
    atemi_blow_state_copy(problem, &r.left.state, state);
    return ATEMI_OK;
}
