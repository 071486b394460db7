// SPDX-License-Identifier: Apache-2.0

/// @file
/// What stands between a biped's controller and its simulation: sensors, delay and lag.

#pragma once

#include "atemi/biped.h"

typedef struct biped_senses {
    const atemi_model    *model;
    const atemi_humanoid *humanoid;
    atemi_biped_faults    faults;
    double                tick;
    atemi_base_estimator *estimator;
    double               *q, *v;                    ///< that the controller is given
    double               *joint_q, *joint_v;        ///< measured
    double               *offsets;                  ///< [v_count] of encoders
    atemi_vec3            gyroscope, accelerometer; ///< biases
    const double         *efforts; ///< [v_count] fraction of its limit that a drive has; or NULL
    double               *late;    ///< [delay x v_count] torques under way, a ring
    int                   delay, next;         ///< ticks
    bool                  started;             ///< something has been measured
    bool                  drops;               ///< this tick
    bool                  located;             ///< now and then told where the base is
    long                  measured;            ///< ticks, since the start
    long                  lost, missed;        ///< ticks: in all, and since the last measurement
    double                forces[ATEMI_SIDES]; ///< measured last
    uint64_t              random;
} biped_senses;

/// Lays it out on an arena.
biped_senses biped_senses_take(atemi_arena *arena, const atemi_model *model,
                               const atemi_humanoid *humanoid, const atemi_biped_faults *faults,
                               double tick);

/// Begins in a configuration that is known.
void biped_senses_start(biped_senses *s, const double *q);

/// What the controller is given of the simulation now.
atemi_biped_senses biped_senses_measure(biped_senses *s, atemi_simulation *simulation);

/// Turns the torques that the controller decides into those that the joints have.
/// @param tau [v_count] those of the last tick; result
void biped_senses_drive(biped_senses *s, const double *decided, double *tau);
