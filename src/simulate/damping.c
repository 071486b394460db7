// SPDX-License-Identifier: Apache-2.0

#include "simulate/damping.h"

#include <math.h>

// By power iteration: D is positive semidefinite, and the fastest motion soon stands out.

enum { ITERATIONS = 12 };

static bool is_damped(const atemi_simulation *s)
{
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        if (atemi_model_joint(s->model, j)->damping > 0.0) {
            return s->options.joint_friction;
        }
    }
    return false;
}

// to = D from. A coupled joint works through the joint that it copies.
static void damp(const atemi_model *model, const double *from, double *to)
{
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        to[i] = 0.0;
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        for (int i = joint->first_v; i < joint->first_v + joint->v_count; ++i) {
            to[i] += joint->damping * from[i];
        }
        if (joint->v_count == 0 && joint->mimic.joint != ATEMI_NONE) {
            const int    i = atemi_model_joint(model, joint->mimic.joint)->first_v;
            const double scale = joint->mimic.multiplier;
            to[i] += scale * scale * joint->damping * from[i];
        }
    }
}

double atemi_damping_rate(atemi_simulation *s)
{
    const int n = atemi_model_v_count(s->model);
    double   *x = s->stage_v, *y = s->rates[0], rate = 0.0;
    if (!is_damped(s)) {
        return 0.0;
    }
    atemi_mass_factor_update(s->model, s->q, &s->dynamics.factor);
    for (int i = 0; i < n; ++i) {
        x[i] = 1.0 + 0.1 * i; // no motion in particular
    }
    for (int k = 0; k < ITERATIONS; ++k) {
        double size = 0.0;
        damp(s->model, x, y);
        atemi_mass_factor_solve(s->model, &s->dynamics.factor, y);
        for (int i = 0; i < n; ++i) {
            size = fmax(size, fabs(y[i]));
        }
        rate = size;
        for (int i = 0; i < n && size > 0.0; ++i) {
            x[i] = y[i] / size;
        }
    }
    return rate;
}
