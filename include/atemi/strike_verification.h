// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer plan. What becomes of a planned strike: links that meet, full dynamics, further attempts
/// with more margin, and what holds it back.

#pragma once

#include "atemi/full_blow.h"
#include "atemi/strike_doubt.h"

ATEMI_BEGIN

// ---- A planned strike by full dynamics: the servos follow the motion with its torques fed
// forward, the feet may lift and slip, the target is a body of its own

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

enum { ATEMI_STRIKE_MAX_FOOTSTEPS = 1000 }; ///< that are kept

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
    int                    footstep_count; ///< the first ATEMI_STRIKE_MAX_FOOTSTEPS are kept
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

// ---- Where a motion would take the robot through itself

// In each shape of a link lies a capsule: where two of them meet, the links surely do. Corners of
// boxes are left out, so links may touch that are not reported. A link without shapes, or with
// meshes only, has the capsule in the uniform box of its mass and inertia. Links that a joint
// connects, or two with a link between them, those that overlap where all joints are zero, and
// those that do not move against each other are as they were made.

enum { ATEMI_STRIKE_MAX_OVERLAPS = 16 }; ///< shallower ones are left out

/// Two links where they are deepest in each other.
typedef struct atemi_strike_overlap {
    int    first, second; ///< links
    double depth, time;   ///< m, s
} atemi_strike_overlap;

/// Pairs of links that a motion takes through each other.
typedef struct atemi_strike_overlaps {
    int                  count; ///< the deepest ones, deepest first
    atemi_strike_overlap list[ATEMI_STRIKE_MAX_OVERLAPS];
    /// The two that come nearest, whose depth is negative where they keep apart; ATEMI_NONE where
    /// there are none.
    atemi_strike_overlap nearest;
} atemi_strike_overlaps;

/// Looks for them along a motion, every 2 ms. Takes memory for it.
ATEMI_API atemi_status atemi_strike_overlaps_find(const atemi_model         *model,
                                                  const atemi_strike_motion *motion,
                                                  atemi_strike_overlaps     *overlaps,
                                                  atemi_error               *error);

// ---- From task to verification: the strike is planned, its motion checked at every instant, its
// blow estimated, all of it simulated by full dynamics. If the motion exceeds a limit between the
// instants that the plan looks at, or if feet lift or slip, it is planned again with more margin.
// If a draw of what is in doubt does not hold, it is planned again for that case as well

/// An instant of the blow.
typedef struct atemi_strike_instant {
    double     time;  ///< since first touch, s
    double     force; ///< N
    atemi_vec3 zmp;   ///< NaN where the ground does not press
} atemi_strike_instant;

enum { ATEMI_STRIKE_INSTANTS = 161 }; ///< of an estimate

/// The blow of a planned strike as it is estimated (atemi/blow.h), over time.
typedef struct atemi_strike_estimate {
    double               drift; ///< of the hand's reference meanwhile, m/s^2
    int                  count;
    atemi_strike_instant instants[ATEMI_STRIKE_INSTANTS];
} atemi_strike_estimate;

/// A plan and what became of it.
typedef struct atemi_strike_attempt {
    atemi_strike_plan        *plan;
    atemi_strike_motion       motion;
    atemi_strike_overlaps     overlaps;
    bool                      collides; ///< links go through each other, and must not
    atemi_strike_estimate     estimate;
    atemi_strike_target       target;
    atemi_strike_verification verification; ///< empty where there was none
    atemi_strike_draws        draws;        ///< without any where nothing is in doubt
} atemi_strike_attempt;

/// How a strike is planned and verified.
typedef struct atemi_strike_attempt_options {
    atemi_strike_options search;      ///< of the first plan; others start from the one before
    int                  attempts;    ///< at most
    double               motion_step; ///< s
    bool                 verify;
    double               friction;          ///< of the floor in the verification
    int                  draws, full_draws; ///< of what is in doubt; see atemi/strike_doubt.h
    /// Called as the verification begins, and every few steps. Returns false to stop; or
    /// NULL.
    bool (*verifying)(void *context, bool begins);
    void *context;
} atemi_strike_attempt_options;

/// One attempt, with verification, a friction of 0.8, steps of 1 ms, 1000 draws, 20 of them by full
/// dynamics.
ATEMI_API atemi_strike_attempt_options atemi_strike_attempt_options_default(void);

/// What came of all attempts.
typedef struct atemi_strike_attempts {
    atemi_strike_attempt best;    ///< the first whose feet hold, or the one that went best
    int                  count;   ///< of attempts
    bool                 stopped; ///< by the user
} atemi_strike_attempts;

/// Plans a strike, verifies it, and makes further attempts if that may help.
/// @param options  NULL for the defaults
/// @param attempts result, to be destroyed, whatever the status
ATEMI_API atemi_status atemi_strike_attempts_make(const atemi_strike_task            *task,
                                                  const atemi_strike_attempt_options *options,
                                                  atemi_strike_attempts              *attempts,
                                                  atemi_error                        *error);
ATEMI_API void         atemi_strike_attempts_destroy(atemi_strike_attempts *attempts);

/// Whether the plan meets all constraints, and its motion all limits at every instant.
ATEMI_API bool atemi_strike_attempt_feasible(const atemi_strike_attempt *attempt);

// ---- Why a strike is no harder, or why there is none, in plain words

enum { ATEMI_STRIKE_MAX_REASONS = 16, ATEMI_STRIKE_REASON = 200 };

/// A limit of the robot, the floor or the task: all constraints that it bounds together, at every
/// instant and in every case of doubt.
typedef struct atemi_strike_reason {
    char   limit[ATEMI_STRIKE_REASON];  ///< "the ZMP in the blow, 60 mm inside the edge"
    char   remedy[ATEMI_STRIKE_REASON]; ///< "1 cm less margin"; empty where it is not met
    double gain; ///< of the objective by the remedy, to first order, in its unit
    /// Of no feasible plan: how far it is exceeded where the sum of all that is exceeded is least,
    /// in its own unit; 0 where it is met, but only at the cost of the others.
    double violation;
} atemi_strike_reason;

/// The unit of the objective: "N" of a peak force, "N s" of an impulse, "" of a sum of both.
ATEMI_API const char *atemi_strike_objective_unit(const atemi_strike_task *task);

/// What holds a feasible plan back: the limits that are worth most, most first. A remedy is a step
/// that is about as large for all of them: 1 cm, 1 degree, a tenth of a speed or an effort.
/// @param reasons [ATEMI_STRIKE_MAX_REASONS] result
/// @return how many there are
ATEMI_API int atemi_strike_limits_explain(const atemi_strike_task *task,
                                          const atemi_strike_plan *plan,
                                          atemi_strike_reason     *reasons);

/// Why no strike meets all constraints: the limits that contradict each other, first those that are
/// exceeded, then those at whose cost.
ATEMI_API int atemi_strike_conflicts_explain(const atemi_strike_task *task,
                                             const atemi_strike_plan *plan,
                                             atemi_strike_reason     *reasons);

ATEMI_END
