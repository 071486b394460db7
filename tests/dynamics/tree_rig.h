// SPDX-License-Identifier: Apache-2.0

/// @file
/// A random tree in a random state, with the memory of all algorithms.

#pragma once

#include "data.h"
#include "random_tree.h"

typedef struct tree_rig {
    atemi_model *model;
    int          n; ///< v_count
    atemi_data  *s;
    random_state x;
} tree_rig;

/// @param index of tree_case()
static inline void tree_rig_begin(tree_rig *rig, int index, uint64_t seed)
{
    const tree_options options = tree_case(index);
    rig->model = random_tree(&options, seed);
    rig->n = atemi_model_v_count(rig->model);
    rig->s = data_create(rig->model);
    random_state_fill(rig->model, seed, &rig->x);
}

static inline void tree_rig_end(tree_rig *rig)
{
    atemi_data_destroy(rig->s);
    atemi_model_destroy(rig->model);
}
