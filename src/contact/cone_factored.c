// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "contact/cone_problem.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// Many points move with few freedoms: A = L^T L with L [rank x 3 count], found row by row, from the
// point's direction that is least accounted for so far, relative to its own element of A:
//
//   L_k = (A_p - sum over j < k of L_jp L_j) / sqrt(d_p),   d_i = A_ii - sum of L_ji^2
//
// The equations of Newton's step (cone_newton.c), with B_i = k_i (1 - P_i) + P_i added_i of each
// point and z = L x, are
//
//   B_i x_i + P_i L_i^T z = F_i
//   (1 + sum of L_i B_i^-1 P_i L_i^T) z = sum of L_i B_i^-1 F_i
//
// An interval is a point with one row.

// Of an element of A: less is left by rounding.
static const double accounted = 1e-14;

// ---- The factor -----------------------------------------------------------------------------

static int least_accounted(int n, const double *A, const double *left)
{
    int    best = -1;
    double most = accounted;
    for (int i = 0; i < n; ++i) {
        const double own = A[(size_t)i * (size_t)(n + 1)];
        if (own > 0.0 && left[i] > most * own) {
            most = left[i] / own;
            best = i;
        }
    }
    return best;
}

static void add_row(int n, const double *A, int k, int p, double *L, double *left)
{
    double      *row = row_of(L, n, k);
    const double scale = 1.0 / sqrt(left[p]);
    memcpy(row, row_in(A, n, p), (size_t)n * sizeof *row);
    for (int j = 0; j < k; ++j) {
        row_subtract(n, row_in(L, n, j)[p], row_in(L, n, j), row);
    }
    for (int i = 0; i < n; ++i) {
        row[i] *= scale;
        left[i] -= row[i] * row[i];
    }
    left[p] = 0.0;
}

int atemi_cone_factor(int n, const double *A, int most_rank, double *L, double *left)
{
    for (int i = 0; i < n; ++i) {
        left[i] = row_in(A, n, i)[i];
    }
    for (int k = 0; k < most_rank; ++k) {
        const int p = least_accounted(n, A, left);
        if (p < 0) {
            return k;
        }
        add_row(n, A, k, p, L, left);
    }
    return most_rank;
}

// ---- The step -------------------------------------------------------------------------------

typedef struct block {
    double at[9];
    int    pivot[3];
} block;

static void put(const atemi_mat3 *M, double *to)
{
    const atemi_vec3 columns[3] = {M->x, M->y, M->z};
    for (int c = 0; c < 3; ++c) {
        to[c] = columns[c].x;
        to[3 + c] = columns[c].y;
        to[6 + c] = columns[c].z;
    }
}

// B of a point, factored.
static bool factor_block(const double P[9], double k, double added, block *B)
{
    for (int i = 0; i < 9; ++i) {
        B->at[i] = (i % 4 == 0 ? k : 0.0) + (added - k) * P[i];
    }
    return atemi_lu_factor(3, B->at, 3, B->pivot);
}

// B^-1 P L_i^T e_c, for row c of L.
static void pushed(const block *B, const double P[9], const double *l, double *y)
{
    for (int r = 0; r < 3; ++r) {
        y[r] = P[3 * r] * l[0] + P[3 * r + 1] * l[1] + P[3 * r + 2] * l[2];
    }
    atemi_lu_solve(3, B->at, 3, B->pivot, y);
}

static double along(const double *l, const double *y)
{
    return l[0] * y[0] + l[1] * y[1] + l[2] * y[2];
}

static int rows_of(const atemi_cone_system *s)
{
    return 3 * s->points + s->intervals;
}

// Adds a point to the sums, and takes its part B^-1 F.
static bool add_point(const atemi_cone_system *s, int i, const atemi_mat3 *slope, double k,
                      double *S, double *z, double *x)
{
    const int n = rows_of(s), rank = s->rank;
    double    P[9], y[3];
    block     B;
    put(slope, P);
    if (!factor_block(P, k, s->added[i], &B)) {
        return false;
    }
    atemi_lu_solve(3, B.at, 3, B.pivot, x + (size_t)3 * (size_t)i);
    for (int c = 0; c < rank; ++c) {
        const double *l = row_in(s->factor, n, c) + (size_t)3 * (size_t)i;
        z[c] += along(l, x + (size_t)3 * (size_t)i);
        pushed(&B, P, l, y);
        for (int r = 0; r < rank; ++r) {
            S[r * rank + c] += along(row_in(s->factor, n, r) + (size_t)3 * (size_t)i, y);
        }
    }
    return true;
}

// The same of an interval.
static bool add_interval(const atemi_cone_system *s, int i, double P, double k, double *S,
                         double *z, double *x)
{
    const int    n = rows_of(s), row = 3 * s->points + i, rank = s->rank;
    const double B = k * (1.0 - P) + P * s->added[s->points + i];
    if (!(B > 0.0)) {
        return false;
    }
    x[row] /= B;
    for (int c = 0; c < rank; ++c) {
        const double l = row_in(s->factor, n, c)[row];
        z[c] += l * x[row];
        for (int r = 0; r < rank && P * l != 0.0; ++r) {
            S[r * rank + c] += row_in(s->factor, n, r)[row] * P * l / B;
        }
    }
    return true;
}

static bool add_all(const atemi_cone_system *s, const atemi_cone_slopes *slopes, double *S,
                    double *z, double *x)
{
    for (int i = 0; i < s->points; ++i) {
        if (!add_point(s, i, &slopes->points[i], slopes->k[i], S, z, x)) {
            return false;
        }
    }
    for (int i = 0; i < s->intervals; ++i) {
        if (!add_interval(s, i, slopes->intervals[i], slopes->k[s->points + i], S, z, x)) {
            return false;
        }
    }
    return true;
}

// x_i = B^-1 F - B^-1 P L_i^T z
static void take_off(const atemi_cone_system *s, int i, const atemi_mat3 *slope, double k,
                     const double *z, double *x)
{
    double P[9], moved[3] = {0.0, 0.0, 0.0}, y[3];
    block  B;
    put(slope, P);
    factor_block(P, k, s->added[i], &B);
    for (int c = 0; c < s->rank; ++c) {
        row_subtract(3, -z[c], row_in(s->factor, rows_of(s), c) + (size_t)3 * (size_t)i, moved);
    }
    pushed(&B, P, moved, y);
    row_subtract(3, 1.0, y, x + (size_t)3 * (size_t)i);
}

static void take_off_interval(const atemi_cone_system *s, int i, double P, const double *z,
                              double *x)
{
    const int row = 3 * s->points + i;
    for (int c = 0; c < s->rank && P > 0.0; ++c) {
        x[row] -= z[c] * row_in(s->factor, rows_of(s), c)[row] / s->added[s->points + i];
    }
}

bool atemi_cone_factored_solve(const atemi_cone_system *system, const atemi_cone_slopes *slopes,
                               double *scratch, int *pivot, double *x)
{
    const int    rank = system->rank;
    const size_t size = (size_t)rank * (size_t)rank;
    double      *S = scratch, *z = scratch + size;
    memset(scratch, 0, (size + (size_t)rank) * sizeof *scratch);
    for (int r = 0; r < rank; ++r) {
        S[r * (rank + 1)] = 1.0;
    }
    if (!add_all(system, slopes, S, z, x) || !atemi_lu_factor(rank, S, rank, pivot)) {
        return false;
    }
    atemi_lu_solve(rank, S, rank, pivot, z);
    for (int i = 0; i < system->points; ++i) {
        take_off(system, i, &slopes->points[i], slopes->k[i], z, x);
    }
    for (int i = 0; i < system->intervals; ++i) {
        take_off_interval(system, i, slopes->intervals[i], z, x);
    }
    return true;
}
