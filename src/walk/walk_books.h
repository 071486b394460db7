// SPDX-License-Identifier: Apache-2.0

/// @file
/// The books of a walk: work, losses and impulses, and whether they explain the motion.

#pragma once

#include "atemi/walk.h"
#include "dynamics/kinematics.h"

/// What forces and powers change.
typedef struct atemi_walk_stock {
    double time, energy, momentum_x, momentum_z;
} atemi_walk_stock;

typedef struct atemi_walk_books {
    const atemi_model *model;
    atemi_kinematics   kinematics;
    double            *damping; ///< [v_count] of the joints
    double            *efforts; ///< [v_count] their limits

    atemi_walk_stock first;         ///< at the start
    double           last_time;     ///< of the last look
    double           pushing_power; ///< then, of the drives that push, W
    double           positive_work; ///< of these, J
    double           most_friction, most_torque;
} atemi_walk_books;

/// What a walk has left unexplained, relative to the sum of the sizes of what acted.
typedef struct atemi_walk_errors {
    double momentum, energy;
} atemi_walk_errors;

/// Lays the books out on an arena. Damping and efforts are the caller's to set.
void atemi_walk_books_take(atemi_arena *arena, const atemi_model *model, atemi_walk_books *books);

/// Opens them at the start of a walk.
void atemi_walk_books_open(atemi_walk_books *books, const atemi_simulation *simulation);

/// Books a tick.
void atemi_walk_books_keep(atemi_walk_books *books, const atemi_simulation *simulation);

/// Compares the simulation's ledger with how momentum and energy have changed since the start. The
/// kinematics of the books are its room.
atemi_walk_errors atemi_walk_books_close(atemi_walk_books       *books,
                                         const atemi_simulation *simulation);
