// SPDX-License-Identifier: Apache-2.0

#include "kernels.h"

#include <stdlib.h>

static bool prepare_data(atemi_worker *worker, int contacts)
{
    if (worker->data && worker->max_contacts >= contacts) {
        return true;
    }
    atemi_data_options options = {.max_contacts = contacts};
    atemi_data        *data = NULL;
    if (atemi_data_create(worker->model, &options, &data, NULL)) {
        return false;
    }
    atemi_data_destroy(worker->data);
    worker->data = data;
    worker->max_contacts = contacts;
    return true;
}

static bool prepare_vectors(atemi_worker *worker)
{
    if (!worker->tau) {
        size_t count = (size_t)atemi_model_v_count(worker->model);
        worker->tau = calloc(count + 1, sizeof *worker->tau);
    }
    if (!worker->forces) {
        size_t count = (size_t)atemi_model_link_count(worker->model);
        worker->forces = calloc(count + 1, sizeof *worker->forces);
    }
    return worker->tau && worker->forces;
}

static bool prepare_derivatives(atemi_worker *worker)
{
    if (worker->derivatives) {
        return true;
    }
    atemi_arena measured = atemi_arena_measuring(), arena;
    atemi_derivatives_take(&measured, worker->model);
    if (atemi_arena_create(&arena, measured.used, NULL)) {
        return false;
    }
    worker->derivatives_arena = arena;
    worker->derivatives = atemi_derivatives_take(&worker->derivatives_arena, worker->model);
    return true;
}

static bool prepare_constrained(atemi_worker *worker, int contacts)
{
    if (worker->constrained && worker->max_varied >= contacts) {
        return true;
    }
    atemi_arena measured = atemi_arena_measuring(), arena;
    atemi_constrained_derivatives_take(&measured, worker->model, contacts);
    if (atemi_arena_create(&arena, measured.used, NULL)) {
        return false;
    }
    if (worker->constrained) {
        atemi_arena_destroy(&worker->constrained_arena);
    }
    worker->constrained_arena = arena;
    worker->constrained =
        atemi_constrained_derivatives_take(&worker->constrained_arena, worker->model, contacts);
    worker->max_varied = contacts;
    return true;
}

static void take_blow(atemi_blow_workspace *blow, atemi_arena *arena, const atemi_model *model)
{
    blow->base = atemi_virtual_base_take(arena, model);
    blow->scratch = atemi_blow_scratch_take(arena, model);
    blow->reference = atemi_straight_reference_take(arena, model, 1e-3);
    blow->rates = atemi_arena_array(arena, double, atemi_model_v_count(model));
    blow->accelerations = atemi_arena_array(arena, double, atemi_model_v_count(model));
    blow->corners = atemi_arena_array(arena, atemi_vec3, 4 * atemi_model_site_count(model) + 1);
    blow->times = atemi_arena_array(arena, double, ATEMI_BLOW_MAX_SAMPLES);
}

static bool prepare_blow(atemi_worker *worker)
{
    atemi_blow_workspace *blow = &worker->blow;
    if (!blow->is_made) {
        atemi_arena arena = atemi_arena_measuring();
        take_blow(blow, &arena, worker->model);
        if (atemi_arena_create(&blow->arena, arena.used, NULL)) {
            return false;
        }
        take_blow(blow, &blow->arena, worker->model);
        blow->is_made = true;
    }
    return true;
}

bool atemi_worker_prepare(atemi_worker *worker, unsigned needs, int contacts)
{
    if (needs & ATEMI_NEEDS_DATA &&
        !(prepare_data(worker, contacts > 1 ? contacts : 1) && prepare_vectors(worker))) {
        return false;
    }
    if (needs & ATEMI_NEEDS_DERIVATIVES && !prepare_derivatives(worker)) {
        return false;
    }
    if (needs & ATEMI_NEEDS_BLOW && !prepare_blow(worker)) {
        return false;
    }
    return !(needs & ATEMI_NEEDS_CONSTRAINED_DERIVATIVES) || prepare_constrained(worker, contacts);
}

void atemi_worker_release(atemi_worker *worker)
{
    atemi_data_destroy(worker->data);
    free(worker->tau);
    free(worker->forces);
    if (worker->derivatives) {
        atemi_arena_destroy(&worker->derivatives_arena);
    }
    if (worker->constrained) {
        atemi_arena_destroy(&worker->constrained_arena);
    }
    if (worker->blow.is_made) {
        atemi_arena_destroy(&worker->blow.arena);
    }
    *worker = (atemi_worker){
        .model = worker->model,
        .joints = worker->joints,
        .joint_count = worker->joint_count,
    };
}
