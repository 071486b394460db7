// SPDX-License-Identifier: Apache-2.0

/// @file
/// A robot with a joint so light that its servo is faster than anything else.

#pragma once

#include "random_tree.h"

#include "atemi/blow.h"

/// Its rates.
enum { LIGHT_RAIL, LIGHT_WRIST };

/// A trunk of 5 kg on a rail along x, and a hand of 1e-4 kg m^2 that turns about y.
static inline atemi_model *light_wrist(void)
{
    atemi_model_builder *builder = tree_begin();
    const atemi_inertia  none = {0};
    const atemi_inertia  trunk = {.mass = 5.0, .rotational = {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
    const atemi_inertia  hand = {
         .mass = 0.05, .com = {0.0, 0.0, 0.04}, .rotational = {2e-5, 2e-5, 2e-5, 0.0, 0.0, 0.0}};
    const atemi_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, here = {0.0, 0.0, 0.0};
    tree_add_link(builder, "wall", &none);
    tree_add_link(builder, "trunk", &trunk);
    tree_add_link(builder, "hand", &hand);
    tree_add_joint(builder, "rail", ATEMI_JOINT_PRISMATIC, "wall", "trunk", x, here);
    tree_add_joint(builder, "wrist", ATEMI_JOINT_REVOLUTE, "trunk", "hand", y, here);
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

/// The hand strikes 10 cm beside its joint.
static inline atemi_striking_point light_wrist_point(void)
{
    return (atemi_striking_point){
        .link = 2, .point = {0.0, 0.0, 0.1}, .direction = {1.0, 0.0, 0.0}};
}
