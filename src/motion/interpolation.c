// SPDX-License-Identifier: Apache-2.0

#include "atemi/trajectory.h"

#include "atemi/base.h"

// With x = t / T in 0 .. 1, positions p, velocities v and accelerations a at the ends, all by x (so
// that v stands for v T and a for a T^2), and D = p1 - p0:
//
//   cubic     p0 + v0 x + (3 D - 2 v0 - v1) x^2 + (v0 + v1 - 2 D) x^3
//   quintic   p0 + v0 x + a0/2 x^2 + (10 D - 6 v0 - 4 v1 - (3 a0 - a1)/2) x^3
//             + (-15 D + 8 v0 + 7 v1 + (3 a0 - 2 a1)/2) x^4 + (6 D - 3 v0 - 3 v1 - (a0 - a1)/2) x^5

enum { MAX_DEGREE = 5 };

// c[0] + c[1] x + ... at t = x T, with its derivatives by t.
static atemi_axis_state evaluate(const double c[MAX_DEGREE + 1], double T, double t)
{
    const double x = t / T;
    double       p = 0.0, v = 0.0, a = 0.0;
    for (int k = MAX_DEGREE; k >= 0; --k) {
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
static atemi_axis_state follow(const double c[MAX_DEGREE + 1], double T, double t)
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
    const double c[MAX_DEGREE + 1] = {start->position, v0, 3.0 * D - 2.0 * v0 - v1,
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
    const double c[MAX_DEGREE + 1] = {start->position,
                                      v0,
                                      0.5 * a0,
                                      10.0 * D - 6.0 * v0 - 4.0 * v1 - 0.5 * (3.0 * a0 - a1),
                                      -15.0 * D + 8.0 * v0 + 7.0 * v1 + 0.5 * (3.0 * a0 - 2.0 * a1),
                                      6.0 * D - 3.0 * (v0 + v1) - 0.5 * (a0 - a1)};
    return follow(c, T, time);
}
