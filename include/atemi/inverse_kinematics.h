// SPDX-License-Identifier: Apache-2.0

/// @file
/// Inverse kinematics: the posture that meets goals of several frames and of the centre of mass.
///
///     min over q of  sum over rows of (weight error)^2 / 2,   joint limits kept
///
/// by a damped Newton rule (Levenberg-Marquardt) that descends in every step and converges
/// quadratically where the goals can be met. What is not determined by the goals stays near where
/// it started. See docs/theory/motion.md.

#pragma once

#include "atemi/arena.h"
#include "atemi/data.h"
#include "atemi/error.h"

#include <stdbool.h>

ATEMI_BEGIN

/// What a goal is about.
typedef enum atemi_goal_kind {
    ATEMI_GOAL_FRAME,          ///< a frame on a link
    ATEMI_GOAL_CENTER_OF_MASS, ///< of the whole robot; it has no orientation
} atemi_goal_kind;

/// How much a row counts beside others, where not all goals can be met.
typedef enum atemi_priority {
    ATEMI_PRIORITY_CRITICAL, ///< weight 1
    ATEMI_PRIORITY_HIGH,     ///< 0.1
    ATEMI_PRIORITY_MEDIUM,   ///< 0.01
    ATEMI_PRIORITY_LOW,      ///< 0.001
    ATEMI_PRIORITY_IGNORE,   ///< 0: the row is left out
} atemi_priority;

/// The weight of a row.
ATEMI_API double atemi_priority_weight(atemi_priority priority);

/// Where a frame, or the centre of mass, shall be.
///
/// The six rows of its error are seen along the axes of `target`: the vector from the target to the
/// frame, then the rotation vector from the target's orientation to the frame's, at most pi long.
typedef struct atemi_posture_goal {
    atemi_goal_kind kind;
    int             link;      ///< that carries the frame
    atemi_transform frame;     ///< in the link's frame
    atemi_transform target;    ///< in the world
    double          weight[6]; ///< of the rows: x, y, z in m, then about x, y, z in rad; 0: ignored
} atemi_posture_goal;

/// The frame of link 0, at the world's origin, all weights 1.
ATEMI_API atemi_posture_goal atemi_posture_goal_default(void);

/// How long and how well a posture is looked for.
typedef struct atemi_inverse_kinematics_options {
    const bool *moving;     ///< [v_count] the velocities that may be used; NULL for all
    bool        unlimited;  ///< joint limits do not count
    int         iterations; ///< at most; 100
    int         retries;    ///< where no step descends and goals are not met; 3
    double      tolerance;  ///< of every row that has a weight, m or rad; 1e-10
    /// The curvature of the goals is left out: steps are the shortest that meet what is linear of
    /// them, so that nothing drifts that the goals leave free. For goals that are near and in
    /// reach.
    bool unbent;
    /// Least damping of a step, relative to the largest diagonal of J^T J; 1e-12. Rounding errors
    /// of J^T J move what the goals leave free by 1e-16 / damping of a step: give more where
    /// thousands of solutions follow each other.
    double damping;
} atemi_inverse_kinematics_options;

/// The values given above.
ATEMI_API atemi_inverse_kinematics_options atemi_inverse_kinematics_options_default(void);

/// How a search for a posture ended.
typedef enum atemi_posture_outcome {
    ATEMI_POSTURE_REACHED,    ///< every row is within the tolerance
    ATEMI_POSTURE_NEAREST,    ///< no posture nearby is better: the goals cannot be met from here
    ATEMI_POSTURE_UNFINISHED, ///< the iterations are used up
} atemi_posture_outcome;

/// How near the posture comes to its goals.
typedef struct atemi_posture_report {
    atemi_posture_outcome outcome;
    int                   iterations; ///< steps tried
    double                position;   ///< the largest error of a row that has a weight, m
    double                rotation;   ///< the same of orientations, rad
} atemi_posture_report;

/// "reached", "nearest", "unfinished".
ATEMI_API const char *atemi_posture_outcome_text(atemi_posture_outcome outcome);

/// Scratch for up to `max_goals` goals. `errors` stays readable.
typedef struct atemi_inverse_kinematics_scratch {
    atemi_motion *errors; ///< [goals] of the posture found, along the axes of each target

    atemi_data                   *data; ///< at the posture that was looked at last
    int                           max_goals;
    struct atemi_posture_freedom *freedoms; ///< [count] those that may be used
    double                       *frame;    ///< [6 x v_count] the rows of one goal
    double                       *rows;     ///< [row_count x count] weighted
    double                       *residual; ///< [row_count] weighted
    double                       *normal;   ///< [count x count] J^T J, lower triangle
    double                       *bending;  ///< [count x count] of the goals' curvature, as above
    double                       *factor;   ///< [count x count]
    double                       *gradient, *step, *packed; ///< [count]
    int                          *free;                     ///< [count] columns of the factor
    double                       *trial, *best, *motion;    ///< [q_count], [q_count], [v_count]
    double                       *columns;                  ///< [3 x count]
    struct atemi_least_norm      *least;
    int                           count, row_count;
} atemi_inverse_kinematics_scratch;

/// Lays the scratch out on an arena.
ATEMI_API atemi_inverse_kinematics_scratch
atemi_inverse_kinematics_scratch_take(atemi_arena *arena, const atemi_model *model, int max_goals);

/// Finds a posture that meets the goals.
///
/// @param goals   [count] at most the scratch's `max_goals`
/// @param options NULL for the defaults
/// @param q       [q_count] where to start; the posture found. Joints that may move are first
///                brought within their limits
/// @param report  how it ended; goals out of reach are no error
/// @return ATEMI_ERROR_INPUT where a goal is impossible to read: no such link, not finite, a
///         negative weight, the centre of mass of a robot without mass. q is unchanged then
///
/// O(v_count^2 (rows + v_count)) an iteration. No allocation.
ATEMI_API atemi_status atemi_inverse_kinematics(const atemi_model        *model,
                                                const atemi_posture_goal *goals, int count,
                                                const atemi_inverse_kinematics_options *options,
                                                atemi_inverse_kinematics_scratch       *scratch,
                                                double *q, atemi_posture_report *report,
                                                atemi_error *error);

/// How a posture that meets its goals follows them: the derivative of what
/// atemi_inverse_kinematics() would find next when started from there.
///
/// D takes the motions of all targets (linear, angular, world axes; six numbers a goal) to the
/// velocities that keep the goals met. Of all such it has the shortest. Joint limits do not count.
///
/// @param q [q_count] a posture that meets the goals
/// @param D [v_count x 6 count] row-major; zero columns for rows without weight
/// @return the rank of the goals' rows. Where it is less than their number some motions of the
///         targets cannot be followed, and D takes them to the nearest velocities
ATEMI_API int atemi_posture_derivative(const atemi_model *model, const double *q,
                                       const atemi_posture_goal *goals, int count,
                                       const atemi_inverse_kinematics_options *options,
                                       atemi_inverse_kinematics_scratch *scratch, double *D);

ATEMI_END
