// SPDX-License-Identifier: Apache-2.0

/// @file
/// The contacts that the modes of the points amount to.

#pragma once

#include "simulate/world.h"

/// Adds a contact at a point to those of the simulation.
void atemi_mode_contact_add(atemi_simulation *s, int point, atemi_contact_mode mode);

/// The contacts of all held points; a patch that holds its link as a whole is one.
void atemi_mode_contacts_build(atemi_simulation *s);
