// SPDX-License-Identifier: Apache-2.0

#include "math/quadratic_program.h"

#include "atemi/contract.h"
#include "atemi/dense.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// A dual active-set method [Arnstroem22, GoldfarbIdnani83]. With H = L L^T the program becomes a
// shortest vector:
//
//   u = L^T x + L^-1 g,   n_i = L^-1 a_i:   minimize |u|^2 / 2   such that   n_i^T u within bounds
//
// For the active rows N (one a row), at their bounds d = b + N L^-1 g, with softness S on the
// diagonal,
//
//   u = -N^T lambda,   (N N^T + S) lambda = -d
//
// lambda goes there as far as its signs allow: the first row that would get the wrong sign leaves.
// At the end, the row that is violated most becomes active. The dual objective grows with each
// step, so that no active set comes back.
//
// T is the lower triangle with T T^T = N N^T + S, of which V = T^-T is kept. A new row n has
//
//   r = V^T N n,   rho^2 = |n|^2 + s - |r|^2,   a new column of V: (-V r, 1) / rho
//
// or, where that would lose digits,
//
//   y = V r,   e = n - N^T y,   rho^2 = |e|^2 + s + y^T S y
//
// If rho is 0, n depends on N: lambda then moves along (-y, 1), which changes no u, until a row
// leaves; if none does, the rows contradict each other. A row that leaves takes its row of V along;
// rotations of the columns, which turn that row into (0, ..., 0, 1), make V a triangle again.

static const double feasible = 1e-10;  // violation of a row, relative to 1 + its bound
static const double dependent = 1e-9;  // of a row's length: what it has of its own
static const double short_part = 1e-3; // of a row's length: below it, e is computed
enum { MOST_CORRECTIONS = 3 };         // each takes most of the digits that are wrong
enum { ITERATIONS_PER_ROW = 10 };      // usual are fewer iterations than rows

// Of a row: which bound it is at.
enum { LOWER = -1, INACTIVE = 0, UPPER = 1, EQUAL = 2 };

// A program under solution.
typedef struct search {
    const quadratic_program *p;
    quadratic_workspace     *w;
    int                      n, m, stride; ///< stride of rows as long as n
} search;

quadratic_workspace quadratic_workspace_take(atemi_arena *arena, int max_variables, int max_rows,
                                             bool soft)
{
    const int           stride = matrix_stride(max_variables);
    const int           most = soft ? max_rows + 1 : max_variables + 1;
    const size_t        n = (size_t)stride, m = (size_t)max_rows, k = (size_t)matrix_stride(most);
    quadratic_workspace w = {.max_variables = max_variables,
                             .max_rows = max_rows,
                             .max_active = most,
                             .stride = stride,
                             .active_stride = (int)k};
    w.x = atemi_arena_array(arena, double, n);
    w.multipliers = atemi_arena_array(arena, double, m);
    w.L = atemi_arena_array(arena, double, n *n);
    w.U = atemi_arena_array(arena, double, n *n);
    w.offset = atemi_arena_array(arena, double, n);
    w.scales = atemi_arena_array(arena, double, m);
    w.values = atemi_arena_array(arena, double, m);
    w.u = atemi_arena_array(arena, double, n);
    w.sides = atemi_arena_array(arena, int, m);
    w.active = atemi_arena_array(arena, int, k);
    w.normals = atemi_arena_array(arena, double, k *n);
    w.V = atemi_arena_array(arena, double, k *k);
    w.r = atemi_arena_array(arena, double, k);
    w.half = atemi_arena_array(arena, double, k);
    w.targets = atemi_arena_array(arena, double, k);
    w.lambda = atemi_arena_array(arena, double, k);
    w.goal = atemi_arena_array(arena, double, k);
    w.shift = atemi_arena_array(arena, double, k);
    w.normal = atemi_arena_array(arena, double, n);
    w.left = atemi_arena_array(arena, double, n);
    return w;
}

// ---- Rows -----------------------------------------------------------------------------------

static const double *general_row(const search *s, int i)
{
    return row_in(s->p->A, s->n, i - s->p->box_count);
}

static double softness_of(const search *s, int i)
{
    return s->p->softness ? s->p->softness[i] : 0.0;
}

static bool is_equality(const search *s, int i)
{
    return s->p->lower[i] == s->p->upper[i];
}

// L^-1 a_i
static void find_normal(const search *s, int i, double *normal)
{
    if (i < s->p->box_count) {
        memcpy(normal, row_in(s->w->U, s->stride, i), (size_t)s->stride * sizeof *normal);
    } else {
        matrix_upper_transposed_times(s->n, s->w->U, s->stride, general_row(s, i), normal);
    }
}

// 1 / |a_i|; 1 for a row of zeros.
static void find_scales(const search *s)
{
    for (int i = 0; i < s->m; ++i) {
        const double *row = i < s->p->box_count ? NULL : general_row(s, i);
        const double  square = row ? row_dot(s->n, row, row) : 1.0;
        s->w->scales[i] = square > 0.0 ? 1.0 / sqrt(square) : 1.0;
    }
}

static double bound_of(const search *s, int i)
{
    return s->w->sides[i] == LOWER ? s->p->lower[i] : s->p->upper[i];
}

// ---- The factor -----------------------------------------------------------------------------

static double *normal_of(const search *s, int k)
{
    return row_of(s->w->normals, s->stride, k);
}

// T^-1 b, and T^-T b.
static void solve_lower(const search *s, const double *b, double *result)
{
    matrix_upper_transposed_times(s->w->active_count, s->w->V, s->w->active_stride, b, result);
}

static void solve_upper(const search *s, const double *b, double *result)
{
    matrix_upper_times(s->w->active_count, s->w->V, s->w->active_stride, b, result);
}

// N times a padded vector
static void times_normals(const search *s, const double *of, double *result)
{
    matrix_times(s->w->active_count, s->stride, s->w->normals, s->stride, of, result);
}

// What a row has of its own, rho, as a difference.
static double own_part(const search *s, int row, const double *r)
{
    const int    k = s->w->active_count;
    const double square = row_dot(s->n, s->w->normal, s->w->normal) + softness_of(s, row);
    return sqrt(fmax(square - row_dot(k, r, r), 0.0));
}

// The same from y and e, in two passes. y is in `shift`.
static double own_part_exactly(const search *s, int row, double *r)
{
    quadratic_workspace *w = s->w;
    const int            k = w->active_count;
    double              *y = w->shift, *more = w->goal, sum = softness_of(s, row);
    memcpy(w->left, w->normal, (size_t)s->stride * sizeof *w->left);
    memset(y, 0, (size_t)k * sizeof *y);
    memset(r, 0, (size_t)k * sizeof *r);
    for (int pass = 0; pass < 2; ++pass) {
        times_normals(s, w->left, w->half);
        for (int i = 0; i < k; ++i) {
            w->half[i] -= softness_of(s, w->active[i]) * y[i];
        }
        solve_lower(s, w->half, more);
        row_subtract(k, -1.0, more, r);
        solve_upper(s, more, w->half);
        for (int i = 0; i < k; ++i) {
            y[i] += w->half[i];
            row_subtract(s->n, w->half[i], normal_of(s, i), w->left);
        }
    }
    for (int i = 0; i < k; ++i) {
        sum += softness_of(s, w->active[i]) * y[i] * y[i];
    }
    return sqrt(sum + row_dot(s->n, w->left, w->left));
}

// The column of V for a new row.
static void add_column(const search *s, const double *r, double own)
{
    quadratic_workspace *w = s->w;
    const int            k = w->active_count;
    solve_upper(s, r, w->half);
    memset(row_of(w->V, w->active_stride, k), 0, (size_t)w->active_stride * sizeof *w->V);
    for (int i = 0; i < k; ++i) {
        row_of(w->V, w->active_stride, i)[k] = -w->half[i] / own;
    }
    row_of(w->V, w->active_stride, k)[k] = 1.0 / own;
}

// Whether there are as many hard rows as can be independent: another one depends on them, whatever
// rounding says.
static bool is_full(const search *s)
{
    int hard = 0;
    for (int i = 0; i < s->w->active_count; ++i) {
        hard += softness_of(s, s->w->active[i]) == 0.0;
    }
    return hard >= s->n;
}

// Adds a row with its side and multiplier, unless it depends on the others; then y is in `shift`.
static bool add_row(const search *s, int row, int side, double lambda)
{
    quadratic_workspace *w = s->w;
    const int            k = w->active_count;
    find_normal(s, row, w->normal);
    const double length = sqrt(row_dot(s->n, w->normal, w->normal));
    times_normals(s, w->normal, w->half);
    solve_lower(s, w->half, w->r);
    const bool full = softness_of(s, row) == 0.0 && is_full(s);
    double     own = own_part(s, row, w->r);
    if (full || own < short_part * length) {
        own = own_part_exactly(s, row, w->r);
    }
    if (full || !(own > dependent * length)) {
        return false;
    }
    add_column(s, w->r, own);
    memcpy(normal_of(s, k), w->normal, (size_t)s->stride * sizeof *w->normal);
    w->sides[row] = side;
    w->active[k] = row;
    w->targets[k] = bound_of(s, row) + row_dot(s->n, w->normal, w->offset);
    w->lambda[k] = lambda;
    ++w->active_count;
    return true;
}

// Turns columns c and c + 1 of V so that `out`, the row that leaves, has nothing in the first.
static void rotate(const search *s, int c, double *out)
{
    quadratic_workspace *w = s->w;
    const double         size = hypot(out[c], out[c + 1]);
    const double         cosine = out[c + 1] / size, sine = out[c] / size;
    out[c + 1] = size;
    for (int i = 0; i <= c; ++i) {
        double      *row = row_of(w->V, w->active_stride, i);
        const double a = row[c], b = row[c + 1];
        row[c] = cosine * a - sine * b;
        row[c + 1] = sine * a + cosine * b;
    }
}

// Takes the active row at place k out.
static void remove_row(const search *s, int k)
{
    quadratic_workspace *w = s->w;
    const int            stride = w->active_stride, last = --w->active_count;
    w->sides[w->active[k]] = INACTIVE;
    memcpy(w->half, row_in(w->V, stride, k), (size_t)stride * sizeof *w->half);
    for (int i = k; i < last; ++i) {
        w->active[i] = w->active[i + 1];
        w->targets[i] = w->targets[i + 1];
        w->lambda[i] = w->lambda[i + 1];
        memcpy(normal_of(s, i), normal_of(s, i + 1), (size_t)s->stride * sizeof(double));
        memcpy(row_of(w->V, stride, i), row_in(w->V, stride, i + 1), (size_t)stride * sizeof *w->V);
    }
    for (int c = k; c < last; ++c) {
        rotate(s, c, w->half);
    }
    for (int i = 0; i < last; ++i) {
        row_of(w->V, stride, i)[last] = 0.0;
    }
}

// ---- Multipliers ----------------------------------------------------------------------------

// u = -N^T lambda
static void find_u(const search *s, const double *lambda)
{
    quadratic_workspace *w = s->w;
    memset(w->u, 0, (size_t)s->stride * sizeof *w->u);
    matrix_add_product(w->active_count, w->normals, s->stride, lambda, w->u);
    for (int i = 0; i < s->stride; ++i) {
        w->u[i] = -w->u[i];
    }
}

// (T T^T)^-1 b
static void solve_active(const search *s, const double *b, double *result)
{
    solve_lower(s, b, s->w->half);
    solve_upper(s, s->w->half, result);
}

// How far the multipliers may go along a direction, at most `limit`.
// @return the place of the row that ends it, or -1
static int find_block(const search *s, const double *direction, double *limit)
{
    const quadratic_workspace *w = s->w;
    int                        block = -1;
    for (int i = 0; i < w->active_count; ++i) {
        const int side = w->sides[w->active[i]];
        if (side != EQUAL && side * direction[i] < 0.0) {
            const double far = fmax(-w->lambda[i] / direction[i], 0.0);
            if (far < *limit) {
                *limit = far;
                block = i;
            }
        }
    }
    return block;
}

// Goes to the goal, or as far as the signs allow.
// @return whether it was reached
static bool approach(const search *s)
{
    quadratic_workspace *w = s->w;
    double               far = 1.0;
    solve_active(s, w->targets, w->goal);
    for (int i = 0; i < w->active_count; ++i) {
        w->goal[i] = -w->goal[i];
        w->shift[i] = w->goal[i] - w->lambda[i];
    }
    const int block = find_block(s, w->shift, &far);
    if (block < 0) {
        memcpy(w->lambda, w->goal, (size_t)w->active_count * sizeof *w->lambda);
        return true;
    }
    row_subtract(w->active_count, -far, w->shift, w->lambda);
    remove_row(s, block);
    return false;
}

// Makes a violated row active. As long as it depends on the others, one of them leaves.
// @return false if none can
static bool enter(const search *s, int row, int side)
{
    quadratic_workspace *w = s->w;
    const double         sign = w->values[row] < s->p->lower[row] ? -1.0 : 1.0;
    double               lambda = 0.0;
    while (!add_row(s, row, side, lambda)) {
        double far = INFINITY;
        for (int i = 0; i < w->active_count; ++i) {
            w->shift[i] *= -sign;
        }
        const int block = find_block(s, w->shift, &far);
        if (block < 0) {
            return false;
        }
        row_subtract(w->active_count, -far, w->shift, w->lambda);
        lambda += sign * far;
        remove_row(s, block);
    }
    return true;
}

// ---- The search -----------------------------------------------------------------------------

// x += U step
static void move_x(const search *s, const double *step)
{
    quadratic_workspace *w = s->w;
    matrix_upper_times(s->n, w->U, s->stride, step, w->left);
    row_subtract(s->n, -1.0, w->left, w->x);
}

static void find_values(const search *s)
{
    quadratic_workspace *w = s->w;
    memcpy(w->values, w->x, (size_t)s->p->box_count * sizeof *w->values);
    matrix_times(s->m - s->p->box_count, s->n, s->p->A, s->n, w->x, w->values + s->p->box_count);
}

// By how much active rows miss their bounds because of rounding, in `shift`.
// @return whether one does by more than is allowed
static bool find_misses(const search *s)
{
    quadratic_workspace *w = s->w;
    bool                 any = false;
    for (int k = 0; k < w->active_count; ++k) {
        const int    i = w->active[k];
        const double bound = bound_of(s, i) + softness_of(s, i) * w->lambda[k];
        w->shift[k] = w->values[i] - bound;
        any =
            any || w->scales[i] * fabs(w->shift[k]) > feasible * (1.0 + w->scales[i] * fabs(bound));
    }
    return any;
}

// x, and what the rows have there. Where H is badly conditioned, rounding is corrected.
static void find_x(const search *s)
{
    quadratic_workspace *w = s->w;
    find_u(s, w->lambda);
    memset(w->x, 0, (size_t)s->n * sizeof *w->x);
    row_subtract(s->n, 1.0, w->offset, w->u);
    move_x(s, w->u);
    find_values(s);
    for (int pass = 0; pass < MOST_CORRECTIONS && find_misses(s); ++pass) {
        solve_active(s, w->shift, w->goal);
        row_subtract(w->active_count, -1.0, w->goal, w->lambda);
        find_u(s, w->goal);
        move_x(s, w->u);
        find_values(s);
    }
}

// What a row may be violated by, relative to its length.
static double allowed(const search *s, int i)
{
    const bool   below = s->w->values[i] < s->p->lower[i];
    const double bound = below ? s->p->lower[i] : s->p->upper[i];
    return feasible * (1.0 + s->w->scales[i] * fabs(bound));
}

// The row that is violated most, relative to its length; -1 if none is. Active rows hold, soft ones
// as well as they shall.
static int find_violated(const search *s, double *violation)
{
    const quadratic_workspace *w = s->w;
    int                        worst = -1;
    *violation = 0.0;
    for (int i = 0; i < s->m; ++i) {
        const double below = s->p->lower[i] - w->values[i], above = w->values[i] - s->p->upper[i];
        const double found = w->scales[i] * (below > above ? below : above);
        if (found > *violation && w->sides[i] == INACTIVE) {
            *violation = found;
            worst = found > allowed(s, i) ? i : worst;
        }
    }
    return worst;
}

static int side_of(const search *s, int i)
{
    return is_equality(s, i) ? EQUAL : s->w->values[i] < s->p->lower[i] ? LOWER : UPPER;
}

static quadratic_result finish(const search *s, quadratic_status status, int iterations,
                               double violation, int row)
{
    quadratic_workspace *w = s->w;
    memset(w->multipliers, 0, (size_t)s->m * sizeof *w->multipliers);
    for (int i = 0; i < w->active_count; ++i) {
        w->multipliers[w->active[i]] = w->lambda[i];
    }
    return (quadratic_result){status, iterations, violation, row};
}

static quadratic_result run(const search *s)
{
    const int most = ITERATIONS_PER_ROW * (s->n + s->m);
    double    violation = INFINITY;
    for (int i = 1; i <= most; ++i) {
        if (!approach(s)) {
            continue;
        }
        find_x(s);
        const int row = find_violated(s, &violation);
        if (row < 0) {
            return finish(s, QUADRATIC_SOLVED, i, violation, -1);
        }
        if (!enter(s, row, side_of(s, row))) {
            return finish(s, QUADRATIC_INFEASIBLE, i, violation, row);
        }
    }
    return finish(s, QUADRATIC_UNFINISHED, most, violation, -1);
}

// Rows that are active from the beginning: equalities, and those of the last solution.
static void begin(const search *s, bool warm)
{
    quadratic_workspace *w = s->w;
    w->active_count = 0;
    for (int i = 0; i < s->m; ++i) {
        const int before = warm ? w->sides[i] : INACTIVE;
        const int side = is_equality(s, i) ? EQUAL : before == EQUAL ? INACTIVE : before;
        w->sides[i] = INACTIVE;
        if (side != INACTIVE && isfinite(side == LOWER ? s->p->lower[i] : s->p->upper[i])) {
            add_row(s, i, side, before == side ? w->multipliers[i] : 0.0);
        }
    }
}

// U = L^-T, row by row from the last: its row j is column j of L^-1.
static void invert_factor(const search *s)
{
    quadratic_workspace *w = s->w;
    const int            n = s->n, stride = s->stride;
    memset(w->U, 0, (size_t)n * (size_t)stride * sizeof *w->U);
    for (int j = n - 1; j >= 0; --j) {
        double *row = row_of(w->U, stride, j);
        for (int k = j + 1; k < n; ++k) {
            row_subtract(stride - k, row_in(w->L, stride, k)[j], row_in(w->U, stride, k) + k,
                         row + k);
        }
        row[j] = 1.0;
        const double scale = 1.0 / row_in(w->L, stride, j)[j];
        for (int k = 0; k < stride; ++k) {
            row[k] *= scale;
        }
    }
}

static bool factor_hessian(const search *s)
{
    quadratic_workspace *w = s->w;
    const int            n = s->n;
    for (int i = 0; i < n; ++i) {
        memcpy(row_of(w->L, s->stride, i), row_in(s->p->H, n, i), (size_t)(i + 1) * sizeof *w->L);
    }
    if (!atemi_cholesky_factor(n, w->L, s->stride)) {
        return false;
    }
    invert_factor(s);
    matrix_upper_transposed_times(n, w->U, s->stride, s->p->g, w->offset);
    return true;
}

quadratic_result quadratic_program_solve(const quadratic_program *program, bool warm,
                                         quadratic_workspace *workspace)
{
    const int    n = program->variable_count;
    const search s = {program, workspace, n, program->row_count, matrix_stride(n)};
    ATEMI_REQUIRE_OR(n <= workspace->max_variables && s.m <= workspace->max_rows &&
                         (!program->softness || workspace->max_active > s.m),
                     (quadratic_result){.status = QUADRATIC_UNFINISHED});
    if (!factor_hessian(&s)) {
        workspace->active_count = 0;
        return finish(&s, QUADRATIC_NOT_CONVEX, 0, INFINITY, -1);
    }
    find_scales(&s);
    begin(&s, warm);
    return run(&s);
}
