// SPDX-License-Identifier: Apache-2.0

/// @file
/// Random robots and states, functions of their seed alone.

#pragma once

#include "atemi/atemi.h"

#include <stdint.h>

enum { TREE_MAX_JOINTS = 64, TREE_MAX_V = 6 * TREE_MAX_JOINTS, TREE_MAX_Q = 7 * TREE_MAX_JOINTS };

typedef struct tree_options {
    int        joints;
    atemi_base base;
    bool       multi;   ///< with planar and floating joints inside the tree
    bool       mimic;   ///< with coupled joints
    bool       chain;   ///< every joint on the link before it
    bool       armature;
    double     lightest, heaviest; ///< masses are spread between these, evenly in their logarithm
} tree_options;

/// Twelve joints of one coordinate on a floating base, masses 0.1 to 10 kg, rotors.
tree_options tree_options_default(void);

/// The model, to be destroyed by the caller. Fails the test if the builder refuses.
atemi_model *random_tree(const tree_options *options, uint64_t seed);

typedef struct random_state {
    double q[TREE_MAX_Q], v[TREE_MAX_V], a[TREE_MAX_V], tau[TREE_MAX_V];
} random_state;

/// q within the limits, rates, accelerations and torques within +-2.
void random_state_fill(const atemi_model *model, uint64_t seed, random_state *state);
