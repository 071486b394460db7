// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_parts.h"

#include "math/matrix.h"

#include <math.h>
#include <string.h>

double *atemi_blow_vector(atemi_blow_vectors *vectors)
{
    double *vector = vectors->next;
    vectors->next += vectors->stride;
    return vector;
}

atemi_blow_state atemi_blow_state_take(atemi_blow_vectors *vectors)
{
    atemi_blow_state state = {.rate = atemi_blow_vector(vectors)};
    state.angle = atemi_blow_vector(vectors);
    state.reduced_rate = atemi_blow_vector(vectors);
    state.reduced_angle = atemi_blow_vector(vectors);
    return state;
}

void atemi_blow_state_copy(const atemi_blow_problem *problem, const atemi_blow_state *from,
                           atemi_blow_state *to)
{
    const size_t           size = (size_t)problem->base->stride * sizeof *to->rate;
    const atemi_blow_state own = *to;
    *to = *from;
    to->rate = memcpy(own.rate, from->rate, size);
    to->angle = memcpy(own.angle, from->angle, size);
    to->reduced_rate = memcpy(own.reduced_rate, from->reduced_rate, size);
    to->reduced_angle = memcpy(own.reduced_angle, from->reduced_angle, size);
}

void atemi_blow_accelerate(const atemi_blow_problem *problem, const double *torque, double force,
                           atemi_blow_slope *slope)
{
    const atemi_virtual_base *base = problem->base;
    memset(slope->rate, 0, (size_t)base->stride * sizeof *slope->rate);
    row_subtract(base->count, force, base->response, slope->rate);
    matrix_add_product(base->count, base->mobility, base->stride, torque, slope->rate);
    slope->hand = row_dot(base->count, base->response, torque) - base->give * force;
    slope->force = force;
    tally_products(problem->operations,
                   (double)base->count * base->count + 2.0 * base->count + 1.0);
}

// ---- The record -----------------------------------------------------------------------------

void atemi_blow_note(const atemi_blow_problem *problem, const atemi_blow_state *state, double force,
                     atemi_blow_record *record)
{
    atemi_blow_result *r = record->result;
    if (force > r->peak_force) {
        r->peak_force = force;
        r->peak_time = state->time;
    }
    r->compression = fmax(r->compression, state->depth);
    tally_products(problem->operations, 2.0 * problem->element_count);
    for (int i = 0; i < problem->element_count; ++i) {
        const atemi_blow_element *e = &problem->elements[i];
        if (e->servo) {
            const double asked = atemi_blow_asked(e, state), given = atemi_blow_given(e, state);
            if (fabs(given) > fabs(record->peak_torques[e->axis])) {
                record->peak_torques[e->axis] = given;
            }
            record->saturations[e->axis] |= fabs(asked) >= e->bound;
        }
    }
}

bool atemi_blow_is_watched(const atemi_blow_record *record, double time, double *next)
{
    const atemi_blow_watch *w = record->watch;
    const double            rounding = 1e-12;
    if (!w || record->watched >= w->count || !(w->times[record->watched] <= time + rounding)) {
        return false;
    }
    *next = w->times[record->watched];
    return true;
}

bool atemi_blow_goes_on(const atemi_blow_problem *problem, int evaluations,
                        atemi_blow_record *record)
{
    const atemi_blow_options *o = &problem->options;
    enum { EVERY = 256 };
    if (o->goes_on && evaluations - record->asked >= EVERY) {
        record->asked = evaluations;
        record->result->stopped = !o->goes_on(o->goes_on_context);
    }
    return !record->result->stopped;
}

// The servo's torques and the rates of a state, where the result has them in the end.
static void fill_outputs(const atemi_blow_problem *problem, const atemi_blow_state *state,
                         atemi_blow_record *record)
{
    const int n = problem->base->count;
    memset(record->torques, 0, (size_t)n * sizeof *record->torques);
    for (int i = 0; i < problem->element_count; ++i) {
        const atemi_blow_element *e = &problem->elements[i];
        if (e->servo) {
            record->torques[e->axis] = atemi_blow_given(e, state);
        }
    }
    for (int i = 0; i < n; ++i) {
        const double gained = problem->gains ? problem->gains[i] * state->time : 0.0;
        record->rates[i] = problem->start[i] + gained + state->rate[i];
    }
}

void atemi_blow_show(const atemi_blow_problem *problem, const atemi_blow_state *state,
                     const atemi_blow_slope *slope, atemi_blow_record *record)
{
    fill_outputs(problem, state, record);
    for (int i = 0; i < problem->base->count; ++i) {
        record->accelerations[i] = slope->rate[i] + (problem->gains ? problem->gains[i] : 0.0);
    }
    const atemi_blow_sample sample = {.time = state->time,
                                      .force = slope->force,
                                      .compression = fmax(0.0, state->depth),
                                      .hand_speed = state->hand,
                                      .target_speed = state->target,
                                      .rates = record->rates,
                                      .accelerations = record->accelerations,
                                      .torques = record->torques,
                                      .slopes = record->slopes};
    record->watch->take(record->watch->context, &sample);
    ++record->watched;
}

void atemi_blow_record_close(const atemi_blow_problem *problem, const atemi_blow_state *state,
                             atemi_blow_record *record)
{
    atemi_blow_result *r = record->result;
    fill_outputs(problem, state, record);
    r->impulse = state->impulse;
    r->hand_speed = state->hand;
    r->target_speed = state->target;
    r->target_travel = state->travel;
    r->duration = state->time;
    for (int i = 0; i < problem->base->count; ++i) {
        r->saturated += record->saturations[i];
    }
}
