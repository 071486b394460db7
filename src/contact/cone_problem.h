// SPDX-License-Identifier: Apache-2.0

/// @file
/// The cone problem: impulses of points that may push but not pull, and rub no harder than friction
/// allows.

#pragma once

#include "atemi/spatial.h"

#include <stddef.h>

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
/// @param room      atemi_cone_problem_room() doubles, and `pivot` [3 count]
/// @param p         [3 count] a guess before, the answer after the call: where points are redundant
///                  one that is near the guess
/// @return the largest violation that is left
double atemi_cone_problem_solve(int count, const double *A, const double *c,
                                const atemi_cone *cones, double tolerance, double *room, int *pivot,
                                double *p);

/// What so many points take.
size_t atemi_cone_problem_room(int count);

/// One attempt by Newton's method, from p, which moves only as far as that helps.
/// @param room [9 count^2 + 12 count]
/// @return what is left of the conditions, in the units of u
double atemi_cone_newton(int count, const double *A, const double *c, const atemi_cone *cones,
                         double tolerance, double *room, int *pivot, double *p);
