// SPDX-License-Identifier: Apache-2.0

#include "simulate/adaptive.h"

#include "atemi/allocator.h"
#include "atemi/configuration.h"
#include "simulate/conditions.h"
#include "simulate/inputs.h"

#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>

// The state of ARKODE is y = (q, v), with  dy/dt = (rate(q, v), a(t, q, v)); its root functions are
// the margins of the conditions. The method is Dormand and Prince's of fifth order.

struct atemi_adaptive {
    SUNContext context;
    N_Vector   y;
    void      *memory; ///< ARKODE's
    int       *roots;  ///< [conditions]
    double     reached;
    double     end;   ///< of the step under way, at the latest
    bool       ended; ///< the last step ended at an event or a jump
};

// ---- What ARKODE asks -----------------------------------------------------------------------

// It evaluates at states of its own; positive results say that the step should be shorter. What
// jumps at the end of the step has not jumped yet.
static int evaluate(atemi_simulation *s, double time, N_Vector y, double *a)
{
    const double *state = N_VGetArrayPointer(y);
    const int     nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    memcpy(s->step.stage_q, state, (size_t)nq * sizeof *state);
    memcpy(s->step.stage_v, state + nq, (size_t)nv * sizeof *state);
    time = time < s->step.adaptive->end ? time : atemi_inputs_before(s, s->step.adaptive->end);
    return atemi_world_evaluate(s, time, s->step.stage_q, s->step.stage_v, a) ? 1 : 0;
}

static int derivative(realtype time, N_Vector y, N_Vector rate, void *context)
{
    atemi_simulation *s = (atemi_simulation *)context;
    double           *out = N_VGetArrayPointer(rate);
    const int         failed = evaluate(s, time, y, out + atemi_model_q_count(s->model));
    atemi_configuration_rate(s->model, s->step.stage_q, s->step.stage_v, out);
    return failed;
}

static int margins(realtype time, N_Vector y, realtype *out, void *context)
{
    atemi_simulation *s = (atemi_simulation *)context;
    if (evaluate(s, time, y, s->step.accelerations[0])) {
        return 1;
    }
    atemi_conditions_measure(s, out);
    return 0;
}

// Errors are told by return values. The type is SUNDIALS'.
// NOLINTNEXTLINE(readability-non-const-parameter)
static void say_nothing(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code;
    (void)module;
    (void)function;
    (void)text;
    (void)user;
}

// ---- Making ---------------------------------------------------------------------------------

static bool set_up(atemi_adaptive *adaptive, atemi_simulation *s)
{
    const int n = atemi_model_q_count(s->model) + atemi_model_v_count(s->model);
    if (SUNContext_Create(NULL, &adaptive->context)) {
        return false;
    }
    adaptive->y = N_VNew_Serial(n, adaptive->context);
    if (!adaptive->y) {
        return false;
    }
    N_VConst(0.0, adaptive->y);
    void *memory = ERKStepCreate(derivative, 0.0, adaptive->y, adaptive->context);
    adaptive->memory = memory;
    return memory && !ERKStepSetUserData(memory, s) &&
           !ERKStepSetErrHandlerFn(memory, say_nothing, NULL) &&
           !ERKStepSetTableNum(memory, ARKODE_DORMAND_PRINCE_7_4_5) &&
           !ERKStepSStolerances(memory, s->options.tolerance, s->options.tolerance) &&
           !ERKStepSetMaxStep(memory, s->options.step) && !ERKStepSetMaxHnilWarns(memory, -1) &&
           !ERKStepRootInit(memory, atemi_conditions_count(s), margins) &&
           !ERKStepSetNoInactiveRootWarn(memory);
}

atemi_status atemi_adaptive_create(atemi_simulation *s, atemi_error *error)
{
    const size_t    roots = (size_t)atemi_conditions_count(s) + 1;
    atemi_adaptive *adaptive = (atemi_adaptive *)atemi_allocate(sizeof *adaptive);
    int            *found = (int *)atemi_allocate(roots * sizeof *found);
    if (!adaptive || !found) {
        atemi_release(adaptive);
        atemi_release(found);
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the integrator");
    }
    *adaptive = (atemi_adaptive){.roots = found, .reached = (double)NAN};
    s->step.adaptive = adaptive;
    return set_up(adaptive, s) ? ATEMI_OK
                               : atemi_fail(error, ATEMI_ERROR_MEMORY,
                                            "the integrator of SUNDIALS could not be set up");
}

void atemi_adaptive_destroy(atemi_adaptive *adaptive)
{
    if (adaptive) {
        ERKStepFree(&adaptive->memory);
        N_VDestroy(adaptive->y);
        SUNContext_Free(&adaptive->context);
        atemi_release(adaptive->roots);
        atemi_release(adaptive);
    }
}

// ---- Stepping -------------------------------------------------------------------------------

static void give_state(const atemi_simulation *s, N_Vector y)
{
    double   *state = N_VGetArrayPointer(y);
    const int nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    memcpy(state, s->state.q, (size_t)nq * sizeof *state);
    memcpy(state + nq, s->state.v, (size_t)nv * sizeof *state);
}

static void take_state(atemi_simulation *s, N_Vector y)
{
    const double *state = N_VGetArrayPointer(y);
    const int     nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    memcpy(s->state.q, state, (size_t)nq * sizeof *state);
    memcpy(s->state.v, state + nq, (size_t)nv * sizeof *state);
    atemi_configuration_normalize(s->model, s->state.q);
}

// Whether ARKODE is where the simulation is; it is not after a bump or a projection.
static bool is_here(const atemi_simulation *s)
{
    const double *state = N_VGetArrayPointer(s->step.adaptive->y);
    const int     nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    return s->step.adaptive->reached == s->state.time &&
           !memcmp(state, s->state.q, (size_t)nq * sizeof *state) &&
           !memcmp(state + nq, s->state.v, (size_t)nv * sizeof *state);
}

// A projection is so small that the step size need not be sought again.
static void restart(atemi_simulation *s)
{
    atemi_adaptive *adaptive = s->step.adaptive;
    give_state(s, adaptive->y);
    if (adaptive->reached == s->state.time && !adaptive->ended) {
        ERKStepReset(adaptive->memory, s->state.time, adaptive->y);
    } else {
        ERKStepReInit(adaptive->memory, derivative, s->state.time, adaptive->y);
    }
}

// The conditions that ARKODE found to break are broken, even where rounding leaves them at zero.
static void mark_roots(atemi_simulation *s)
{
    ERKStepGetRootInfo(s->step.adaptive->memory, s->step.adaptive->roots);
    for (int c = 0; c < atemi_conditions_count(s); ++c) {
        if (s->step.adaptive->roots[c] < 0) {
            s->step.margins[c] = fmin(s->step.margins[c], -1.0);
        }
    }
}

void atemi_adaptive_forget(atemi_adaptive *adaptive)
{
    if (adaptive) {
        adaptive->ended = true;
    }
}

atemi_status atemi_adaptive_step(atemi_simulation *s, double h, bool *event)
{
    atemi_adaptive *adaptive = s->step.adaptive;
    const double    end = atemi_inputs_step_end(s, h);
    adaptive->end = end;
    if (adaptive->ended || !is_here(s)) {
        restart(s);
    }
    ERKStepSetStopTime(adaptive->memory, end);
    const int came =
        ERKStepEvolve(adaptive->memory, end, adaptive->y, &adaptive->reached, ARK_ONE_STEP);
    *event = came == ARK_ROOT_RETURN;
    adaptive->ended = *event || came < 0;
    s->state.time = adaptive->reached;
    take_state(s, adaptive->y);
    if (came < 0 ||
        atemi_world_evaluate(s, atemi_inputs_now(s), s->state.q, s->state.v, s->state.a)) {
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_conditions_measure(s, s->step.margins);
    if (*event) {
        mark_roots(s);
    }
    return ATEMI_OK;
}
