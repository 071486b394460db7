// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inertia that a robot shows at its contacts, and the forces that follow from it: what
/// constrained dynamics and collisions share.

#pragma once

#include "atemi/contact.h"
#include "contact/row_group.h"

/// Scratch for the system of up to `max_contacts` contacts.
typedef struct atemi_constraint_space {
    struct atemi_contact_row *rows;
    struct atemi_row_group   *groups;
    double                   *columns; ///< of the groups
    double                   *strip;   ///< of A, with padded columns
    double                   *load;    ///< [padded v_count]
    double                   *system;  ///< [rows x rows]
    double                   *target;  ///< [rows]
    double                   *work;    ///< for the solver
    int                      *pivot;   ///< [rows]
    int                       max_contacts;
    int                       row_count, group_count;
    bool                      loaded;
} atemi_constraint_space;

/// Lays the scratch out on an arena, for contacts that have no more rows than that together; its
/// memory grows with the square of the rows.
/// @param max_contacts at most ATEMI_CONTACT_MAX_COUNT
atemi_constraint_space atemi_constraint_space_take_rows(atemi_arena       *arena,
                                                        const atemi_model *model, int max_contacts,
                                                        int max_rows);

/// The same with a system of fewer rows, `most_solved`: more rows than that are only grouped.
atemi_constraint_space atemi_constraint_space_take_grouped(atemi_arena       *arena,
                                                           const atemi_model *model,
                                                           int max_contacts, int max_rows,
                                                           int most_solved);

/// Projects the rows of the space through the factor of M, by groups, and leaves `system` as it is.
void atemi_constraint_space_group(const atemi_model *model, const atemi_kinematics *k,
                                  const atemi_mass_factor *factor, atemi_constraint_space *space);

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
