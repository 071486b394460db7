// SPDX-License-Identifier: Apache-2.0

#include "simulate/damping.h"

#include <math.h>
#include <string.h>

// By power iteration: D is positive semidefinite, and the fastest motion x soon stands out. It is
// taken relative to its largest entry, so that no damping is too large to be found. The joint that
// damps it most is that of the largest D_i x_i^2.

enum { ITERATIONS = 12 };

// The diagonal of D. A coupled joint works through the joint that it copies.
static void find_damping(const atemi_model *model, const atemi_simulation_options *options,
                         const atemi_simulation_hooks *hooks, double *D)
{
    memset(D, 0, (size_t)atemi_model_v_count(model) * sizeof *D);
    for (int j = 0; j < atemi_model_joint_count(model) && options->joint_friction; ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        for (int i = joint->first_v; i < joint->first_v + joint->v_count; ++i) {
            D[i] += joint->damping;
        }
        if (joint->v_count == 0 && joint->mimic.joint != ATEMI_NONE) {
            const double scale = joint->mimic.multiplier;
            D[atemi_model_joint(model, joint->mimic.joint)->first_v] +=
                scale * scale * joint->damping;
        }
    }
    if (hooks->damping) {
        hooks->damping(hooks->context, D);
    }
}

static void find_friction(const atemi_model *model, const atemi_simulation_options *options,
                          double *friction)
{
    memset(friction, 0, (size_t)atemi_model_v_count(model) * sizeof *friction);
    for (int j = 0; j < atemi_model_joint_count(model) && options->joint_friction; ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        for (int i = joint->first_v; i < joint->first_v + joint->v_count; ++i) {
            friction[i] = joint->friction;
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

atemi_damping atemi_damping_take(atemi_arena *arena, const atemi_model *model)
{
    const int n = atemi_model_v_count(model);
    return (atemi_damping){.viscous = atemi_arena_array(arena, double, n),
                           .coulomb = atemi_arena_array(arena, double, n),
                           .motion = atemi_arena_array(arena, double, n),
                           .response = atemi_arena_array(arena, double, n),
                           .scaled = atemi_arena_array(arena, double, n)};
}

bool atemi_damping_changed(atemi_damping *damping, const atemi_model *model,
                           const atemi_simulation_options *options,
                           const atemi_simulation_hooks   *hooks)
{
    const size_t size = (size_t)atemi_model_v_count(model) * sizeof *damping->viscous;
    find_damping(model, options, hooks, damping->scaled);
    return memcmp(damping->scaled, damping->viscous, size) != 0;
}

// The rate of D, whose largest entry is `most`.
static double rate_of(atemi_damping *damping, const atemi_model *model, double most,
                      atemi_mass_factor *factor)
{
    const int n = atemi_model_v_count(model);
    double   *x = damping->motion, *y = damping->response, *D = damping->scaled, rate = 1.0;
    for (int i = 0; i < n; ++i) {
        D[i] = damping->viscous[i] / most;
        y[i] = 1.0 + 0.1 * i; // no motion in particular
    }
    for (int k = 0; k < ITERATIONS && rate > 0.0; ++k) {
        for (int i = 0; i < n; ++i) {
            x[i] = y[i] / (k ? rate : 1.0);
            y[i] = D[i] * x[i];
        }
        atemi_mass_factor_solve(model, factor, y);
        rate = largest(n, y);
    }
    damping->stiffest = stiffest_of(n, D, x);
    return most * rate;
}

void atemi_damping_find(atemi_damping *damping, const atemi_model *model,
                        const atemi_simulation_options *options,
                        const atemi_simulation_hooks *hooks, const double *q,
                        atemi_mass_factor *factor)
{
    find_damping(model, options, hooks, damping->viscous);
    find_friction(model, options, damping->coulomb);
    const double most = largest(atemi_model_v_count(model), damping->viscous);
    damping->rate = 0.0;
    damping->stiffest = 0;
    if (most > 0.0) {
        atemi_mass_factor_update(model, q, factor);
        damping->rate = rate_of(damping, model, most, factor);
    }
}
