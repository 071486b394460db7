// SPDX-License-Identifier: Apache-2.0

/// @file
/// The state of a simulated robot: all that its future depends on, but for its contacts.

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

#include <string.h>

typedef struct atemi_state {
    double  time;
    double *q;     ///< [q_count]
    double *v, *a; ///< [v_count] velocities, and the accelerations that were evaluated there
} atemi_state;

static inline atemi_state atemi_state_take(atemi_arena *arena, const atemi_model *model)
{
    return (atemi_state){.q = atemi_arena_array(arena, double, atemi_model_q_count(model)),
                         .v = atemi_arena_array(arena, double, atemi_model_v_count(model)),
                         .a = atemi_arena_array(arena, double, atemi_model_v_count(model))};
}

static inline void atemi_state_copy(const atemi_model *model, const atemi_state *from,
                                    atemi_state *to)
{
    const size_t nq = (size_t)atemi_model_q_count(model), nv = (size_t)atemi_model_v_count(model);
    to->time = from->time;
    memcpy(to->q, from->q, nq * sizeof *to->q);
    memcpy(to->v, from->v, nv * sizeof *to->v);
    memcpy(to->a, from->a, nv * sizeof *to->a);
}
