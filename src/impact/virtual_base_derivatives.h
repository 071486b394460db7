// SPDX-License-Identifier: Apache-2.0

/// @file
/// The derivatives of a virtual base, for those who compute with them. See
/// atemi/blow_derivatives.h.

#pragma once

#include "atemi/blow_derivatives.h"
#include "dynamics/mass_derivatives.h"

/// Rows of derivatives, one for each direction; the letters are those of
/// virtual_base_derivatives.c.
struct atemi_virtual_base_derivatives {
    int     count;      ///< v_count of the model
    int     directions; ///< at most
    int     stride;     ///< of a row: `directions`, padded
    int     moving;     ///< of it, up to the last direction that changes the posture, padded
    double *response;   ///< [count x stride] of c
    double *give;       ///< [stride] of 1 / m_a
    double *mass;       ///< [stride] of m_a
    double *jacobian;   ///< [count x stride] of n^T J

    double *q;                       ///< [count x stride] the directions
    double *mass_changes;            ///< [count x count x stride] dM
    double *ground, *ground_columns; ///< [grounds x count x stride] dG, and by columns
    double *missing;                 ///< [(count + grounds) x (count + 1) x stride] -F, Q
    double *work;                    ///< [3 x count x stride]
    double *rows, *wrenches;         ///< [grounds x count] G, W
    double *system;                  ///< [grounds x grounds]
    double *motions, *loads;         ///< [(count + 1) x padded], [(count + 1) x grounds] m, w
    double *column_loads;            ///< [count x grounds] W^T
    double *M, *column;              ///< [count x count], [count + grounds]
    int     grounds, ground_count;   ///< rows of grounded links, at most and now

    atemi_mass_derivatives inertia;
};

/// dC b for several joint forces b, of which there are at most count + 1.
/// @param torques [columns x stride] a force in each row
/// @param to      [count x columns x stride of the derivatives] result
void atemi_virtual_base_vary_columns(const atemi_virtual_base *base, const double *torques,
                                     int stride, int columns,
                                     atemi_virtual_base_derivatives *derivatives, double *to);
