// SPDX-License-Identifier: Apache-2.0

#include "motion/posture_step.h"

#include "atemi/math.h"
#include "math/rows.h"

// The step d minimizes, with g the gradient,
//
//   g d + d^T A d / 2 + lambda d^T d / 2,   A = J^T J, or with the bending
//
// over the free velocities f, while the others, s, are held or go to their limits:
//
//   (A_ff + lambda) d_f = -(g_f + A_fs d_s)

void atemi_posture_hold(const double *q, atemi_inverse_kinematics_scratch *s)
{
    for (int k = 0; k < s->count; ++k) {
        atemi_posture_freedom *freedom = &s->freedoms[k];
        const double           at = freedom->q == ATEMI_NONE ? 0.0 : q[freedom->q];
        freedom->free = !(at <= freedom->lower && s->gradient[k] > 0.0) &&
                        !(at >= freedom->upper && s->gradient[k] < 0.0);
        s->step[k] = 0.0;
    }
}

static double element(const atemi_inverse_kinematics_scratch *s, bool bent, int i, int j)
{
    const int at = (i > j ? i : j) * s->count + (i > j ? j : i);
    return s->normal[at] + (bent ? s->bending[at] : 0.0);
}

// -(g + A d) for the d of velocities that are not free.
static double pull_on(const atemi_inverse_kinematics_scratch *s, bool bent, int i)
{
    double pull = -s->gradient[i];
    for (int k = 0; k < s->count; ++k) {
        if (!s->freedoms[k].free && s->step[k] != 0.0) {
            pull -= element(s, bent, i, k) * s->step[k];
        }
    }
    return pull;
}

static bool factor_free(atemi_inverse_kinematics_scratch *s, double lambda, bool bent, int *count)
{
    int n = 0;
    for (int k = 0; k < s->count; ++k) {
        if (s->freedoms[k].free) {
            s->free[n++] = k;
        }
    }
    for (int a = 0; a < n; ++a) {
        double *row = row_of(s->factor, n, a);
        for (int b = 0; b <= a; ++b) {
            row[b] = element(s, bent, s->free[a], s->free[b]);
        }
        row[a] += lambda;
    }
    *count = n;
    return atemi_cholesky_factor(n, s->factor, n);
}

static bool solve_free(atemi_inverse_kinematics_scratch *s, double lambda, bool bent)
{
    int n;
    if (!factor_free(s, lambda, bent, &n)) {
        return false;
    }
    for (int a = 0; a < n; ++a) {
        s->packed[a] = pull_on(s, bent, s->free[a]);
    }
    atemi_cholesky_solve(n, s->factor, n, s->packed);
    for (int a = 0; a < n; ++a) {
        s->step[s->free[a]] = s->packed[a];
    }
    return true;
}

// Stops free velocities at their limits.
// @return whether there was one
static bool stop_at_limits(const double *q, atemi_inverse_kinematics_scratch *s)
{
    bool stopped = false;
    for (int k = 0; k < s->count; ++k) {
        atemi_posture_freedom *freedom = &s->freedoms[k];
        if (!freedom->free || freedom->q == ATEMI_NONE) {
            continue;
        }
        const double at = q[freedom->q], end = at + s->step[k];
        if (end < freedom->lower || end > freedom->upper) {
            s->step[k] = (end < freedom->lower ? freedom->lower : freedom->upper) - at;
            freedom->free = false;
            stopped = true;
        }
    }
    return stopped;
}

bool atemi_posture_step(const double *q, double lambda, bool bent,
                        atemi_inverse_kinematics_scratch *s)
{
    atemi_posture_hold(q, s);
    do {
        if (!solve_free(s, lambda, bent)) {
            return false;
        }
    } while (stop_at_limits(q, s));
    return true;
}

double atemi_posture_gain(const atemi_inverse_kinematics_scratch *s, bool bent)
{
    double gain = 0.0;
    for (int i = 0; i < s->count; ++i) {
        double slope = 0.0;
        for (int j = 0; j < s->count; ++j) {
            slope += element(s, bent, i, j) * s->step[j];
        }
        gain -= s->step[i] * (s->gradient[i] + 0.5 * slope);
    }
    return gain;
}

bool atemi_posture_convex(const double *q, double lambda, atemi_inverse_kinematics_scratch *s)
{
    int n;
    atemi_posture_hold(q, s);
    return factor_free(s, lambda, true, &n);
}
