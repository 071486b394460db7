// SPDX-License-Identifier: Apache-2.0

#include "simulate/runge_kutta.h"

#include "atemi/configuration.h"
#include "simulate/inputs.h"
#include "simulate/ledger.h"
#include "simulate/projection.h"
#include "simulate/sightings.h"

#include <string.h>

// Between events the state obeys  dq/dt = rate(q, v),  dv/dt = a(t, q, v), the modes being fixed:
// with y = (q, v), k_1 = f(y) and k_i = f(y + c_i h k_{i-1}), c = 0, 1/2, 1/2, 1,
//
//   y' = y + h / 6 (k_1 + 2 k_2 + 2 k_3 + k_4)
//
// which is then projected onto the constraints, from which it has drifted by its error, O(h^5).

static void copy(int n, const double *from, double *to)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

void atemi_runge_kutta_begin(atemi_simulation *s)
{
    s->start_time = s->time;
    copy(atemi_model_q_count(s->model), s->q, s->start_q);
    copy(atemi_model_v_count(s->model), s->v, s->start_v);
    copy(atemi_model_v_count(s->model), s->a, s->start_a);
}

void atemi_runge_kutta_undo(atemi_simulation *s)
{
    s->time = s->start_time;
    copy(atemi_model_q_count(s->model), s->start_q, s->q);
    copy(atemi_model_v_count(s->model), s->start_v, s->v);
}

// base + h rate
static void move(int n, const double *base, double h, const double *rate, double *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = base[i] + h * rate[i];
    }
}

static void combine(int n, const double *base, double h, double *const k[4], double *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = base[i] + h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    }
}

atemi_status atemi_runge_kutta_step(atemi_simulation *s, double h)
{
    const int    nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    const double end = atemi_inputs_step_end(s, h);
    atemi_configuration_rate(s->model, s->start_q, s->start_v, s->rates[0]);
    copy(nv, s->start_a, s->pushes[0]);
    for (int k = 1; k < 4; ++k) {
        const double part = k == 3 ? h : 0.5 * h;
        const double time = k == 3 ? atemi_inputs_before(s, end) : s->start_time + part;
        move(nq, s->start_q, part, s->rates[k - 1], s->stage_q);
        move(nv, s->start_v, part, s->pushes[k - 1], s->stage_v);
        atemi_configuration_rate(s->model, s->stage_q, s->stage_v, s->rates[k]);
        if (atemi_world_evaluate(s, time, s->stage_q, s->stage_v, s->pushes[k])) {
            return ATEMI_ERROR_SINGULAR;
        }
        atemi_ledger_look(s, k, s->stage_v);
    }
    combine(nq, s->start_q, h, s->rates, s->q);
    combine(nv, s->start_v, h, s->pushes, s->v);
    atemi_configuration_normalize(s->model, s->q);
    s->time = end;
    atemi_world_observe(s, s->q, s->v);
    atemi_world_project_step(s);
    return atemi_world_accelerate(s, atemi_inputs_now(s), s->q, s->v, s->a);
}
