// SPDX-License-Identifier: Apache-2.0

/// @file
/// Rates of a strict hierarchy of tasks: what a level asks for is done in the null space of all
/// levels above it, so that it never costs them anything (the task reconstruction that [R2] names
/// as its future work).
///
///     atemi_task_priority_begin(n, &tasks);
///     atemi_task_priority_add(6, hand, velocity, &tasks);
///     atemi_task_priority_add(n, identity, homewards, &tasks);
///     tasks.rates has the hand's velocity and goes home as far as that lets it.

#pragma once

#include "atemi/base.h"

/// Scratch of the hierarchy; holds what levels before have fixed.
typedef struct atemi_task_priority {
    double *rates; ///< [columns] that do what was asked so far
    int     rank;  ///< rates that are used up

    int                      columns, max_columns, max_rows;
    double                  *used;    ///< [rank x columns] orthonormal: what levels so far move
    double                  *free;    ///< [rows x columns] of a level, what others do not use
    double                  *missing; ///< [rows]
    double                  *seen;    ///< [rows x rank of the level]
    double                  *part;    ///< [columns]
    struct atemi_least_norm *least;
} atemi_task_priority;

/// Lays the hierarchy out on an arena: up to `max_columns` rates and `max_rows` rows a level.
atemi_task_priority atemi_task_priority_take(atemi_arena *arena, int max_rows, int max_columns);

/// Starts anew, with `columns` rates at zero and no tasks.
void atemi_task_priority_begin(int columns, atemi_task_priority *tasks);

/// Adds the next level below those there are: A rates = b, as near as they leave it.
/// @param A [rows x columns] row-major
/// @param b [rows]
/// @return how many of its rows the level could have on its own terms: its rank beside the others
int atemi_task_priority_add(int rows, const double *A, const double *b, atemi_task_priority *tasks);
