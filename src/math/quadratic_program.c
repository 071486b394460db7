// SPDX-License-Identifier: Apache-2.0

#include "atemi/quadratic_program.h"

#include "math/combination.h"
#include "math/matrix.h"
#include "math/quadratic_pass.h"

#include <math.h>
#include <string.h>

// With H = R^T R, R upper triangular, U = R^-1 and y = R x + R^-T g, the program is the point
// nearest to the origin between limits (math/dual_active_set.c):
//
//   min |y|^2 / 2,   lower + A U v <= A U y <= upper + A U v,   v = U^T g,   x = U (y - v)
//
// The rows of x's own limits are those of U. The multipliers are the same.
//
// A pass solves for the step from the last x, with g + H x in place of g, and for the change of the
// last multipliers u, with M^T u in y: what is added up is then small, and a pass corrects the
// rounding of the one before. Where H is semidefinite, H + e D has the factor, D = diag(H): the
// passes are those of the proximal point method [Rockafellar76], e D (x_k - x_k+1) is left of the
// slope. Along a step s that stays for ever within the limits, with H s = 0 and g^T s < 0, the
// objective falls for ever.

static const double singular = 1e-10; // of a diagonal element of H: a pivot that may be rounding
static const double doubtful = 1e-13; // of the same: one that is
static const double proximal = 1e-6;  // e
static const double small = 1e-6;     // of the largest diagonal element: one that may be rounding

enum { PASSES = 200, CORRECTIONS = 5 };

atemi_quadratic_options atemi_quadratic_options_default(void)
{
    return (atemi_quadratic_options){.iterations = 1000, .tolerance = 1e-9};
}

atemi_quadratic_solver *atemi_quadratic_solver_take(atemi_arena *arena, int variables, int rows)
{
    ATEMI_REQUIRE_OR(arena && variables >= 0 && rows >= 0, NULL);
    const int               count = variables + rows, width = matrix_stride(variables);
    const size_t            square = (size_t)variables * (size_t)width;
    atemi_quadratic_solver *solver = atemi_arena_array(arena, atemi_quadratic_solver, 1);
    atemi_quadratic_solver  made = {.max_variables = variables, .max_rows = rows};
    made.set = atemi_dual_active_set_take(arena, variables, count);
    made.R = atemi_arena_array(arena, double, square);
    made.M = atemi_arena_array(arena, double, square + (size_t)rows * (size_t)width);
    made.damping = atemi_arena_array(arena, double, variables);
    made.slope = atemi_arena_array(arena, double, width);
    made.v = atemi_arena_array(arena, double, width);
    made.step = atemi_arena_array(arena, double, variables);
    made.reach = atemi_arena_array(arena, double, variables);
    made.values = atemi_arena_array(arena, double, count);
    made.multipliers = atemi_arena_array(arena, double, count);
    if (!solver || !made.multipliers) {
        return NULL;
    }
    *solver = made;
    return solver;
}

// ---- Factors

// Row k of R, from the rows above.
// @return its pivot before the root
static double eliminate(const quadratic_pass *t, int k)
{
    double   *R = t->s->R, *row = row_of(R, t->width, k), *column = t->s->v;
    const int first = k / ATEMI_LANES * ATEMI_LANES;
    memset(row, 0, (size_t)t->width * sizeof *row);
    memcpy(row + k, row_in(t->p->H, t->H_stride, k) + k, (size_t)(t->n - k) * sizeof *row);
    row[k] += t->damped ? t->s->damping[k] : 0.0;
    for (int j = 0; j < k; ++j) {
        column[j] = -R[j * t->width + k];
    }
    combination_add(0, k, R, t->width, column, first, t->width, row);
    memset(row + first, 0, (size_t)(k - first) * sizeof *row);
    return row[k];
}

// R, as far as the pivots are larger than so much of the diagonal of H.
// @return the least such fraction, or a negative number where one is not
static double factor(const quadratic_pass *t, double least)
{
    double worst = 1.0;
    for (int k = 0; k < t->n; ++k) {
        const double diagonal = fabs(t->p->H[(ptrdiff_t)k * t->H_stride + k]);
        const double pivot = eliminate(t, k);
        if (!(pivot > least * diagonal) || !(pivot > 0.0)) {
            return -1.0;
        }
        worst = pivot < worst * diagonal ? pivot / diagonal : worst;
        double      *row = row_of(t->s->R, t->width, k);
        const double scale = 1.0 / sqrt(pivot);
        for (int j = k; j < t->n; ++j) {
            row[j] *= scale;
        }
    }
    return worst;
}

// The factor of H + e D.
static bool factor_damped(quadratic_pass *t)
{
    double largest = 0.0;
    for (int i = 0; i < t->n; ++i) {
        largest = fmax(largest, t->p->H[(ptrdiff_t)i * t->H_stride + i]);
    }
    for (int i = 0; i < t->n; ++i) {
        const double diagonal = t->p->H[(ptrdiff_t)i * t->H_stride + i];
        if (diagonal < 0.0) {
            return false;
        }
        t->s->damping[i] = proximal * (diagonal > small * largest ? diagonal
                                       : largest > 0.0            ? largest
                                                                  : 1.0);
    }
    t->damped = true;
    return factor(t, 0.0) > 0.0;
}

// U, from the last row up: U_k = (e_k - sum over j > k of R_kj U_j) / R_kk.
static void invert(const quadratic_pass *t)
{
    double *U = t->s->M, *weights = t->s->v;
    for (int k = t->n - 1; k >= 0; --k) {
        double       *row = row_of(U, t->width, k);
        const double *from = row_in(t->s->R, t->width, k);
        const double  scale = 1.0 / from[k];
        memset(row, 0, (size_t)t->width * sizeof *row);
        for (int j = k + 1; j < t->n; ++j) {
            weights[j] = -scale * from[j];
        }
        row[k] = scale;
        combination_add_upper(k + 1, t->n, U, t->width, weights, row);
    }
}

// The rows of A in the coordinates y.
static void transform_rows(const quadratic_pass *t)
{
    dual_active_set *set = &t->s->set;
    for (int i = 0; i < t->m; ++i) {
        double *row = row_of(t->s->M, t->width, t->n + i);
        memset(row, 0, (size_t)t->width * sizeof *row);
        combination_add_upper(0, t->n, t->s->M, t->width, row_in(t->p->A, t->A_stride, i), row);
    }
    for (int i = 0; i < t->n + t->m; ++i) {
        const double *row = row_in(t->s->M, t->width, i);
        set->size[i] = sqrt(combination_dot(t->width, row, row));
    }
}

// ---- A pass

// A limit, from x on; NULL for none.
static double limit_from(const double *limits, int i, double none, double value)
{
    return limits ? limits[i] - value : none;
}

// H x + g.
static void evaluate_slope(const quadratic_pass *t)
{
    const atemi_quadratic_program *p = t->p;
    for (int i = 0; i < t->n; ++i) {
        t->s->slope[i] = row_dot(t->n, row_in(p->H, t->H_stride, i), t->x) + (p->g ? p->g[i] : 0.0);
    }
}

// What the limits are of, and H x + g.
static void evaluate(const quadratic_pass *t)
{
    evaluate_slope(t);
    memcpy(t->s->values, t->x, (size_t)t->n * sizeof *t->s->values);
    for (int i = 0; i < t->m; ++i) {
        t->s->values[t->n + i] = row_dot(t->n, row_in(t->p->A, t->A_stride, i), t->x);
    }
}

static void find_limits(const quadratic_pass *t)
{
    const atemi_quadratic_program *p = t->p;
    dual_active_set               *set = &t->s->set;
    memset(t->s->v, 0, (size_t)t->width * sizeof *t->s->v);
    combination_add_upper(0, t->n, t->s->M, t->width, t->s->slope, t->s->v);
    set->drift = sqrt(combination_dot(t->width, t->s->v, t->s->v));
    for (int i = 0; i < t->n + t->m; ++i) {
        const bool    own = i < t->n;
        const int     k = own ? i : i - t->n;
        const double *low = own ? p->least : p->lower, *high = own ? p->most : p->upper;
        const double  value = t->s->values[i];
        const bool    limited =
            (low && low[k] > -(double)INFINITY) || (high && high[k] < (double)INFINITY);
        const double shift =
            limited ? combination_dot(t->width, row_in(t->s->M, t->width, i), t->s->v) : 0.0;
        set->lower[i] = limit_from(low, k, -(double)INFINITY, value - shift);
        set->upper[i] = limit_from(high, k, (double)INFINITY, value - shift);
    }
}

// The step U (y - v), from x on.
static void take_step(const quadratic_pass *t)
{
    const dual_active_set *set = &t->s->set;
    double                *change = t->s->v;
    for (int c = 0; c < t->width; c += ATEMI_LANES) {
        pack_put(change + c, pack_at(set->y + c) - pack_at(change + c));
    }
    for (int i = 0; i < t->n; ++i) {
        t->s->step[i] = combination_dot(t->width, row_in(t->s->M, t->width, i), change);
        t->x[i] += t->s->step[i];
    }
    memset(t->s->multipliers, 0, (size_t)(t->n + t->m) * sizeof *t->s->multipliers);
    for (int k = 0; k < set->active.count; ++k) {
        t->s->multipliers[set->active.rows[k]] = set->value[k];
    }
}

// ---- The program

static bool is_contradictory(const double *low, const double *high, int n)
{
    for (int i = 0; low && high && i < n; ++i) {
        if (low[i] > high[i]) {
            return true;
        }
    }
    return false;
}

// The sizes that violations are compared with: the largest of x in all passes. (The last x may be
// zero but for rounding.)
static void find_reach(const quadratic_pass *t)
{
    for (int i = 0; i < t->n; ++i) {
        t->s->reach[i] = fmax(t->s->reach[i], fabs(t->x[i]));
    }
}

// Goes on from the last x.
// @return whether it is the last pass
static bool make_pass(quadratic_pass *t, int pass, double *best, atemi_quadratic_result *result)
{
    atemi_quadratic_solver *s = t->s;
    find_limits(t);
    s->set.resumes = t->corrects = pass > 0;
    const dual_outcome outcome = atemi_dual_active_set_solve(&s->set);
    result->iterations = s->set.iterations;
    result->passes = pass + 1;
    if (outcome != DUAL_SOLVED) {
        result->status =
            outcome == DUAL_INFEASIBLE ? ATEMI_QUADRATIC_INFEASIBLE : ATEMI_QUADRATIC_UNFINISHED;
        return true;
    }
    take_step(t);
    evaluate(t);
    if (t->damped && pass > 0 && atemi_quadratic_falls_for_ever(t)) {
        result->status = ATEMI_QUADRATIC_UNBOUNDED;
        return true;
    }
    find_reach(t);
    result->objective = atemi_quadratic_objective(t);
    const quadratic_residual r = atemi_quadratic_residual_find(t);
    result->violation = r.violation;
    result->slope = r.slope;
    if (r.relative <= t->tolerance) {
        result->status = ATEMI_QUADRATIC_SOLVED;
        return true;
    }
    result->status = t->damped ? ATEMI_QUADRATIC_UNFINISHED : ATEMI_QUADRATIC_INACCURATE;
    const bool better = t->damped || pass == 0 || r.relative < 0.5 * *best;
    *best = r.relative;
    for (int i = 0; i < t->n + t->m; ++i) {
        atemi_quadratic_floor_set(t, i);
    }
    memcpy(s->set.past, s->multipliers, (size_t)(t->n + t->m) * sizeof *s->multipliers);
    return !better;
}

// Passes with the factor that there is.
static void make_passes(quadratic_pass *t, int most, atemi_quadratic_result *result)
{
    dual_active_set *set = &t->s->set;
    double           best = (double)INFINITY;
    set->M = t->s->M;
    set->width = t->width;
    set->count = set->triangle = t->n;
    set->count += t->m;
    memset(t->x, 0, (size_t)t->n * sizeof *t->x);
    memset(t->s->reach, 0, (size_t)t->n * sizeof *t->s->reach);
    for (int i = 0; i < set->count; ++i) {
        t->s->multipliers[i] = set->past[i] = set->floor[i] = 0.0;
    }
    invert(t);
    transform_rows(t);
    evaluate(t);
    for (int pass = 0; pass < most && !make_pass(t, pass, &best, result); ++pass) {
    }
}

// Without damping where the pivots are sure. Where they are not, it may do as well, and converges
// faster than with it; else, once more.
static void solve(quadratic_pass *t, atemi_quadratic_result *result)
{
    dual_active_set *set = &t->s->set;
    const int        most = set->most_iterations, some = 2 * (t->n + t->m);
    t->damped = false;
    const double worst = factor(t, doubtful);
    const bool   sure = worst > singular;
    set->iterations = 0;
    if (worst > 0.0) {
        set->most_iterations = sure || most < some ? most : some;
        make_passes(t, CORRECTIONS, result);
        set->most_iterations = most;
    }
    if (!sure && result->status != ATEMI_QUADRATIC_SOLVED) {
        result->status = ATEMI_QUADRATIC_NONCONVEX;
        if (factor_damped(t)) {
            make_passes(t, PASSES, result);
        }
    }
}

static bool is_program(const atemi_quadratic_program *p)
{
    return p && p->variables >= 0 && p->rows >= 0 && (p->H || p->variables == 0) &&
           (p->A || p->rows == 0 || p->variables == 0);
}

atemi_quadratic_result atemi_quadratic_solve(atemi_quadratic_solver        *solver,
                                             const atemi_quadratic_program *program,
                                             const atemi_quadratic_options *options, double *x,
                                             double *multipliers, signed char *active)
{
    atemi_quadratic_result result = {.status = ATEMI_QUADRATIC_UNFINISHED};
    ATEMI_REQUIRE_OR(solver && is_program(program) && (x || program->variables == 0), result);
    ATEMI_REQUIRE_OR(
        program->variables <= solver->max_variables && program->rows <= solver->max_rows, result);
    const atemi_quadratic_options o = options ? *options : atemi_quadratic_options_default();
    const int                     n = program->variables, count = n + program->rows;
    quadratic_pass                t = {.s = solver,
                                       .p = program,
                                       .x = x,
                                       .n = n,
                                       .m = program->rows,
                                       .width = matrix_stride(n),
                                       .H_stride = program->H_stride ? program->H_stride : n,
                                       .A_stride = program->A_stride ? program->A_stride : n,
                                       .tolerance = o.tolerance};
    dual_active_set              *set = &solver->set;
    for (int i = 0; i < count; ++i) {
        set->sides[i] = active ? active[i] : 0;
        solver->multipliers[i] = 0.0;
    }
    memset(x, 0, (size_t)n * sizeof *x);
    set->most_iterations = o.iterations;
    if (is_contradictory(program->lower, program->upper, t.m) ||
        is_contradictory(program->least, program->most, n)) {
        result.status = ATEMI_QUADRATIC_INFEASIBLE;
    } else {
        solve(&t, &result);
    }
    if (active) {
        memcpy(active, set->sides, (size_t)count * sizeof *active);
    }
    if (multipliers) {
        memcpy(multipliers, solver->multipliers, (size_t)count * sizeof *multipliers);
    }
    return result;
}
