// SPDX-License-Identifier: Apache-2.0

#include "atemi/ground_wrenches.h"

#include "atemi/contract.h"
#include "atemi/dense.h"

#include <math.h>
#include <string.h>

// A load that changes nothing is smaller than this part of the others.
static const double redundant = 1e-10;

atemi_ground_wrenches_scratch
atemi_ground_wrenches_scratch_take(atemi_arena *arena, const atemi_model *model, int max_links)
{
    const int                     n = atemi_model_v_count(model), m = 6 * max_links;
    atemi_ground_wrenches_scratch scratch = {.max_links = max_links};
    scratch.inverse = atemi_inverse_dynamics_scratch_take(arena, model);
    scratch.loads = atemi_arena_array(arena, atemi_force, atemi_model_link_count(model));
    scratch.rows = atemi_arena_array(arena, double, 6 * n);
    scratch.columns = atemi_arena_array(arena, double, n *m);
    scratch.rest = atemi_arena_array(arena, double, n);
    scratch.answer = atemi_arena_array(arena, double, m);
    scratch.tau = atemi_arena_array(arena, double, m);
    scratch.work = atemi_arena_array(arena, double, m *(m + 1));
    scratch.pivot = atemi_arena_array(arena, int, m);
    return scratch;
}

// G^T, column by column a component of a wrench.
static void find_columns(const atemi_model *model, const int *links, int count,
                         atemi_ground_wrenches_scratch *s)
{
    const int n = atemi_model_v_count(model), m = 6 * count;
    for (int k = 0; k < count; ++k) {
        atemi_link_jacobian_in(model, &s->inverse.kinematics, links[k], s->rows);
        for (int r = 0; r < 6; ++r) {
            for (int i = 0; i < n; ++i) {
                s->columns[i * m + 6 * k + r] = s->rows[r * n + i];
            }
        }
    }
}

static void solve(int n, int m, atemi_ground_wrenches_scratch *s)
{
    const int rank = atemi_qr_factor(n, m, s->columns, m, redundant, s->tau, s->pivot, s->work);
    atemi_qr_solve_least_norm(n, m, s->columns, m, rank, s->tau, s->pivot, s->rest, s->answer,
                              s->work);
}

static double unexplained(const double *tau, const double *needed, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(needed[i] - tau[i]));
    }
    return most;
}

double atemi_ground_wrenches_in(const atemi_model *model, const double *q, const double *v,
                                const double *a, const double *tau, const atemi_force *external,
                                const int *links, int count, atemi_ground_wrenches_scratch *s,
                                atemi_force *wrenches)
{
    ATEMI_REQUIRE_OR(count >= 0 && count <= s->max_links, (double)NAN);
    const int    n = atemi_model_v_count(model);
    const size_t size = (size_t)atemi_model_link_count(model) * sizeof *s->loads;
    memset(s->loads, 0, size);
    if (external) {
        memcpy(s->loads, external, size);
    }
    atemi_inverse_dynamics_in(model, q, v, a, s->loads, &s->inverse, s->rest);
    if (count > 0) {
        for (int i = 0; i < n; ++i) {
            s->rest[i] -= tau[i];
        }
        find_columns(model, links, count, s);
        solve(n, 6 * count, s);
    }
    for (int k = 0; k < count; ++k) {
        const double *x = &s->answer[6 * k];
        wrenches[k] = (atemi_force){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
        s->loads[links[k]] = atemi_force_add(s->loads[links[k]], wrenches[k]);
    }
    atemi_inverse_dynamics_in(model, q, v, a, s->loads, &s->inverse, s->rest);
    return unexplained(tau, s->rest, n);
}
