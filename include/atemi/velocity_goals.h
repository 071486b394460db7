// SPDX-License-Identifier: Apache-2.0

/// @file
/// Joint velocities from goals of hands, feet, momentum and centre of mass: [STRIKE] eq. 4-12.
///
///     atemi_velocity_goals_begin(model, q, &goals);
///     atemi_velocity_goals_add_frame(model, hand, fist, ATEMI_AXES_ALL, punch, &goals);
///     atemi_velocity_goals_add_momentum(model, origin, ATEMI_AXIS_Z, lift, &goals);
///     atemi_velocity_goals_add_frame(model, right_sole, here, ATEMI_AXES_ALL, rest, &goals);
///     atemi_velocity_goals_add_closure(model, right_sole, left_sole, &goals);
///     atemi_limit_weights(model, q, weights);
///     report = atemi_velocity_goals_solve(&goals, weights, v);

#pragma once

#include "atemi/arena.h"
#include "atemi/data.h"

ATEMI_BEGIN

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
