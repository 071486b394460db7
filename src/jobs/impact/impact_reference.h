// SPDX-License-Identifier: Apache-2.0

/// @file
/// The motion that servos follow through a blow: the hand goes on straight with the velocity of
/// first touch, the links in contact stay, and the robot has the least energy of all that do.
///
/// Rates are computed at the nodes of a table; between them the accelerations are constant.

#pragma once

#include "atemi/virtual_base.h"

typedef struct atemi_impact_reference {
    const atemi_model *model;
    int                count; ///< of nodes
    double            *q;     ///< [count x q_count]
    double            *v;     ///< [count x v_count]
    double            *work;  ///< [v_count]
} atemi_impact_reference;

/// Lays the table out for motions of at most `duration`.
atemi_impact_reference atemi_impact_reference_take(atemi_arena *arena, const atemi_model *model,
                                                   double duration);

/// Follows the motion from q.
/// @param base overwritten
/// @return the status of atemi_virtual_base_update(): the hand may lose its freedom on the way
atemi_status atemi_impact_reference_find(atemi_impact_reference *reference, const double *q,
                                         double speed, const atemi_ground *ground,
                                         const atemi_striking_point *point,
                                         atemi_virtual_base *base, atemi_error *error);

/// The rates of that motion a little later, or earlier, than at q: after `time` with the rates v.
/// @param result [v_count]
atemi_status atemi_impact_reference_rates(atemi_impact_reference *reference, const double *q,
                                          const double *v, double time, double speed,
                                          const atemi_ground         *ground,
                                          const atemi_striking_point *point,
                                          atemi_virtual_base *base, double *result,
                                          atemi_error *error);

/// Position, rates and accelerations at an instant; `context` is the reference.
void atemi_impact_reference_at(void *context, double time, double *q, double *v, double *a);
