// SPDX-License-Identifier: Apache-2.0

/// @file
/// A free fall: a robot without torques and without friction, as [WALK] 3.1 checks its model by.
/// Nothing takes energy but collisions, and nothing gives any.

#pragma once

#include "atemi/simulation.h"

/// [WALK] eq. 23, 24 and 25, of all links; J.
typedef struct atemi_fall_energy {
    double potential, rotational, translational;
} atemi_fall_energy;

typedef struct atemi_free_fall {
    const atemi_model *model;
    atemi_simulation  *simulation;
    atemi_data        *data;
} atemi_free_fall;

/// The points of a robot in the sagittal plane that may touch a floor without friction: first its
/// point-like sites, then the balls and the corners of the boxes that its other links look like.
/// @param points [most] result
/// @return how many there are
int atemi_free_fall_points(const atemi_model *model, int most, atemi_simulation_point *points);

/// Lets go of the robot in a state, at time 0; to be ended. It keeps the model.
/// @param points [count] on the floor z = 0; none for a rooted robot
/// @param hooks  or NULL
atemi_status atemi_free_fall_begin(const atemi_model *model, const atemi_simulation_point *points,
                                   int count, const atemi_simulation_hooks *hooks, const double *q,
                                   const double *v, atemi_free_fall *fall, atemi_error *error);
void         atemi_free_fall_end(atemi_free_fall *fall);

/// Falls until `time`.
atemi_status atemi_free_fall_run(atemi_free_fall *fall, double time, atemi_error *error);

/// Its energy, and its centre of mass, now.
atemi_fall_energy atemi_free_fall_energy(const atemi_free_fall *fall);
atemi_vec3        atemi_free_fall_center(const atemi_free_fall *fall);

/// The sum.
double atemi_fall_energy_total(atemi_fall_energy energy);
