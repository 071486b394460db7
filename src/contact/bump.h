// SPDX-License-Identifier: Apache-2.0

/// @file
/// Bumps for callers that have kinematics and mass factor already.

#pragma once

#include "atemi/bump.h"

/// As atemi_collision_scratch_take(), for contacts of which no more than `max_closed` are not open.
atemi_collision_scratch atemi_collision_scratch_take_closed(atemi_arena       *arena,
                                                            const atemi_model *model,
                                                            int max_contacts, int max_closed);

/// As atemi_collision_in() without restitution, of which only the points' velocities are wanted.
///
/// @param kinematics poses and velocities
/// @param impulses   [count] a guess before, the answer after the call
/// @param velocities [count] of the points afterwards, result; zero for open contacts
void atemi_collision_velocities(const atemi_model *model, const atemi_kinematics *kinematics,
                                const atemi_mass_factor *factor, const atemi_contact *contacts,
                                int count, atemi_collision_scratch *scratch, atemi_vec3 *impulses,
                                atemi_vec3 *velocities);
