// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_scaled.h"

#include "math/rows.h"
#include "plan/slopes/strike_touch_slopes.h"

#include <math.h>
#include <string.h>

// In scaled variables u, objective and constraints are
//
//   f(u) = -objective / unit,   g_i(u) = (lower_i - c_i) / scale_i  or  (c_i - upper_i) / scale_i
//   <= 0
//
// and row 0 of `base` and `slopes` is f. The slopes of first touch and of the motion before and
// after the blow are exact, where they can be found. Others are differences, taken forwards, or
// backwards where a bound is near.

static const double difference = 1e-6; // of a scaled variable

double strike_scaled_lower(const strike_scaled *s, int variable)
{
    const strike_variable *v = &s->problem->variables.list[variable];
    return v->about.range.lower / v->scale;
}

double strike_scaled_upper(const strike_scaled *s, int variable)
{
    const strike_variable *v = &s->problem->variables.list[variable];
    return v->about.range.upper / v->scale;
}

void strike_scaled_variables(const strike_scaled *s, const double *x, double *u)
{
    for (int i = 0; i < s->problem->variables.count; ++i) {
        u[i] = x[i] / s->problem->variables.list[i].scale;
    }
}

void strike_scaled_values(const strike_scaled *s, const double *u, double *x)
{
    for (int i = 0; i < s->problem->variables.count; ++i) {
        x[i] = u[i] * s->problem->variables.list[i].scale;
    }
}

// ---- Rows

// The rows of constraints from one on and before another, from `next` on.
// @return where they end
static int fill_some(const strike_scaled *s, const strike_result *r, int first, int end, int next,
                     double *rows)
{
    for (int i = first; i < end; ++i) {
        const strike_constraint *c = &s->problem->constraints.list[i];
        const double *values = c->part_count ? r->parts + c->first_part : &r->constraints[i];
        const int     count = c->part_count ? c->part_count : 1;
        for (int k = 0; k < count && isfinite(c->about.lower); ++k) {
            rows[next++] = (c->about.lower - values[k]) / c->scale;
        }
        for (int k = 0; k < count && isfinite(c->about.upper); ++k) {
            rows[next++] = (values[k] - c->about.upper) / c->scale;
        }
    }
    return next;
}

static void fill_rows(const strike_scaled *s, const strike_result *r, double *rows)
{
    rows[0] = -r->at.objective / s->unit;
    fill_some(s, r, 0, s->problem->constraints.count, 1, rows);
}

int strike_scaled_rows(const strike_constraint *c)
{
    const int each = c->part_count > 0 ? c->part_count : 1;
    return each * (isfinite(c->about.lower) + isfinite(c->about.upper));
}

// Of the constraints before one.
static int count_rows(const strike_constraints *constraints, int end)
{
    int count = 0;
    for (int i = 0; i < end; ++i) {
        count += strike_scaled_rows(&constraints->list[i]);
    }
    return count;
}

int strike_scaled_constraint(const strike_scaled *s, int row, bool *is_upper)
{
    const strike_constraints *constraints = &s->problem->constraints;
    int                       next = 1, i = 0;
    for (; i + 1 < constraints->count; ++i) {
        const int own = strike_scaled_rows(&constraints->list[i]);
        if (row < next + own) {
            break;
        }
        next += own;
    }
    const strike_constraint *c = &constraints->list[i];
    const int                lower = isfinite(c->about.lower) ? strike_scaled_rows(c) : 0;
    *is_upper = isfinite(c->about.upper) && (lower == 0 || row >= next + lower / 2);
    return i;
}

// ---- The best so far

strike_score strike_score_none(void)
{
    return (strike_score){.objective = -INFINITY, .violation = INFINITY, .worst = ATEMI_NONE};
}

bool strike_score_is_better(strike_score score, strike_score than, double tolerance)
{
    return score.violation <= tolerance && than.violation <= tolerance
               ? score.objective > than.objective
               : score.violation < than.violation;
}

static bool is_in_range(const strike_scaled *s)
{
    bool inside = true;
    for (int i = 0; i < s->problem->variables.count; ++i) {
        inside = inside && s->seen[i] >= strike_scaled_lower(s, i) &&
                 s->seen[i] <= strike_scaled_upper(s, i);
    }
    return inside;
}

static strike_score score_of(const strike_scaled *s)
{
    strike_score score = {-s->unit * s->base[0], 0.0, ATEMI_NONE};
    int          worst = 0;
    bool         is_upper;
    for (int r = 1; r <= s->rows; ++r) {
        if (s->base[r] > score.violation) {
            score.violation = s->base[r];
            worst = r;
        }
    }
    score.worst = worst > 0 ? strike_scaled_constraint(s, worst, &is_upper) : ATEMI_NONE;
    return score;
}

// What was looked at last, whatever was evaluated for its slopes.
static void keep(strike_scaled *s, strike_score score)
{
    s->score = score;
    strike_scaled_values(s, s->seen, s->best);
}

static void keep_best(strike_scaled *s)
{
    const strike_score score = score_of(s);
    if (is_in_range(s) && strike_score_is_better(score, s->score, s->tolerance)) {
        keep(s, score);
        s->ever = strike_score_is_better(score, s->ever, s->tolerance) ? score : s->ever;
    }
}

void strike_scaled_keep_last(strike_scaled *s)
{
    const strike_score score = score_of(s);
    if (is_in_range(s) && score.violation <= s->tolerance) {
        keep(s, score);
    }
}

void strike_scaled_begin(strike_scaled *s)
{
    s->score = strike_score_none();
    s->known = s->result.at.is_done = s->near.at.is_done = false;
}

static const atemi_strike_constraint *find_worst(const strike_scaled *s)
{
    const bool unmet = s->ever.worst != ATEMI_NONE && s->ever.violation > s->tolerance;
    return unmet ? &s->problem->constraints.list[s->ever.worst].about : NULL;
}

bool strike_scaled_goes_on(strike_scaled *s)
{
    const atemi_strike_options *o = s->options;
    if (o->worst) {
        *o->worst = find_worst(s);
    }
    if (o->progress && !s->stopped) {
        s->stopped = !o->progress(o->context, s->done, s->ever.objective, s->ever.violation);
    }
    return !s->stopped;
}

// ---- Looking

static void move(strike_scaled *s, const double *u, int moved, double step)
{
    const strike_variables *variables = &s->problem->variables;
    for (int i = 0; i < variables->count; ++i) {
        s->x[i] = (u[i] + (i == moved ? step : 0.0)) * variables->list[i].scale;
    }
}

void strike_scaled_look(strike_scaled *s, const double *u)
{
    const size_t size = (size_t)s->problem->variables.count * sizeof *u;
    if (s->known && memcmp(u, s->seen, size) == 0) {
        return;
    }
    memcpy(s->seen, u, size);
    move(s, u, ATEMI_NONE, 0.0);
    strike_problem_evaluate(s->problem, s->x, &s->work, &s->result);
    fill_rows(s, &s->result, s->base);
    keep_best(s);
    s->known = true;
    s->sloped = false;
}

// ---- Slopes

static void put_differences(strike_scaled *s, int variable, double step, const double *moved,
                            int first, int end)
{
    const int n = s->problem->variables.count;
    for (int r = first; r < end; ++r) {
        s->slopes[r * n + variable] = (moved[r] - s->base[r]) / step;
    }
}

// Rows of differences in all variables: all of them, or all but those of the motion.
static void find_differences(strike_scaled *s, const double *u, bool all)
{
    const strike_block *motion = &s->problem->constraints.motion;
    const int           n = s->problem->variables.count, rows = s->rows + 1;
    double             *moved = s->slopes + (size_t)rows * (size_t)n; // memory behind them
    for (int k = 0; k < n; ++k) {
        const double step =
            u[k] + difference > strike_scaled_upper(s, k) ? -difference : difference;
        move(s, u, k, step);
        if (all) {
            strike_problem_evaluate(s->problem, s->x, &s->work, &s->near);
            fill_rows(s, &s->near, moved);
            put_differences(s, k, step, moved, 0, rows);
        } else {
            strike_problem_evaluate_touch(s->problem, s->x, &s->work, &s->near);
            moved[0] = -s->near.at.objective / s->unit;
            fill_some(s, &s->near, 0, motion->first, 1, moved);
            fill_some(s, &s->near, motion->end, s->problem->constraints.count, s->motion_end,
                      moved);
            put_differences(s, k, step, moved, 0, s->motion_first);
            put_differences(s, k, step, moved, s->motion_end, rows);
        }
    }
}

// to = factor times slopes times scales
static void put_scaled(int n, double factor, const double *slopes, const double *scales,
                       double *restrict to)
{
    for (int v = 0; v < n; ++v) {
        to[v] = factor * slopes[v] * scales[v];
    }
}

// The exact slopes of a constraint's rows, from `row` on.
static int put_exact(strike_scaled *s, int i, int row)
{
    const strike_constraint *c = &s->problem->constraints.list[i];
    const int                n = s->problem->variables.count, stride = s->exact.stride;
    const int                count = c->part_count ? c->part_count : 1;
    const double            *slopes = c->part_count ? row_in(s->exact.parts, stride, c->first_part)
                                                    : row_in(s->exact.values, stride, i);
    const double             signs[] = {-1.0, 1.0};
    const bool               has[] = {isfinite(c->about.lower), isfinite(c->about.upper)};
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < count && has[side]; ++k, ++row) {
            put_scaled(n, signs[side] / c->scale, row_in(slopes, stride, k), s->scales,
                       row_of(s->slopes, n, row));
        }
    }
    return row;
}

// The exact slopes of the constraints from one on and before another.
static void put_all_exact(strike_scaled *s, int first, int end, int row)
{
    for (int i = first; i < end; ++i) {
        row = put_exact(s, i, row);
    }
}

// What of the slopes is exact: of first touch and the motion, and of the blow and the objective.
typedef struct exact {
    bool motion, blow;
} exact;

static bool find_blow(strike_scaled *s)
{
    const strike_problem *p = s->problem;
    s->exact.next = p->constraints.motion.end;
    s->exact.next_part = p->constraints.motion.end_part;
    return strike_blow_slopes(&p->setup, &s->result.at, &s->work, &s->derivatives, &s->blow,
                              &s->exact, s->objective);
}

static void put_objective(strike_scaled *s)
{
    put_scaled(s->problem->variables.count, -1.0 / s->unit, s->objective, s->scales, s->slopes);
}

static exact find_exact(strike_scaled *s)
{
    const strike_problem *p = s->problem;
    exact                 found = {false, false};
    if (strike_derivatives_are_known(&p->setup) &&
        strike_derivatives_find(&p->setup, &p->variables, &s->result.at, &s->work,
                                &s->derivatives)) {
        s->exact.next = s->exact.next_part = 0;
        strike_touch_slopes(&p->setup, &p->variables, &s->result.at, &s->derivatives, &s->exact);
        s->exact.next = p->constraints.motion.first;
        s->exact.next_part = p->constraints.motion.first_part;
        strike_motion_slopes(&p->setup, &s->result.at, &s->work, &s->derivatives, &s->exact);
        found.motion = true;
        found.blow = find_blow(s);
    }
    return found;
}

void strike_scaled_find_slopes(strike_scaled *s, const double *u)
{
    const strike_block *motion = &s->problem->constraints.motion;
    strike_scaled_look(s, u);
    if (s->sloped) {
        return;
    }
    const exact found = find_exact(s);
    if (!(found.motion && found.blow)) {
        find_differences(s, u, !found.motion);
    }
    if (found.motion) {
        put_all_exact(s, 0, motion->end, 1);
    }
    if (found.blow) {
        put_all_exact(s, motion->end, s->problem->constraints.count, s->motion_end);
        put_objective(s);
    }
    ++s->gradients;
    s->sloped = true;
}

// ---- Creation

static void take(strike_scaled *s, atemi_arena *arena)
{
    const int n = s->problem->variables.count, rows = s->rows + 1;
    s->x = atemi_arena_array(arena, double, n);
    s->scales = atemi_arena_array(arena, double, n);
    s->best = atemi_arena_array(arena, double, n);
    s->seen = atemi_arena_array(arena, double, n);
    s->base = atemi_arena_array(arena, double, rows);
    s->slopes = atemi_arena_array(arena, double, rows *(n + 1));
    strike_result_take(&s->result, arena, s->problem);
    strike_result_take(&s->near, arena, s->problem);
    s->derivatives = strike_derivatives_take(arena, &s->problem->setup, &s->problem->variables,
                                             s->problem->grid);
    s->blow = strike_blow_derivatives_take(arena, &s->problem->setup, &s->derivatives.directions);
    s->objective = atemi_arena_array(arena, double, s->derivatives.directions.stride);
    s->exact.stride = s->derivatives.directions.stride;
    s->exact.values =
        atemi_arena_array(arena, double, s->problem->constraints.count * s->exact.stride);
    s->exact.parts =
        atemi_arena_array(arena, double, s->problem->constraints.part_count * s->exact.stride);
}

atemi_status strike_scaled_create(const strike_problem *problem, strike_meter *meter,
                                  const atemi_strike_options *options, strike_scaled *s,
                                  atemi_error *error)
{
    const strike_block *motion = &problem->constraints.motion;
    *s = (strike_scaled){.problem = problem,
                         .options = options,
                         .tolerance = options->tolerance,
                         .score = strike_score_none(),
                         .ever = strike_score_none(),
                         .rows = count_rows(&problem->constraints, problem->constraints.count),
                         .motion_first = 1 + count_rows(&problem->constraints, motion->first),
                         .motion_end = 1 + count_rows(&problem->constraints, motion->end),
                         .unit = fmax(fabs(problem->start_objective), 1.0)};
    atemi_arena arena = atemi_arena_measuring();
    take(s, &arena);
    const atemi_status status = atemi_arena_create(&s->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(s, &s->arena);
    for (int i = 0; i < problem->variables.count; ++i) {
        s->scales[i] = problem->variables.list[i].scale;
    }
    return strike_workspace_create(&problem->setup, problem->grid, meter, &s->work, error);
}

void strike_scaled_destroy(strike_scaled *s)
{
    strike_workspace_destroy(&s->work);
    atemi_arena_destroy(&s->arena);
}
