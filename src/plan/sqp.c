// SPDX-License-Identifier: Apache-2.0

#include "plan/sqp.h"

#include "atemi/math.h"
#include "math/rows.h"

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
// Slopes cost as much as many values. After a step d whose promise was kept they are not found
// anew, but changed the least so that they explain what the step did [Broyden65]:
//
//   a_i += (c_i(x + d) - c_i(x) - a_i^T d) d / (d^T d)
//
// a few times in a row; nothing ends, no step is refused and B does not change by such slopes.

static const double first_price = 0.5;
static const double highest_price = 1e6;
static const double kept = 1e-4;            // of a promise, for a step to be taken
static const double poor = 0.1;             // of a promise, for slopes to be found anew
static const double trusted = 0.5;          // of a promise, for slopes to be changed by the step
static const double least_curvature = 1e-2; // on the diagonal of the program
static const double short_radius = 1e-3;    // in which a small promise means little
static const double shortest_radius = 1e-9;
static const double hopeful = 0.02; // of what is missing to what is known: a promise
static const double longest_radius = 10.0;

enum { MAX_SECANTS = 2 }; // changes of slopes before they are found anew

// ---- The quadratic program

static double violation_of(const double *value, int rows)
{
    double largest = 0.0;
    for (int r = 1; r <= rows; ++r) {
        largest = fmax(largest, value[r]);
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
        s->B[i * n + i] = 1.0;
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
    for (int k = 0; k < n; ++k) { // column k of L^-1, as row k
        double *row = row_of(s->inverse, n, k);
        memset(row, 0, (size_t)n * sizeof *row);
        row[k] = 1.0;
        solve_lower(n, s->L, row);
    }
    for (int i = 0; i < n; ++i) {
        s->newton[i] = -s->slope[i];
    }
    atemi_cholesky_solve(n, s->L, n, s->newton);
}

static double *program_row(const sqp *s, int i)
{
    return row_of(s->constraints, s->count + 2, i);
}

// How much a step within the radius can change a row.
static void find_reach(sqp *s)
{
    for (int r = 1; r <= s->rows; ++r) {
        const double *a = row_in(s->slope, s->count, r);
        s->reach[r] = 0.0;
        for (int i = 0; i < s->count; ++i) {
            s->reach[r] += fabs(a[i]);
        }
    }
}

// (-L^-1 a, 1) with c + a^T d_0 + price
static void add_constraint(sqp *s, int r, double value, double price)
{
    const int     n = s->count;
    const double *a = row_in(s->slope, n, r);
    double       *row = program_row(s, s->chosen_count);
    memcpy(row, a, (size_t)n * sizeof *row);
    solve_lower(n, s->L, row);
    for (int i = 0; i < n; ++i) {
        row[i] = -row[i];
    }
    row[n] = 1.0;
    row[n + 1] = value + row_dot(n, a, s->newton) + price;
    s->chosen[s->chosen_count++] = r;
}

// Two rows behind the constraints and  z_t >= price.
static void add_bounds(const sqp *s, int k)
{
    const int n = s->count;
    double   *from = program_row(s, s->chosen_count + 1 + 2 * k), *to = from + n + 2;
    for (int i = 0; i < n; ++i) {
        from[i] = row_in(s->inverse, n, k)[i];
        to[i] = -from[i];
    }
    from[n] = to[n] = 0.0;
    from[n + 1] = s->lower[k] - s->newton[k];
    to[n + 1] = s->newton[k] - s->upper[k];
}

// The step from x, with constraints as in `value`. Those that no step within the radius comes near
// are left out.
static void find_step(sqp *s, const sqp_problem *p, const double *value, double radius,
                      double price, double *step)
{
    const int n = s->count;
    s->chosen_count = 0;
    for (int r = 1; r <= s->rows; ++r) {
        if (value[r] + radius * s->reach[r] > 0.0) {
            add_constraint(s, r, value[r], price);
        }
    }
    double *row = program_row(s, s->chosen_count);
    memset(row, 0, (size_t)n * sizeof *row);
    row[n] = 1.0;
    row[n + 1] = price;
    for (int k = 0; k < n; ++k) {
        s->lower[k] = fmax(p->lower[k] - s->x[k], -radius);
        s->upper[k] = fmin(p->upper[k] - s->x[k], radius);
        add_bounds(s, k);
    }
    least_distance_solve(&s->work, s->chosen_count + 1 + 2 * n, n + 1, s->constraints, s->z, s->u);
    for (int k = 0; k < n; ++k) { // L^-T y
        const double d = s->newton[k] + row_dot(n, row_in(s->inverse, n, k), s->z);
        step[k] = fmin(fmax(d, s->lower[k]), s->upper[k]);
    }
}

// By how much the program expects the merit to fall.
static double promise_of(const sqp *s, const double *step, double price)
{
    const int n = s->count;
    double    largest = 0.0, bend = 0.0;
    for (int r = 1; r <= s->rows; ++r) {
        largest = fmax(largest, s->value[r] + row_dot(n, row_in(s->slope, n, r), step));
    }
    for (int i = 0; i < n; ++i) {
        bend += step[i] * row_dot(n, row_in(s->B, n, i), step);
    }
    return merit(s->value, s->rows, price) -
           (s->value[0] + row_dot(n, s->slope, step) + 0.5 * bend + price * largest +
            0.5 * largest * largest);
}

// ---- Curvature

// The gradient of the Lagrange function.
static void find_gradient(const sqp *s, const double *slope, double *gradient)
{
    memcpy(gradient, slope, (size_t)s->count * sizeof *gradient);
    for (int r = 1; r <= s->rows; ++r) {
        if (s->multipliers[r] > 0.0) {
            row_subtract(s->count, -s->multipliers[r], row_in(slope, s->count, r), gradient);
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
    int                secants; ///< since slopes were found
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
    memcpy(s->slope, d->problem->slopes(d->problem->context, s->x),
           (size_t)((s->rows + 1) * s->count) * sizeof *s->slope);
    for (int i = 0; i < s->count; ++i) {
        s->slope[i] *= d->options->weight;
    }
    memcpy(s->found, s->slope, (size_t)((s->rows + 1) * s->count) * sizeof *s->found);
    memset(s->moved, 0, (size_t)s->count * sizeof *s->moved);
    d->secants = 0;
    ++d->result.slopes;
}

// Slopes that explain a step to other values.
static void bend_slopes(descent *d, const double *step, const double *value)
{
    sqp         *s = d->s;
    const double square = row_dot(s->count, step, step);
    for (int r = 0; r <= s->rows; ++r) {
        double      *a = row_of(s->slope, s->count, r);
        const double missed = value[r] - s->value[r] - row_dot(s->count, a, step);
        row_subtract(s->count, -missed / square, step, a);
    }
    ++d->secants;
}

static void prepare_program(sqp *s)
{
    factor(s);
    find_reach(s);
}

// Finds slopes at x, and the curvature between there and where they were found before.
static void learn(descent *d)
{
    sqp      *s = d->s;
    const int n = s->count;
    find_gradient(s, s->found, s->gradient);
    memcpy(s->better, s->moved, (size_t)n * sizeof *s->better);
    find_slopes(d);
    find_gradient(s, s->slope, s->change);
    for (int i = 0; i < n; ++i) {
        s->change[i] -= s->gradient[i];
    }
    if (s->z[n] - d->price < kept) { // else multipliers are those of the price
        update_curvature(s, s->better, s->change, s->gradient);
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

static void keep_multipliers(sqp *s)
{
    memset(s->multipliers, 0, (size_t)(s->rows + 1) * sizeof *s->multipliers);
    for (int i = 0; i < s->chosen_count; ++i) {
        s->multipliers[s->chosen[i]] = s->u[i];
    }
}

// Another step, with constraints as they are found after the first.
// @return how much the merit falls by it
static double correct(descent *d)
{
    sqp *s = d->s;
    for (int r = 1; r <= s->rows; ++r) {
        s->shifted[r] = s->trial[r] - row_dot(s->count, row_in(s->slope, s->count, r), s->step);
    }
    find_step(s, d->problem, s->shifted, d->radius, d->price, s->better);
    add(s, s->better, s->next);
    look(d, s->next, s->shifted);
    return merit(s->value, s->rows, d->price) - merit(s->shifted, s->rows, d->price);
}

static void accept(descent *d, const double *step, const double *value, bool is_trusted)
{
    sqp      *s = d->s;
    const int n = s->count;
    add(s, step, s->next);
    memcpy(s->x, s->next, (size_t)n * sizeof *s->x);
    for (int i = 0; i < n; ++i) {
        s->moved[i] += step[i];
    }
    if (is_trusted && d->secants < MAX_SECANTS) {
        bend_slopes(d, step, value);
        memcpy(s->value, value, (size_t)(s->rows + 1) * sizeof *s->value);
    } else {
        memcpy(s->value, value, (size_t)(s->rows + 1) * sizeof *s->value);
        learn(d);
    }
    prepare_program(s);
}

// The better of two steps: the one of the program, or its correction.
typedef struct trial {
    const double *step, *value;
    double        gain; ///< of the merit
} trial;

static trial evaluate_step(descent *d, double promise)
{
    sqp *s = d->s;
    add(s, s->step, s->next);
    look(d, s->next, s->trial);
    trial best = {s->step, s->trial,
                  merit(s->value, s->rows, d->price) - merit(s->trial, s->rows, d->price)};
    if (best.gain < 0.25 * promise) {
        const double other = correct(d);
        if (other > best.gain) {
            best = (trial){s->better, s->shifted, other};
        }
    }
    return best;
}

// Nothing is promised: more is paid for violations, or the radius was too short to know, or it is
// over.
// @return whether the search goes on
static bool look_again(descent *d)
{
    const double violation = violation_of(d->s->value, d->s->rows);
    if (violation > d->options->tolerance && d->price < highest_price) {
        d->price *= 10.0;
        return true;
    }
    if (d->radius < short_radius && !d->restarted) {
        d->restarted = true;
        d->radius = d->options->radius;
        forget_curvature(d->s);
        factor(d->s);
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

// Slopes that were changed may be wrong: the same step again, with those that hold here.
// @return true: the search goes on
static bool refresh(descent *d)
{
    learn(d);
    prepare_program(d->s);
    return true;
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
    find_step(s, d->problem, s->value, d->radius, d->price, s->step);
    keep_multipliers(s);
    const double promise = promise_of(s, s->step, d->price);
    d->result.promise = promise;
    if (!(promise > d->options->gain)) {
        return d->secants > 0 ? refresh(d) : look_again(d);
    }
    if (is_behind(d, promise)) {
        d->result.end = SQP_BEHIND;
        return false;
    }
    const trial  best = evaluate_step(d, promise);
    const double ratio = best.gain / promise;
    if (d->secants > 0 && !(ratio > poor)) {
        return refresh(d);
    }
    adapt_radius(d, ratio, longest_of(s, best.step));
    if (ratio > kept) {
        accept(d, best.step, best.value, ratio > trusted);
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
    look(d, s->x, s->value);
    find_slopes(d);
    prepare_program(s);
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
    double     **vectors[] = {&s.x,      &s.next,   &s.step,  &s.better, &s.gradient,
                              &s.change, &s.newton, &s.lower, &s.upper,  &s.moved};
    double     **squares[] = {&s.B, &s.L, &s.inverse};
    double     **columns[] = {&s.value, &s.trial, &s.shifted, &s.multipliers, &s.reach};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = atemi_arena_array(arena, double, n);
    }
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; ++i) {
        *squares[i] = atemi_arena_array(arena, double, n *n);
    }
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i) {
        *columns[i] = atemi_arena_array(arena, double, m + 1);
    }
    s.slope = atemi_arena_array(arena, double, (m + 1) * n);
    s.found = atemi_arena_array(arena, double, (m + 1) * n);
    s.constraints = atemi_arena_array(arena, double, all *(n + 2));
    s.z = atemi_arena_array(arena, double, n + 1);
    s.u = atemi_arena_array(arena, double, all);
    s.chosen = atemi_arena_array(arena, int, m);
    s.work = nonnegative_take(arena, (int)all, count + 2);
    return s;
}
