// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_reference.h"

#include "atemi/configuration.h"

#include <math.h>
#include <string.h>

// From node to node by the trapezoidal rule, with v = r(q) the rates:
//
//   q_1 = q_0 + h (v_0 + v_1) / 2,     v_1 = r(q_1)
//
// found by repeating it. In between, v is linear in time, so that q, its integral, is met exactly.

static const double spacing = 1e-3; // s

enum { REPETITIONS = 3 };

atemi_impact_reference atemi_impact_reference_take(atemi_arena *arena, const atemi_model *model,
                                                   double duration)
{
    atemi_impact_reference reference = {.model = model};
    reference.count = 2 + (int)ceil(duration / spacing);
    reference.q = atemi_arena_array(arena, double, reference.count *atemi_model_q_count(model));
    reference.v = atemi_arena_array(arena, double, reference.count *atemi_model_v_count(model));
    reference.work = atemi_arena_array(arena, double, atemi_model_v_count(model));
    return reference;
}

static void average(const double *a, const double *b, int n, double *result)
{
    for (int i = 0; i < n; ++i) {
        result[i] = 0.5 * (a[i] + b[i]);
    }
}

atemi_status atemi_impact_reference_find(atemi_impact_reference *reference, const double *q,
                                         double speed, const atemi_ground *ground,
                                         const atemi_striking_point *point,
                                         atemi_virtual_base *base, atemi_error *error)
{
    const atemi_model *model = reference->model;
    const int          nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    atemi_status       status = atemi_virtual_base_update(model, q, ground, point, base, error);
    if (status) {
        return status;
    }
    memcpy(reference->q, q, (size_t)nq * sizeof *q);
    atemi_virtual_base_rates(base, speed, reference->v);
    for (int i = 1; i < reference->count && !status; ++i) {
        double *q1 = reference->q + i * nq, *v1 = reference->v + i * nv;
        memcpy(v1, v1 - nv, (size_t)nv * sizeof *v1);
        for (int k = 0; k < REPETITIONS && !status; ++k) {
            average(v1 - nv, v1, nv, reference->work);
            atemi_configuration_integrate(model, q1 - nq, reference->work, spacing, q1);
            status = atemi_virtual_base_update(model, q1, ground, point, base, error);
            if (!status) {
                atemi_virtual_base_rates(base, speed, v1);
            }
        }
    }
    return status;
}

atemi_status atemi_impact_reference_rates(atemi_impact_reference *reference, const double *q,
                                          const double *v, double time, double speed,
                                          const atemi_ground         *ground,
                                          const atemi_striking_point *point,
                                          atemi_virtual_base *base, double *result,
                                          atemi_error *error)
{
    atemi_configuration_integrate(reference->model, q, v, time, reference->q);
    const atemi_status status =
        atemi_virtual_base_update(reference->model, reference->q, ground, point, base, error);
    if (!status) {
        atemi_virtual_base_rates(base, speed, result);
    }
    return status;
}

void atemi_impact_reference_at(void *context, double time, double *q, double *v, double *a)
{
    const atemi_impact_reference *reference = (const atemi_impact_reference *)context;
    const int                     nq = atemi_model_q_count(reference->model),
              nv = atemi_model_v_count(reference->model);
    const int     i = (int)fmax(0.0, fmin(time / spacing, (double)(reference->count - 2)));
    const double  since = time - i * spacing;
    const double *v0 = reference->v + i * nv, *v1 = v0 + nv;
    for (int k = 0; k < nv; ++k) {
        a[k] = (v1[k] - v0[k]) / spacing;
        v[k] = v0[k] + 0.5 * since * a[k];
    }
    atemi_configuration_integrate(reference->model, reference->q + i * nq, v, since, q);
    for (int k = 0; k < nv; ++k) {
        v[k] = v0[k] + since * a[k];
    }
}
