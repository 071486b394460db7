// SPDX-License-Identifier: Apache-2.0

/// @file
/// A planned strike by full dynamics: the servos follow the motion with its torques fed forward,
/// the feet may lift and slip, the target is a body of its own.

#pragma once

#include "atemi/full_blow.h"
#include "atemi/strike_motion.h"

ATEMI_BEGIN

/// The target of a strike in the world.
typedef struct atemi_strike_target {
    atemi_vec3 place; ///< of its face, where the first hand touches it
    atemi_vec3 face;  ///< in the middle of all hands
    double     width; ///< that it is drawn with, m: its size does not matter to the blow
} atemi_strike_target;

/// Finds the target that hands touch in a posture.
/// @param q        [q_count]
/// @param distance m, by which it is farther than that
ATEMI_API atemi_status atemi_strike_target_find(const atemi_strike_task *task, const double *q,
                                                double distance, atemi_strike_target *target,
                                                atemi_error *error);

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
    int              foot, corner; ///< of the task's feet
} atemi_strike_footstep;

enum { ATEMI_STRIKE_MOST_FOOTSTEPS = 1000 }; ///< that are kept

/// The parts of a strike in time.
typedef enum atemi_strike_phase {
    ATEMI_PHASE_BEFORE,
    ATEMI_PHASE_BLOW,
    ATEMI_PHASE_AFTER,
    ATEMI_PHASE_COUNT
} atemi_strike_phase;

/// What full dynamics makes of a planned strike.
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

/// How a strike is verified.
typedef struct atemi_strike_verify_options {
    double     friction;            ///< of the floor
    atemi_vec3 place;               ///< of the target's face
    bool (*goes_on)(void *context); ///< asked every few steps, false to stop; or NULL
    void *context;
} atemi_strike_verify_options;

/// Simulates the motion and some time after it.
/// @param task         as it was planned
/// @param verification result, to be destroyed, whatever the status
/// @return ATEMI_ERROR_INPUT for a task that makes no sense, the message says why
ATEMI_API atemi_status atemi_strike_verify(const atemi_strike_task           *task,
                                           const atemi_strike_motion         *motion,
                                           const atemi_strike_verify_options *options,
                                           atemi_strike_verification         *verification,
                                           atemi_error                       *error);
ATEMI_API void         atemi_strike_verification_destroy(atemi_strike_verification *verification);

/// Whether the robot is on its feet to the end.
ATEMI_API bool atemi_strike_stands(const atemi_strike_verification *verification);

/// What is seen at a time, [ATEMI_SEEN_COUNT]; NULL beyond the end.
/// @param start when the motion begins, s
ATEMI_API const double *atemi_strike_seen_at(const atemi_strike_verification *verification,
                                             double start, double time);

/// The corners of the feet then, [corner_count]; NULL beyond the end.
ATEMI_API const atemi_strike_corner *
atemi_strike_corners_at(const atemi_strike_verification *verification, double start, double time);

ATEMI_END
