// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a contact that only pushes can bear: a rectangle, a line or a point with friction.

#pragma once

/// Of a wrench (f, t), f_z pushes.
enum { CONTACT_CONE_ROWS = 16, CONTACT_WRENCH = 6, CONTACT_PUSH = 2 };

/// The rows r of r . (f, t) <= 0 for the wrench in the middle of a rectangle, along its axes, z
/// along the normal. That f_z is not negative, and that a line bears no moment about itself, are
/// left to the caller.
/// @param friction  of the pyramid: a cone's over sqrt(2) for the one inside it
/// @param half_x,half_y half its sides; one 0 for a line, both 0 for a point, whose rows are of its
/// force alone
/// @return how many
int atemi_contact_cone(double friction, double half_x, double half_y,
                       double rows[CONTACT_CONE_ROWS][CONTACT_WRENCH]);
