// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/extrapolation.h"

#include "atemi/model.h"
#include "simulate/events/projection.h"

#include <math.h>
#include <string.h>

// With D the damping of joints and servos, a part of f = tau - D v, the linearly implicit Euler
// step of d is
//
//   (M + d D) a = f(q, v) + G^T force,   J a = target      v' = v + d a,   q' = q + d rate(q, v')
//
// with M, J and f at the start. No damping is too strong for it, and what D leaves out of the true
// slope of f costs no order: the error of j such steps of d = h / j has an expansion in powers of
// d, whatever D is. Extrapolation takes its first terms away [HairerWanner96, IV.9]: with x_j what
// j steps come to,
//
//   x = sum of w_j x_j,    w_j = product over i not j of  j / (j - i),     i, j = 1, 2, 3, 4
//
// is of fourth order and takes ten evaluations; without j = 1, of third. A motion that fades at the
// rate r becomes, for large r h, -1/(6 r h) of itself.

enum { ORDER = 4 };

static const double weights[ORDER] = {-1.0 / 6.0, 4.0, -27.0 / 2.0, 32.0 / 3.0};
static const double lower_weights[ORDER] = {0.0, 2.0, -9.0, 8.0};

static void add(int n, double weight, const double *x, double *sum)
{
    for (int i = 0; i < n; ++i) {
        sum[i] += weight * x[i];
    }
}

// One Euler step of the stage's state.
static atemi_status take_part(atemi_step *step, atemi_simulation_contacts *set, double time,
                              double d)
{
    atemi_evaluation  *e = &step->evaluation;
    const atemi_model *model = e->model;
    double            *a = step->accelerations[3], *rate = step->rates[3];
    e->ahead = d;
    const atemi_status status = atemi_evaluate(e, set, time, step->stage_q, step->stage_v, a);
    e->ahead = 0.0;
    if (!status) {
        add(atemi_model_v_count(model), d, a, step->stage_v);
        atemi_configuration_rate(model, step->stage_q, step->stage_v, rate);
        add(atemi_model_q_count(model), d, rate, step->stage_q);
    }
    return status;
}

// `parts` Euler steps from the start, into the state of the stage.
static atemi_status take_parts(atemi_step *step, atemi_simulation_contacts *set, double h,
                               int parts)
{
    const atemi_model *model = step->evaluation.model;
    const double       d = h / parts;
    atemi_status       status = ATEMI_OK;
    memcpy(step->stage_q, step->start.q, (size_t)atemi_model_q_count(model) * sizeof(double));
    memcpy(step->stage_v, step->start.v, (size_t)atemi_model_v_count(model) * sizeof(double));
    for (int i = 0; i < parts && !status; ++i) {
        if (parts == ORDER && i == ORDER / 2) {
            status = atemi_evaluate(&step->evaluation, set, step->start.time + i * d, step->stage_q,
                                    step->stage_v, step->accelerations[3]);
            atemi_flows_find(&step->evaluation, set, step->stage_v, &step->flows[1]);
            step->flows[2] = step->flows[1];
        }
        status = status ? status : take_part(step, set, step->start.time + i * d, d);
    }
    return status;
}

static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

atemi_status atemi_extrapolation_step(atemi_step *step, atemi_simulation_contacts *set,
                                      atemi_state *state, double h)
{
    atemi_evaluation  *e = &step->evaluation;
    const atemi_model *model = e->model;
    const int          nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    double            *q = step->rates[1], *v = step->accelerations[1];
    double            *difference = step->accelerations[2];
    memset(q, 0, (size_t)nq * sizeof *q);
    memset(v, 0, (size_t)nv * sizeof *v);
    memset(difference, 0, (size_t)nv * sizeof *v);
    for (int j = 1; j <= ORDER; ++j) {
        if (take_parts(step, set, h, j)) {
            return ATEMI_ERROR_SINGULAR;
        }
        add(nq, weights[j - 1], step->stage_q, q);
        add(nv, weights[j - 1], step->stage_v, v);
        add(nv, weights[j - 1] - lower_weights[j - 1], step->stage_v, difference);
    }
    memcpy(state->q, q, (size_t)nq * sizeof *q);
    memcpy(state->v, v, (size_t)nv * sizeof *v);
    step->error = largest(nv, difference);
    atemi_configuration_normalize(model, state->q);
    state->time = atemi_step_end(step, h);
    atemi_observe(e, set, state->q, state->v);
    atemi_project_step(e, set, state);
    const atemi_status status =
        atemi_evaluate_observed(e, set, atemi_step_now(step, state), state->q, state->v, state->a);
    atemi_flows_find(e, set, state->v, &step->flows[3]);
    return status;
}
