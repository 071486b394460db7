// SPDX-License-Identifier: Apache-2.0

/// @file
/// The matrix A of a pile of bodies, never multiplied out: of each block, a point with three rows
/// or an interval with one, the entries of v that it moves.

#pragma once

#include "contact/constraint_space.h"

typedef struct atemi_pile_system {
    int     points, intervals;
    int     most_entries; ///< of one block
    int    *first;        ///< [blocks + 1] entry of v of each block
    int    *entries;      ///< which of v
    double *moved;        ///< [entries][rows] W, see constraint_space.c
    double *pushed;       ///< [entries][rows] D^-1 W
    double *own;          ///< [blocks][9] the block's own part of A, by rows
    double *w;            ///< [v_count] D^-1 W p
} atemi_pile_system;

atemi_pile_system atemi_pile_system_take(atemi_arena *arena, const atemi_model *model,
                                         int most_points, int most_intervals);

/// Takes the system from the groups of rows in the space, which are projected.
void atemi_pile_system_fill(const atemi_model *model, const atemi_mass_factor *factor,
                            const atemi_constraint_space *space, int points, int intervals,
                            atemi_pile_system *system);

static inline int atemi_pile_blocks(const atemi_pile_system *system)
{
    return system->points + system->intervals;
}

static inline int atemi_pile_row(const atemi_pile_system *system, int block)
{
    return block < system->points ? 3 * block : 2 * system->points + block;
}

static inline int atemi_pile_rows(const atemi_pile_system *system, int block)
{
    return block < system->points ? 3 : 1;
}

/// Makes w that of the impulses p, or changes it by a change of one block's impulses.
void atemi_pile_system_press(atemi_pile_system *system, int v_count, const double *p);
void atemi_pile_system_push(atemi_pile_system *system, int block, const double *change);

/// u += A p of one block, by w.
void atemi_pile_system_add(const atemi_pile_system *system, int block, double *u);
