// SPDX-License-Identifier: Apache-2.0

/// @file
/// A robot seen from any of its links: that link is fixed to the world, and the root of the tree
/// goes where the joints take it ([R2]: the base frame of the kinematic chain).
///
///     v = (rates u; u)        for joint rates u the whole robot moves so that the link rests
///     torques = P^T tau,  inertia = P^T M P,  P = (rates; 1)
///
/// The model has a floating base, or a fixed one and then its root is the only base there is. All
/// functions read the joints of q and write what of it belongs to the base of the model. Vectors of
/// joints have v_count entries as everywhere; those of the model's base are zero in results.

#pragma once

#include "dynamics/inverse_dynamics.h"
#include "dynamics/mass_matrix.h"

#include <stdbool.h>

/// The link that is fixed to the world.
typedef struct atemi_base_frame {
    int             link;
    atemi_transform pose; ///< of the link in the world
} atemi_base_frame;

/// Whether the model can be fixed to the world by this link.
bool atemi_base_frame_fits(const atemi_model *model, int link);

/// Scratch of atemi_base_frame_place() and what follows from it.
typedef struct atemi_base_frame_scratch {
    atemi_kinematics               kinematics; ///< of the last posture, without velocities
    double                        *rates;      ///< [6 x v_count] of the model's base, see above
    double                        *jacobian;   ///< [6 x v_count]
    atemi_inverse_dynamics_scratch inverse;
    atemi_mass_matrix_scratch      mass;
    double                        *M;       ///< [v_count x v_count]
    double                        *v, *a;   ///< [v_count]
    bool                           settled; ///< the model's base does not move
} atemi_base_frame_scratch;

/// Lays the scratch out on an arena.
atemi_base_frame_scratch atemi_base_frame_scratch_take(atemi_arena       *arena,
                                                       const atemi_model *model);

/// Moves the model's base so that the link is where it shall be. The scratch then has the
/// kinematics of q, and the rates of the model's base.
void atemi_base_frame_place(const atemi_model *model, const atemi_base_frame *frame,
                            atemi_base_frame_scratch *scratch, double *q);

/// J with  (velocity of the point, angular velocity of the link) = J u, in world axes, at the
/// posture that was placed last.
/// @param point in the link's frame
/// @param J     [6 x v_count] row-major
void atemi_base_frame_jacobian(const atemi_model *model, int link, atemi_vec3 point,
                               const atemi_base_frame_scratch *scratch, double *J);

/// The torques that accelerate the joints, without gravity: the first of the two passes of [R2].
/// @param q  [q_count] joints are read, the model's base is placed
/// @param u  [v_count] rates of the joints
/// @param du [v_count] accelerations of the joints
/// @param tau [v_count] result
void atemi_base_frame_inertia_torques(const atemi_model *model, const atemi_base_frame *frame,
                                      const double *u, const double *du,
                                      atemi_base_frame_scratch *scratch, double *q, double *tau);

/// The torques that hold the joints against gravity: the second pass.
/// @param gravity m/s^2, in the world
void atemi_base_frame_gravity_torques(const atemi_model *model, const atemi_base_frame *frame,
                                      atemi_vec3 gravity, atemi_base_frame_scratch *scratch,
                                      double *q, double *tau);

/// What moves the joints and bears the robot, M a + h with gravity, v and a those of the whole
/// robot for which the link rests: the rows of the model's base are what the world exerts on the
/// robot.
/// @param loads [v_count] result
void atemi_base_frame_loads(const atemi_model *model, const atemi_base_frame *frame,
                            const double *u, const double *du, atemi_vec3 gravity,
                            atemi_base_frame_scratch *scratch, double *q, double *loads);

/// The effective inertia of every joint: what it moves if the others keep still, the diagonal of
/// P^T M P. Rotors count.
/// @param inertias [v_count] result
void atemi_base_frame_effective_inertias(const atemi_model *model, const atemi_base_frame *frame,
                                         atemi_base_frame_scratch *scratch, double *q,
                                         double *inertias);
