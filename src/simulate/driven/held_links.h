// SPDX-License-Identifier: Apache-2.0

/// @file
/// Links that are held in place while others move: the contacts that do so.

#pragma once

#include "atemi/contact.h"
#include "dynamics/kinematics.h"

/// Contacts for each link that is held.
enum { HELD_CONTACTS = 4 };

typedef struct held_link {
    int             link; ///< ATEMI_NONE where none is held
    atemi_transform anchor;
    atemi_force     force; ///< of the last tick, world axes, moment about the link's origin
} held_link;

/// Writes the contacts that bring the link's velocity to rest within a tick, and its place back
/// to its anchor.
/// @param kinematics of the state, with velocities, and accelerations of a = 0
/// @param period     of a tick, s
/// @param contacts   [HELD_CONTACTS]
void atemi_held_link_contacts(const atemi_model *model, const atemi_kinematics *kinematics,
                              const held_link *held, double period, atemi_contact *contacts);

/// The sum of its contacts' forces.
/// @param forces [HELD_CONTACTS]
atemi_force atemi_held_link_force(const atemi_model *model, const atemi_kinematics *kinematics,
                                  const atemi_contact *contacts, const atemi_force *forces);
