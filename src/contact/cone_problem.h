// SPDX-License-Identifier: Apache-2.0

/// @file
/// The cone problem: impulses of points that may push but not pull, and rub no harder than friction
/// allows.

#pragma once

#include "atemi/spatial.h"

/// A point in touch.
typedef struct atemi_cone {
    atemi_vec3 normal;
    double     friction;
} atemi_cone;

/// Finds p with  u = A p + c  such that for every point, along its normal (n) and across it (t):
///
///     u_n >= 0,   p_n >= 0,   u_n p_n = 0
///     |p_t| <= friction p_n,  and  p_t = -friction p_n u_t / |u_t|  where u_t is not zero
///
/// @param A         [3 count x 3 count] symmetric, positive semidefinite, world axes
/// @param c         [3 count] the motion of the points without impulses
/// @param tolerance on the violation of the conditions, in the units of u
/// @param sweeps    at most
/// @param room      [3 count]
/// @param p         [3 count] a guess before, the answer after the call
/// @return the largest violation that is left
double atemi_cone_problem_solve(int count, const double *A, const double *c,
                                const atemi_cone *cones, double tolerance, int sweeps, double *room,
                                double *p);

/// Takes an approximate answer to full accuracy, in a few steps of Newton's method.
/// @param scale of the stiffness that weighs impulses against motions: any positive number; where
///              one leads nowhere another may
/// @param work  [18 count^2 + 24 count] and `pivot` [3 count]: room
/// @return what is left of the conditions, in the units of u
double atemi_cone_problem_refine(int count, const double *A, const double *c,
                                 const atemi_cone *cones, double scale, double tolerance,
                                 double *work, int *pivot, double *p);
