// SPDX-License-Identifier: Apache-2.0

/// @file
/// A pass of the solver of quadratic programs, and what it leaves.

#pragma once

#include "atemi/quadratic_program.h"
#include "math/dual_active_set.h"

struct atemi_quadratic_solver {
    int             max_variables, max_rows;
    dual_active_set set;
    double         *R;           ///< [variables x width]
    double         *M;           ///< [(variables + rows) x width] U, then A U
    double         *damping;     ///< [variables] e D
    double         *slope;       ///< [width] H x + g
    double         *v;           ///< [width]
    double         *step;        ///< [variables]
    double         *reach;       ///< [variables] sizes of x in all passes
    double         *values;      ///< [variables + rows] x, A x
    double         *multipliers; ///< [variables + rows]
};

typedef struct quadratic_pass {
    atemi_quadratic_solver        *s;
    const atemi_quadratic_program *p;
    double                        *x;
    int                            n, m, width;
    int                            H_stride, A_stride;
    bool                           damped;
    bool                           corrects; ///< a pass before
    double                         tolerance;
} quadratic_pass;

typedef struct quadratic_residual {
    double violation, slope; ///< in the units of the program
    double relative;         ///< the larger one, relative to what it is a difference of
} quadratic_residual;

/// What is left at x. The solver's slope H x + g becomes H x + g + A^T u.
quadratic_residual atemi_quadratic_residual_find(const quadratic_pass *t);

double atemi_quadratic_objective(const quadratic_pass *t);

/// What rounding has made of a limit from x on.
void atemi_quadratic_floor_set(const quadratic_pass *t, int i);

/// Whether the objective falls along the last step, for ever.
bool atemi_quadratic_falls_for_ever(const quadratic_pass *t);
