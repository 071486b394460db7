// SPDX-License-Identifier: Apache-2.0

/// @file
/// The rows of a matrix that are active: factors of their Gram matrix, changed a row at a time.

#pragma once

#include "atemi/base.h"

typedef struct working_set {
    int           most, stride; ///< of rows, and of the rows of L
    const double *M;            ///< the matrix, with padded rows of `width`
    int           width;
    int           count;
    int          *rows; ///< [most] which of M
    /// M_W M_W^T = L diag(D) L^T, L of unit diagonal, which is not stored.
    double *L, *D;
    double *inverse; ///< [most] of D
    double *part;    ///< [most] of a new row in those before
    double *rest;    ///< [width] what is left of it, where it nearly depends on them
} working_set;

/// For at most `most` active rows of at most `columns` elements.
working_set atemi_working_set_take(atemi_arena *arena, int most, int columns);

/// Begins with no row.
void atemi_working_set_clear(working_set *w, const double *M, int width);

/// How row i depends on the active ones: fills `part` with its row of L.
/// @param size its length
/// @return its D, the square of what it has of its own; 0 where that is nothing but rounding
double atemi_working_set_project(working_set *w, int row, double size);

/// Adds the row that was projected last.
void atemi_working_set_append(working_set *w, int row, double own);

/// The coefficients of the row that was projected last, which depends on the active ones.
/// @param c [count] result
void atemi_working_set_coefficients(const working_set *w, double *c);

void atemi_working_set_remove(working_set *w, int k);

/// Solves L x = b in place, for the elements from the first on: those before are x already.
void atemi_working_set_solve_forwards(const working_set *w, int first, double *b);

/// Solves D L^T x = b in place.
void atemi_working_set_solve_backwards(const working_set *w, double *b);

/// Solves (M_W M_W^T) x = b in place.
void atemi_working_set_solve(const working_set *w, double *b);
