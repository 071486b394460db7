// SPDX-License-Identifier: Apache-2.0

/// @file
/// Bumps: how velocities jump when contacts close.
///
///     M(q) (v' - v) = G^T p,      J v' = -restitution J v  along normals,  J v' = 0 otherwise

#pragma once

#include "atemi/constraint_space.h"

ATEMI_BEGIN

/// Scratch of atemi_collision_modes_in().
typedef struct atemi_collision_modes_scratch {
    atemi_kinematics       kinematics;
    atemi_mass_factor      factor;
    atemi_constraint_space space;
} atemi_collision_modes_scratch;

/// Lays the scratch out on an arena, for up to `max_contacts` contacts, at
/// most ATEMI_CONTACT_MAX_COUNT.
ATEMI_API atemi_collision_modes_scratch atemi_collision_modes_scratch_take(atemi_arena       *arena,
                                                                           const atemi_model *model,
                                                                           int max_contacts);

/// Computes the velocity after all contacts have closed at once, each in its mode: a sticking point
/// stops, a slipping one stops along its normal and gets friction against its sliding before the
/// bump, a surface stops altogether.
///
/// @param v           [v_count] before
/// @param restitution of points that stick or slip, 0 to 1
/// @param after       [v_count] result; may alias `v`
/// @param impulses    [count] impulse and its moment on the robot at each contact's point, N s
/// @param report      or NULL; filled in any case
/// @return ATEMI_ERROR_SINGULAR if the contacts contradict each other, a slipping contact jams, or
///         M itself is singular (atemi_mass_factor_check() of the scratch's factor names the
///         joint); then the results are not touched
///
/// The modes are the caller's; an impulse may come out as pulling. No allocation.
ATEMI_API atemi_status atemi_collision_modes_in(const atemi_model *model, const double *q,
                                                const double *v, const atemi_contact *contacts,
                                                int count, double restitution,
                                                atemi_collision_modes_scratch *scratch,
                                                double *after, atemi_force *impulses,
                                                atemi_contact_report *report);

ATEMI_END
