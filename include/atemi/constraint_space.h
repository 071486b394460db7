// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inertia that a robot shows at its contacts, and the forces that follow from it: what
/// constrained dynamics and bumps share.

#pragma once

#include "atemi/contact.h"
#include "atemi/error.h"
#include "atemi/mass_matrix.h"

ATEMI_BEGIN

/// How the system of the contacts was solved.
typedef struct atemi_contact_report {
    int    rows;      ///< of all contacts; 0 with an error says that M itself is singular
    int    rank;      ///< fewer than `rows` if contacts are redundant
    double condition; ///< at least this is A's condition number, of its regular part if redundant
    /// The least diagonal element of A over slipping contacts, relative to what it would be without
    /// friction, both with what sticks eliminated from A. Not positive: the contact jams
    /// (Painleve), there is no such motion. 1 if none slips.
    double jamming;
} atemi_contact_report;

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

/// Lays the scratch out on an arena; its memory grows with the square of the contacts.
/// @param max_contacts at most ATEMI_CONTACT_MAX_COUNT
ATEMI_API atemi_constraint_space atemi_constraint_space_take(atemi_arena       *arena,
                                                             const atemi_model *model,
                                                             int                max_contacts);

ATEMI_END
