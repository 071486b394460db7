// SPDX-License-Identifier: Apache-2.0

#include "simulate/inputs.h"

#include "simulate/adaptive.h"
#include "simulate/conditions.h"
#include "simulate/events.h"

#include <math.h>
#include <string.h>

// Inputs are functions of time that are continuous from the right. They may jump where a hook says
// so, and between two runs. A step never goes past such an instant T; all it sees of the inputs is
// what they are from its start on and before T. That they are asked an instant of rounding earlier
// than T does not matter where they do not jump: what is less than `jumps` of the largest of them
// is no jump.
static const double jumps = 1e-12;

void atemi_inputs_look_ahead(atemi_simulation *s, double time)
{
    const atemi_simulation_hooks *hooks = &s->hooks;
    s->step.jump =
        hooks->next_jump ? hooks->next_jump(hooks->context, s->state.time) : (double)INFINITY;
    // A hook that names no later instant would stop time.
    s->step.jump = s->step.jump > s->state.time ? s->step.jump : (double)INFINITY;
    s->step.limit = fmin(time, s->step.jump);
}

double atemi_inputs_step_end(const atemi_simulation *s, double h)
{
    return h == s->step.limit - s->step.start.time ? s->step.limit : s->step.start.time + h;
}

double atemi_inputs_before(const atemi_simulation *s, double end)
{
    return fmax(s->step.start.time, nextafter(end, -(double)INFINITY));
}

double atemi_inputs_now(const atemi_simulation *s)
{
    return s->state.time == s->step.limit ? atemi_inputs_before(s, s->state.time) : s->state.time;
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

static bool torques_differ(atemi_simulation *s)
{
    const size_t n = (size_t)atemi_model_v_count(s->model);
    if (!s->hooks.torque) {
        return false;
    }
    memset(s->step.stage_v, 0, n * sizeof *s->step.stage_v);
    s->hooks.torque(s->hooks.context, s->state.time, s->state.q, s->state.v, s->step.stage_v);
    return differ(n, s->step.stage_v, s->evaluation.applied);
}

static bool pushes_differ(atemi_simulation *s)
{
    const size_t links = (size_t)atemi_model_link_count(s->model);
    if (!s->hooks.push) {
        return false;
    }
    memset(s->evaluation.loads, 0, links * sizeof *s->evaluation.loads);
    s->hooks.push(s->hooks.context, s->state.time, s->evaluation.loads);
    return differ(links * sizeof *s->evaluation.loads / sizeof(double),
                  (const double *)s->evaluation.loads, (const double *)s->evaluation.external);
}

// What has jammed is decided by a blow, which asks the hooks itself.
atemi_status atemi_inputs_renew(atemi_simulation *s)
{
    s->step.jump = (double)INFINITY;
    const bool torques = torques_differ(s), pushes = pushes_differ(s);
    if (!s->step.settled || (!torques && !pushes)) {
        return ATEMI_OK;
    }
    atemi_adaptive_forget(s->step.adaptive);
    s->step.settled = !atemi_world_evaluate(s, s->state.time, s->state.q, s->state.v, s->state.a);
    if (!s->step.settled) {
        return ATEMI_OK;
    }
    atemi_conditions_measure(s, s->step.margins);
    const bool broken = atemi_conditions_broken(s, s->step.margins).kind != ATEMI_CONDITION_NONE;
    return broken ? atemi_events_handle(s) : ATEMI_OK;
}
