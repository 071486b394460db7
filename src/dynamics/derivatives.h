// SPDX-License-Identifier: Apache-2.0

/// @file
/// What one unit of each coordinate changes of the motion and of the forces, in blocks of nodes:
/// the vectors that all derivatives are made of. World axes, at the common origin.

#pragma once

#include "atemi/derivatives.h"
#include "dynamics/composites.h"
#include "dynamics/forces.h"

/// A motion or a force of a block of nodes.
typedef struct lanes6 {
    lanes3 linear, angular;
} lanes6;

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

/// Computes the variations from kinematics and forces that atemi_newton_euler() left in the
/// scratch.
void atemi_derivatives_at(const atemi_model *model, const atemi_force *external,
                          atemi_derivatives_scratch *scratch);

/// Writes the derivatives of tau with respect to q, v and a over nodes, rows `stride` apart, each
/// of `size` doubles in all. What hangs over the end of a row is overwritten by the next row.
void atemi_derivative_rows(const atemi_model *model, const atemi_derivatives_scratch *scratch,
                           size_t stride, size_t size, double *dq, double *dv, double *da);
