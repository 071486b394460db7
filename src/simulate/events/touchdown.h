// SPDX-License-Identifier: Apache-2.0

/// @file
/// Touchdown: the collision of what touches its surface and comes nearer.

#pragma once

#include "simulate/ledger.h"

/// The workspace of collisions.
typedef struct atemi_touchdown {
    double                        *restitution; ///< [points]
    atemi_vec3                    *impulses;    ///< [points] result
    atemi_joint_hold              *holds;       ///< [v_count] of the stops that are touched
    int                           *holders;     ///< [v_count] which joint a hold is of
    int                            hold_count;
    atemi_contact                 *contacts;              ///< [points]
    double                        *before;                ///< [v_count] velocities
    double                        *difference, *momentum; ///< [v_count]
    atemi_collision_scratch        scratch;
    atemi_inverse_dynamics_scratch inverse;
} atemi_touchdown;

atemi_touchdown atemi_touchdown_take(atemi_arena *arena, const atemi_model *model,
                                     const atemi_simulation_contacts *set);

/// Whether a point in touch comes nearer to its surface.
bool atemi_touchdown_is_due(const atemi_simulation_contacts *set);

/// Collides, if that is so, and gives modes to all points in touch.
void atemi_touch_down(atemi_touchdown *touchdown, atemi_evaluation *e,
                      atemi_simulation_contacts *set, atemi_state *state, atemi_ledger *ledger);
