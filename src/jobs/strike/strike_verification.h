// SPDX-License-Identifier: Apache-2.0

/// @file
/// A planned strike by full dynamics: the servos follow the motion with its torques fed forward,
/// the feet may lift and slip, the target is a body of its own.

#pragma once

#include "atemi/full_blow.h"
#include "atemi/job.h"
#include "atemi/strike_motion.h"
#include "jobs/strike/strike_scenario.h"

/// What is seen at an instant.
typedef enum atemi_strike_seen {
    ATEMI_SEEN_FORCE, ///< of the blow, N
    ATEMI_SEEN_ZMP_X,
    ATEMI_SEEN_ZMP_Y,
    ATEMI_SEEN_MARGIN,                            ///< of the ZMP, m
    ATEMI_SEEN_MOMENTUM,                          ///< P_x, P_y, P_z, N s
    ATEMI_SEEN_ANGULAR = ATEMI_SEEN_MOMENTUM + 3, ///< about the world's origin, N m s
    ATEMI_SEEN_TRAVEL = ATEMI_SEEN_ANGULAR + 3,   ///< of the target, m
    ATEMI_SEEN_COUNT
} atemi_strike_seen;

/// A corner of a foot at an instant; world axes.
typedef struct atemi_strike_corner {
    atemi_vec3 place, force;
    double     mode, gap; ///< atemi_contact_mode; above the floor, m
} atemi_strike_corner;

/// A foot that lifts, slips, or stands again.
typedef struct atemi_strike_footstep {
    double           time;
    atemi_event_kind kind;
    int              foot, corner; ///< of the scenario's feet
} atemi_strike_footstep;

enum { ATEMI_STRIKE_MOST_FOOTSTEPS = 1000 };

/// The parts of a strike in time.
typedef enum atemi_strike_phase {
    ATEMI_PHASE_BEFORE,
    ATEMI_PHASE_BLOW,
    ATEMI_PHASE_AFTER,
    ATEMI_PHASE_COUNT
} atemi_strike_phase;

typedef struct atemi_strike_verification {
    atemi_full_blow_result result;
    bool                   went_on;                           ///< to its end
    bool                   stopped;                           ///< by the user
    char                   trouble[ATEMI_ERROR_MESSAGE_SIZE]; ///< why it did not
    double                 tilt;      ///< the largest, of the base off its reference, rad
    double                 fall_time; ///< when it began to be too large, s; NaN: never
    double                 margins[ATEMI_PHASE_COUNT]; ///< the least of the ZMP in each phase, m
    int                    count;                      ///< of instants
    double                *seen;           ///< [count x ATEMI_SEEN_COUNT] NaN where not known
    int                    corner_count;   ///< of all feet
    atemi_strike_corner   *corners;        ///< [count x corner_count] likewise
    int                    footstep_count; ///< the first ATEMI_STRIKE_MOST_FOOTSTEPS are kept
    atemi_strike_footstep *footsteps;
} atemi_strike_verification;

/// Simulates the motion and some time after it.
/// @param hooks asked every few steps whether to go on; or NULL
/// @param place of the target's face
atemi_status atemi_strike_verify(const atemi_strike_scenario *scenario,
                                 const atemi_job_hooks *hooks, const atemi_strike_motion *motion,
                                 atemi_vec3 place, atemi_strike_verification *verification,
                                 atemi_error *error);
void         atemi_strike_verification_destroy(atemi_strike_verification *verification);

/// Momentum and angular momentum about the world's origin; needs kinematics with `v`.
void atemi_strike_momentum(const atemi_model *model, const atemi_kinematics *kinematics,
                           double momentum[6]);

/// Whether the robot is on its feet to the end.
bool atemi_strike_stands(const atemi_strike_verification *verification);

/// What is seen at a time, [ATEMI_SEEN_COUNT]; NULL beyond the end.
/// @param start when the motion begins, s
const double *atemi_strike_seen_at(const atemi_strike_verification *verification, double start,
                                   double time);

/// The corners of the feet then, [corner_count]; NULL beyond the end.
const atemi_strike_corner *atemi_strike_corners_at(const atemi_strike_verification *verification,
                                                   double start, double time);
