// SPDX-License-Identifier: Apache-2.0

/// @file
/// The damping of joints and servos, and how fast it works.

#pragma once

#include "atemi/simulation.h"
#include "dynamics/mass_matrix.h"

typedef struct atemi_damping {
    double  rate;     ///< at which it brings the fastest motion to rest, 1/s; 0 without damping
    int     stiffest; ///< the coordinate whose damping contributes most to that
    double *viscous;  ///< [v_count] D: how much each torque falls with its own velocity
    double *coulomb;  ///< [v_count] friction of the joints
    double *motion, *response, *scaled; ///< [v_count] scratch
} atemi_damping;

atemi_damping atemi_damping_take(atemi_arena *arena, const atemi_model *model);

/// Finds the damping in the configuration q.
/// @param factor result: of the mass matrix there, if anything is damped
void atemi_damping_find(atemi_damping *damping, const atemi_model *model,
                        const atemi_simulation_options *options,
                        const atemi_simulation_hooks *hooks, const double *q,
                        atemi_mass_factor *factor);

/// Whether D is another one than when it was found.
bool atemi_damping_changed(atemi_damping *damping, const atemi_model *model,
                           const atemi_simulation_options *options,
                           const atemi_simulation_hooks   *hooks);
