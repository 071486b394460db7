// SPDX-License-Identifier: Apache-2.0

/// @file
/// The friction of a patch: whether its sticking points hold, and how they begin to slip.

#pragma once

#include "simulate/contact_set.h"

/// How far the sticking points of a patch are from slipping, relative: 1 without a load, 0 at the
/// limit, negative beyond.
double atemi_patch_friction(const atemi_contact_set *set, int patch, const atemi_patch *sum);

/// The directions in which the sticking points of a patch begin to slip, unit vectors [points];
/// zero for one that the patch turns about.
void atemi_patch_slip(const atemi_contact_set *set, int patch, const atemi_patch *sum,
                      atemi_vec3 *directions);
