// SPDX-License-Identifier: Apache-2.0

#include "dynamics_check.h"

#include "atemi/base.h"
#include "atemi/data.h"
#include "atemi/dynamics.h"
#include "atemi/model.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>

enum { STATES = 10, FIRST_SEED = 1 };

static const double largest_velocity = 1.0;
static const double largest_acceleration = 10.0;

typedef struct workspace {
    atemi_data *data;
    double     *q, *v, *a, *tau, *result;
} workspace;

static workspace workspace_take(atemi_arena *arena, const atemi_model *model)
{
    const int v_count = atemi_model_v_count(model);
    workspace w;
    w.data = atemi_data_take(arena, model, &(atemi_data_options){.max_contacts = 0});
    w.q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    w.v = atemi_arena_array(arena, double, v_count);
    w.a = atemi_arena_array(arena, double, v_count);
    w.tau = atemi_arena_array(arena, double, v_count);
    w.result = atemi_arena_array(arena, double, v_count);
    return w;
}

// In [-1, 1).
static double random_number(uint64_t *state)
{
    return 2.0 * random_unit_next(state) - 1.0;
}

static void draw_state(const atemi_model *model, uint64_t seed, workspace *w)
{
    uint64_t random = seed;
    atemi_configuration_random(model, seed, w->q);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        w->v[i] = largest_velocity * random_number(&random);
        w->a[i] = largest_acceleration * random_number(&random);
    }
}

// Infinite where the result is no number.
static double deviation(int count, const double *result, const double *expected)
{
    double error = 0.0;
    double size = 0.0;
    for (int i = 0; i < count; ++i) {
        const double apart = fabs(result[i] - expected[i]);
        error = isnan(apart) ? HUGE_VAL : fmax(error, apart);
        size = fmax(size, fabs(expected[i]));
    }
    return size > 0.0 ? error / size : error;
}

static double check_state(const atemi_model *model, uint64_t seed, workspace *w, atemi_error *cause)
{
    draw_state(model, seed, w);
    atemi_inverse_dynamics(w->data, w->q, w->v, w->a, NULL, w->tau);
    if (atemi_forward_dynamics(w->data, w->q, w->v, w->tau, NULL, w->result)) {
        atemi_update_factor(w->data, cause); // names the joint that moves no mass
        return HUGE_VAL;
    }
    return deviation(atemi_model_v_count(model), w->result, w->a);
}

atemi_status dynamics_check_run(const atemi_model *model, dynamics_check *check, atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    (void)workspace_take(&arena, model);
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    workspace w = workspace_take(&arena, model);
    *check = (dynamics_check){.states = STATES, .seed = FIRST_SEED};
    atemi_error cause = {0};
    for (int i = 0; i < STATES; ++i) {
        const double apart = check_state(model, FIRST_SEED + (uint64_t)i, &w, &cause);
        check->deviation = fmax(check->deviation, apart);
    }
    snprintf(check->cause, sizeof check->cause, "%s", cause.message);
    atemi_arena_destroy(&arena);
    return ATEMI_OK;
}
