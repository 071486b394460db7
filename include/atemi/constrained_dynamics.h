// SPDX-License-Identifier: Apache-2.0

/// @file
/// Forward dynamics of a robot in contact: accelerations and contact forces together.
///
///     M(q) a + h(q, v) = tau + G^T f,      J a + dJ/dt v = target
///
/// The rows of J say which motions the contacts forbid; G = J but for slipping contacts, whose
/// friction is tied to the normal force: G = (n - K t)^T J_point. Solved by the sparse factor of M
/// and the constraint-space matrix A = J M^-1 G^T, which is unsymmetric while anything slips:
/// [ENE] eq. 10, 12 and 21 for any number of contacts.

#pragma once

#include "atemi/constraint_space.h"
#include "atemi/inverse_dynamics.h"

ATEMI_BEGIN

/// Scratch of forward dynamics with contacts; holds the result's arrays.
typedef struct atemi_constrained_dynamics_scratch {
    atemi_inverse_dynamics_scratch bias;
    atemi_mass_factor              factor;
    atemi_constraint_space         space;
    double                        *load; ///< [v_count] tau - h
} atemi_constrained_dynamics_scratch;

/// Lays the scratch out on an arena, for up to `max_contacts` contacts, at most
/// ATEMI_CONTACT_MAX_COUNT.
ATEMI_API atemi_constrained_dynamics_scratch atemi_constrained_dynamics_scratch_take(
    atemi_arena *arena, const atemi_model *model, int max_contacts);

/// Computes accelerations and contact forces in state `(q, v)` under the torques `tau`.
///
/// @param v        [v_count] or NULL for rest
/// @param tau      [v_count] or NULL for none
/// @param external [link_count] further forces, as in atemi_inverse_dynamics_in(), or NULL
/// @param contacts [count] open ones are passed over
/// @param a        [v_count] result; may alias `tau` or `v`
/// @param forces   [count] force and moment on the robot at each contact's point, world axes
/// @param report   or NULL; filled in any case
/// @return ATEMI_ERROR_SINGULAR if the contacts contradict each other, a slipping contact jams, or
///         M itself is singular (atemi_mass_factor_check() of the scratch's factor names the
///         joint); then the results are not touched
///
/// Redundant contacts (four points of a flat foot) share their force with the least sum of squares.
/// Contacts may pull here: whether they let go is the business of the caller. No allocation.
ATEMI_API atemi_status atemi_constrained_dynamics_in(const atemi_model *model, const double *q,
                                                     const double *v, const double *tau,
                                                     const atemi_force   *external,
                                                     const atemi_contact *contacts, int count,
                                                     atemi_constrained_dynamics_scratch *scratch,
                                                     double *a, atemi_force *forces,
                                                     atemi_contact_report *report);

/// Adds contact forces to what acts on the links, for inverse dynamics and joint wrenches.
///
/// @param kinematics poses of the same configuration
/// @param external   [link_count] added to
ATEMI_API void atemi_contact_forces_add_in(const atemi_model      *model,
                                           const atemi_kinematics *kinematics,
                                           const atemi_contact *contacts, const atemi_force *forces,
                                           int count, atemi_force *external);

ATEMI_END
