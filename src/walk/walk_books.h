// SPDX-License-Identifier: Apache-2.0

/// @file
/// The books of a walk: work, losses and impulses, and whether they explain the motion.

#pragma once

#include "atemi/kinematics.h"
#include "atemi/walk.h"

/// What flows: powers in W, forces in N.
typedef enum atemi_walk_flow {
    ATEMI_FLOW_JOINTS,   ///< of the drives
    ATEMI_FLOW_POSITIVE, ///< of those that push
    ATEMI_FLOW_DAMPING,  ///< of the joints, negative
    ATEMI_FLOW_FRICTION, ///< of the floor, negative
    ATEMI_FLOW_PUSHES,   ///< power of the pushes
    ATEMI_FLOW_X,        ///< all forces on the robot, along x
    ATEMI_FLOW_Z,        ///< and along z
    ATEMI_FLOWS,
} atemi_walk_flow;

/// What they change.
typedef struct atemi_walk_stock {
    double time, energy, momentum_x, momentum_z;
} atemi_walk_stock;

typedef struct atemi_walk_books {
    const atemi_model *model;
    atemi_kinematics   kinematics;
    double            *damping;                     ///< [v_count] of the joints
    double            *efforts;                     ///< [v_count] their limits
    int                links[ATEMI_WALKING_POINTS]; ///< of the feet's points

    atemi_walk_stock stock;              ///< at the last look
    double           flows[ATEMI_FLOWS]; ///< likewise
    double           sums[ATEMI_FLOWS];  ///< over time
    /// Over ticks without events: sums of the sizes of what flowed, and of what is unexplained.
    double energy_turned, energy_missed, impulse_turned, impulse_missed_x, impulse_missed_z;
    double most_friction, most_torque;
} atemi_walk_books;

/// Lays the books out on an arena. Damping and efforts are the caller's to set.
void atemi_walk_books_take(atemi_arena *arena, const atemi_model *model, atemi_walk_books *books);

/// Opens them at the start of a walk.
/// @param links  [ATEMI_WALKING_POINTS] of the feet's points
/// @param pushes [link_count] forces on the links
void atemi_walk_books_open(atemi_walk_books *books, const atemi_simulation *simulation,
                           const int *links, const atemi_force *pushes);

/// Books a tick.
/// @param quiet whether nothing happened in it
void atemi_walk_books_keep(atemi_walk_books *books, const atemi_simulation *simulation,
                           const atemi_force *pushes, bool quiet);
