// SPDX-License-Identifier: Apache-2.0

/// @file
/// A random tree with the memory of derivatives, and room for what is found and expected.

#pragma once

#include "check.h"
#include "dynamics/derivatives.h"
#include "tree_rig.h"

#include <stdlib.h>

typedef struct derivatives_rig {
    tree_rig                  tree;
    atemi_arena               arena;
    atemi_derivatives_scratch s;
    atemi_force               forces[TREE_MAX_JOINTS + 1];
    const atemi_force        *external; ///< NULL to begin with
    double                   *found[3]; ///< [v_count x v_count] each
    double                   *expected; ///< likewise
} derivatives_rig;

/// Takes memory for a tree that is there already.
static inline void derivatives_rig_take(derivatives_rig *r)
{
    const atemi_model *model = r->tree.model;
    const size_t       n = (size_t)r->tree.n, room = (n > 6 ? n : 6) * n + 1;
    atemi_arena        arena = atemi_arena_measuring();
    atemi_derivatives_scratch_take(&arena, model);
    CHECK_STATUS(atemi_arena_create(&r->arena, arena.used, NULL), ATEMI_OK);
    r->s = atemi_derivatives_scratch_take(&r->arena, model);
    for (int i = 0; i < 3; ++i) {
        r->found[i] = (double *)malloc(room * sizeof(double));
        CHECK(r->found[i]);
    }
    r->expected = (double *)malloc(room * sizeof(double));
    CHECK(r->expected);
}

/// @param index of tree_case()
static inline derivatives_rig derivatives_rig_begin(int index, uint64_t seed)
{
    derivatives_rig r = {.external = NULL};
    tree_rig_begin(&r.tree, index, seed);
    derivatives_rig_take(&r);
    return r;
}

/// The same with a model that the rig will destroy.
static inline derivatives_rig derivatives_rig_of(atemi_model *model, uint64_t seed)
{
    derivatives_rig r = {.external = NULL};
    r.tree.model = model;
    r.tree.n = atemi_model_v_count(model);
    r.tree.s = data_create(model);
    random_state_fill(model, seed, &r.tree.x);
    derivatives_rig_take(&r);
    return r;
}

static inline void derivatives_rig_end(derivatives_rig *r)
{
    for (int i = 0; i < 3; ++i) {
        free(r->found[i]);
    }
    free(r->expected);
    atemi_arena_destroy(&r->arena);
    tree_rig_end(&r->tree);
}
