// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer walk. Where a walking robot's base is, from what a robot measures: an inertial measurement
/// unit, joint encoders and the forces on its feet. See docs/theory/base_estimator.md.

#pragma once

#include "atemi/humanoid.h"
#include "atemi/simulation.h"

ATEMI_BEGIN

/// What the estimator counts on: standard deviations.
typedef struct atemi_base_estimator_options {
    double accelerometer; ///< m/s^2, of a sample
    double foot_place;    ///< m, of a foot beside the base, by the encoders
    double foot_speed;    ///< m/s, of a foot that stands
    double foot_drift;    ///< m/s^0.5, by which a foot that stands moves on
    double levelling;     ///< 1/s, by which the accelerometer levels the base
    double loaded;        ///< of the weight, on a foot that stands
} atemi_base_estimator_options;

/// Those of sensors of data sheets: 0.1, 1e-3, 0.02, 1e-3, 0.02, 0.1.
ATEMI_API atemi_base_estimator_options atemi_base_estimator_options_default(void);

/// What a robot measures. The base's entries of q and v are not looked at.
typedef struct atemi_base_senses {
    const double     *q;                   ///< [q_count] of the joints
    const double     *v;                   ///< [v_count] of the joints
    atemi_imu_reading imu;                 ///< of a unit in the root link's frame, at its origin
    double            forces[ATEMI_SIDES]; ///< of the floor on each foot along its normal, N
} atemi_base_senses;

typedef struct atemi_base_estimator atemi_base_estimator;

/// Lays an estimator out on an arena; it keeps the model, which has a floating base.
/// @param options NULL for the defaults
/// @return NULL while measuring; also NULL, with a broken contract, if the arena is too small
ATEMI_API atemi_base_estimator *
atemi_base_estimator_take(atemi_arena *arena, const atemi_model *model,
                          const atemi_humanoid               *humanoid,
                          const atemi_base_estimator_options *options);

/// Begins at rest in a configuration that is known.
/// @param q [q_count]
ATEMI_API void atemi_base_estimator_start(atemi_base_estimator *estimator, const double *q);

/// Goes on by `dt` to new measurements. No allocation.
/// @param q, v [q_count], [v_count] results: the joints as measured, the base as estimated
ATEMI_API void atemi_base_estimator_update(atemi_base_estimator *estimator, double dt,
                                           const atemi_base_senses *senses, double *q, double *v);

ATEMI_END
