// SPDX-License-Identifier: Apache-2.0

#include "simulate/damping.h"

#include <math.h>
#include <string.h>

// By power iteration: D is positive semidefinite, and the fastest motion x soon stands out. It is
// taken relative to its largest entry, so that no damping is too large to be told. The joint that
// damps it most is that of the largest D_i x_i^2.

enum { ITERATIONS = 12 };

// The diagonal of D. A coupled joint works through the joint that it copies.
static void find_damping(const atemi_simulation *s, double *D)
{
    memset(D, 0, (size_t)atemi_model_v_count(s->model) * sizeof *D);
    for (int j = 0; j < atemi_model_joint_count(s->model) && s->options.joint_friction; ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        for (int i = joint->first_v; i < joint->first_v + joint->v_count; ++i) {
            D[i] += joint->damping;
        }
        if (joint->v_count == 0 && joint->mimic.joint != ATEMI_NONE) {
            const double scale = joint->mimic.multiplier;
            D[atemi_model_joint(s->model, joint->mimic.joint)->first_v] +=
                scale * scale * joint->damping;
        }
    }
    if (s->hooks.damping) {
        s->hooks.damping(s->hooks.context, D);
    }
}

static void find_friction(atemi_simulation *s)
{
    memset(s->damping.coulomb, 0,
           (size_t)atemi_model_v_count(s->model) * sizeof *s->damping.coulomb);
    for (int j = 0; j < atemi_model_joint_count(s->model) && s->options.joint_friction; ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        for (int i = joint->first_v; i < joint->first_v + joint->v_count; ++i) {
            s->damping.coulomb[i] = joint->friction;
        }
    }
}

static double largest(int n, const double *x)
{
    double found = 0.0;
    for (int i = 0; i < n; ++i) {
        found = fmax(found, fabs(x[i]));
    }
    return found;
}

static int stiffest_of(int n, const double *D, const double *x)
{
    int found = 0;
    for (int i = 1; i < n; ++i) {
        if (D[i] * x[i] * x[i] > D[found] * x[found] * x[found]) {
            found = i;
        }
    }
    return found;
}

bool atemi_damping_changed(atemi_simulation *s)
{
    const size_t size = (size_t)atemi_model_v_count(s->model) * sizeof *s->damping.viscous;
    find_damping(s, s->step.rates[1]);
    return memcmp(s->step.rates[1], s->damping.viscous, size) != 0;
}

double atemi_damping_rate(atemi_simulation *s, int *stiffest)
{
    const int n = atemi_model_v_count(s->model);
    double   *x = s->step.stage_v, *y = s->step.rates[0], *D = s->step.rates[1], rate = 1.0;
    find_damping(s, s->damping.viscous);
    find_friction(s);
    const double most = largest(n, s->damping.viscous);
    *stiffest = 0;
    if (most <= 0.0) {
        return 0.0;
    }
    atemi_mass_factor_update(s->model, s->state.q, &s->evaluation.dynamics.factor);
    for (int i = 0; i < n; ++i) {
        D[i] = s->damping.viscous[i] / most;
        y[i] = 1.0 + 0.1 * i; // no motion in particular
    }
    for (int k = 0; k < ITERATIONS && rate > 0.0; ++k) {
        for (int i = 0; i < n; ++i) {
            x[i] = y[i] / (k ? rate : 1.0);
            y[i] = D[i] * x[i];
        }
        atemi_mass_factor_solve(s->model, &s->evaluation.dynamics.factor, y);
        rate = largest(n, y);
    }
    *stiffest = stiffest_of(n, D, x);
    return most * rate;
}
