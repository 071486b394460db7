// SPDX-License-Identifier: Apache-2.0

/// @file
/// How the constraints of contacts change with the state, and what contact forces make of it: the
/// linear algebra that the derivatives of constrained dynamics and of impulses share.

#pragma once

#include "atemi/contact.h"
#include "contact/rows.h"
#include "dynamics/derivatives.h"

/// Rows of all contacts. Wide rows lie as those of atemi_right_sides: by q, by v, by tau.
typedef struct atemi_contact_variation {
    int     rows;
    size_t  padded; ///< length of a plain row
    size_t  stride; ///< length of a wide row
    double *motion; ///< J, plain
    double *force;  ///< G, plain; only of rows that are tied
    double *mobile; ///< G M^-1, plain
    double *drift;  ///< wide: how the constraints change, first with a held, then in all
    double *change; ///< wide: how the multipliers change
    double *slide;  ///< wide: how far the direction of sliding turns, of tied rows
    double *across; ///< plain: motion of the point across that direction, of tied rows
    double *system, *inverse, *reflections, *work;
    int    *pivot;
} atemi_contact_variation;

/// Lays the memory out.
void atemi_contact_variation_take(atemi_arena *arena, const atemi_model *model, int max_rows,
                                  atemi_contact_variation *v);

/// Clears the wide rows of `rows` rows.
void atemi_contact_variation_begin(atemi_contact_variation *v, int rows);

/// Where the wide row r has entry j of a part.
static inline double *atemi_wide(double *rows, size_t stride, int r, int part, int j)
{
    return rows + (size_t)r * stride +
           (size_t)((atemi_block(j) * ATEMI_SIDES_PARTS + part) * ATEMI_LANES + atemi_lane(j));
}

/// Adds direction . (three of the rows of a 6 x n matrix, with a pack of scratch behind it) to a
/// part of a wide row.
void atemi_wide_add(double *rows, size_t stride, int r, int part, int n, atemi_vec3 direction,
                    bool angular, const double *matrix);

/// J and, for rows with friction, G, `across` and `slide` by q and v, from the derivatives of the
/// contact's point.
void atemi_contact_variation_row(const atemi_contact_row *row, const atemi_contact *contact,
                                 atemi_vec3 velocity, int r, int n, const double *velocity_dq,
                                 const double *jacobian, atemi_contact_variation *v);

/// Turns the friction of sliding contacts, finds the changes of the multipliers that keep the
/// constraints, and adds what these do to `sides`.
void atemi_contact_variation_solve(const atemi_contact_row *rows, const atemi_contact *contacts,
                                   const double *multipliers, const atemi_right_sides *sides,
                                   atemi_contact_variation *v);

/// The changes of the contact forces by one part, six rows a contact.
void atemi_contact_variation_read(const atemi_contact_row *rows, const atemi_contact *contacts,
                                  const double *multipliers, int count, int part, int n,
                                  const atemi_contact_variation *v, double *to);
