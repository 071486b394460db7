// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of atemi_data. The layer contact makes it and adds its own part.

#pragma once

#include "atemi/kinematics.h"
#include "dynamics/articulated.h"
#include "dynamics/inverse_dynamics.h"
#include "dynamics/mass_matrix.h"

/// Which accelerations the kinematics hold.
typedef enum atemi_data_accelerations {
    ATEMI_ACCELERATIONS_NONE,     ///< none that mean anything
    ATEMI_ACCELERATIONS_OF_LINKS, ///< those of the links
    ATEMI_ACCELERATIONS_RELATIVE, ///< the same relative to free fall
} atemi_data_accelerations;

struct atemi_data {
    const atemi_model             *model;
    atemi_inverse_dynamics_scratch inverse;  ///< with the one kinematics
    atemi_mass_factor              factor;   ///< without kinematics of its own
    atemi_composite_block         *bodies;   ///< of forward dynamics, unless joints are coupled
    atemi_articulated_node        *nodes;    ///< likewise
    double                        *load;     ///< [v_count] tau - h
    struct atemi_contact_parts    *contact;  ///< of the layer above
    void                          *owned;    ///< memory to release, or NULL
    bool                           posed;    ///< poses are known
    bool                           moving;   ///< velocities are known; otherwise it rests
    bool                           loaded;   ///< forces of the joints are known
    bool                           factored; ///< the factor is that of the poses
    atemi_data_accelerations       accelerations;
};

/// Lays the part of the layer dynamics out on an arena.
atemi_data atemi_data_parts_take(atemi_arena *arena, const atemi_model *model);

/// As atemi_update_kinematics(), with the accelerations of what follows still open.
void atemi_data_go(atemi_data *data, const double *q, const double *v);

/// The kinematics of a data.
static inline const atemi_kinematics *atemi_data_kinematics(const atemi_data *data)
{
    return &data->inverse.kinematics;
}
