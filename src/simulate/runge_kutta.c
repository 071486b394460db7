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
    s->step.start.time = s->state.time;
    copy(atemi_model_q_count(s->model), s->state.q, s->step.start.q);
    copy(atemi_model_v_count(s->model), s->state.v, s->step.start.v);
    copy(atemi_model_v_count(s->model), s->state.a, s->step.start.a);
}

void atemi_runge_kutta_undo(atemi_simulation *s)
{
    s->state.time = s->step.start.time;
    copy(atemi_model_q_count(s->model), s->step.start.q, s->state.q);
    copy(atemi_model_v_count(s->model), s->step.start.v, s->state.v);
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
    atemi_configuration_rate(s->model, s->step.start.q, s->step.start.v, s->step.rates[0]);
    copy(nv, s->step.start.a, s->step.accelerations[0]);
    for (int k = 1; k < 4; ++k) {
        const double part = k == 3 ? h : 0.5 * h;
        const double time = k == 3 ? atemi_inputs_before(s, end) : s->step.start.time + part;
        move(nq, s->step.start.q, part, s->step.rates[k - 1], s->step.stage_q);
        move(nv, s->step.start.v, part, s->step.accelerations[k - 1], s->step.stage_v);
        atemi_configuration_rate(s->model, s->step.stage_q, s->step.stage_v, s->step.rates[k]);
        if (atemi_world_evaluate(s, time, s->step.stage_q, s->step.stage_v,
                                 s->step.accelerations[k])) {
            return ATEMI_ERROR_SINGULAR;
        }
        atemi_ledger_look(s, k, s->step.stage_v);
    }
    combine(nq, s->step.start.q, h, s->step.rates, s->state.q);
    combine(nv, s->step.start.v, h, s->step.accelerations, s->state.v);
    atemi_configuration_normalize(s->model, s->state.q);
    s->state.time = end;
    atemi_world_observe(s, s->state.q, s->state.v);
    atemi_world_project_step(s);
    return atemi_world_accelerate(s, atemi_inputs_now(s), s->state.q, s->state.v, s->state.a);
}
