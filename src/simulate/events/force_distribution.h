// SPDX-License-Identifier: Apache-2.0

/// @file
/// The distribution of the forces of contacts over their points.

#pragma once

#include "simulate/contact_set.h"

/// Finds the forces of the points.
/// @param contacts [count] of which those of mode ATEMI_CONTACT_SURFACE hold a whole patch
/// @param points   [count] the point of a contact, or the first of its patch
/// @param forces   [count] of the contacts
void atemi_force_distribution_find(atemi_simulation_contacts *set, const atemi_contact *contacts,
                                   const int *points, const atemi_force *forces, int count);
