// SPDX-License-Identifier: Apache-2.0

/// @file
/// A robot with two hands that closed forms know all about.

#pragma once

#include "atemi/blow.h"
#include "random_tree.h"

/// A mass on each of two rails along x, 0.4 m apart.
static inline atemi_model *two_rails(double first, double second)
{
    atemi_model_builder *builder = tree_begin();
    const atemi_inertia  none = {0}, left = {.mass = first, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}},
                        right = {.mass = second, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    const atemi_vec3 along = {1.0, 0.0, 0.0};
    tree_add_link(builder, "wall", &none);
    tree_add_link(builder, "left", &left);
    tree_add_joint(builder, "left_rail", ATEMI_JOINT_PRISMATIC, "wall", "left", along,
                   (atemi_vec3){0.0, 0.2, 0.0});
    tree_add_link(builder, "right", &right);
    tree_add_joint(builder, "right_rail", ATEMI_JOINT_PRISMATIC, "wall", "right", along,
                   (atemi_vec3){0.0, -0.2, 0.0});
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

/// Both of them strike along x.
static inline atemi_striking_point both_rails(void)
{
    return (atemi_striking_point){
        .link = 1, .direction = {1.0, 0.0, 0.0}, .more = 1, .others = {{.link = 2}}};
}
