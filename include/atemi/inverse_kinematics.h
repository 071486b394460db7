// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer motion. From goals to motions: the posture that meets goals of frames and of the centre of
/// mass, and the joint velocities that meet goals of frames and of momentum.

#pragma once

#include "atemi/base.h"
#include "atemi/data.h"

#include <stdbool.h>

ATEMI_BEGIN

// ---- Postures -----------------------------------------------------------------------------------
//
// Inverse kinematics: the posture that meets goals of several frames and of the centre of mass.
//
//     min over q of  sum over rows of (weight error)^2 / 2,   joint limits kept
//
// by a damped Newton rule (Levenberg-Marquardt) that descends in every step and converges
// quadratically where the goals can be met. What is not determined by the goals stays near where
// it started. See docs/theory/motion.md.

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

/// What the search computes in, and where its result can be read.
typedef struct atemi_inverse_kinematics_scratch atemi_inverse_kinematics_scratch;

/// Lays the scratch for up to `max_goals` goals out on an arena.
/// @return NULL while measuring; also NULL, with a broken contract, when the arena is too small
ATEMI_API atemi_inverse_kinematics_scratch *
atemi_inverse_kinematics_scratch_take(atemi_arena *arena, const atemi_model *model, int max_goals);

/// The errors of the posture found, along the axes of each target.
/// @return [goals]
ATEMI_API const atemi_motion *
atemi_inverse_kinematics_errors(const atemi_inverse_kinematics_scratch *scratch);

/// The data of the scratch: at the posture that was looked at last.
ATEMI_API atemi_data *
atemi_inverse_kinematics_data(const atemi_inverse_kinematics_scratch *scratch);

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

// ---- Joint velocities ---------------------------------------------------------------------------
//
// Joint velocities from goals of hands, feet, momentum and centre of mass: [STRIKE] eq. 4-12.
//
//     atemi_velocity_goals_begin(model, q, &goals);
//     atemi_velocity_goals_add_frame(model, hand, fist, ATEMI_AXES_ALL, punch, &goals);
//     atemi_velocity_goals_add_momentum(model, origin, ATEMI_AXIS_Z, lift, &goals);
//     atemi_velocity_goals_add_frame(model, right_sole, here, ATEMI_AXES_ALL, rest, &goals);
//     atemi_velocity_goals_add_closure(model, right_sole, left_sole, &goals);
//     atemi_limit_weights(model, q, weights);
//     report = atemi_velocity_goals_solve(&goals, weights, v);

/// Which of six rows to take.
enum {
    ATEMI_AXIS_X = 1,
    ATEMI_AXIS_Y = 2,
    ATEMI_AXIS_Z = 4,
    ATEMI_AXIS_ANGULAR_X = 8,
    ATEMI_AXIS_ANGULAR_Y = 16,
    ATEMI_AXIS_ANGULAR_Z = 32,
    ATEMI_AXES_LINEAR = 7,
    ATEMI_AXES_ANGULAR = 56,
    ATEMI_AXES_ALL = 63,
};

/// The rows A v = b of all goals at one posture.
typedef struct atemi_velocity_goals {
    int     count;  ///< rows so far
    int     width;  ///< v_count
    double *rows;   ///< A [count x width]
    double *values; ///< b [count]

    int                      max_rows;
    atemi_data              *data;   ///< at the posture
    double                  *matrix; ///< [6 x width] the momentum matrix
    double                  *frame;  ///< [2 x 6 x width]
    struct atemi_least_norm *least;
} atemi_velocity_goals;

/// Lays the rows out on an arena.
ATEMI_API atemi_velocity_goals atemi_velocity_goals_take(atemi_arena       *arena,
                                                         const atemi_model *model, int max_rows);

/// Starts anew, without rows, at the posture q.
ATEMI_API void atemi_velocity_goals_begin(const atemi_model *model, const double *q,
                                          atemi_velocity_goals *goals);

/// The velocity of a point of a link and the link's angular velocity, both in world axes: a hand's
/// goal, or rest for a foot on the ground.
/// @param point in the link's frame
/// @param axes  which of the six rows
ATEMI_API void atemi_velocity_goals_add_frame(const atemi_model *model, int link, atemi_vec3 point,
                                              unsigned axes, atemi_motion velocity,
                                              atemi_velocity_goals *goals);

/// The momentum of the whole robot, with its moment about the point `about`, in world axes. Eq. 1
/// of [STRIKE] wants it about the world's origin on the floor.
ATEMI_API void atemi_velocity_goals_add_momentum(const atemi_model *model, atemi_vec3 about,
                                                 unsigned axes, atemi_force momentum,
                                                 atemi_velocity_goals *goals);

/// The velocity of the centre of mass; `axes` are linear ones.
ATEMI_API void atemi_velocity_goals_add_center_of_mass(const atemi_model *model, unsigned axes,
                                                       atemi_vec3            velocity,
                                                       atemi_velocity_goals *goals);

/// The second link does not move as the first link sees it: both feet on the ground, [STRIKE] eq.
/// 8. Six rows.
ATEMI_API void atemi_velocity_goals_add_closure(const atemi_model *model, int first, int second,
                                                atemi_velocity_goals *goals);

/// A row of the caller's own, [v_count] and its value.
ATEMI_API void atemi_velocity_goals_add_row(const double *row, double value,
                                            atemi_velocity_goals *goals);

/// The weights of [STRIKE] eq. 10 and 11: of a joint 1 over its distance to the nearer limit, and
/// infinite at and beyond it. Joints without limits count as pi away. The base costs nothing: it
/// goes where the feet want it.
/// @param weights [v_count]
ATEMI_API void atemi_limit_weights(const atemi_model *model, const double *q, double *weights);

/// How these weights change with the coordinates of their joints.
/// @param slopes [v_count] result; 0 where a weight is constant or infinite
ATEMI_API void atemi_limit_weight_slopes(const atemi_model *model, const double *q, double *slopes);

/// How the goals were met.
typedef struct atemi_velocity_report {
    int    rows;
    int    rank;     ///< fewer than `rows` where goals depend on each other, or cannot be met
    double residual; ///< the largest |A v - b| of a row, in its own unit
} atemi_velocity_report;

/// Finds the joint velocities that meet the goals, and of these the ones with the least sum of
/// weight v^2. Where goals contradict each other, those of least squared residual.
///
/// @param weights [v_count] as atemi_least_norm_factor() takes them; NULL for 1 everywhere
/// @param v       [v_count] result
ATEMI_API atemi_velocity_report atemi_velocity_goals_solve(atemi_velocity_goals *goals,
                                                           const double *weights, double *v);

ATEMI_END
