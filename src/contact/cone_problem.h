// SPDX-License-Identifier: Apache-2.0

/// @file
/// The cone problem: impulses of points that may push but not pull, and rub no harder than friction
/// allows.

#pragma once

#include "atemi/math.h"

#include <stdbool.h>
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
/// @param freedoms  the rank of A at most
/// @param room      atemi_cone_problem_room() doubles, and `pivot` [3 count]
/// @param p         [3 count] a guess before, the answer after the call: where points are redundant
///                  one that is near the guess
/// @return the largest violation that is left
///
/// A step is O(count^3) for few points, O(count^2 + count freedoms^2) for more than
/// ATEMI_CONE_MOST_DENSE. Does not allocate.
double atemi_cone_problem_solve(int count, int freedoms, const double *A, const double *c,
                                const atemi_cone *cones, double tolerance, double *room, int *pivot,
                                double *p);

/// What up to so many points take.
size_t atemi_cone_problem_room(int count, int freedoms);

/// Up to so many points a step solves for all impulses, beyond for what they do to the robot.
enum { ATEMI_CONE_MOST_DENSE = 32 };

/// What Newton's method is about: A + the diagonal matrix `added`, and c.
typedef struct atemi_cone_system {
    int               count;
    const double     *A, *c;
    const atemi_cone *cones;
    const double     *added;  ///< [count] for the three elements of each point; NULL for none
    const double     *factor; ///< [rank x 3 count] L with A = L^T L; NULL: solved without it
    int               rank;
} atemi_cone_system;

/// Finds L with A = L^T L.
/// @param A [n x n] symmetric, positive semidefinite
/// @param L [most_rank x n] result
/// @param left [n] room
/// @return its rank
int atemi_cone_factor(int n, const double *A, int most_rank, double *L, double *left);

/// Solves (k (1 - P) + P (A + added)) x = F by the factor of A, for the blocks P and scalars k of
/// the points, see cone_newton.c.
/// @param slopes [count] P
/// @param k      [count]
/// @param room   [rank (rank + 1)], and `pivot` [rank]
/// @param x      [3 count] F before, the solution after the call
/// @return false where there is none
bool atemi_cone_factored_solve(const atemi_cone_system *system, const atemi_mat3 *slopes,
                               const double *k, double *room, int *pivot, double *x);

/// One attempt by Newton's method, from p, which moves only as far as that helps.
/// @param room atemi_cone_newton_room() doubles
/// @return what is left of the conditions, in the units of u
double atemi_cone_newton(const atemi_cone_system *system, double tolerance, double *room,
                         int *pivot, double *p);
size_t atemi_cone_newton_room(int count, int rank, bool factored);
