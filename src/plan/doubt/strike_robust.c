// SPDX-License-Identifier: Apache-2.0

#include "plan/doubt/strike_robust.h"

#include "atemi/base.h"
#include "plan/doubt/strike_case.h"
#include "plan/search/strike_starts.h"
#include "plan/touch/strike_blow.h"

#include <math.h>
#include <string.h>

// A plan is made for some cases of what is in doubt, at first for none. Then cases that it does not
// stand are looked for: at all corners of the box, in the middle of its sides, and at points that
// are spread over it evenly [Halton60]. From the worst of them, for each kind of constraint and
// foot, one more corner is tried: the one to which the slopes of that constraint lead. The plan is
// made again for these cases too, until there are none, or no room for them (exchange method
// [HettichKortanek93]).

enum { AXES = 5, SPREAD = 48, MAX_FAMILIES = 1 + 2 * ATEMI_STRIKE_MAX_FEET };

static const double short_step = 0.05; // of a doubt, for slopes

// ---- The box

static void to_list(const atemi_strike_deviation *d, double list[AXES])
{
    const double values[AXES] = {d->mass, d->friction, d->distance, d->timing, d->gains};
    memcpy(list, values, sizeof values);
}

static atemi_strike_deviation from_list(const double list[AXES])
{
    return (atemi_strike_deviation){list[0], list[1], list[2], list[3], list[4]};
}

// What is in doubt and matters to a blow: half of the box's sides. The floor's friction is the
// least in all cases; that of a target counts only where it is held.
static void find_sides(const atemi_strike_task *task, double sides[AXES])
{
    to_list(&task->doubt, sides);
    sides[0] = isfinite(task->target.mass) ? sides[0] : 0.0;
    sides[1] = task->target.friction > 0.0 ? sides[1] : 0.0;
}

// ---- Rows of a case

// The families of constraints of a blow: the ZMP, friction and edges of each foot.
static int family_of(const atemi_strike_constraint *c)
{
    return c->kind == ATEMI_CONSTRAIN_BLOW_ZMP        ? 0
           : c->kind == ATEMI_CONSTRAIN_BLOW_FRICTION ? 1 + 2 * c->index
                                                      : 2 + 2 * c->index;
}

typedef struct screen {
    strike_inside          plan;
    double                 sides[AXES];
    int                    count, part_count; ///< rows of a case
    strike_constraint     *declared;
    double                *values, *parts;
    double                 worst[MAX_FAMILIES]; ///< violation, scaled
    atemi_strike_deviation worst_case[MAX_FAMILIES];
} screen;

static void evaluate(screen *s, const atemi_strike_deviation *at, strike_rows *rows)
{
    strike_constrain_case(s->plan.setup, s->plan.at, at, s->plan.work, rows);
}

// The largest violation of each family in a case.
static void look(screen *s, const double list[AXES], double violations[MAX_FAMILIES])
{
    const atemi_strike_deviation at = from_list(list);
    strike_rows                  rows = {.values = s->values, .parts = s->parts};
    for (int i = 0; i < MAX_FAMILIES; ++i) {
        violations[i] = -INFINITY;
    }
    evaluate(s, &at, &rows);
    for (int i = 0; i < s->count; ++i) {
        const strike_constraint *c = &s->declared[i];
        double                  *worst = &violations[family_of(&c->about)];
        *worst = fmax(*worst, (c->about.lower - s->values[i]) / c->scale);
    }
}

static void try_case(screen *s, const double list[AXES])
{
    double violations[MAX_FAMILIES];
    look(s, list, violations);
    for (int i = 0; i < MAX_FAMILIES; ++i) {
        if (violations[i] > s->worst[i]) {
            s->worst[i] = violations[i];
            s->worst_case[i] = from_list(list);
        }
    }
}

// ---- Where to look

// All corners, and where some axes are in the middle: each axis at -1, 0 or 1.
static void try_corners(screen *s)
{
    static const double signs[] = {-1.0, 0.0, 1.0};
    int                 total = 1;
    for (int k = 0; k < AXES; ++k) {
        total *= 3;
    }
    for (int i = 0; i < total; ++i) {
        double list[AXES];
        bool   is_new = true; // an axis without doubt has one place
        for (int k = 0, rest = i; k < AXES; ++k, rest /= 3) {
            list[k] = signs[rest % 3] * s->sides[k];
            is_new = is_new && (s->sides[k] > 0.0 || rest % 3 == 1);
        }
        if (is_new) {
            try_case(s, list);
        }
    }
}

static void try_spread(screen *s)
{
    static const unsigned bases[AXES] = {2, 3, 5, 7, 11};
    for (unsigned i = 1; i <= SPREAD; ++i) {
        double list[AXES];
        for (int k = 0; k < AXES; ++k) {
            list[k] = (2.0 * strike_spread(i, bases[k]) - 1.0) * s->sides[k];
        }
        try_case(s, list);
    }
}

// The corner to which the slopes of a family lead from its worst case.
static void try_slopes(screen *s, int family)
{
    double here[AXES], corner[AXES], violations[MAX_FAMILIES];
    to_list(&s->worst_case[family], here);
    memcpy(corner, here, sizeof corner);
    for (int k = 0; k < AXES; ++k) {
        double       next[AXES];
        const double step = here[k] > 0.0 ? -short_step * s->sides[k] : short_step * s->sides[k];
        if (step != 0.0) {
            memcpy(next, here, sizeof next);
            next[k] += step;
            look(s, next, violations);
            corner[k] = copysign(s->sides[k], (violations[family] - s->worst[family]) * step);
        }
    }
    try_case(s, corner);
}

// ---- What is found

static bool is_known(const atemi_strike_deviation *list, int count,
                     const atemi_strike_deviation *one)
{
    bool   known = false;
    double a[AXES], b[AXES];
    to_list(one, a);
    for (int i = 0; i < count; ++i) {
        to_list(&list[i], b);
        bool same = true;
        for (int k = 0; k < AXES; ++k) {
            same = same && a[k] == b[k];
        }
        known = known || same;
    }
    return known;
}

static int collect(const screen *s, double tolerance, int limit, atemi_strike_deviation *cases)
{
    const atemi_strike_task *task = &s->plan.setup->task;
    int                      count = 0;
    for (int i = 0; i < MAX_FAMILIES && count < limit; ++i) {
        const atemi_strike_deviation *one = &s->worst_case[i];
        if (s->worst[i] > tolerance && !is_known(task->cases, task->case_count, one) &&
            !is_known(cases, count, one)) {
            cases[count++] = *one;
        }
    }
    return count;
}

static void take(screen *s, atemi_arena *arena)
{
    s->declared = atemi_arena_array(arena, strike_constraint, s->count);
    s->values = atemi_arena_array(arena, double, s->count);
    s->parts = atemi_arena_array(arena, double, s->part_count);
}

static void declare(screen *s)
{
    const atemi_strike_deviation none = {0};
    strike_rows                  rows = {.declared = s->declared};
    evaluate(s, &none, &rows);
    for (int i = 0; i < MAX_FAMILIES; ++i) {
        s->worst[i] = -INFINITY;
    }
}

int strike_robust_find(strike_inside plan, double tolerance, int limit,
                       atemi_strike_deviation *cases)
{
    const atemi_strike_deviation none = {0};
    screen                       s = {.plan = plan};
    strike_rows                  rows = {0};
    atemi_arena                  measuring = atemi_arena_measuring(), arena;
    evaluate(&s, &none, &rows);
    s.count = rows.next;
    s.part_count = rows.next_part;
    take(&s, &measuring);
    if (atemi_arena_create(&arena, measuring.used, NULL)) {
        return ATEMI_NONE;
    }
    take(&s, &arena);
    declare(&s);
    find_sides(&plan.setup->task, s.sides);
    try_corners(&s);
    try_spread(&s);
    for (int i = 0; i < MAX_FAMILIES; ++i) {
        if (s.worst[i] > tolerance) {
            try_slopes(&s, i);
        }
    }
    const int count = collect(&s, tolerance, limit, cases);
    atemi_arena_destroy(&arena);
    return count;
}
