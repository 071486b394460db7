// SPDX-License-Identifier: Apache-2.0

/// @file
/// Constrained dynamics for callers that have the memory themselves, and for those that look at the
/// kinematics before they know the contacts.

#pragma once

#include "atemi/contact.h"
#include "contact/constraint_space.h"
#include "dynamics/inverse_dynamics.h"

/// Scratch of forward dynamics with contacts; holds the result's arrays.
typedef struct atemi_constrained_dynamics_scratch {
    atemi_inverse_dynamics_scratch bias;
    atemi_mass_factor              factor;
    atemi_constraint_space         space;
    double                        *load; ///< [v_count] tau - h
} atemi_constrained_dynamics_scratch;

/// Lays the scratch out on an arena, for contacts that have no more rows than that together.
atemi_constrained_dynamics_scratch
atemi_constrained_dynamics_scratch_take_rows(atemi_arena *arena, const atemi_model *model,
                                             int max_contacts, int max_rows);

/// What moves the robot without contacts, tau - h, into `scratch->load`, and the factor of M. Poses
/// and, if `moving`, velocities are in `scratch->bias.kinematics` already; afterwards the
/// accelerations of inverse dynamics with a = 0 are there too.
/// @return ATEMI_ERROR_SINGULAR if M is singular
atemi_status atemi_constrained_dynamics_load(const atemi_model *model, bool moving,
                                             const double *tau, const atemi_force *external,
                                             atemi_constrained_dynamics_scratch *scratch);

/// The same with the factor of M + `ahead` times the diagonal matrix `damping` [v_count].
atemi_status atemi_constrained_dynamics_load_damped(const atemi_model *model, const double *tau,
                                                    const atemi_force *external, double ahead,
                                                    const double                       *damping,
                                                    atemi_constrained_dynamics_scratch *scratch);

/// What contacts make of that. `report` is not NULL.
atemi_status atemi_constrained_dynamics_answer(const atemi_model *model, bool moving,
                                               const atemi_contact_set            *set,
                                               atemi_constrained_dynamics_scratch *scratch,
                                               double *a, atemi_force *forces,
                                               atemi_contact_report *report);

/// As atemi_constrained_dynamics(), in the scratch.
atemi_status atemi_constrained_dynamics_in(const atemi_model *model, const double *q,
                                           const double *v, const double *tau,
                                           const atemi_force   *external,
                                           const atemi_contact *contacts, int count,
                                           atemi_constrained_dynamics_scratch *scratch, double *a,
                                           atemi_force *forces, atemi_contact_report *report);

/// As atemi_contact_forces_add(), at kinematics of the caller's.
void atemi_contact_forces_add_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                 const atemi_contact *contacts, const atemi_force *forces,
                                 int count, atemi_force *external);
