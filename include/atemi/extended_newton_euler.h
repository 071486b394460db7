// SPDX-License-Identifier: Apache-2.0

/// @file
/// The Extended Newton-Euler method as published [ENE]: constrained motion by nothing but repeated
/// inverse dynamics with forces at the contacts.
///
/// Every quantity of the equation of motion is an inverse dynamics: the bias b, the columns of M,
/// the contact directions j_c and j_t. Here for any number of contacts (the paper's future work):
/// f_n becomes a vector and A a matrix. Costs O(v_count^3), about a hundred times
/// atemi_constrained_dynamics_in(), which yields the same numbers. For comparison and for teaching.

#pragma once

#include "atemi/constraint_space.h"
#include "atemi/inverse_dynamics.h"

ATEMI_BEGIN

/// Scratch of the method.
typedef struct atemi_extended_newton_euler_scratch {
    atemi_inverse_dynamics_scratch inverse;
    atemi_kinematics               kinematics;
    struct atemi_contact_row      *rows;
    atemi_force                   *external; ///< [link_count]
    double                        *M;        ///< [v_count x v_count], then its factor
    double                        *motion;   ///< [rows x v_count] j_c
    double                        *force;    ///< [rows x v_count] j_c - j_t K
    double                        *weighted; ///< [rows x v_count] d, M^-1 j_c
    double                        *jacobian; ///< [6 x v_count]
    double                        *A;        ///< [rows x rows]
    double                        *f;        ///< [rows]
    double                        *b;        ///< [v_count]
    double                        *work;     ///< [rows (rows + 2) + v_count]
    int                           *pivot;    ///< [rows]
    int                            max_contacts;
} atemi_extended_newton_euler_scratch;

/// Lays the scratch out on an arena, for up to `max_contacts` contacts.
ATEMI_API atemi_extended_newton_euler_scratch atemi_extended_newton_euler_scratch_take(
    atemi_arena *arena, const atemi_model *model, int max_contacts);

/// Computes accelerations and contact forces: arguments and results as of
/// atemi_constrained_dynamics_in(), without further external forces.
/// @return ATEMI_ERROR_SINGULAR if A is singular: redundant contacts, a kinematic singularity, or
///         jamming by friction; the report then holds the condition number. Never divided through.
ATEMI_API atemi_status atemi_extended_newton_euler_in(const atemi_model *model, const double *q,
                                                      const double *v, const double *tau,
                                                      const atemi_contact *contacts, int count,
                                                      atemi_extended_newton_euler_scratch *scratch,
                                                      double *a, atemi_force *forces,
                                                      atemi_contact_report *report);

ATEMI_END
