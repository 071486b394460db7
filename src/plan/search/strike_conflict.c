// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_conflict.h"

#include <math.h>
#include <string.h>

// Where F of strike_violation.c is least,
//
//   sum of lambda_i slope_i = 0,   lambda_i = w_i phi'(g_i) = w_i min(g_i / d, 1)
//
// but for variables that are held by their ranges, with what is left of the sum as their lambda.
// Rows with g_i > d are not met. They can come no nearer because of those with lambda_i > 0 that
// are met to d, and because of these ranges: together they conflict.

static const double slight = 1e-2; // lambda that does not matter

// ---- Conflicts, sorted

typedef struct conflict_list {
    const strike_constraints *constraints;
    atemi_strike_conflict    *conflicts;
    int                       count;
} conflict_list;

static bool are_related(const conflict_list *list, const atemi_strike_conflict *a,
                        const atemi_strike_conflict *b)
{
    const strike_constraint *all = list->constraints->list;
    return !a->is_variable && !b->is_variable &&
           strike_constraints_are_related(&all[a->index].about, &all[b->index].about);
}

static bool is_heavier(const atemi_strike_conflict *a, const atemi_strike_conflict *b)
{
    const bool unmet = a->violation > 0.0;
    return unmet == (b->violation > 0.0) ? a->weight > b->weight : unmet;
}

static void take_out(conflict_list *list, int at)
{
    --list->count;
    memmove(&list->conflicts[at], &list->conflicts[at + 1],
            (size_t)(list->count - at) * sizeof *list->conflicts);
}

// Whether it is the heaviest of its family so far; a lighter one is taken out.
static bool is_heaviest(conflict_list *list, const atemi_strike_conflict *conflict)
{
    for (int i = 0; i < list->count; ++i) {
        if (are_related(list, conflict, &list->conflicts[i])) {
            const bool heavier = is_heavier(conflict, &list->conflicts[i]);
            if (heavier) {
                take_out(list, i);
            }
            return heavier;
        }
    }
    return true;
}

// Puts it where it belongs; the lightest may fall off the end.
static void add(conflict_list *list, const atemi_strike_conflict *conflict)
{
    int at = list->count;
    if (!is_heaviest(list, conflict)) {
        return;
    }
    while (at > 0 && is_heavier(conflict, &list->conflicts[at - 1])) {
        --at;
    }
    if (at < STRIKE_MAX_CONFLICTS) {
        list->count += list->count < STRIKE_MAX_CONFLICTS;
        memmove(&list->conflicts[at + 1], &list->conflicts[at],
                (size_t)(list->count - 1 - at) * sizeof *conflict);
        list->conflicts[at] = *conflict;
    }
}

// ---- Rows

static void add_row(const strike_violation *v, int row, conflict_list *list)
{
    const strike_scaled     *s = v->scaled;
    bool                     is_upper;
    const int                index = strike_scaled_constraint(s, row, &is_upper);
    const strike_constraint *c = &s->problem->constraints.list[index];
    const double             outside = s->base[row] > v->rounding ? s->base[row] * c->scale : 0.0;
    atemi_strike_conflict conflict = {.index = index, .is_upper = is_upper, .violation = outside};
    conflict.bound = is_upper ? c->about.upper : c->about.lower;
    conflict.value = conflict.bound + (is_upper ? outside : -outside);
    conflict.weight = outside > 0.0 ? s->base[row] : strike_violation_slope(v, s->base[row]);
    add(list, &conflict);
}

static void add_rows(const strike_violation *v, conflict_list *list)
{
    const strike_scaled *s = v->scaled;
    for (int r = 1; r <= s->rows; ++r) {
        if (strike_violation_slope(v, s->base[r]) > slight) {
            add_row(v, r, list);
        }
    }
}

// ---- Ranges

static void add_range(const strike_violation *v, const double *u, int index, double lambda,
                      conflict_list *list)
{
    const strike_variable *x = &v->scaled->problem->variables.list[index];
    const double           outside = strike_violation_of_range(v, u, index);
    const double           value = u[index] * x->scale;
    atemi_strike_conflict  conflict = {
         .is_variable = true, .index = index, .value = value, .weight = lambda};
    conflict.is_upper = fabs(value - x->about.range.upper) < fabs(value - x->about.range.lower);
    conflict.bound = conflict.is_upper ? x->about.range.upper : x->about.range.lower;
    if (outside > v->rounding) {
        conflict.violation = outside * x->scale;
        conflict.weight = outside;
    }
    add(list, &conflict);
}

static void add_ranges(const strike_violation *v, const double *u, conflict_list *list)
{
    for (int i = 0; i < v->scaled->problem->variables.count; ++i) {
        const double held = strike_violation_is_held(v, u, i) ? fabs(v->gradient[i]) : 0.0;
        const double left = strike_violation_slope(v, strike_violation_of_range(v, u, i));
        if (fmax(held, left) > slight) {
            add_range(v, u, i, fmax(held, left), list);
        }
    }
}

int strike_conflict_find(const strike_violation *v, const double *u,
                         atemi_strike_conflict *conflicts)
{
    conflict_list list = {.constraints = &v->scaled->problem->constraints, .conflicts = conflicts};
    add_rows(v, &list);
    add_ranges(v, u, &list);
    return list.count;
}
