// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_scaled.h"

#include <math.h>
#include <string.h>

// In scaled variables u, objective and constraints are
//
//   f(u) = -objective / unit,   g_i(u) = (lower_i - c_i) / scale_i  or  (c_i - upper_i) / scale_i
//   <= 0
//
// and row 0 of `base` and `slopes` is f. Differences are taken forwards, or backwards where a bound
// is near.

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

static void fill_rows(const strike_scaled *s, double *rows)
{
    const strike_constraints *constraints = &s->problem->constraints;
    const strike_result      *r = &s->result;
    int                       next = 0;
    rows[next++] = -r->at.objective / s->unit;
    for (int i = 0; i < constraints->count; ++i) {
        const strike_constraint *c = &constraints->list[i];
        const double *values = c->part_count ? r->parts + c->first_part : &r->constraints[i];
        const int     count = c->part_count ? c->part_count : 1;
        for (int k = 0; k < count && isfinite(c->about.lower); ++k) {
            rows[next++] = (c->about.lower - values[k]) / c->scale;
        }
        for (int k = 0; k < count && isfinite(c->about.upper); ++k) {
            rows[next++] = (values[k] - c->about.upper) / c->scale;
        }
    }
}

int strike_scaled_rows(const strike_constraint *c)
{
    const int each = c->part_count > 0 ? c->part_count : 1;
    return each * (isfinite(c->about.lower) + isfinite(c->about.upper));
}

static int count_rows(const strike_constraints *constraints)
{
    int count = 0;
    for (int i = 0; i < constraints->count; ++i) {
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
    s->known = false;
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

static void evaluate(strike_scaled *s, const double *u, int moved, double step)
{
    const strike_variables *variables = &s->problem->variables;
    for (int i = 0; i < variables->count; ++i) {
        s->x[i] = (u[i] + (i == moved ? step : 0.0)) * variables->list[i].scale;
    }
    strike_problem_evaluate(s->problem, s->x, &s->work, &s->result);
}

void strike_scaled_look(strike_scaled *s, const double *u)
{
    const size_t size = (size_t)s->problem->variables.count * sizeof *u;
    if (s->known && memcmp(u, s->seen, size) == 0) {
        return;
    }
    memcpy(s->seen, u, size);
    evaluate(s, u, ATEMI_NONE, 0.0);
    fill_rows(s, s->base);
    keep_best(s);
    s->known = true;
    s->sloped = false;
}

void strike_scaled_find_slopes(strike_scaled *s, const double *u)
{
    const int n = s->problem->variables.count, rows = s->rows + 1;
    double   *moved = s->slopes + (size_t)rows * (size_t)n; // memory behind them
    strike_scaled_look(s, u);
    if (s->sloped) {
        return;
    }
    for (int k = 0; k < n; ++k) {
        const double step =
            u[k] + difference > strike_scaled_upper(s, k) ? -difference : difference;
        evaluate(s, u, k, step);
        fill_rows(s, moved);
        for (int r = 0; r < rows; ++r) {
            s->slopes[r * n + k] = (moved[r] - s->base[r]) / step;
        }
    }
    ++s->gradients;
    s->sloped = true;
}

// ---- Creation

static void take(strike_scaled *s, atemi_arena *arena)
{
    const int n = s->problem->variables.count, rows = s->rows + 1;
    s->x = atemi_arena_array(arena, double, n);
    s->best = atemi_arena_array(arena, double, n);
    s->seen = atemi_arena_array(arena, double, n);
    s->base = atemi_arena_array(arena, double, rows);
    s->slopes = atemi_arena_array(arena, double, rows *(n + 1));
    strike_result_take(&s->result, arena, s->problem);
}

atemi_status strike_scaled_create(const strike_problem *problem, strike_meter *meter,
                                  const atemi_strike_options *options, strike_scaled *s,
                                  atemi_error *error)
{
    *s = (strike_scaled){.problem = problem,
                         .options = options,
                         .tolerance = options->tolerance,
                         .score = strike_score_none(),
                         .ever = strike_score_none(),
                         .rows = count_rows(&problem->constraints),
                         .unit = fmax(fabs(problem->start_objective), 1.0)};
    atemi_arena arena = atemi_arena_measuring();
    take(s, &arena);
    const atemi_status status = atemi_arena_create(&s->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(s, &s->arena);
    return strike_workspace_create(&problem->setup, problem->grid, meter, &s->work, error);
}

void strike_scaled_destroy(strike_scaled *s)
{
    strike_workspace_destroy(&s->work);
    atemi_arena_destroy(&s->arena);
}
