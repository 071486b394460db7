// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/adaptive.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "simulate/events/conditions.h"

#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>

// The state of ARKODE is y = (q, v), with  dy/dt = (rate(q, v), a(t, q, v)); its root functions are
// the margins of the conditions. The method is Dormand and Prince's of fifth order.

struct atemi_adaptive {
    atemi_step                *step;
    atemi_simulation_contacts *set;
    SUNContext                 context;
    N_Vector                   y;
    void                      *memory;     ///< ARKODE's
    int                        root_count; ///< conditions that there may be
    int                       *roots;      ///< [root_count]
    double                     reached;
    double                     end;   ///< of the step under way, at the latest
    bool                       ended; ///< the last step ended at an event or a jump
};

// ---- What ARKODE asks -----------------------------------------------------------------------

// It evaluates at states of its own; positive results say that the step should be shorter. What
// jumps at the end of the step has not jumped yet.
static int evaluate(atemi_adaptive *adaptive, double time, N_Vector y, double *a)
{
    atemi_step        *step = adaptive->step;
    const atemi_model *model = step->evaluation.model;
    const double      *state = N_VGetArrayPointer(y);
    const int          nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    memcpy(step->stage_q, state, (size_t)nq * sizeof *state);
    memcpy(step->stage_v, state + nq, (size_t)nv * sizeof *state);
    time = time < adaptive->end ? time : atemi_step_before(step, adaptive->end);
    return atemi_evaluate(&step->evaluation, adaptive->set, time, step->stage_q, step->stage_v, a)
               ? 1
               : 0;
}

static int derivative(realtype time, N_Vector y, N_Vector rate, void *context)
{
    atemi_adaptive    *adaptive = (atemi_adaptive *)context;
    const atemi_step  *step = adaptive->step;
    const atemi_model *model = step->evaluation.model;
    double            *out = N_VGetArrayPointer(rate);
    const int          failed = evaluate(adaptive, time, y, out + atemi_model_q_count(model));
    atemi_configuration_rate(model, step->stage_q, step->stage_v, out);
    return failed;
}

static int margins(realtype time, N_Vector y, realtype *out, void *context)
{
    atemi_adaptive *adaptive = (atemi_adaptive *)context;
    if (evaluate(adaptive, time, y, adaptive->step->accelerations[0])) {
        return 1;
    }
    atemi_conditions_measure(adaptive->set, out);
    for (int c = atemi_conditions_count(adaptive->set); c < adaptive->root_count; ++c) {
        out[c] = 1.0;
    }
    return 0;
}

// Errors are reported by return values. The type is SUNDIALS'.
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

static bool set_up(atemi_adaptive *adaptive)
{
    const atemi_evaluation         *e = &adaptive->step->evaluation;
    const atemi_simulation_options *options = e->options;
    const int n = atemi_model_q_count(e->model) + atemi_model_v_count(e->model);
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
    return memory && !ERKStepSetUserData(memory, adaptive) &&
           !ERKStepSetErrHandlerFn(memory, say_nothing, NULL) &&
           !ERKStepSetTableNum(memory, ARKODE_DORMAND_PRINCE_7_4_5) &&
           !ERKStepSStolerances(memory, options->tolerance, options->tolerance) &&
           !ERKStepSetMaxStep(memory, options->step) && !ERKStepSetMaxHnilWarns(memory, -1) &&
           !ERKStepRootInit(memory, adaptive->root_count, margins) &&
           !ERKStepSetNoInactiveRootWarn(memory);
}

atemi_status atemi_adaptive_create(atemi_step *step, atemi_simulation_contacts *set,
                                   atemi_error *error)
{
    const int       roots = atemi_conditions_most(set);
    atemi_adaptive *adaptive = (atemi_adaptive *)atemi_allocate(sizeof *adaptive);
    int            *found = (int *)atemi_allocate(((size_t)roots + 1) * sizeof *found);
    if (!adaptive || !found) {
        atemi_release(adaptive);
        atemi_release(found);
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the integrator");
    }
    *adaptive = (atemi_adaptive){
        .step = step, .set = set, .roots = found, .root_count = roots, .reached = (double)NAN};
    step->adaptive = adaptive;
    return set_up(adaptive) ? ATEMI_OK
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

static void give_state(const atemi_model *model, const atemi_state *state, N_Vector y)
{
    double   *to = N_VGetArrayPointer(y);
    const int nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    memcpy(to, state->q, (size_t)nq * sizeof *to);
    memcpy(to + nq, state->v, (size_t)nv * sizeof *to);
}

static void take_state(const atemi_model *model, N_Vector y, atemi_state *state)
{
    const double *from = N_VGetArrayPointer(y);
    const int     nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    memcpy(state->q, from, (size_t)nq * sizeof *from);
    memcpy(state->v, from + nq, (size_t)nv * sizeof *from);
    atemi_configuration_normalize(model, state->q);
}

// Whether ARKODE is where the simulation is; it is not after a collision or a projection.
static bool is_here(const atemi_adaptive *adaptive, const atemi_model *model,
                    const atemi_state *state)
{
    const double *at = N_VGetArrayPointer(adaptive->y);
    const int     nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    return adaptive->reached == state->time && !memcmp(at, state->q, (size_t)nq * sizeof *at) &&
           !memcmp(at + nq, state->v, (size_t)nv * sizeof *at);
}

// A projection is so small that the step size need not be sought again.
static void restart(atemi_adaptive *adaptive, const atemi_model *model, const atemi_state *state)
{
    give_state(model, state, adaptive->y);
    if (adaptive->reached == state->time && !adaptive->ended) {
        ERKStepReset(adaptive->memory, state->time, adaptive->y);
    } else {
        ERKStepReInit(adaptive->memory, derivative, state->time, adaptive->y);
    }
}

// The conditions that ARKODE found to break are broken, even where rounding leaves them at zero.
static void mark_roots(const atemi_adaptive *adaptive, int count, double *margins_there)
{
    ERKStepGetRootInfo(adaptive->memory, adaptive->roots);
    for (int c = 0; c < count; ++c) {
        if (adaptive->roots[c] < 0) {
            margins_there[c] = fmin(margins_there[c], -1.0);
        }
    }
}

void atemi_adaptive_forget(atemi_adaptive *adaptive)
{
    if (adaptive) {
        adaptive->ended = true;
    }
}

atemi_status atemi_adaptive_step(atemi_step *step, atemi_simulation_contacts *set,
                                 atemi_state *state, double h, bool *event)
{
    atemi_adaptive   *adaptive = step->adaptive;
    atemi_evaluation *e = &step->evaluation;
    const double      end = atemi_step_end(step, h);
    adaptive->end = end;
    if (adaptive->ended || !is_here(adaptive, e->model, state)) {
        restart(adaptive, e->model, state);
    }
    ERKStepSetStopTime(adaptive->memory, end);
    const int came =
        ERKStepEvolve(adaptive->memory, end, adaptive->y, &adaptive->reached, ARK_ONE_STEP);
    *event = came == ARK_ROOT_RETURN;
    adaptive->ended = *event || came < 0;
    state->time = adaptive->reached;
    take_state(e->model, adaptive->y, state);
    if (came < 0 ||
        atemi_evaluate(e, set, atemi_step_now(step, state), state->q, state->v, state->a)) {
        return ATEMI_ERROR_SINGULAR;
    }
    atemi_conditions_measure(set, step->margins);
    if (*event) {
        mark_roots(adaptive, atemi_conditions_count(set), step->margins);
    }
    return ATEMI_OK;
}
