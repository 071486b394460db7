// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_run.h"

#include "math/rows.h"

#include <math.h>
#include <string.h>

// A step is taken twice, whole and as two halves. The halves count; their difference shows how
// large the error of the whole step was, and theirs is smaller by 2^15. Where a margin becomes
// negative on the way, its mode ends there, and the next step begins.

// Of the whole step, relative to what is largest so far.
static const double step_tolerance = 1e-6;

// s. What is fast is stirred up by the first touch most, and by every change of mode. All steps are
// the first one times a power of two, so that what is solved for a length serves again.
static const double first_step = 2e-4, next_step = 1.6e-3;

// Errors, relative to the tolerance, below which the next step is four times or twice as long, and
// above which it is a quarter.
static const double leap_error = 1e-3, grow_error = 0.5, far_error = 1e3;

// Of the whole step, below which derivatives go over it at once: 1e-8 of what is largest.
static const double smooth_error = 1e-2;

// How far beyond rounding a margin must be overstepped to end its mode at once.
static const double jump = 1e3;

void atemi_blow_run_fill(atemi_blow_run *r, atemi_blow_node *node)
{
    atemi_blow_node_fill(r->problem, &r->segment, &r->mode, r->torque, node);
}

void atemi_blow_run_reach(atemi_blow_run *r, const atemi_blow_node *from, double h,
                          atemi_blow_node *to)
{
    atemi_blow_propagator_prepare(&r->propagator, h, false);
    atemi_blow_propagator_step(&r->propagator, &from->state, false, &to->state);
    atemi_blow_run_fill(r, to);
    ++r->record->result->evaluations;
}

static void copy_node(const atemi_blow_run *r, const atemi_blow_node *from, atemi_blow_node *to)
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
static int coordinates(const atemi_blow_run *r, const atemi_blow_state *state, const double *of[2])
{
    const bool chain = r->reference.chain.holds;
    of[0] = chain ? state->reduced_rate : state->rate;
    of[1] = chain ? state->reduced_angle : state->angle;
    return chain ? r->reference.chain.count : r->problem->base->count;
}

static void note_largest(atemi_blow_run *r, const atemi_blow_state *state)
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
static double difference(atemi_blow_run *r)
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
static void try_step(atemi_blow_run *r, double h)
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
static bool take_step(atemi_blow_run *r)
{
    const double left = r->problem->options.duration - r->left.state.time;
    for (;;) {
        const double h = fmin(r->step, left);
        try_step(r, h);
        const double error = difference(r);
        if (!isfinite(error)) {
            return false;
        }
        if (error <= 1.0 || h <= atemi_blow_short_time) {
            r->step = h < r->step ? r->step : h * growth(error);
            r->is_smooth = error <= smooth_error;
            break;
        }
        r->step = (error > far_error ? 0.25 : 0.5) * r->step;
        while (r->step >= left) {
            r->step *= 0.5;
        }
    }
    atemi_blow_run_fill(r, &r->middle);
    atemi_blow_run_fill(r, &r->right);
    return true;
}

// ---- Modes ----------------------------------------------------------------------------------

// The segment of the modes as they are, seen from the left node.
static void fill_segment(atemi_blow_run *r, bool is_contact_alone)
{
    atemi_blow_segment_fill(r->problem, &r->reference, &r->mode, is_contact_alone, &r->segment);
    if (r->record->variation && !is_contact_alone) {
        atemi_blow_variation_enter(r->problem, r->record->variation);
    }
    atemi_blow_propagator_enter(&r->propagator, &r->left.state);
    if (!is_contact_alone) {
        r->largest[0] = r->largest[1] = 0.0;
        note_largest(r, &r->left.state);
    }
    atemi_blow_run_fill(r, &r->left);
}

// The slopes of the left node have changed at a time that changes itself.
static void vary_mode(atemi_blow_run *r, const atemi_blow_slope *before, double peak)
{
    atemi_blow_variation   *v = r->record->variation;
    const atemi_blow_slope *after = &r->left.slope;
    for (int i = 0; i < r->problem->base->count; ++i) {
        r->before[i] -= after->rate[i];
    }
    atemi_blow_variation_jump(r->before, before->hand - after->hand, before->target - after->target,
                              before->force - after->force, v);
    if (r->record->result->peak_force > peak) {
        atemi_blow_variation_force(&r->segment, &v->now, v->stride, v->peak);
        row_subtract(v->stride, -r->left.force_slope, v->shift, v->peak);
    }
}

static void end_mode(atemi_blow_run *r, int index)
{
    const atemi_blow_contact contact = r->mode.contact;
    const atemi_blow_slope   before = r->left.slope;
    const double             peak = r->record->result->peak_force;
    memcpy(r->before, before.rate, (size_t)r->problem->base->stride * sizeof *r->before);
    atemi_blow_mode_end(r->problem, index, &r->left, &r->mode);
    ++r->record->result->mode_changes;
    fill_segment(r, index >= r->problem->element_count);
    atemi_blow_run_note(r, &r->left);
    if (r->record->variation) {
        vary_mode(r, &before, peak);
    }
    if (r->mode.contact != contact) {
        r->record->result->released = r->mode.contact == ATEMI_BLOW_OPEN;
        r->done = r->record->result->released && !r->problem->options.past_release;
    }
}

// How the time changes at which the margin is zero. What a jump of the force ends, ends with the
// event before.
static void locate(const atemi_blow_run *r, int index)
{
    if (r->record->variation) {
        atemi_blow_variation_locate(r->problem, &r->mode, &r->segment, index, &r->left,
                                    r->record->variation);
    }
}

// Ends modes that a jump of the force has made impossible, and those that end at the same time as
// the one that has `ended`.
static void settle(atemi_blow_run *r, int ended)
{
    const int count = atemi_blow_margin_count(r->problem);
    for (int i = 0; i < count; ++i) {
        const atemi_blow_margin m = r->left.margins[i];
        const bool              ends_too =
            ended != ATEMI_NONE && m.value + atemi_blow_short_time * m.slope < 0.0;
        if (i != ended &&
            (ends_too || m.value < -jump * atemi_blow_margin_tolerance(r->problem, &r->mode, i))) {
            if (ends_too) {
                locate(r, i);
            }
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

// A force that is largest at an event moves with it.
static void vary_peak_at_event(const atemi_blow_run *r)
{
    atemi_blow_variation *v = r->record->variation;
    if (v && r->record->result->peak_time == r->left.state.time) {
        row_subtract(v->stride, -r->left.force_slope, v->shift, v->peak);
    }
}

// Goes to the next node, or to an event before it.
static void go_on(atemi_blow_run *r, atemi_blow_node *to)
{
    const int event = atemi_blow_run_find_event(r, &r->left, to);
    if (event == ATEMI_NONE) {
        atemi_blow_run_absorb(r, &r->left, to);
        swap_nodes(&r->left, to);
        return;
    }
    copy_node(r, &r->trial, &r->right);
    r->defers = false;
    atemi_blow_run_absorb(r, &r->left, &r->right);
    swap_nodes(&r->left, &r->right);
    locate(r, event);
    vary_peak_at_event(r);
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

static void take_all(atemi_blow_run *r, atemi_blow_vectors *vectors, atemi_blow_scratch *scratch)
{
    const int n = r->problem->base->count, count = atemi_blow_margin_count(r->problem);
    r->left = take_node(vectors, scratch->margins);
    r->middle = take_node(vectors, scratch->margins + count);
    r->right = take_node(vectors, scratch->margins + 2 * count);
    r->trial = take_node(vectors, scratch->margins + 3 * count);
    r->whole = atemi_blow_state_take(vectors);
    r->sum = atemi_blow_state_take(vectors);
    r->torque = atemi_blow_vector(vectors);
    r->before = atemi_blow_vector(vectors);
    r->anchor = atemi_blow_state_take(vectors);
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

static void begin(atemi_blow_run *r)
{
    atemi_blow_variation *v = r->record->variation;
    if (v) {
        atemi_blow_variation_begin(r->problem, &r->reference, v);
    }
    fill_segment(r, false);
    settle(r, ATEMI_NONE);
    atemi_blow_run_note(r, &r->left);
    if (v) {
        atemi_blow_variation_force(&r->segment, &v->now, v->stride, v->peak);
    }
}

// A blow that ends with an event ends at another time.
static void finish(const atemi_blow_run *r)
{
    atemi_blow_variation   *v = r->record->variation;
    const atemi_blow_slope *slope = &r->left.slope;
    if (v && r->done) {
        atemi_blow_variation_jump(slope->rate, slope->hand, slope->target, slope->force, v);
        row_subtract(v->stride, -r->left.state.target, v->shift, v->now.travel);
    }
}

atemi_status atemi_blow_exactly(const atemi_blow_problem *problem, atemi_blow_vectors *vectors,
                                atemi_blow_scratch *scratch, atemi_blow_state *state,
                                atemi_blow_record *record, atemi_error *error)
{
    atemi_blow_run r = {.problem = problem, .record = record, .step = begin_step(problem)};
    take_all(&r, vectors, scratch);
    atemi_blow_state_copy(problem, state, &r.left.state);
    atemi_blow_modes_begin(problem, state, &r.mode);
    atemi_blow_reference_find(problem, &r.reference);
    begin(&r);
    while (!r.done && problem->options.duration - r.left.state.time > atemi_blow_same_time &&
           atemi_blow_goes_on(problem, record->result->evaluations, record)) {
        const int changes = record->result->mode_changes;
        if (record->result->evaluations + changes > problem->options.most_evaluations) {
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
        r.defers = r.is_smooth;
        go_on(&r, &r.middle);
        r.defers = false;
        if (record->result->mode_changes == changes) {
            go_on(&r, &r.right);
        }
    }
    atemi_blow_state_copy(problem, &r.left.state, state);
    finish(&r);
    return ATEMI_OK;
}
