// SPDX-License-Identifier: Apache-2.0

#include "atemi/interpolation.h"

#include "atemi/contract.h"

#include <stddef.h>

// With x = t / T in 0 .. 1, positions p, velocities v and accelerations a at the ends, all by x (so
// that v stands for v T and a for a T^2), and D = p1 - p0:
//
//   cubic     p0 + v0 x + (3 D - 2 v0 - v1) x^2 + (v0 + v1 - 2 D) x^3
//   quintic   p0 + v0 x + a0/2 x^2 + (10 D - 6 v0 - 4 v1 - (3 a0 - a1)/2) x^3
//             + (-15 D + 8 v0 + 7 v1 + (3 a0 - 2 a1)/2) x^4 + (6 D - 3 v0 - 3 v1 - (a0 - a1)/2) x^5

enum { MOST_DEGREE = 5 };

// c[0] + c[1] x + ... at t = x T, with its derivatives by t.
static atemi_axis_state evaluate(const double c[MOST_DEGREE + 1], double T, double t)
{
    const double x = t / T;
    double       p = 0.0, v = 0.0, a = 0.0;
    for (int k = MOST_DEGREE; k >= 0; --k) {
        a = a * x + 2.0 * v;
        v = v * x + p;
        p = p * x + c[k];
    }
    return (atemi_axis_state){p, v / T, a / (T * T)};
}

static atemi_axis_state go_on(atemi_axis_state from, double time)
{
    return (atemi_axis_state){from.position + from.velocity * time, from.velocity, 0.0};
}

// The polynomial inside of its duration, straight lines outside.
static atemi_axis_state follow(const double c[MOST_DEGREE + 1], double T, double t)
{
    if (t < 0.0) {
        return go_on(evaluate(c, T, 0.0), t);
    }
    return t > T ? go_on(evaluate(c, T, T), t - T) : evaluate(c, T, t);
}

atemi_axis_state atemi_cubic_at(const atemi_axis_state *start, const atemi_axis_state *end,
                                double duration, double time)
{
    const atemi_axis_state none = {0};
    ATEMI_REQUIRE_OR(start && end && duration > 0.0, none);
    const double D = end->position - start->position;
    const double v0 = start->velocity * duration, v1 = end->velocity * duration;
    const double c[MOST_DEGREE + 1] = {start->position, v0, 3.0 * D - 2.0 * v0 - v1,
                                       v0 + v1 - 2.0 * D};
    return follow(c, duration, time);
}

atemi_axis_state atemi_cubic_rest_at(double from, double to, double duration, double time)
{
    const atemi_axis_state start = {.position = from}, end = {.position = to};
    return atemi_cubic_at(&start, &end, duration, time);
}

atemi_axis_state atemi_quintic_at(const atemi_axis_state *start, const atemi_axis_state *end,
                                  double duration, double time)
{
    const atemi_axis_state none = {0};
    ATEMI_REQUIRE_OR(start && end && duration > 0.0, none);
    const double T = duration, D = end->position - start->position;
    const double v0 = start->velocity * T, v1 = end->velocity * T;
    const double a0 = start->acceleration * T * T, a1 = end->acceleration * T * T;
    const double c[MOST_DEGREE + 1] = {start->position,
                                       v0,
                                       0.5 * a0,
                                       10.0 * D - 6.0 * v0 - 4.0 * v1 - 0.5 * (3.0 * a0 - a1),
                                       -15.0 * D + 8.0 * v0 + 7.0 * v1 +
                                           0.5 * (3.0 * a0 - 2.0 * a1),
                                       6.0 * D - 3.0 * (v0 + v1) - 0.5 * (a0 - a1)};
    return follow(c, T, time);
}

// ---- Through knots --------------------------------------------------------------------------

// The interval that a time belongs to; the first or last one for times outside.
static int interval_of(const atemi_piecewise_cubic *curve, double time)
{
    int low = 0, high = curve->count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (curve->times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static atemi_axis_state knot(const atemi_piecewise_cubic *curve, int i)
{
    return (atemi_axis_state){.position = curve->values[i],
                              .velocity = curve->slopes ? curve->slopes[i] : 0.0};
}

atemi_axis_state atemi_piecewise_cubic_at(const atemi_piecewise_cubic *curve, double time)
{
    const atemi_axis_state none = {0};
    ATEMI_REQUIRE_OR(curve && curve->count >= 1 && curve->times && curve->values, none);
    const atemi_axis_state start = knot(curve, 0);
    if (curve->count == 1) {
        return go_on(start, time - curve->times[0]);
    }
    const int              i = interval_of(curve, time);
    const atemi_axis_state from = knot(curve, i), to = knot(curve, i + 1);
    return atemi_cubic_at(&from, &to, curve->times[i + 1] - curve->times[i],
                          time - curve->times[i]);
}

// The acceleration is continuous at knot i, with h the intervals before and after it, if
//
//   s_{i-1} / h1 + 2 s_i (1/h1 + 1/h2) + s_{i+1} / h2 = 3 (D1 / h1^2 + D2 / h2^2)
//
// a tridiagonal system, solved from both ends inwards without pivoting: the diagonal dominates.
void atemi_spline_slopes(int count, const double *times, const double *values, double first_slope,
                         double last_slope, double *work, double *slopes)
{
    ATEMI_REQUIRE(count >= 1 && times && values && work && slopes);
    slopes[0] = first_slope;
    work[0] = 0.0;
    for (int i = 1; i + 1 < count; ++i) {
        const double b = 1.0 / (times[i] - times[i - 1]), a = 1.0 / (times[i + 1] - times[i]);
        const double right =
            3.0 * (b * b * (values[i] - values[i - 1]) + a * a * (values[i + 1] - values[i]));
        const double pivot = 2.0 * (a + b) - b * work[i - 1];
        work[i] = a / pivot;
        slopes[i] = (right - b * slopes[i - 1]) / pivot;
    }
    slopes[count - 1] = count > 1 ? last_slope : first_slope;
    for (int i = count - 2; i > 0; --i) {
        slopes[i] -= work[i] * slopes[i + 1];
    }
}
