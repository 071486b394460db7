// SPDX-License-Identifier: Apache-2.0

/// @file
/// Derivatives by central differences, extrapolated twice: what exact derivatives are compared
/// with.
///
/// Steps h, h/2 and h/4 leave an error of order h^6. With h = 0.02 that is 1e-12 of a function that
/// swings once a radian, and rounding leaves 1e-16 / h: together far below 1e-9.

#pragma once

#include "random_tree.h"

typedef enum difference_by { BY_Q, BY_V, BY_X } difference_by;

/// A function of q, v and one more vector of v_count numbers, accelerations or torques.
typedef void (*difference_function)(void *context, const double *q, const double *v,
                                    const double *x, double *result);

/// @param matrix [rows x v_count] of the function's `rows` results
void differences(const atemi_model *model, difference_function f, void *context, difference_by by,
                 const double *q, const double *v, const double *x, int rows, double *matrix);
