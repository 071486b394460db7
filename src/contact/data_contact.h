// SPDX-License-Identifier: Apache-2.0

/// @file
/// The part of the layer contact in atemi_data.

#pragma once

#include "atemi/contact.h"
#include "contact/collision.h"
#include "dynamics/data_parts.h"

/// The contact workspace. Arrays are shared by algorithms that do not call each other.
typedef struct atemi_contact_parts {
    int                     max_contacts;
    atemi_collision_scratch collision; ///< with the one constraint space; has no kinematics, factor
    double                 *work;      ///< also the cone problem's
    atemi_force            *loads;     ///< [link_count]
    double                 *M;         ///< [v_count x v_count], unless it has no contacts
    double                 *jacobian;  ///< [6 x v_count]
    double                 *motion, *force, *weighted; ///< [rows x v_count], with 6 rows a contact
    double                 *row;                       ///< [rows]
} atemi_contact_parts;

/// Whether the set can be computed with, and `results` has its results.
bool atemi_contact_set_fits(const atemi_data *data, const atemi_contact_set *set,
                            const void *results);

/// What a report says when M is singular.
atemi_contact_report atemi_contact_report_singular(void);
