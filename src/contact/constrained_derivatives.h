// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of the scratch of derivatives in contact.

#pragma once

#include "atemi/contact.h"
#include "contact/constrained_dynamics.h"
#include "dynamics/derivatives.h"

/// Scratch of both algorithms, for up to `max_contacts` contacts.
struct atemi_constrained_derivatives_scratch {
    atemi_constrained_dynamics_scratch dynamics;
    atemi_derivatives_scratch          derivatives; ///< shares kinematics and factor with it
    atemi_force                       *wrenches;    ///< [link_count] external and of contacts
    atemi_force                       *forces;      ///< [max_contacts]
    struct atemi_contact_variation    *variation;   ///< of the rows of all contacts
    double                            *point;       ///< [4][6 x v_count] of one contact, and a pack
    double                            *step;        ///< [v_count]
};

/// Lays the scratch out on an arena.
atemi_constrained_derivatives_scratch
atemi_constrained_derivatives_scratch_take(atemi_arena *arena, const atemi_model *model,
                                           int max_contacts);
