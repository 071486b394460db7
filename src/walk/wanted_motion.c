// SPDX-License-Identifier: Apache-2.0

#include "walk/wanted_motion.h"

#include "atemi/math.h"

// min |A x - b|^2 + e |x|^2   by   (A^T A + e) x = A^T b

// e: where a rate moves a foot by less than about 1 cm/rad, it counts as one that does not.
static const double damping = 1e-4;

void atemi_wanted_motion_add(atemi_wanted_motion *wanted, int rates, const double *row,
                             double target, double weight, const double *a)
{
    double rest = target;
    for (int i = 0; i < rates; ++i) {
        rest -= row[i] * a[i];
    }
    for (int k = 0; k < ATEMI_WANTED_MOST; ++k) {
        wanted->rows[wanted->count][k] = weight * row[wanted->unknowns[k]];
    }
    wanted->targets[wanted->count++] = weight * rest;
}

static double column_product(const atemi_wanted_motion *wanted, int i, int j)
{
    double sum = 0.0;
    for (int r = 0; r < ATEMI_WANTED_MOST; ++r) {
        sum += wanted->rows[r][i] * wanted->rows[r][j];
    }
    return sum;
}

static double target_product(const atemi_wanted_motion *wanted, int i)
{
    double sum = 0.0;
    for (int r = 0; r < ATEMI_WANTED_MOST; ++r) {
        sum += wanted->rows[r][i] * wanted->targets[r];
    }
    return sum;
}

bool atemi_wanted_motion_solve(const atemi_wanted_motion *wanted, double *a)
{
    double A[ATEMI_WANTED_MOST * ATEMI_WANTED_MOST], b[ATEMI_WANTED_MOST];
    for (int i = 0; i < ATEMI_WANTED_MOST; ++i) {
        for (int j = 0; j <= i; ++j) {
            A[i * ATEMI_WANTED_MOST + j] = column_product(wanted, i, j) + (i == j ? damping : 0.0);
        }
        b[i] = target_product(wanted, i);
    }
    if (!atemi_cholesky_factor(ATEMI_WANTED_MOST, A, ATEMI_WANTED_MOST)) {
        return false;
    }
    atemi_cholesky_solve(ATEMI_WANTED_MOST, A, ATEMI_WANTED_MOST, b);
    for (int k = 0; k < ATEMI_WANTED_MOST; ++k) {
        a[wanted->unknowns[k]] = b[k];
    }
    return true;
}
