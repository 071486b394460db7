// SPDX-License-Identifier: Apache-2.0

/// @file
/// A blow by full dynamics: what atemi_blow() computes of a frozen robot, with the robot moving on.
/// Runge-Kutta steps; the same servo, surface and target.

#pragma once

#include "atemi/atemi.h"

enum { FULL_MOST = 64 };

/// a from q, v, tau with both feet held fixed, in the order of the model.
typedef void (*full_accelerate)(void *self, const double *q, const double *v, const double *tau,
                                double *a);

/// What does not change during a blow.
typedef struct full_blow {
    const atemi_model        *model;
    atemi_data               *data; // overwritten
    full_accelerate           accelerate;
    void                     *self;
    atemi_striking_point      point; ///< at its link's origin
    const atemi_blow_setting *setting;
    double                    slowest_slide, duration;
    double                    q[FULL_MOST], v[FULL_MOST]; ///< at first touch
} full_blow;

/// @return the impulse on the target until hand and target part, N s; not finite if the steps are
///         too long
double full_blow_impulse(full_blow *blow, double step);
