// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_run.h"
#include "impact/hermite.h"

#include <math.h>

// Where a margin becomes negative, its mode ends: by Newton's rule within bounds, with a new step
// from the last good node for each guess, until the correction is so small that a few derivatives
// carry the state over it.

// s. A state is not moved farther by its derivatives.
static const double slide_time = 1e-4;

enum { MOST_GUESSES = 60, MOST_SLIDES = 5 };

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

static bool is_overstepped(const atemi_blow_run *r, int index, const atemi_blow_node *node)
{
    const double value = node->margins[index].value;
    return value < 0.0 && value < -atemi_blow_margin_tolerance(r->problem, &r->mode, index);
}

// The margin that is overstepped first between two nodes, or ATEMI_NONE. Those that are not so at
// the end count only with `dips`.
static int first_overstep(const atemi_blow_run *r, const atemi_blow_node *from,
                          const atemi_blow_node *to, bool dips, double *at)
{
    const double h = to->state.time - from->state.time;
    int          first = ATEMI_NONE;
    double       part = 2.0;
    for (int i = 0, count = atemi_blow_margin_count(r->problem); i < count; ++i) {
        const atemi_blow_margin *a = &from->margins[i], *b = &to->margins[i];
        if (b->value >= 0.0 && !(dips && a->slope < 0.0 && b->slope > 0.0)) {
            continue;
        }
        const double x = overstep(a, b, atemi_blow_margin_tolerance(r->problem, &r->mode, i), h);
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

// Brings `trial` to the first event that shows at the ends of the time between two nodes, or to
// where a margin dips below zero in between.
// @return its margin; ATEMI_NONE if there is none, and then with `trial` at the dip if that is real
static int find_overstep(atemi_blow_run *r, const atemi_blow_node *from, const atemi_blow_node *to,
                         bool *dips)
{
    double at;
    int    first = first_overstep(r, from, to, true, &at);
    *dips = false;
    if (first != ATEMI_NONE && !is_overstepped(r, first, to)) {
        atemi_blow_run_reach(r, from, at, &r->trial);
        *dips = is_overstepped(r, first, &r->trial);
        first = *dips ? ATEMI_NONE : first_overstep(r, from, to, false, &at);
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
