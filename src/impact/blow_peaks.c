// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_run.h"
#include "impact/hermite.h"

#include <math.h>

// Relative to a slope before, one that is smaller is zero.
static const double rounding = 1e-9;

// Relative to the slope before, that at the largest value: its derivatives have as much of how its
// time changes.
static const double flat = 1e-10;

enum { MOST_LOOKS = 8 };

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

void atemi_blow_run_note(atemi_blow_run *r, const atemi_blow_node *node)
{
    atemi_blow_note(r->problem, &node->state, node->slope.force, r->record);
}

// Notes the state where the quantity turns from growing to falling between two nodes, if it exceeds
// `known` there: by false position, with half of the slope of an end that stays.
static void note_peak(atemi_blow_run *r, quantity of, const atemi_blow_node *from,
                      const atemi_blow_node *to, double known)
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
    double slopes[2] = {a.slope, b.slope}, slope = a.slope;
    int    before = 2;
    for (int i = 0; i < MOST_LOOKS && fabs(slope) > flat * a.slope; ++i) {
        atemi_blow_run_reach(r, from, t, &r->trial);
        atemi_blow_run_note(r, &r->trial);
        slope = of(&r->trial).slope;
        const int side = slope < 0.0;
        slopes[side] = slope;
        slopes[1 - side] *= side == before ? 0.5 : 1.0;
        before = side;
        *(side ? &high : &low) = t;
        t = low + (high - low) * slopes[0] / (slopes[0] - slopes[1]);
    }
}

// The change of a state to be looked at.
static void vary_watched(atemi_blow_run *r, const atemi_blow_node *at)
{
    atemi_blow_variation *v = r->record->variation;
    if (v) {
        const double             h = at->state.time - r->anchor.time;
        const atemi_blow_change *change = &v->now;
        if (h > 0.0) {
            atemi_blow_variation_look(&r->propagator, &r->anchor, h, &r->whole, v);
            change = &v->there;
        }
        atemi_blow_variation_show(r->problem, &r->segment, &at->state, at->slope.force, change, v);
    }
}

// Takes the change along to the second node. That of the largest force is that of the force where
// it is largest, whether that is between the nodes or at the second one.
static void vary(atemi_blow_run *r, const atemi_blow_node *to, double known)
{
    atemi_blow_variation    *v = r->record->variation;
    const atemi_blow_result *result = r->record->result;
    const bool               rises = result->peak_force > known;
    const bool               passes = r->defers || result->peak_time != to->state.time;
    if (rises && passes) {
        atemi_blow_variation_look(&r->propagator, &r->anchor, result->peak_time - r->anchor.time,
                                  &r->whole, v);
        atemi_blow_variation_force(&r->segment, &v->there, v->stride, v->peak);
    }
    if (!r->defers) {
        atemi_blow_variation_advance(&r->propagator, &r->anchor, to->state.time - r->anchor.time,
                                     &r->whole, v);
        r->is_anchored = false;
    }
    if (rises && !passes) {
        atemi_blow_variation_force(&r->segment, &v->now, v->stride, v->peak);
    }
}

static void drop_anchor(atemi_blow_run *r, const atemi_blow_node *from)
{
    if (!r->is_anchored) {
        atemi_blow_state_copy(r->problem, &from->state, &r->anchor);
        r->is_anchored = true;
    }
}

static void show_watched(atemi_blow_run *r, const atemi_blow_node *from, const atemi_blow_node *to)
{
    double time;
    while (atemi_blow_is_watched(r->record, to->state.time, &time)) {
        const atemi_blow_node *at = from;
        if (time > from->state.time) {
            atemi_blow_run_reach(r, from, time - from->state.time, &r->trial);
            at = &r->trial;
        }
        vary_watched(r, at);
        atemi_blow_show(r->problem, &at->state, &at->slope, r->record);
    }
}

void atemi_blow_run_absorb(atemi_blow_run *r, const atemi_blow_node *from,
                           const atemi_blow_node *to)
{
    atemi_blow_result *result = r->record->result;
    const double       known = result->peak_force;
    if (r->record->variation) {
        drop_anchor(r, from);
    }
    atemi_blow_run_note(r, to);
    if (r->mode.contact != ATEMI_BLOW_OPEN) {
        result->contact_time += to->state.time - from->state.time;
        note_peak(r, force_of, from, to, result->peak_force);
        note_peak(r, depth_of, from, to, result->compression);
    }
    show_watched(r, from, to);
    if (r->record->variation) {
        vary(r, to, known);
    }
}
