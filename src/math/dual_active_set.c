// SPDX-License-Identifier: Apache-2.0

#include "math/dual_active_set.h"

#include "math/combination.h"
#include "math/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The dual of the program is
//
//   max  -|M^T u|^2 / 2 - d^T u,    y = -M^T u,    u >= 0 at upper limits d, u <= 0 at lower ones
//
// An active set W has the multipliers u that keep its signs, and those that it wants,
//
//   M_W M_W^T u* = -d_W
//
// With the multipliers v of a solution that is near, y = -M^T (u - v) + M^T v outside of W: then
// what is added up is small, and so is its rounding.
//
// On the way from u to u* the first multiplier that would change its sign leaves W. At u*, the
// limit that is exceeded most joins W [GoldfarbIdnani83, Arnstrom22]. If its row depends on those
// of W, m = M_W^T c, then u moves along p = (-c, 1), where y stays, until a multiplier is zero and
// leaves; if none ever is, c contradicts the limit, and no y meets all. Every step raises the dual
// objective but those of length zero. After many of these the lowest index decides [Bland77].

static const double rounding = 1e-11; // of what a product is the sum of
static const int    patience = 100;   // steps of length zero

enum { REFINEMENTS = 3, IMPLIED = 2 };

dual_active_set atemi_dual_active_set_take(atemi_arena *arena, int variables, int count)
{
    dual_active_set s = {.active = atemi_working_set_take(arena, variables, variables)};
    const int       width = matrix_stride(variables);
    s.value = atemi_arena_array(arena, double, width);
    s.change = atemi_arena_array(arena, double, width);
    s.halfway = atemi_arena_array(arena, double, width);
    s.wanted = atemi_arena_array(arena, double, width);
    s.direction = atemi_arena_array(arena, double, width);
    s.lower = atemi_arena_array(arena, double, count);
    s.upper = atemi_arena_array(arena, double, count);
    s.size = atemi_arena_array(arena, double, count);
    s.floor = atemi_arena_array(arena, double, count);
    s.past = atemi_arena_array(arena, double, count);
    s.offset = atemi_arena_array(arena, double, width);
    s.sides = atemi_arena_array(arena, signed char, count);
    s.list = atemi_arena_array(arena, int, count);
    s.product = atemi_arena_array(arena, double, count);
    s.y = atemi_arena_array(arena, double, width);
    return s;
}

static bool is_equation(const dual_active_set *s, int row)
{
    return s->lower[row] == s->upper[row];
}

static double limit_of(const dual_active_set *s, int row)
{
    return s->sides[row] > 0 ? s->upper[row] : s->lower[row];
}

// What the product of a row with y, less a limit, is the sum of.
static double terms_of(const dual_active_set *s, int row, double limit)
{
    return s->size[row] * s->length + fabs(limit) + s->floor[row] / rounding;
}

// ---- The active set

// A row's past multiplier counts for y while the row is not active.
static void shift(dual_active_set *s, int row, double sign)
{
    if (s->past[row] != 0.0) {
        s->valid = 0;
        row_subtract(s->width, -sign * s->past[row], row_in(s->M, s->width, row), s->offset);
    }
}

static void join(dual_active_set *s, int row, int side, double own, double value)
{
    shift(s, row, -1.0);
    s->value[s->active.count] = value;
    s->change[s->active.count] = value - s->past[row];
    s->sides[row] = (signed char)side;
    atemi_working_set_append(&s->active, row, own);
}

// Rows that depended on the active ones may do so no more.
static void forget_implied(dual_active_set *s)
{
    for (int j = 0; j < s->limited && s->implied; ++j) {
        if (s->sides[s->list[j]] == IMPLIED) {
            s->sides[s->list[j]] = 0;
        }
    }
    s->implied = false;
}

static void leave(dual_active_set *s, int k)
{
    forget_implied(s);
    shift(s, s->active.rows[k], 1.0);
    s->valid = k < s->valid ? k : s->valid;
    s->sides[s->active.rows[k]] = 0;
    atemi_working_set_remove(&s->active, k);
    for (; k < s->active.count; ++k) {
        s->value[k] = s->value[k + 1];
        s->change[k] = s->change[k + 1];
    }
}

// Equations first, then what is guessed; whatever depends on those before stays out.
static void begin(dual_active_set *s)
{
    atemi_working_set_clear(&s->active, s->M, s->width);
    memset(s->offset, 0, (size_t)s->width * sizeof *s->offset);
    s->limited = 0;
    for (int i = 0; i < s->count; ++i) {
        if (isfinite(s->lower[i]) || isfinite(s->upper[i])) {
            s->list[s->limited++] = i;
        }
        shift(s, i, 1.0);
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int j = 0; j < s->limited; ++j) {
            const int  row = s->list[j];
            const bool guessed = s->sides[row] != 0, above = s->sides[row] > 0;
            const bool equation = is_equation(s, row);
            const bool wanted =
                equation || (guessed && isfinite(above ? s->upper[row] : s->lower[row]));
            if (equation != (pass == 0)) {
                continue;
            }
            const double own =
                wanted ? atemi_working_set_project(&s->active, row, s->size[row]) : 0.0;
            s->sides[row] = 0;
            if (own > 0.0) {
                join(s, row, equation || above ? 1 : -1, own, 0.0);
            }
        }
    }
}

// Goes on with the active set of a pass before, whose multipliers are the past ones.
static void resume(dual_active_set *s)
{
    memset(s->offset, 0, (size_t)s->width * sizeof *s->offset);
    memset(s->change, 0, (size_t)s->active.count * sizeof *s->change);
}

// ---- Steps of the multipliers

static void want(dual_active_set *s)
{
    const working_set *w = &s->active;
    const int          first = s->valid, count = w->count - first;
    combination_dots(count, w->rows + first, 0, s->M, s->width, s->offset, s->halfway + first);
    for (int k = first; k < w->count; ++k) {
        s->halfway[k] -= limit_of(s, w->rows[k]);
    }
    atemi_working_set_solve_forwards(w, first, s->halfway);
    s->valid = w->count;
    memcpy(s->wanted, s->halfway, (size_t)w->count * sizeof *s->wanted);
    atemi_working_set_solve_backwards(w, s->wanted);
}

// The first multiplier that is zero along the direction, and how far away that is: the one with
// the steepest fall among equals, or the lowest row where there is no progress.
static int first_zero(const dual_active_set *s, double *step)
{
    int    first = -1;
    double steepest = 0.0;
    for (int k = 0; k < s->active.count; ++k) {
        const int    row = s->active.rows[k];
        const double side = s->sides[row], fall = -side * s->direction[k];
        const double value = fmax(side * s->value[k], 0.0), reached = fall * *step;
        if (!(fall > 0.0) || value > reached || is_equation(s, row)) {
            continue;
        }
        const double slope = fall * s->size[row];
        const bool   better =
            s->still > patience ? row < s->active.rows[first < 0 ? k : first] : slope > steepest;
        if (value < reached || (first >= 0 && better)) {
            first = k;
            *step = value / fall;
            steepest = slope;
        }
    }
    return first;
}

static void move(dual_active_set *s, double step)
{
    for (int k = 0; k < s->active.count; ++k) {
        s->value[k] += step * s->direction[k];
        s->change[k] += step * s->direction[k];
    }
}

// Goes towards what is wanted.
// @return whether it arrived
static bool go(dual_active_set *s)
{
    const int count = s->active.count;
    double    step = 1.0;
    for (int k = 0; k < count; ++k) {
        s->direction[k] = s->wanted[k] - s->change[k];
    }
    const int first = first_zero(s, &step);
    if (first < 0) {
        for (int k = 0; k < count; ++k) {
            s->change[k] = s->wanted[k];
            s->value[k] = s->past[s->active.rows[k]] + s->wanted[k];
        }
        s->still = 0;
        return true;
    }
    move(s, step);
    s->still = step > 0.0 ? 0 : s->still + 1;
    leave(s, first);
    return false;
}

// ---- Where that leads

static void find_y(dual_active_set *s)
{
    const working_set *w = &s->active;
    memcpy(s->y, s->offset, (size_t)s->width * sizeof *s->y);
    combination_subtract(w->count, w->rows, s->M, s->width, s->change, s->y);
    s->length = sqrt(combination_dot(s->width, s->y, s->y)) + s->drift;
}

// Moves the multipliers by what rounding has left of the active limits.
// @return whether there was anything
static bool refine(dual_active_set *s)
{
    for (int time = 0; time < REFINEMENTS; ++time) {
        double *miss = s->direction;
        double  worst = 0.0;
        combination_dots(s->active.count, s->active.rows, 0, s->M, s->width, s->y, miss);
        for (int k = 0; k < s->active.count; ++k) {
            const int    row = s->active.rows[k];
            const double limit = limit_of(s, row);
            miss[k] -= limit;
            worst = fmax(worst, fabs(miss[k]) / terms_of(s, row, limit));
        }
        if (!(worst > 0.1 * rounding)) {
            return time > 0;
        }
        atemi_working_set_solve(&s->active, miss);
        move(s, 1.0);
        find_y(s);
    }
    return true;
}

// The limit that is exceeded most, relative to the size of its row, or -1.
static int most_exceeded(dual_active_set *s, int *side)
{
    double most = 0.0;
    int    worst = -1;
    combination_dots(s->limited, s->list, s->triangle, s->M, s->width, s->y, s->product);
    for (int j = 0; j < s->limited; ++j) {
        const int    row = s->list[j];
        const double over = s->product[j] - s->upper[row], under = s->lower[row] - s->product[j];
        const double excess = over > under ? over : under;
        if (!(excess > most * s->size[row]) || s->sides[row] != 0) {
            continue;
        }
        if (excess > rounding * terms_of(s, row, over > under ? s->upper[row] : s->lower[row])) {
            most = s->size[row] > 0.0 ? excess / s->size[row] : DBL_MAX;
            worst = row;
            *side = over > under ? 1 : -1;
            if (s->still > patience) {
                break;
            }
        }
    }
    return worst;
}

// Whether a row that depends on the active ones exceeds its limit only by what rounding has made of
// the active limits, on their way through the coefficients.
static bool is_implied(dual_active_set *s, int row, int side)
{
    const double limit = side > 0 ? s->upper[row] : s->lower[row];
    double       gap = -limit, terms = terms_of(s, row, limit);
    atemi_working_set_coefficients(&s->active, s->direction);
    for (int k = 0; k < s->active.count; ++k) {
        const double c = s->direction[k], d = limit_of(s, s->active.rows[k]);
        gap += c * d;
        terms += fabs(c) * terms_of(s, s->active.rows[k], d);
    }
    return side * gap <= rounding * terms;
}

// Makes a row join that depends on the active ones: others leave until it does not.
// @return false where none can: the limits contradict each other
static bool replace(dual_active_set *s, int row, int side)
{
    double own = 0.0, value = 0.0;
    while (own == 0.0) {
        double step = INFINITY;
        atemi_working_set_coefficients(&s->active, s->direction);
        for (int k = 0; k < s->active.count; ++k) {
            s->direction[k] *= -side;
        }
        const int first = first_zero(s, &step);
        if (first < 0) {
            forget_implied(s);
            s->sides[row] = (signed char)side;
            return false;
        }
        move(s, step);
        value += side * step;
        s->still = step > 0.0 ? 0 : s->still + 1;
        leave(s, first);
        ++s->iterations;
        own = atemi_working_set_project(&s->active, row, s->size[row]);
    }
    join(s, row, side, own, value);
    return true;
}

dual_outcome atemi_dual_active_set_solve(dual_active_set *s)
{
    s->implied = false;
    s->valid = 0;
    if (s->resumes) {
        resume(s);
    } else {
        begin(s);
    }
    for (s->still = 0; s->iterations < s->most_iterations; ++s->iterations) {
        want(s);
        if (!go(s)) {
            continue;
        }
        find_y(s);
        int side = 0, row = most_exceeded(s, &side);
        if (row < 0 && refine(s)) {
            row = most_exceeded(s, &side);
        }
        if (row < 0) {
            forget_implied(s);
            return DUAL_SOLVED;
        }
        const double own = atemi_working_set_project(&s->active, row, s->size[row]);
        if (own > 0.0) {
            join(s, row, side, own, 0.0);
        } else if (is_implied(s, row, side)) {
            s->sides[row] = IMPLIED;
            s->implied = true;
        } else if (!replace(s, row, side)) {
            return DUAL_INFEASIBLE;
        }
    }
    forget_implied(s);
    return DUAL_UNFINISHED;
}
