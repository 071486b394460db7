// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/step.h"

#include <math.h>

void atemi_step_take(atemi_arena *arena, const atemi_simulation_contacts *set, atemi_step *step)
{
    const atemi_model *model = step->evaluation.model;
    const int          nq = atemi_model_q_count(model), nv = atemi_model_v_count(model);
    double           **of_q[] = {&step->stage_q, &step->start_rate, &step->end_rate};
    double **of_conditions[] = {&step->whole, &step->broken, &step->margins, &step->kept_whole,
                                &step->kept_broken};
    atemi_evaluation_take(arena, set, &step->evaluation);
    step->start = atemi_state_take(arena, model);
    step->end = atemi_state_take(arena, model);
    step->start_states = atemi_arena_array(arena, atemi_contact_state, set->most_points);
    step->stage_v = atemi_arena_array(arena, double, nv);
    for (size_t i = 0; i < sizeof of_q / sizeof of_q[0]; ++i) {
        *of_q[i] = atemi_arena_array(arena, double, nq);
    }
    for (int i = 0; i < 4; ++i) {
        step->rates[i] = atemi_arena_array(arena, double, nq);
        step->accelerations[i] = atemi_arena_array(arena, double, nv);
    }
    for (size_t i = 0; i < sizeof of_conditions / sizeof of_conditions[0]; ++i) {
        // at most as many patches as points
        *of_conditions[i] = atemi_arena_array(arena, double, 3 * (set->most_points + nv));
    }
}

void atemi_step_restart(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state)
{
    atemi_state_copy(step->evaluation.model, &step->start, state);
    atemi_evaluate_state(&step->evaluation, set, state);
}

double atemi_step_end(const atemi_step *step, double h)
{
    return h == step->limit - step->start.time ? step->limit : step->start.time + h;
}

double atemi_step_before(const atemi_step *step, double end)
{
    return fmax(step->start.time, nextafter(end, -(double)INFINITY));
}

double atemi_step_now(const atemi_step *step, const atemi_state *state)
{
    return state->time == step->limit ? atemi_step_before(step, state->time) : state->time;
}

double atemi_step_next(const atemi_step *step, const atemi_state *state)
{
    const double left = step->limit - state->time, whole = step->evaluation.options->step;
    return left < 1.0000001 * whole ? left : whole;
}
