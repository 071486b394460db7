// SPDX-License-Identifier: Apache-2.0

#include "plan/search/sqp.h"

#include "atemi/math.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// With the largest violation  v(x) = max(0, c_1(x), ..., c_m(x)),  the merit of a point is
//
//   phi(x) = f(x) + price v + v^2 / 2
//
// and a step d solves the quadratic program
//
//   minimize  g^T d + d^T B d / 2 + price t + t^2 / 2
//   such that c_i + a_i^T d <= t,  t >= 0,  lower <= x + d <= upper,  |d_j| <= radius
//
// which always has one solution. With B = L L^T, d = d_0 + L^-T y, d_0 = -B^-1 g, and z = (y, t +
// price), it asks for the shortest z (math/nonnegative.h):
//
//   z_t - (L^-1 a_i)^T y >= c_i + a_i^T d_0 + price,   z_t >= price,   +-d within its bounds
//
// The weights u of its rows are the multipliers. A step that makes phi less by at least a
// ten-thousandth of what the program promises is taken; otherwise constraints as they are found
// there, c_i(x + d) - a_i^T d in place of c_i, give another step (second-order correction), and
// otherwise the radius shrinks [NocedalWright06, 18.5]. B follows by damped updates of the
// Lagrange function [NocedalWright06, 18.2]. Where a search ends at
// violated constraints, the price grows: it must be larger than the sum of their multipliers.
//
// Rows that no step within twice the radius comes near are left out of the program until slopes are
// found again.

static const double first_price = 0.5;
static const double highest_price = 1e6;
static const double kept = 1e-4;            // of a promise, for a step to be taken
static const double good = 0.6;             // of a promise, for a step not to be corrected
static const double first_curvature = 0.05; // on the diagonal of B
static const double least_curvature = 1e-3; // on the diagonal of the program
static const double short_radius = 1e-3;    // in which a small promise means little
static const double shortest_radius = 1e-9;
static const double hopeful = 0.2;            // of what is missing to what is known: a promise
static const double hopeless_price = 50.0;    // beyond it, and
static const double hopeless_violation = 1.0; // violated by more, a search is given up
static const double late_violation = 0.1;     // the same, after so many steps:
static const double longest_radius = 10.0;
static const double nearby = 2.0; // radii: rows that are reached within them are in the program

enum { MAX_CORRECTIONS = 3 }; // of a step
enum { MANY_STEPS = 60 };     // of a search that may be given up

// ---- The quadratic program

static double violation_of(const double *value, int rows)
{
    double largest = 0.0;
    for (int r = 1; r <= rows; ++r) {
        largest = value[r] > largest ? value[r] : largest; // (fmax would be a call.)
    }
    return largest;
}

static double merit(const double *value, int rows, double price)
{
    const double v = violation_of(value, rows);
    return value[0] + price * v + 0.5 * v * v;
}

// y from L y = b, in place.
static void solve_lower(int n, const double *L, double *b)
{
    for (int i = 0; i < n; ++i) {
        b[i] = (b[i] - row_dot(i, row_in(L, n, i), b)) / row_in(L, n, i)[i];
    }
}

static void forget_curvature(sqp *s)
{
    const int n = s->count;
    memset(s->B, 0, (size_t)(n * n) * sizeof *s->B);
    for (int i = 0; i < n; ++i) {
        s->B[i * n + i] = first_curvature;
    }
}

// Factors B, with its inverse factor, and the unconstrained step d_0.
static void factor(sqp *s)
{
    const int n = s->count;
    memcpy(s->L, s->B, (size_t)(n * n) * sizeof *s->L);
    for (int i = 0; i < n; ++i) {
        s->L[i * n + i] += least_curvature;
    }
    if (!atemi_cholesky_factor(n, s->L, n)) { // rounding
        forget_curvature(s);
        memcpy(s->L, s->B, (size_t)(n * n) * sizeof *s->L);
    }
    const int stride = matrix_stride(n);
    memset(s->inverse, 0, (size_t)(n * stride) * sizeof *s->inverse);
    for (int k = 0; k < n; ++k) { // column k of L^-1, as row k
        double *row = row_of(s->inverse, stride, k);
        row[k] = 1.0;
        solve_lower(n, s->L, row);
    }
    for (int i = 0; i < n; ++i) {
        s->newton[i] = -s->objective[i];
    }
    atemi_cholesky_solve(n, s->L, n, s->newton);
}

static double *program_row(const sqp *s, int i)
{
    return row_of(s->constraints, s->count + 2, i);
}

// The bounds of a step within a radius.
static void set_bounds(sqp *s, const sqp_problem *p, double radius)
{
    for (int k = 0; k < s->count; ++k) {
        s->lower[k] = fmax(p->lower[k] - s->x[k], -radius);
        s->upper[k] = fmin(p->upper[k] - s->x[k], radius);
    }
}

// How much a step within the bounds can change a row: as much as the middle of the bounds does, and
// half of their width.
static double reach_of(const sqp *s, const double *a)
{
    pack   sum = {0};
    double rest = 0.0;
    int    i = 0;
    for (; i + ATEMI_LANES <= s->count; i += ATEMI_LANES) {
        const pack here = pack_at(a + i);
        sum += here * pack_at(s->middle + i) + pack_abs(here) * pack_at(s->half + i);
    }
    for (; i < s->count; ++i) {
        rest += a[i] * s->middle[i] + fabs(a[i]) * s->half[i];
    }
    return pack_sum(sum) + rest;
}

// (-L^-1 a, 1), and  a^T d_0
static void add_constraint(sqp *s, int r)
{
    const int     n = s->count, stride = matrix_stride(n);
    const double *a = row_in(s->slope, n, r);
    double       *row = program_row(s, s->near_count);
    memset(s->solved, 0, (size_t)stride * sizeof *s->solved);
    matrix_add_product(n, s->inverse, stride, a, s->solved);
    for (int i = 0; i < n; ++i) {
        row[i] = -s->solved[i];
    }
    row[n] = 1.0;
    s->ahead[s->near_count] = row_dot(n, a, s->newton);
    s->near[s->near_count++] = r;
}

// Two rows behind the constraints and  z_t >= price.
static void add_bounds(const sqp *s, int k)
{
    const int n = s->count;
    double   *from = program_row(s, s->near_count + 1 + 2 * k), *to = from + n + 2;
    for (int i = 0; i < n; ++i) {
        from[i] = row_in(s->inverse, matrix_stride(n), k)[i];
        to[i] = -from[i];
    }
    from[n] = to[n] = 0.0;
    from[n + 1] = s->lower[k] - s->newton[k];
    to[n + 1] = s->newton[k] - s->upper[k];
}

// The rows of the program at x, but for what changes with price, radius and values.
static void prepare_program(sqp *s, const sqp_problem *p, double radius)
{
    factor(s);
    set_bounds(s, p, nearby * radius);
    for (int i = 0; i < s->count; ++i) {
        s->middle[i] = 0.5 * (s->upper[i] + s->lower[i]);
        s->half[i] = 0.5 * (s->upper[i] - s->lower[i]);
    }
    s->near_count = 0;
    for (int r = 1; r <= s->rows; ++r) {
        if (s->value[r] + reach_of(s, row_in(s->slope, s->count, r)) > 0.0) {
            add_constraint(s, r);
        }
    }
}

// The multipliers of the program's rows, those of constraints among them, from one program to the
// next.
static void guess_active(const sqp *s)
{
    for (int i = 0; i < s->near_count; ++i) {
        s->u[i] = s->multipliers[s->near[i]];
    }
    memcpy(s->u + s->near_count, s->bounds, (size_t)(2 * s->count + 1) * sizeof *s->u);
}

static void keep_multipliers(sqp *s)
{
    memset(s->multipliers, 0, (size_t)(s->rows + 1) * sizeof *s->multipliers);
    for (int i = 0; i < s->near_count; ++i) {
        s->multipliers[s->near[i]] = s->u[i];
    }
    memcpy(s->bounds, s->u + s->near_count, (size_t)(2 * s->count + 1) * sizeof *s->bounds);
}

// The step from x, with constraints as in `value` [near_count].
static void find_step(sqp *s, const sqp_problem *p, const double *value, double radius,
                      double price, double *step)
{
    const int n = s->count;
    for (int i = 0; i < s->near_count; ++i) {
        program_row(s, i)[n + 1] = value[i] + s->ahead[i] + price;
    }
    double *row = program_row(s, s->near_count);
    memset(row, 0, (size_t)n * sizeof *row);
    row[n] = 1.0;
    row[n + 1] = price;
    set_bounds(s, p, radius);
    for (int k = 0; k < n; ++k) {
        add_bounds(s, k);
    }
    guess_active(s);
    least_distance_solve(&s->work, s->near_count + 1 + 2 * n, n + 1, s->constraints, s->z, s->u);
    for (int k = 0; k < n; ++k) { // L^-T y
        const double d = s->newton[k] + row_dot(n, row_in(s->inverse, matrix_stride(n), k), s->z);
        step[k] = fmin(fmax(d, s->lower[k]), s->upper[k]);
    }
}

// By how much the program expects the merit to fall.
static double promise_of(const sqp *s, const double *step, double price)
{
    const int n = s->count;
    double    largest = 0.0, bend = 0.0;
    for (int i = 0; i < s->near_count; ++i) {
        const int r = s->near[i];
        largest = fmax(largest, s->value[r] + row_dot(n, row_in(s->slope, n, r), step));
    }
    for (int i = 0; i < n; ++i) {
        bend += step[i] * row_dot(n, row_in(s->B, n, i), step);
    }
    return merit(s->value, s->rows, price) -
           (s->value[0] + row_dot(n, s->objective, step) + 0.5 * bend + price * largest +
            0.5 * largest * largest);
}

// ---- Curvature

// The gradient of the Lagrange function.
static void find_gradient(const sqp *s, double *gradient)
{
    memcpy(gradient, s->objective, (size_t)s->count * sizeof *gradient);
    for (int r = 1; r <= s->rows; ++r) {
        if (s->multipliers[r] > 0.0) {
            row_subtract(s->count, -s->multipliers[r], row_in(s->slope, s->count, r), gradient);
        }
    }
}

// B - (B d)(B d)^T / (d B d) + y y^T / (d y), with y mixed with B d where d y is too small.
static void update_curvature(sqp *s, const double *step, double *change, double *Bd)
{
    const int n = s->count;
    for (int i = 0; i < n; ++i) {
        Bd[i] = row_dot(n, row_in(s->B, n, i), step);
    }
    const double dBd = row_dot(n, step, Bd), dy = row_dot(n, step, change);
    const double part = dy >= 0.2 * dBd ? 1.0 : 0.8 * dBd / (dBd - dy);
    if (!(dBd > 0.0)) {
        return;
    }
    for (int i = 0; i < n; ++i) {
        change[i] = part * change[i] + (1.0 - part) * Bd[i];
    }
    const double scale = 1.0 / row_dot(n, step, change);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            s->B[i * n + k] += scale * change[i] * change[k] - Bd[i] * Bd[k] / dBd;
        }
    }
}

// ---- Steps

typedef struct descent {
    sqp               *s;
    const sqp_problem *problem;
    const sqp_options *options;
    double             radius, price;
    bool               restarted;
    sqp_result         result;
} descent;

static void look(const descent *d, const double *x, double *value)
{
    memcpy(value, d->problem->values(d->problem->context, x),
           (size_t)(d->s->rows + 1) * sizeof *value);
    value[0] *= d->options->weight;
}

static void find_slopes(descent *d)
{
    sqp *s = d->s;
    s->slope = d->problem->slopes(d->problem->context, s->x);
    for (int i = 0; i < s->count; ++i) {
        s->objective[i] = d->options->weight * s->slope[i];
    }
    ++d->result.slopes;
}

// Finds slopes at x, after a step, and the curvature along it.
static void learn(descent *d, const double *step)
{
    sqp      *s = d->s;
    const int n = s->count;
    find_gradient(s, s->gradient);
    find_slopes(d);
    find_gradient(s, s->change);
    for (int i = 0; i < n; ++i) {
        s->change[i] -= s->gradient[i];
    }
    if (s->z[n] - d->price < kept) { // else multipliers are those of the price
        update_curvature(s, step, s->change, s->gradient);
    }
}

static void add(const sqp *s, const double *step, double *next)
{
    for (int i = 0; i < s->count; ++i) {
        next[i] = s->x[i] + step[i];
    }
}

static double longest_of(const sqp *s, const double *step)
{
    double largest = 0.0;
    for (int i = 0; i < s->count; ++i) {
        largest = fmax(largest, fabs(step[i]));
    }
    return largest;
}

// Constraints as they are found after a step, less what the slopes explain.
static void shift(sqp *s, const double *step, const double *value)
{
    for (int i = 0; i < s->near_count; ++i) {
        const int r = s->near[i];
        s->shifted[i] = value[r] - row_dot(s->count, row_in(s->slope, s->count, r), step);
    }
}

static void accept(descent *d, const double *step, const double *value)
{
    sqp *s = d->s;
    add(s, step, s->next);
    memcpy(s->x, s->next, (size_t)s->count * sizeof *s->x);
    memcpy(s->value, value, (size_t)(s->rows + 1) * sizeof *s->value);
    learn(d, step);
    prepare_program(s, d->problem, d->radius);
}

// @return by how much the merit falls
static double try_step(descent *d, const double *step, double *value)
{
    sqp *s = d->s;
    add(s, step, s->next);
    look(d, s->next, value);
    return merit(s->value, s->rows, d->price) - merit(value, s->rows, d->price);
}

static void swap(double **a, double **b)
{
    double *kept_one = *a;
    *a = *b;
    *b = kept_one;
}

// Tries `step`, and corrects it, with constraints as they are found after it, as long as that is
// better. The best is in `step` and `trial`.
// @return by how much the merit falls
static double evaluate_step(descent *d, double promise)
{
    sqp   *s = d->s;
    double gain = try_step(d, s->step, s->trial);
    for (int k = 0; k < MAX_CORRECTIONS && gain < good * promise; ++k) {
        shift(s, s->step, s->trial);
        find_step(s, d->problem, s->shifted, d->radius, d->price, s->better);
        const double other = try_step(d, s->better, s->other);
        if (!(other > gain)) {
            break;
        }
        gain = other;
        swap(&s->step, &s->better);
        swap(&s->trial, &s->other);
    }
    return gain;
}

// Constraints are far from met at such a price, or within such a radius, or after so many steps.
static bool is_hopeless(const descent *d)
{
    const double violation = violation_of(d->s->value, d->s->rows);
    const bool   is_far = d->price > hopeless_price || d->radius < short_radius;
    const bool   is_late = d->result.iterations > MANY_STEPS;
    return d->options->to_beat &&
           ((is_far && violation > hopeless_violation) || (is_late && violation > late_violation));
}

static bool is_near(const descent *d)
{
    const double *known = d->options->known;
    for (int i = 0; known && i < d->s->count; ++i) {
        if (fabs(d->s->x[i] - known[i]) > d->options->near) {
            return false;
        }
    }
    return known;
}

// Nothing is promised: more is paid for violations, or the radius was too short to know, or it is
// over.
// @return whether the search goes on
static bool look_again(descent *d)
{
    const double violation = violation_of(d->s->value, d->s->rows);
    if (is_hopeless(d)) {
        d->result.end = SQP_BEHIND;
        return false;
    }
    if (violation > d->options->tolerance && d->price < highest_price) {
        d->price *= 10.0;
        return true;
    }
    if (d->radius < short_radius && !d->restarted) {
        d->restarted = true;
        d->radius = d->options->radius;
        forget_curvature(d->s);
        prepare_program(d->s, d->problem, d->radius);
        return true;
    }
    d->result.end = violation > d->options->tolerance ? SQP_INFEASIBLE : SQP_CONVERGED;
    return false;
}

static void adapt_radius(descent *d, double ratio, double length)
{
    if (ratio > 0.75 && length > 0.99 * d->radius) {
        d->radius = fmin(2.0 * d->radius, longest_radius);
    } else if (!(ratio > 0.25)) {
        d->radius = 0.5 * fmin(length, d->radius);
    }
}

// Far more is missing to what is known than the next step promises.
static bool is_behind(const descent *d, double promise)
{
    const double *known = d->options->to_beat;
    return known && promise < hopeful * (d->s->value[0] - *known);
}

// @return whether the search goes on
static bool step_on(descent *d)
{
    sqp *s = d->s;
    if (is_near(d)) {
        d->result.end = SQP_KNOWN;
        return false;
    }
    for (int i = 0; i < s->near_count; ++i) {
        s->shifted[i] = s->value[s->near[i]];
    }
    find_step(s, d->problem, s->shifted, d->radius, d->price, s->step);
    keep_multipliers(s);
    const double promise = promise_of(s, s->step, d->price);
    d->result.promise = promise;
    if (!(promise > d->options->gain)) {
        return look_again(d);
    }
    if (is_behind(d, promise) || is_hopeless(d)) {
        d->result.end = SQP_BEHIND;
        return false;
    }
    const double ratio = evaluate_step(d, promise) / promise;
    adapt_radius(d, ratio, longest_of(s, s->step));
    if (ratio > kept) {
        accept(d, s->step, s->trial);
    } else if (d->radius < shortest_radius) {
        d->result.end = SQP_STALLED;
        return false;
    }
    return true;
}

static void begin(descent *d, const double *x)
{
    sqp      *s = d->s;
    const int n = s->count;
    for (int i = 0; i < n; ++i) {
        s->x[i] = fmin(fmax(x[i], d->problem->lower[i]), d->problem->upper[i]);
    }
    forget_curvature(s);
    if (d->options->curvature) {
        memcpy(s->B, d->options->curvature, (size_t)(n * n) * sizeof *s->B);
    }
    memset(s->multipliers, 0, (size_t)(s->rows + 1) * sizeof *s->multipliers);
    memset(s->bounds, 0, (size_t)(2 * n + 1) * sizeof *s->bounds);
    look(d, s->x, s->value);
    find_slopes(d);
    prepare_program(s, d->problem, d->radius);
}

sqp_result sqp_minimize(sqp *s, const sqp_problem *problem, const sqp_options *options, double *x)
{
    descent d = {.s = s,
                 .problem = problem,
                 .options = options,
                 .radius = options->radius,
                 .price = first_price,
                 .result = {.end = SQP_EXHAUSTED}};
    begin(&d, x);
    while (d.result.iterations < options->iterations) {
        if (!problem->goes_on(problem->context)) {
            d.result.end = SQP_STOPPED;
            break;
        }
        ++d.result.iterations;
        if (!step_on(&d)) {
            break;
        }
    }
    memcpy(x, s->x, (size_t)s->count * sizeof *x);
    d.result.objective = s->value[0];
    d.result.violation = violation_of(s->value, s->rows);
    return d.result;
}

// ---- Workspace

sqp sqp_take(atemi_arena *arena, int count, int rows)
{
    const size_t n = (size_t)count, m = (size_t)rows, all = m + 2 * n + 1;
    sqp          s = {.count = count, .rows = rows};
    double     **vectors[] = {&s.x,      &s.next,  &s.step,  &s.better, &s.gradient, &s.change,
                              &s.newton, &s.lower, &s.upper, &s.middle, &s.half,     &s.objective};
    double     **squares[] = {&s.B, &s.L};
    double     **columns[] = {&s.value, &s.trial, &s.other, &s.shifted, &s.multipliers, &s.ahead};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = atemi_arena_array(arena, double, n);
    }
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; ++i) {
        *squares[i] = atemi_arena_array(arena, double, n *n);
    }
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i) {
        *columns[i] = atemi_arena_array(arena, double, m + 1);
    }
    s.inverse = atemi_arena_array(arena, double, count *matrix_stride(count));
    s.solved = atemi_arena_array(arena, double, matrix_stride(count));
    s.constraints = atemi_arena_array(arena, double, all *(n + 2));
    s.z = atemi_arena_array(arena, double, n + 1);
    s.u = atemi_arena_array(arena, double, all);
    s.bounds = atemi_arena_array(arena, double, 2 * n + 1);
    s.near = atemi_arena_array(arena, int, m);
    s.work = nonnegative_take(arena, (int)all, count + 2);
    return s;
}
