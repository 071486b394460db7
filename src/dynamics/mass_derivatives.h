// SPDX-License-Identifier: Apache-2.0

/// @file
/// How the mass matrix and the Jacobians of links change with the configuration, along several
/// directions at once: each entry has a row of derivatives, one for each direction, padded to
/// `stride`.

#pragma once

#include "dynamics/composites.h"

/// What moves along the directions; the letters are those of mass_derivatives.c.
typedef struct atemi_mass_derivatives {
    int                    stride;
    atemi_composite_block *bodies;
    int                   *lasts;  ///< [node_count] last node of the joint
    double                *moves;  ///< X [node_count x 6 x stride]
    double                *axes;   ///< dS [node_count x 6 x stride]
    double                *first;  ///< [node_count x 3] h
    double                *second; ///< [node_count x 6] B: xx, yy, zz, yz, xz, xy
    double                *mass;   ///< [node_count]
    double                *first_moves, *second_moves; ///< dh, dB [node_count x 3, 6 x stride]
} atemi_mass_derivatives;

/// Lays it out on an arena.
atemi_mass_derivatives atemi_mass_derivatives_take(atemi_arena *arena, const atemi_model *model,
                                                   int stride);

/// How bodies and joint axes move.
/// @param kinematics at the configuration, with poses
/// @param dq         [v_count x stride] changes of the configuration
void atemi_mass_derivatives_update(const atemi_model *model, const atemi_kinematics *kinematics,
                                   const double *dq, atemi_mass_derivatives *d);

/// The derivatives of M; after the update.
/// @param dM [v_count x v_count x stride] result
void atemi_mass_derivatives_fill(const atemi_model *model, const atemi_kinematics *kinematics,
                                 const atemi_mass_derivatives *d, double *dM);

/// The derivatives of the Jacobian of a point of a link, of its first rows; after the update.
/// @param point in the link's frame
/// @param rows  6, or 3 for the linear part alone
/// @param dJ    [rows x v_count x stride] result
void atemi_frame_derivatives_fill(const atemi_model *model, const atemi_kinematics *kinematics,
                                  int link, atemi_vec3 point, int rows,
                                  const atemi_mass_derivatives *d, double *dJ);
