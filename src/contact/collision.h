// SPDX-License-Identifier: Apache-2.0

/// @file
/// Collisions for callers that have the memory themselves, or kinematics and mass factor already.

#pragma once

#include "atemi/contact.h"
#include "contact/constraint_space.h"

/// Scratch of atemi_collision_in().
typedef struct atemi_collision_scratch {
    atemi_kinematics       kinematics;
    atemi_mass_factor      factor;
    atemi_constraint_space space;
    atemi_contact         *points;                  ///< [max_contacts]
    struct atemi_cone     *cones;                   ///< [max_contacts]
    struct atemi_interval *bounds;                  ///< [holds and rows of loops]
    atemi_joint_hold      *holds;                   ///< the caller's, under way
    int                    point_count, hold_count; ///< three rows each, one row each
    int                    loop_rows;               ///< of all loops
    double                *before;                  ///< [rows] velocities of points and holds
    double                *motion;                  ///< [rows] what the cone problem starts from
    double                *impulses;                ///< [rows]
    double                *scratch;                 ///< for the solver
} atemi_collision_scratch;

/// Lays the scratch out on an arena, for contacts of which no more than `max_closed` are not open,
/// for holds, and for loops of so many rows.
atemi_collision_scratch atemi_collision_scratch_take_closed(atemi_arena       *arena,
                                                            const atemi_model *model,
                                                            int max_contacts, int max_closed,
                                                            int max_holds, int max_loop_rows);

/// The same without kinematics, factor and scratch, and with a constraint space of `max_rows`;
/// holds count as contacts that are closed, loops as two.
atemi_collision_scratch atemi_collision_scratch_take_at(atemi_arena       *arena,
                                                        const atemi_model *model, int max_contacts,
                                                        int max_closed, int max_rows);

/// As atemi_collision(), in the scratch.
atemi_status atemi_collision_in(const atemi_model *model, const double *q, const double *v,
                                const atemi_contact_set *set, atemi_collision_scratch *scratch,
                                double *after, atemi_vec3 *impulses,
                                atemi_collision_report *report);

/// As atemi_collision() without restitution, of which only the points' velocities are wanted.
///
/// @param kinematics poses and velocities
/// @param v          those velocities
/// @param set        the `force` of a hold is a guess before
/// @param impulses   [count] a guess before, the answer after the call
/// @param velocities [count] of the points afterwards, result; zero for open contacts
void atemi_collision_velocities(const atemi_model *model, const atemi_kinematics *kinematics,
                                const atemi_mass_factor *factor, const double *v,
                                const atemi_contact_set *set, atemi_collision_scratch *scratch,
                                atemi_vec3 *impulses, atemi_vec3 *velocities);

/// As atemi_collision_in_modes(), at kinematics with velocities; the factor is computed on the way.
/// `restitution` is that of all contacts if the set has none; `report` is not NULL.
atemi_status atemi_collision_modes_at(const atemi_model *model, const atemi_kinematics *k,
                                      atemi_mass_factor *factor, const double *v,
                                      const atemi_contact_set *set, double restitution,
                                      atemi_constraint_space *space, double *after,
                                      atemi_force *impulses, atemi_contact_report *report);
