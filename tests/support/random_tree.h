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
    bool       multi;     ///< with planar and floating joints inside the tree
    bool       mimic;     ///< with coupled joints
    bool       uncoupled; ///< mimic joints have coordinates of their own
    bool       chain;     ///< every joint on the link before it
    bool       armature;
    double     lightest, heaviest; ///< masses are spread between these, evenly in their logarithm
} tree_options;

/// Twelve joints of one coordinate on a floating base, masses 0.1 to 10 kg, rotors.
tree_options tree_options_default(void);

/// Trees of all kinds: every base, all joint types, coupled joints, chains, 0 to 64 joints.
enum { TREE_CASES = 14 };
tree_options tree_case(int index);

/// The model, to be destroyed by the caller. Fails the test if the builder refuses.
atemi_model *random_tree(const tree_options *options, uint64_t seed);

/// Robots by hand. The test fails if the builder refuses a part.
atemi_model_builder *tree_begin(void);
void tree_add_link(atemi_model_builder *builder, const char *name, const atemi_inertia *inertia);

/// A joint of the given type and axis with its origin at `x, y, z` of the parent.
void tree_add_joint(atemi_model_builder *builder, const char *name, atemi_joint_type type,
                    const char *parent, const char *child, atemi_vec3 axis, atemi_vec3 origin);

/// Makes the model and destroys the builder. Gravity is (0, 0, -9.81).
atemi_model *tree_finish(atemi_model_builder *builder, atemi_base base);

/// A chain of rods of 0.3 m from a wall, the inner half of mass `inner` each and the outer half of
/// `outer`.
atemi_model *uneven_chain(int count, double inner, double outer);

/// Forces within +-5 onto every link [link_count].
void random_forces(const atemi_model *model, uint64_t seed, atemi_force *forces);

typedef struct random_state {
    double q[TREE_MAX_Q], v[TREE_MAX_V], a[TREE_MAX_V], tau[TREE_MAX_V];
} random_state;

/// q within the limits, rates, accelerations and torques within +-2.
void random_state_fill(const atemi_model *model, uint64_t seed, random_state *state);
