// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_reach_slopes.h"

#include "plan/touch/strike_posture.h"

#include <string.h>

// Legs that do not reach end where their feet come nearest, which depends on how the errors bend.
// With x + h e_i in place of x,
//
//   dq = log(q(x)^-1 q(x + h e_i)) / h,   d|e| = (|e(x + h e_i)| - |e(x)|) / h
//
// All else follows from dq, as where the feet stand.

static const double difference = 1e-6; // of a variable's scale

// Forwards, or backwards where a bound is near.
static double step_of(const strike_variable *variable, double x)
{
    const double h = difference * variable->scale;
    return x + h > variable->about.range.upper ? -h : h;
}

static double *field_of(strike_values *values, const strike_variable *variable)
{
    return (double *)((char *)values + variable->field);
}

static void put_column(const strike_setup *s, const strike_evaluation *at, int i, double h,
                       const atemi_motion *errors, strike_derivatives *d)
{
    const int stride = d->directions.stride;
    atemi_configuration_difference(s->model, at->q, d->moved_q, d->along);
    for (int k = 0; k < s->v_count; ++k) {
        d->q[k * stride + i] = d->along[k] / h;
    }
    for (int k = 0; k < s->task.foot_count; ++k) {
        const atemi_motion e = at->foot_errors[k];
        double            *to = d->reach + (ptrdiff_t)2 * k * stride + i;
        to[0] = (atemi_vec3_norm(errors[k].linear) - atemi_vec3_norm(e.linear)) / h;
        to[stride] = (atemi_vec3_norm(errors[k].angular) - atemi_vec3_norm(e.angular)) / h;
    }
}

void strike_reach_vary(const strike_setup *s, const strike_variables *variables,
                       const strike_evaluation *at, strike_workspace *work, strike_derivatives *d)
{
    const size_t stride = (size_t)d->directions.stride;
    atemi_motion errors[ATEMI_STRIKE_MAX_FEET];
    memset(d->q, 0, (size_t)s->v_count * stride * sizeof *d->q);
    memset(d->reach, 0, 2 * (size_t)s->task.foot_count * stride * sizeof *d->reach);
    for (int i = 0; i < variables->count; ++i) {
        const strike_variable *variable = &variables->list[i];
        strike_values          values = at->values;
        double                *x = field_of(&values, variable);
        const double           h = step_of(variable, *x);
        *x += h;
        if (!strike_values_same_posture(&values, &at->values)) {
            strike_posture_find(s, &values, work->ik, d->moved_q, errors);
            put_column(s, at, i, h, errors, d);
        }
    }
}
