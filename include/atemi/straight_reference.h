// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer impact. The motion that servos follow through a blow: the hand goes on straight with the
/// velocity of first touch, the grounded links stay, and the robot has the least kinetic energy of
/// all motions that do so.
///
/// Joint velocities are computed at the nodes of a table; between them the accelerations are
/// constant. atemi_straight_reference_at() is a reference for atemi_full_blow().

#pragma once

#include "atemi/virtual_base.h"

ATEMI_BEGIN

/// The table of a motion, and what it is computed in.
typedef struct atemi_straight_reference {
    const atemi_model *model;
    int                count; ///< of nodes
    double            *q;     ///< [count x q_count]
    double            *v;     ///< [count x v_count]
    double            *work;  ///< [v_count]
    atemi_virtual_base base;  ///< at the node that was computed last
} atemi_straight_reference;

/// Lays a table out on an arena, for motions of at most `duration`.
ATEMI_API atemi_straight_reference atemi_straight_reference_take(atemi_arena       *arena,
                                                                 const atemi_model *model,
                                                                 double             duration);

/// Computes the motion from q on.
/// @param speed of the hand along the direction, m/s
/// @return the status of atemi_virtual_base_update(): the hand may lose its freedom on its path
ATEMI_API atemi_status atemi_straight_reference_find(atemi_straight_reference *reference,
                                                     const double *q, double speed,
                                                     const atemi_ground         *ground,
                                                     const atemi_striking_point *point,
                                                     atemi_error                *error);

/// The joint accelerations of the motion at q, by central differences over 0.2 ms. Overwrites the
/// table.
/// @param v [v_count] joint velocities of the motion at q
/// @param a [v_count] result
/// @return as above
ATEMI_API atemi_status atemi_straight_reference_start(atemi_straight_reference *reference,
                                                      const double *q, const double *v,
                                                      double speed, const atemi_ground *ground,
                                                      const atemi_striking_point *point, double *a,
                                                      atemi_error *error);

/// Configuration, joint velocities and accelerations at a time of the motion, s.
/// @param reference an atemi_straight_reference
ATEMI_API void atemi_straight_reference_at(void *reference, double time, double *q, double *v,
                                           double *a);

ATEMI_END
