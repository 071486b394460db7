// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"

#include "atemi/base.h"
#include "atemi/model.h"

#include <math.h>
#include <string.h>

// From node to node by the trapezoidal rule, with v = r(q) the joint velocities:
//
//   q_1 = q_0 + h (v_0 + v_1) / 2,     v_1 = r(q_1)
//
// found by repeating it. In between, v is linear in time, so that q, its integral, is met exactly.
// At the start, a = (r(q(h)) - r(q(-h))) / 2 h.

static const double spacing = 1e-3; // s
static const double glance = 1e-4;  // s: h of the start

enum { REPETITIONS = 3 };

atemi_straight_reference atemi_straight_reference_take(atemi_arena *arena, const atemi_model *model,
                                                       double duration)
{
    atemi_straight_reference reference = {.model = model};
    ATEMI_REQUIRE_OR(arena && model && duration >= 0.0, reference);
    reference.count = 2 + (int)ceil(duration / spacing);
    reference.q = atemi_arena_array(arena, double, reference.count *atemi_model_q_count(model));
    reference.v = atemi_arena_array(arena, double, reference.count *atemi_model_v_count(model));
    reference.work = atemi_arena_array(arena, double, atemi_model_v_count(model));
    reference.base = atemi_virtual_base_take(arena, model);
    return reference;
}

static void average(const double *a, const double *b, int n, double *result)
{
    for (int i = 0; i < n; ++i) {
        result[i] = 0.5 * (a[i] + b[i]);
    }
}

// v = r(q)
static atemi_status find_velocities(atemi_straight_reference *reference, const double *q,
                                    double speed, const atemi_ground *ground,
                                    const atemi_striking_point *point, double *v,
                                    atemi_error *error)
{
    const atemi_status status =
        atemi_virtual_base_update(reference->model, q, ground, point, &reference->base, error);
    if (!status) {
        atemi_virtual_base_rates(&reference->base, speed, v);
    }
    return status;
}

atemi_status atemi_straight_reference_find(atemi_straight_reference *reference, const double *q,
                                           double speed, const atemi_ground *ground,
                                           const atemi_striking_point *point, atemi_error *error)
{
    ATEMI_REQUIRE_OR(reference && q && point, ATEMI_ERROR_CONTRACT);
    const atemi_model *model = reference->model;
    const int          nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    atemi_status status = find_velocities(reference, q, speed, ground, point, reference->v, error);
    memcpy(reference->q, q, (size_t)nq * sizeof *q);
    for (int i = 1; i < reference->count && !status; ++i) {
        double *q1 = reference->q + i * nq, *v1 = reference->v + i * nv;
        memcpy(v1, v1 - nv, (size_t)nv * sizeof *v1);
        for (int k = 0; k < REPETITIONS && !status; ++k) {
            average(v1 - nv, v1, nv, reference->work);
            atemi_configuration_integrate(model, q1 - nq, reference->work, spacing, q1);
            status = find_velocities(reference, q1, speed, ground, point, v1, error);
        }
    }
    return status;
}

atemi_status atemi_straight_reference_start(atemi_straight_reference *reference, const double *q,
                                            const double *v, double speed,
                                            const atemi_ground         *ground,
                                            const atemi_striking_point *point, double *a,
                                            atemi_error *error)
{
    ATEMI_REQUIRE_OR(reference && q && v && point && a, ATEMI_ERROR_CONTRACT);
    const int     n = atemi_model_v_count(reference->model);
    double *const ends[2] = {reference->v, reference->v + n};
    atemi_status  status = ATEMI_OK;
    for (int k = 0; k < 2 && !status; ++k) {
        atemi_configuration_integrate(reference->model, q, v, k == 0 ? -glance : glance,
                                      reference->q);
        status = find_velocities(reference, reference->q, speed, ground, point, ends[k], error);
    }
    for (int i = 0; i < n && !status; ++i) {
        a[i] = (ends[1][i] - ends[0][i]) / (2.0 * glance);
    }
    return status;
}

void atemi_straight_reference_at(void *reference, double time, double *q, double *v, double *a)
{
    ATEMI_REQUIRE(reference && q && v && a);
    const atemi_straight_reference *r = (const atemi_straight_reference *)reference;
    const int     nq = atemi_model_q_count(r->model), nv = atemi_model_v_count(r->model);
    const int     i = (int)fmax(0.0, fmin(time / spacing, (double)(r->count - 2)));
    const double  since = time - i * spacing;
    const double *v0 = r->v + i * nv, *v1 = v0 + nv;
    for (int k = 0; k < nv; ++k) {
        a[k] = (v1[k] - v0[k]) / spacing;
        v[k] = v0[k] + 0.5 * since * a[k];
    }
    atemi_configuration_integrate(r->model, r->q + i * nq, v, since, q);
    for (int k = 0; k < nv; ++k) {
        v[k] = v0[k] + since * a[k];
    }
}
