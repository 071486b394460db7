// SPDX-License-Identifier: Apache-2.0

/// @file
/// The stages of constraint space.

#pragma once

#include "atemi/constraint_space.h"
#include "contact/row_group.h"

/// As atemi_constraint_space_take(), for contacts that have no more rows than that together.
atemi_constraint_space atemi_constraint_space_take_rows(atemi_arena       *arena,
                                                        const atemi_model *model, int max_contacts,
                                                        int max_rows);

/// Projects the rows of the space, and the generalized force `load` (NULL for none), through the
/// factor of M: afterwards `system` is A, and `target` is what the rows ask less what the load
/// gives already, where `target` held what the rows ask.
void atemi_constraint_space_project(const atemi_model *model, const atemi_kinematics *k,
                                    const atemi_mass_factor *factor, const double *load,
                                    atemi_constraint_space *space, atemi_contact_report *report);

/// Solves A f = target; the multipliers replace the target.
atemi_status atemi_constraint_space_solve(atemi_constraint_space *space,
                                          atemi_contact_report   *report);

/// M^-1 (load + G^T f), with the multipliers in `target`, into the factor's work.
void atemi_constraint_space_respond(const atemi_model *model, atemi_constraint_space *space,
                                    atemi_mass_factor *factor);
