// SPDX-License-Identifier: Apache-2.0

/// @file
/// How torques and ground forces of a robot that stands change with its motion, along several
/// directions at once: each quantity has a row of derivatives, padded to `stride`.

#pragma once

#include "contact/stance.h"
#include "dynamics/derivatives.h"

/// What is needed to find them, for points up to a number and rows of a length.
typedef struct stance_derivatives {
    atemi_derivatives_scratch derivatives;
    int                       stride;
    atemi_force              *loads;             ///< [link_count]
    double                   *dq, *dv, *da;      ///< [v_count x v_count]
    double                   *rows;              ///< [6 x v_count]
    double                   *moves, *rotations; ///< [points x 3 x stride], [3 x stride]
    double                   *wrench;            ///< [6 x stride]
} stance_derivatives;

stance_derivatives stance_derivatives_take(atemi_arena *arena, const atemi_model *model,
                                           int max_points, int stride);

/// The change of motion along each direction.
typedef struct stance_change {
    const double *dq, *dv, *da; ///< [v_count x stride]
} stance_change;

/// The derivatives of what atemi_stance_dynamics() finds.
///
/// @param v, a    not NULL
/// @param points  [count] level
/// @param forces  [count] as found, all of them pushing
/// @param dtau    [v_count x stride] result
/// @param dforces [count x 3 x stride] result
void stance_derivatives_find(const atemi_model *model, const double *q, const double *v,
                             const double *a, const atemi_contact_point *points, int count,
                             const atemi_vec3 *forces, const stance_change *change,
                             stance_derivatives *work, double *dtau, double *dforces);
