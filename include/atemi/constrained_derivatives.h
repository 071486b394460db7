// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. Exact derivatives of the dynamics of a robot in contact, and of impulses, while
/// every contact keeps its mode.
///
/// A contact's point is fixed in its link; its normal, its asked accelerations and, if `directed`,
/// its direction of sliding are fixed in the world. Where the velocity decides the direction of
/// sliding, that turns with q and v. Matrices and changes of the configuration are those of
/// atemi/derivatives.h.

#pragma once

#include "atemi/collision.h"
#include "atemi/derivatives.h"

ATEMI_BEGIN

/// Scratch of both algorithms, for up to `max_contacts` contacts.
typedef struct atemi_constrained_derivatives_scratch atemi_constrained_derivatives_scratch;

/// Lays the scratch out on an arena, for up to `max_contacts` contacts, at most
/// ATEMI_CONTACT_MAX_COUNT.
/// @return NULL while measuring
ATEMI_API atemi_constrained_derivatives_scratch *
atemi_constrained_derivatives_take(atemi_arena *arena, const atemi_model *model, int max_contacts);

/// What is found; every array but those of the accelerations may be NULL.
typedef struct atemi_constrained_derivatives {
    double      *a;           ///< [v_count] accelerations (velocities after an impulse), or NULL
    atemi_force *forces;      ///< [count] contact forces (impulses), or NULL
    double      *dq;          ///< [v_count x v_count] of a with respect to the configuration
    double      *dv;          ///< [v_count x v_count] with respect to v
    double      *dtau;        ///< [v_count x v_count] with respect to tau
    double      *forces_dq;   ///< [6 count x v_count] of the contact forces, six rows a contact
    double      *forces_dv;   ///< likewise
    double      *forces_dtau; ///< likewise
} atemi_constrained_derivatives;

/// Derivatives of atemi_constrained_dynamics().
///
/// @param contacts as there
/// @param result   what its arrays point to is written. Forces are in world axes, at the contact's
///                 point. Where contacts are redundant, their sum is exact, and single forces
///                 change as little as they can.
/// @return as atemi_constrained_dynamics(); after an error the results are not touched
///
/// Does not allocate.
ATEMI_API atemi_status atemi_constrained_dynamics_derivatives(
    const atemi_model *model, const double *q, const double *v, const double *tau,
    const atemi_force *external, const atemi_contact *contacts, int count,
    atemi_constrained_derivatives_scratch *scratch, const atemi_constrained_derivatives *result);

/// Derivatives of atemi_collision_in_modes(): `a` is the velocity after the impulse, `forces` are
/// impulses, and the arrays with respect to tau are not touched.
///
/// @param restitution as there
/// @return as atemi_collision_in_modes(); after an error the results are not touched
///
/// Does not allocate.
ATEMI_API atemi_status atemi_impulse_derivatives(const atemi_model *model, const double *q,
                                                 const double *v, const atemi_contact *contacts,
                                                 int count, double restitution,
                                                 atemi_constrained_derivatives_scratch *scratch,
                                                 const atemi_constrained_derivatives   *result);

ATEMI_END
