// SPDX-License-Identifier: Apache-2.0

/// @file
/// The cone problem: impulses of points that may push but not pull, and rub no harder than friction
/// allows; and of joints, which keep to an interval (stops, dry friction).

#pragma once

#include "atemi/math.h"

#include <stdbool.h>
#include <stddef.h>

/// A point in touch.
typedef struct atemi_cone {
    atemi_vec3 normal;
    double     friction;
} atemi_cone;

/// What the impulse of one row may be: [0, infinity) at a stop, [-most, most] in a joint that rubs.
typedef struct atemi_interval {
    double lower, upper;
} atemi_interval;

/// Impulses p and motions  u = A p + c  such that for every point, along its normal (n) and across
/// it (t):
///
///     u_n >= 0,   p_n >= 0,   u_n p_n = 0
///     |p_t| <= friction p_n,  and  p_t = -friction p_n u_t / |u_t|  where u_t is not zero
///
/// and for every interval:
///
///     lower <= p <= upper,  and  p = lower where u > 0,  p = upper where u < 0
///
/// Each point has three rows, of world axes; the rows of the intervals follow.
typedef struct atemi_cone_problem {
    int                   points, intervals;
    int                   freedoms;  ///< the rank of A at most
    const double         *A;         ///< [rows x rows] symmetric, positive semidefinite
    const double         *c;         ///< [rows] the motion without impulses
    const atemi_cone     *cones;     ///< [points]
    const atemi_interval *bounds;    ///< [intervals]
    double                tolerance; ///< on the violation of the conditions, in the units of u
    /// A violation that will do after the first round, and ten times of it after this many; 0: only
    /// the tolerance will.
    double enough;
    int    rounds;
} atemi_cone_problem;

/// 3 points + intervals
int atemi_cone_problem_rows(const atemi_cone_problem *problem);

/// Solves it.
/// @param scratch  atemi_cone_problem_scratch_size() doubles, and `pivot` [rows]
/// @param p     [rows] a guess before, the answer after the call: where rows are redundant one that
///              is near the guess
/// @return the largest violation that is left
///
/// A step is O(rows^3) for few points, O(rows^2 + rows freedoms^2) for more than
/// ATEMI_CONE_MOST_DENSE. Does not allocate.
double atemi_cone_problem_solve(const atemi_cone_problem *problem, double *scratch, int *pivot,
                                double *p);

/// What up to so many points and intervals take.
size_t atemi_cone_problem_scratch_size(int points, int intervals, int freedoms);

/// Up to so many points a step solves for all impulses, beyond for what they do to the robot.
enum { ATEMI_CONE_MOST_DENSE = 32 };

/// What Newton's method is about: A + the diagonal matrix `added`, and c.
typedef struct atemi_cone_system {
    int                   points, intervals;
    const double         *A, *c;
    const atemi_cone     *cones;
    const atemi_interval *bounds;
    const double         *added;  ///< [points + intervals] on the diagonal of each; NULL for none
    const double         *factor; ///< [rank x rows] L with A = L^T L; NULL: solved without it
    int                   rank;
} atemi_cone_system;

/// How the projections of points and intervals move with what is projected, see cone_newton.c.
typedef struct atemi_cone_slopes {
    atemi_mat3 *points;    ///< [points] P
    double     *intervals; ///< [intervals] P, which is 0 or 1
    double     *k;         ///< [points + intervals]
} atemi_cone_slopes;

/// Finds L with A = L^T L.
/// @param A [n x n] symmetric, positive semidefinite
/// @param L [most_rank x n] result
/// @param left [n] scratch
/// @return its rank
int atemi_cone_factor(int n, const double *A, int most_rank, double *L, double *left);

/// Solves (k (1 - P) + P (A + added)) x = F by the factor of A.
/// @param scratch   [rank (rank + 1)], and `pivot` [rank]
/// @param x      [rows] F before, the solution after the call
/// @return false where there is none
bool atemi_cone_factored_solve(const atemi_cone_system *system, const atemi_cone_slopes *slopes,
                               double *scratch, int *pivot, double *x);

/// One attempt by Newton's method, from p, which moves only as far as that helps.
/// @param scratch atemi_cone_newton_scratch_size() doubles
/// @return what is left of the conditions, in the units of u
double atemi_cone_newton(const atemi_cone_system *system, double tolerance, double *scratch,
                         int *pivot, double *p);
size_t atemi_cone_newton_scratch_size(int rows, int rank, bool factored);
