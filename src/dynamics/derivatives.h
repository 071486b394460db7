// SPDX-License-Identifier: Apache-2.0

/// @file
/// What one unit of each coordinate changes of the motion and of the forces, in blocks of nodes:
/// the vectors that all derivatives are made of. World axes, at the common origin.

#pragma once

#include "atemi/derivatives.h"
#include "dynamics/forces.h"
#include "dynamics/inverse_dynamics.h"
#include "dynamics/mass_matrix.h"
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

struct atemi_derivatives_scratch {
    atemi_inverse_dynamics_scratch inverse;    ///< accelerations are relative to free fall
    struct atemi_composite_block  *composites; ///< everything that a node carries, as one body
    struct atemi_turning_block    *coriolis;   ///< force of a composite by an angular velocity
    struct atemi_turning_block    *pull;       ///< external force by a rotation
    struct atemi_variation_block  *variations;
    atemi_mass_factor              factor;  ///< of M, for forward dynamics
    int                           *lasts;   ///< [node_count] last node of the joint
    double                        *still;   ///< [v_count] zeros
    double                        *tau;     ///< [v_count]
    double                        *a;       ///< [v_count] result of forward dynamics
    double                        *rows;    ///< of robots with coupled joints, over nodes
    double                        *sides;   ///< right sides for the factor of M
    atemi_vec3                     gravity; ///< in effect
    bool                           pulled;  ///< some link has an external wrench
};

/// Lays the scratch out on an arena.
atemi_derivatives_scratch atemi_derivatives_scratch_take(atemi_arena       *arena,
                                                         const atemi_model *model);

/// As atemi_derivatives_scratch_take(), with kinematics, forces and factor that another algorithm
/// fills as well.
atemi_derivatives_scratch atemi_derivatives_scratch_take_on(atemi_arena                   *arena,
                                                            const atemi_model             *model,
                                                            atemi_inverse_dynamics_scratch inverse,
                                                            atemi_mass_factor              factor);

/// Y, Z and T of all nodes, from kinematics with velocities and accelerations.
void atemi_derivatives_vary_motion(const atemi_model *model, atemi_derivatives_scratch *scratch);

/// What the variations need of the bodies by themselves, before they are gathered: needs poses and
/// velocities. The bodies are in `scratch->composites` then.
void atemi_derivatives_bodies(const atemi_model *model, atemi_derivatives_scratch *scratch);

/// K of the wrenches on links; NULL for none.
void atemi_derivatives_pull(const atemi_model *model, const atemi_force *external,
                            atemi_derivatives_scratch *scratch);

/// Adds K of one more wrench, at a point of a link.
void atemi_derivatives_pull_at(const atemi_model *model, int link, atemi_vec3 point,
                               const atemi_force *wrench, atemi_derivatives_scratch *scratch);

/// Computes the variations from kinematics and forces that atemi_newton_euler() left in the
/// scratch, after the stages above and after gathering and pushing the composites.
void atemi_derivatives_vary(const atemi_model *model, atemi_derivatives_scratch *scratch);

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
static inline void atemi_put_cut(double *to, size_t left, pack value)
{
    if (left >= ATEMI_LANES) {
        pack_put(to, value);
    } else {
        memcpy(to, &value, left * sizeof *to);
    }
}

/// The matrix (da/dq, da/dv, da/dtau), blocks of the same columns of the three parts side by side.
enum { ATEMI_SIDES_PARTS = 3 };
typedef struct atemi_right_sides {
    double *X;
    size_t  stride; ///< of rows: ATEMI_SIDES_PARTS blocks of ATEMI_LANES for each block of columns
    int     n, blocks;
} atemi_right_sides;

/// -M^-1 (dtau/dq, dtau/dv, -1), from the variations and the factor of M.
atemi_right_sides atemi_right_sides_solve(const atemi_model         *model,
                                          atemi_derivatives_scratch *scratch);

/// One of the parts as a plain matrix.
/// @param to [v_count x v_count]
void atemi_right_sides_read(const atemi_right_sides *sides, int part, double *to);
