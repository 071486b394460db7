// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/runge_kutta.h"

#include "atemi/model.h"
#include "simulate/events/projection.h"

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

atemi_status atemi_runge_kutta_step(atemi_step *step, atemi_simulation_contacts *set,
                                    atemi_state *state, double h)
{
    atemi_evaluation  *e = &step->evaluation;
    const atemi_model *model = e->model;
    const int          nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    const double       end = atemi_step_end(step, h);
    atemi_configuration_rate(model, step->start.q, step->start.v, step->rates[0]);
    copy(nv, step->start.a, step->accelerations[0]);
    for (int k = 1; k < 4; ++k) {
        const double ahead = k == 3 ? h : 0.5 * h;
        const double time = k == 3 ? atemi_step_before(step, end) : step->start.time + ahead;
        move(nq, step->start.q, ahead, step->rates[k - 1], step->stage_q);
        move(nv, step->start.v, ahead, step->accelerations[k - 1], step->stage_v);
        atemi_configuration_rate(model, step->stage_q, step->stage_v, step->rates[k]);
        if (atemi_evaluate(e, set, time, step->stage_q, step->stage_v, step->accelerations[k])) {
            return ATEMI_ERROR_SINGULAR;
        }
        atemi_flows_find(e, set, step->stage_v, &step->flows[k]);
    }
    combine(nq, step->start.q, h, step->rates, state->q);
    combine(nv, step->start.v, h, step->accelerations, state->v);
    atemi_configuration_normalize(model, state->q);
    state->time = end;
    atemi_observe(e, set, state->q, state->v);
    atemi_project_step(e, set, state);
    return atemi_evaluate_observed(e, set, atemi_step_now(step, state), state->q, state->v,
                                   state->a);
}
