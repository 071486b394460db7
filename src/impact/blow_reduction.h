// SPDX-License-Identifier: Apache-2.0

/// @file
/// The frozen system in coordinates where it is a chain, for servos of one time constant.

#pragma once

#include "impact/blow_parts.h"

/// K = ratio D on every axis. Row j of `torques` is a pattern of torques u_j, and
/// row j of `motions` is C u_j. With D as weight the patterns are orthonormal,
///
///     u_i^T D^-1 u_j = (i == j),   u_i^T C u_j = T (tridiagonal),   u_1^T c = touch, u_j^T c = 0
typedef struct atemi_blow_reduction {
    bool    holds; ///< otherwise there is none
    int     count; ///< of patterns; torques beside them move nothing
    double  ratio, touch;
    double *torques, *motions; ///< [count x stride]
    double *diagonal, *off;    ///< of T; off[i] is T_(i, i - 1)
    double *work, *shares;     ///< [stride]

    atemi_blow_operations *operations; ///< where they are counted
} atemi_blow_reduction;

/// Lays it out.
atemi_blow_reduction atemi_blow_reduction_take(const atemi_blow_problem *problem,
                                               atemi_blow_vectors       *vectors);

/// Finds the chain of these axes, which all have D.
void atemi_blow_reduction_find(const atemi_virtual_base *base, const double *D, double ratio,
                               const int *axes, int axis_count, atemi_blow_reduction *reduction);

/// u_j . x for every j.
void atemi_blow_reduce(const atemi_blow_reduction *reduction, int stride, const double *x,
                       double *reduced);
