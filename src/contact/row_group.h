// SPDX-License-Identifier: Apache-2.0

/// @file
/// Neighbouring rows on one node, or between the same two. The same entries of v move them, those
/// on the ways from the nodes to the root, and no others do before or after the factor of M is
/// applied.

#pragma once

#include "contact/rows.h"
#include "dynamics/mass_rows.h"

typedef struct atemi_row_group {
    int     first, count; ///< which rows
    int     node;         ///< that carries them, ATEMI_NONE for the world
    int     other;        ///< that they touch, likewise
    int     rate;         ///< of a joint's row, which is alone; else ATEMI_NONE
    int     column;       ///< of the first row, with all groups padded to whole packs
    int     packs;        ///< what `count` takes
    int     tip;          ///< the last entry of v that moves the node, ATEMI_NONE if none does
    int     other_tip;    ///< likewise of the other node
    int     meet;         ///< the last entry of v that moves both, likewise
    bool    tied;         ///< some row is
    double *motion;       ///< L^-T J^T [v_count x packs], valid from the tips to the root
    double *force;        ///< L^-T G^T, likewise; `motion` itself unless tied
} atemi_row_group;

/// Splits the rows into groups and returns their number. The groups share `columns`, which has
/// atemi_row_group_scratch_size() doubles.
int atemi_row_groups_find(const atemi_model *model, const atemi_contact_row *rows, int row_count,
                          double *columns, atemi_row_group *groups);

/// What the columns of so many contacts take at most.
size_t atemi_row_group_scratch_size(const atemi_model *model, int max_contacts);

/// The number of rows of so many contacts at most, all groups padded.
size_t atemi_row_group_padded(int max_contacts);

/// Computes `motion` and `force`.
void atemi_row_group_project(const atemi_model *model, const atemi_kinematics *k,
                             const atemi_mass_factor *factor, const atemi_contact_row *rows,
                             const atemi_row_group *group);

/// The rows  motion^T D^-1 force  of A, over the columns of all groups. Up to a pack beyond the
/// last of them is written. `strip` has a pack of padded rows.
void atemi_row_group_multiply(const atemi_model *model, const atemi_mass_factor *factor,
                              const atemi_row_group *moved, const atemi_row_group *groups,
                              int group_count, double *strip, int stride, double *A);

/// The entries of v that up to three rows of a group move, from its row `row` on.
/// @param moved, pushed [entries][3] columns of motion and of D^-1 force
/// @return how many
int atemi_row_group_entries(const atemi_model *model, const atemi_mass_factor *factor,
                            const atemi_row_group *group, int row, int rows, int *entries,
                            double *moved, double *pushed);

/// Subtracts  motion^T D^-1 w  from the target's entries of the group.
void atemi_row_group_relieve(const atemi_model *model, const atemi_mass_factor *factor,
                             const double *w, const atemi_row_group *group, double *target);

/// (J M^-1 J^T)_rr of the group's row `index`: what A would have there without friction.
double atemi_row_group_mobility(const atemi_model *model, const atemi_mass_factor *factor,
                                const atemi_row_group *group, int index);

/// w += force f, with the group's entries of all multipliers.
void atemi_row_group_push(const atemi_model *model, const atemi_row_group *group,
                          const double *multipliers, double *w);
