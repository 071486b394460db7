// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_run.h"
#include "impact/hermite.h"

// Relative to a slope before, one that is smaller is zero.
static const double rounding = 1e-9;

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
// `known` there.
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
    double slopes[2] = {a.slope, b.slope};
    for (int i = 0; i < 8 && high - low > 1e-7 * h; ++i) {
        atemi_blow_run_reach(r, from, t, &r->trial);
        atemi_blow_run_note(r, &r->trial);
        const double slope = of(&r->trial).slope;
        const int    side = slope < 0.0;
        slopes[side] = slope;
        *(side ? &high : &low) = t;
        t = low + (high - low) * slopes[0] / (slopes[0] - slopes[1]);
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
        atemi_blow_show(r->problem, &at->state, &at->slope, r->record);
    }
}

void atemi_blow_run_absorb(atemi_blow_run *r, const atemi_blow_node *from,
                           const atemi_blow_node *to)
{
    atemi_blow_result *result = r->record->result;
    atemi_blow_run_note(r, to);
    if (r->mode.contact != ATEMI_BLOW_OPEN) {
        result->contact_time += to->state.time - from->state.time;
        note_peak(r, force_of, from, to, result->peak_force);
        note_peak(r, depth_of, from, to, result->compression);
    }
    show_watched(r, from, to);
}
