// SPDX-License-Identifier: Apache-2.0

/// @file
/// What one unit of each coordinate changes of the motion and of the forces, in blocks of nodes:
/// the vectors that all derivatives are made of. World axes, at the common origin.

#pragma once

#include "atemi/derivatives.h"
#include "dynamics/forces.h"
#include "dynamics/six.h"

/// A linear map from an angular velocity u to a wrench about the node's own origin: the force
/// u x force, and the moment with the rows x, y, z.
typedef struct atemi_turning_block {
    lanes3 force;
    lanes3 x, y, z;
} atemi_turning_block;

/// The letters are those of derivatives.c.
typedef struct atemi_variation_block {
    lanes6 before, before_acceleration; ///< motion of the body in front of the joint
    lanes6 after;                       ///< velocity of the body behind the joint, where S is fixed
    lanes6 velocity_by_q;               ///< Y
    lanes6 acceleration_by_q;           ///< Z
    lanes6 acceleration_by_v;           ///< T
    lanes6 force_by_q;                  ///< of everything the node carries, on the nodes before it
    lanes6 force_by_v;                  ///< likewise
    lanes3 coriolis_row;                ///< C^T S
    lanes3 pull_row;                    ///< K^T S
} atemi_variation_block;

/// Y, Z and T of all nodes, from kinematics with velocities and accelerations.
void atemi_derivatives_vary_motion(const atemi_model *model, atemi_derivatives_scratch *scratch);

/// What the variations need of the bodies by themselves, before they are gathered: needs poses and
/// velocities. The bodies are in `scratch->composites` then.
void atemi_derivatives_bodies(const atemi_model *model, atemi_derivatives_scratch *scratch);

/// Computes the variations from kinematics and forces that atemi_newton_euler() left in the
/// scratch, after the stage above and after gathering and pushing the composites.
void atemi_derivatives_vary(const atemi_model *model, const atemi_force *external,
                            atemi_derivatives_scratch *scratch);

/// Acceleration, factor of M, and variations at that acceleration.
/// @return ATEMI_ERROR_SINGULAR if M is singular
atemi_status atemi_forward_dynamics_vary(const atemi_model *model, const double *q, const double *v,
                                         const double *tau, const atemi_force *external,
                                         atemi_derivatives_scratch *scratch);

/// How a matrix lies in memory, in doubles.
typedef struct atemi_row_layout {
    size_t stride; ///< from a row to the next
    size_t step;   ///< from a block of columns to the next
    size_t size;   ///< of all; what hangs over the end of a row is overwritten by the next row
} atemi_row_layout;

/// Writes the derivatives of tau over nodes with respect to q, v and, unless NULL, a.
void atemi_derivative_rows(const atemi_model *model, const atemi_derivatives_scratch *scratch,
                           atemi_row_layout layout, double *dq, double *dv, double *da);

/// X over the independent rates: G^T X G, G the drives of the nodes.
/// @param X  [node_count] rows of whole blocks
/// @param to [v_count x v_count]
void atemi_derivatives_reduce(const atemi_model *model, const double *X, double *to);

/// Writes a pack, or as much of it as there is room for.
static inline void atemi_put_cut(double *to, size_t room, pack value)
{
    if (room >= ATEMI_LANES) {
        pack_put(to, value);
    } else {
        memcpy(to, &value, room * sizeof *to);
    }
}
