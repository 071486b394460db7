// SPDX-License-Identifier: Apache-2.0

#include "simulate/inputs.h"

#include <math.h>
#include <string.h>

// Inputs are functions of time that are continuous from the right. They may jump where a hook says
// so, and between two runs. A step never goes past such an instant T; all it sees of the inputs is
// what they are from its start on and before T. That they are asked an instant of rounding earlier
// than T does not matter where they do not jump: what is less than `jumps` of the largest of them
// is no jump.
static const double jumps = 1e-12;

void atemi_inputs_limit(atemi_step *step, double now, double time)
{
    const atemi_simulation_hooks *hooks = step->evaluation.hooks;
    step->jump = hooks->next_jump ? hooks->next_jump(hooks->context, now) : (double)INFINITY;
    // A hook that names no later instant would stop time.
    step->jump = step->jump > now ? step->jump : (double)INFINITY;
    step->limit = fmin(time, step->jump);
}

// ---- What has changed -----------------------------------------------------------------------

static bool differ(size_t n, const double *a, const double *b)
{
    double largest = 0.0;
    bool   any = false;
    for (size_t i = 0; i < n; ++i) {
        largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
    }
    for (size_t i = 0; i < n; ++i) {
        any = any || !(fabs(a[i] - b[i]) <= jumps * largest);
    }
    return any;
}

static bool torques_differ(const atemi_evaluation *e, const atemi_state *state, double *tau)
{
    atemi_evaluation_torques(e, state->time, state->q, state->v, tau);
    return differ((size_t)atemi_model_v_count(e->model), tau, e->applied);
}

static bool forces_differ(atemi_evaluation *e, double time)
{
    const size_t links = (size_t)atemi_model_link_count(e->model);
    if (!e->hooks->external_forces) {
        return false;
    }
    memset(e->loads, 0, links * sizeof *e->loads);
    e->hooks->external_forces(e->hooks->context, time, e->loads);
    return differ(links * sizeof *e->loads / sizeof(double), (const double *)e->loads,
                  (const double *)e->external);
}

bool atemi_inputs_differ(atemi_step *step, const atemi_state *state)
{
    const bool torques = torques_differ(&step->evaluation, state, step->stage_v);
    const bool forces = forces_differ(&step->evaluation, state->time);
    return torques || forces;
}
