// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_run.h"
#include "impact/hermite.h"

#include <math.h>

// Where a margin becomes negative, its mode ends: by Newton's rule within bounds, with a new step
// from the last good node for each guess, until the correction is so small that a few derivatives
// carry the state over it.

// s. A state is not moved farther by its derivatives.
static const double slide_time = 1e-4;

enum { MOST_GUESSES = 60, MOST_SLIDES = 5, MOST_LOOKS = 8 };

// Falls at first and rises in the end by enough to come near to zero: by more than the cubic does.
static bool may_dip(const atemi_blow_margin *a, const atemi_blow_margin *b, double h)
{
    const double most = 0.3; // twice what a unit of slope at an end adds
    return a->slope < 0.0 && b->slope > 0.0 &&
           (a->value < b->value ? a->value : b->value) < most * h * (b->slope - a->slope);
}

static bool is_overstepped(const atemi_blow_run *r, int index, const atemi_blow_node *node)
{
    const double value = node->margins[index].value;
    return value < 0.0 && value < -atemi_blow_margin_tolerance(r->problem, &r->mode, index);
}

static atemi_hermite curve_of(const atemi_blow_margin *a, const atemi_blow_margin *b, double h)
{
    return (atemi_hermite){{a->value, b->value}, {h * a->slope, h * b->slope}};
}

// The margin that is overstepped at the second of two nodes and was so first, or ATEMI_NONE, and
// the first that is not, but may dip below zero in between.
static int first_overstep(const atemi_blow_run *r, const atemi_blow_node *from,
                          const atemi_blow_node *to, double *at, int *dip)
{
    const double h = to->state.time - from->state.time;
    int          first = ATEMI_NONE, turning = ATEMI_NONE;
    double       part = 2.0;
    for (int i = 0, count = atemi_blow_margin_count(r->problem); i < count; ++i) {
        const atemi_blow_margin *a = &from->margins[i], *b = &to->margins[i];
        if (b->value >= 0.0) {
            turning = turning == ATEMI_NONE && may_dip(a, b, h) ? i : turning;
        } else if (is_overstepped(r, i, to)) {
            const atemi_hermite curve = curve_of(a, b, h);
            const double        x = atemi_hermite_root(&curve);
            first = x < part ? i : first;
            part = x < part ? x : part;
        }
    }
    *at = part * h;
    *dip = turning;
    return first;
}

// Moves `trial` to where the margin is zero, if that is near and in `low` .. `high` after `from`.
// @return false if not; `trial` is then perhaps nearer
static bool polish(atemi_blow_run *r, int index, const atemi_blow_node *from, double low,
                   double high)
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
        atemi_blow_run_fill(r, &r->trial);
        if (fabs(h) <= atemi_blow_short_time) {
            return true;
        }
    }
    return false;
}

// Brings `trial` to where the margin is zero. It is positive at `from` and negative `end` later, or
// where the guess is.
static void locate(atemi_blow_run *r, int index, const atemi_blow_node *from, double guess,
                   double end)
{
    double low = 0.0, high = end, t = guess;
    for (int i = 0; i < MOST_GUESSES; ++i) {
        atemi_blow_run_reach(r, from, t, &r->trial);
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
        if (high - low <= atemi_blow_same_time) {
            return;
        }
        const double next = m.slope < 0.0 ? t - m.value / m.slope : high;
        t = next > low && next < high ? next : 0.5 * (low + high);
    }
}

// A margin other than the one found that is overstepped at `trial`, or ATEMI_NONE.
static int earlier_event(const atemi_blow_run *r, int found)
{
    for (int i = 0, count = atemi_blow_margin_count(r->problem); i < count; ++i) {
        if (i != found && is_overstepped(r, i, &r->trial)) {
            return i;
        }
    }
    return ATEMI_NONE;
}

// ---- Dips -----------------------------------------------------------------------------------

// How far a margin may be off the cubic over half of a step, from how far the node in the middle of
// it is off the cubic over all of it: a fourth derivative leaves a sixteenth.
static double doubt(const atemi_blow_run *r, int index, const atemi_blow_node *to)
{
    const bool               is_first = to == &r->middle;
    const atemi_blow_node   *from = is_first ? &r->left : &r->middle;
    const atemi_blow_margin *middle = &(is_first ? &r->middle : &r->left)->margins[index];
    const double             h = r->right.state.time - from->state.time;
    const atemi_hermite      c = curve_of(&from->margins[index], &r->right.margins[index], h);
    const double value = 0.5 * (c.value[0] + c.value[1]) + (c.slope[0] - c.slope[1]) / 8.0;
    const double slope = 1.5 * (c.value[1] - c.value[0]) - (c.slope[0] + c.slope[1]) / 4.0;
    return (fabs(value - middle->value) + 0.25 * fabs(slope - h * middle->slope)) / 8.0;
}

// Brings `trial` to where a margin that turns between two nodes is below zero: to where the cubic
// turns, and to where that between there and one of the ends does, as long as it is in doubt.
// @return false if it is nowhere
static bool find_dip(atemi_blow_run *r, int index, const atemi_blow_node *from,
                     const atemi_blow_node *to)
{
    atemi_blow_margin a = from->margins[index], b = to->margins[index];
    double            low = 0.0, high = to->state.time - from->state.time;
    double            off = doubt(r, index, to);
    for (int i = 0; i < MOST_LOOKS && high - low > atemi_blow_short_time; ++i) {
        const atemi_hermite curve = curve_of(&a, &b, high - low);
        if (!atemi_hermite_may_dip(&curve, off)) {
            return false;
        }
        const double turn = atemi_hermite_turn(&curve), least = atemi_hermite_at(&curve, turn);
        if (least > off) {
            return false;
        }
        const double at = low + turn * (high - low);
        atemi_blow_run_reach(r, from, at, &r->trial);
        if (is_overstepped(r, index, &r->trial)) {
            return true;
        }
        const atemi_blow_margin m = r->trial.margins[index];
        off = fabs(m.value - least);
        *(m.slope < 0.0 ? &a : &b) = m;
        *(m.slope < 0.0 ? &low : &high) = at;
    }
    return false;
}

static bool find_any_dip(atemi_blow_run *r, int first, const atemi_blow_node *from,
                         const atemi_blow_node *to)
{
    const double h = to->state.time - from->state.time;
    for (int i = first, count = atemi_blow_margin_count(r->problem); i < count; ++i) {
        const atemi_blow_margin *a = &from->margins[i], *b = &to->margins[i];
        if (b->value >= 0.0 && may_dip(a, b, h) && find_dip(r, i, from, to)) {
            return true;
        }
    }
    return false;
}

// ---- Events ---------------------------------------------------------------------------------

// Brings `trial` to the first event that shows at the ends of the time between two nodes, or to
// where a margin dips below zero in between.
// @return its margin; ATEMI_NONE if there is none, or `trial` is at a dip
static int find_overstep(atemi_blow_run *r, const atemi_blow_node *from, const atemi_blow_node *to,
                         bool *dips)
{
    double    at;
    int       dip;
    const int first = first_overstep(r, from, to, &at, &dip);
    *dips = dip != ATEMI_NONE && find_any_dip(r, dip, from, to);
    if (*dips) {
        return ATEMI_NONE;
    }
    if (first != ATEMI_NONE) {
        locate(r, first, from, at, to->state.time - from->state.time);
    }
    return first;
}

int atemi_blow_run_find_event(atemi_blow_run *r, const atemi_blow_node *from,
                              const atemi_blow_node *to)
{
    bool dips;
    int  found = find_overstep(r, from, to, &dips);
    for (int i = 0; i < MOST_GUESSES && (dips || found != ATEMI_NONE); ++i) {
        const double end = r->trial.state.time - from->state.time;
        const int    other = earlier_event(r, found);
        if (other == ATEMI_NONE || end <= atemi_blow_same_time) {
            break;
        }
        locate(r, other, from, 0.5 * end, end);
        found = other;
    }
    return found;
}
