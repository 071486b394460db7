// SPDX-License-Identifier: Apache-2.0

/// @file
/// A bump with everything that rests or touches: which points push, stick, slip or leave is part of
/// the answer. (For bumps whose modes are known see atemi/impulse.h.)
///
///     M(q) (v' - v) = sum of J_i^T p_i
///
/// and at every point, with u its velocity before and u' after, n along the normal and t across it:
///
///     p_n >= 0,   u'_n >= -restitution u_n,   one of both with equality     (Newton)
///     |p_t| <= friction p_n,   against u'_t and of full size where that is not zero     (Coulomb)

#pragma once

#include "atemi/constraint_space.h"

ATEMI_BEGIN

/// Scratch of atemi_collision_in().
typedef struct atemi_collision_scratch {
    atemi_kinematics       kinematics;
    atemi_mass_factor      factor;
    atemi_constraint_space space;
    atemi_contact         *points;   ///< [max_contacts]
    struct atemi_cone     *cones;    ///< [max_contacts]
    double                *before;   ///< [3 max_contacts] velocities of the points
    double                *motion;   ///< [3 max_contacts] what the cone problem starts from
    double                *impulses; ///< [3 max_contacts]
    double                *room;     ///< for the solver
} atemi_collision_scratch;

/// Lays the scratch out on an arena, for up to `max_contacts` points, at most
/// ATEMI_CONTACT_MAX_COUNT.
ATEMI_API atemi_collision_scratch atemi_collision_scratch_take(atemi_arena       *arena,
                                                               const atemi_model *model,
                                                               int                max_contacts);

/// What a bump did.
typedef struct atemi_collision_report {
    double energy;    ///< that the robot gained, J: never positive beyond rounding
    double violation; ///< of the conditions above, m/s: how exact the answer is
    /// By what the restitution had to be reduced so that energy does not grow: with friction at
    /// several points Newton's law alone may create energy. 1 if it was not.
    double bounce;
} atemi_collision_report;

/// Computes the velocity after the bump.
///
/// @param v           [v_count] before
/// @param contacts    [count] points in touch, at rest or approaching; `mode` is not looked at
/// except
///                    that open ones are passed over, `friction` bounds the impulse
/// @param restitution [count] 0 to 1, or NULL for none
/// @param after       [v_count] result; may alias `v`
/// @param impulses    [count] on the robot at each point, world axes, N s
/// @param report      or NULL
///
/// @return ATEMI_ERROR_SINGULAR if a joint moves no mass, and then the results are not touched:
///         atemi_mass_factor_check() of the scratch's factor names the joint
///
/// Points may be redundant (a box on four corners): motions are unique, impulses then one of many.
/// Iterative, with an accuracy of about 1e-12 of the speeds. No allocation.
ATEMI_API atemi_status atemi_collision_in(const atemi_model *model, const double *q,
                                          const double *v, const atemi_contact *contacts, int count,
                                          const double            *restitution,
                                          atemi_collision_scratch *scratch, double *after,
                                          atemi_vec3 *impulses, atemi_collision_report *report);

ATEMI_END
