// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. Collisions: how velocities jump when contacts close. Positions do not change.
///
///     M(q) (v' - v) = sum of J_i^T p_i
///
/// atemi_collision() finds the mode of every contact as part of the answer;
/// atemi_collision_in_modes() takes the modes from the caller. Both return a status, and do not
/// allocate.

#pragma once

#include "atemi/contact.h"

ATEMI_BEGIN

/// What a collision did.
typedef struct atemi_collision_report {
    double energy;    ///< that the robot gained, J: never positive beyond rounding
    double violation; ///< of the conditions below, m/s: how exact the answer is
    /// By what the restitution had to be reduced so that energy does not grow: with friction at
    /// several points Newton's law alone may create energy. 1 if it was not.
    double bounce;
} atemi_collision_report;

/// The velocity after a collision with everything that rests or touches: which points push, stick,
/// slip or leave is part of the answer. At every point, with u its velocity before and u' after, n
/// along the normal and t across it:
///
///     p_n >= 0,   u'_n >= -restitution u_n,   one of both with equality     (Newton)
///     |p_t| <= friction p_n,   against u'_t and of full size where that is not zero     (Coulomb)
///
/// @param v        [v_count] before
/// @param set      points in touch, at rest or approaching. `mode` is not looked at except that
/// open
///                 ones are passed over, `friction` bounds the impulse
/// @param after    [v_count] result; may alias `v`
/// @param impulses [set->count] on the robot at each point, world axes, N s
/// @param report   or NULL
///
/// @return ATEMI_ERROR_SINGULAR if a joint moves no mass, and then the results are not touched:
///         atemi_update_factor() names the joint
///
/// Points may be redundant (a box on four corners): motions are unique, impulses then one of many.
/// Iterative, with an accuracy of about 1e-12 of the speeds.
ATEMI_API atemi_status atemi_collision(atemi_data *data, const double *q, const double *v,
                                       const atemi_contact_set *set, double *after,
                                       atemi_vec3 *impulses, atemi_collision_report *report);

/// The velocity after all contacts have closed at once, each in its mode: a sticking point stops, a
/// slipping one stops along its normal and gets friction against its sliding before the collision,
/// a surface stops altogether. Points that stick or slip bounce along their normals:
///
///     J v' = -restitution J v  along normals,  J v' = 0 otherwise
///
/// @param v        [v_count] before
/// @param after    [v_count] result; may alias `v`
/// @param impulses [set->count] impulse and its moment on the robot at each contact's point, N s
/// @param report   or NULL; filled in any case
/// @return ATEMI_ERROR_SINGULAR if the contacts contradict each other, a slipping contact jams, or
///         M itself is singular (atemi_update_factor() names the joint); then the results are not
///         touched
///
/// The modes are the caller's; an impulse may come out as pulling.
ATEMI_API atemi_status atemi_collision_in_modes(atemi_data *data, const double *q, const double *v,
                                                const atemi_contact_set *set, double *after,
                                                atemi_force          *impulses,
                                                atemi_contact_report *report);

ATEMI_END
