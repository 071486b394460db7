// SPDX-License-Identifier: Apache-2.0

#include "contact/jamming.h"

#include <math.h>

// With t the tied rows and s the others, which hold, row r of t answers to its own force, and would
// without friction, with
//
//   A_rr - A_rs A_ss^-1 A_sr,     (J M^-1 J^T)_rr - A_rs A_ss^-1 A_rs^T
//
// as A_rs = J_r M^-1 J_s^T knows nothing of friction. A_ss is symmetric: its rows are eliminated
// one by one. Where the second is nothing, the others hold r as well: it is redundant, not jammed.

// Relative to itself, less is left by rounding errors.
static const double redundant = 1e-9;

// Relative to the largest, that of a row that moves nothing, as sideways in a planar robot.
static const double idle = 1e-24;

// Takes row k out of the rows below it and of the tied ones.
static void eliminate(int k, const atemi_contact_row *rows, int n, double *A, double *mobility)
{
    const double *row = A + k * n;
    for (int i = 0; i < n; ++i) {
        double      *other = A + i * n;
        const double part = other[k] / row[k];
        if (i > k || rows[i].tied) {
            mobility[i] -= part * other[k];
            for (int c = 0; c < n; ++c) {
                other[c] -= part * row[c];
            }
        }
    }
}

double atemi_jamming_find(const atemi_contact_row *rows, int count, double *A, double *mobility)
{
    const int n = count;
    double   *before = mobility + n, least = 1.0, most = 0.0;
    for (int r = 0; r < n; ++r) {
        before[r] = rows[r].tied ? mobility[r] : A[r * (n + 1)];
        most = fmax(most, before[r]);
    }
    for (int k = 0; k < n; ++k) {
        if (!rows[k].tied && A[k * (n + 1)] > fmax(redundant * before[k], idle * most)) {
            eliminate(k, rows, n, A, mobility);
        }
    }
    for (int r = 0; r < n; ++r) {
        if (rows[r].tied && mobility[r] > redundant * before[r]) {
            least = fmin(least, A[r * (n + 1)] / mobility[r]);
        }
    }
    return least;
}
