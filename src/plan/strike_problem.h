// SPDX-License-Identifier: Apache-2.0

/// @file
/// A strike as an optimization problem: variables, constraints and objective, and what they are at
/// given values. No allocation but for creation.

#pragma once

#include "atemi/inverse_kinematics.h"
#include "atemi/rate_goals.h"
#include "atemi/strike_plan.h"
#include "contact/stance.h"
#include "dynamics/mass_matrix.h"
#include "plan/strike_obstacle.h"
#include "plan/strike_way.h"

enum {
    STRIKE_BLOW_SAMPLES = 13, ///< instants of the blow at which the ZMP is looked at
    STRIKE_PHASE_SAMPLES = 9, ///< of the phases before and after it
    STRIKE_BODY_GOALS = 5,    ///< P_z, L_x, L_y and the centre of mass
    STRIKE_MOST_CORNERS = 4 * ATEMI_STRIKE_MOST_FEET,
};

/// The values of all ranges, decided or not.
typedef struct strike_values {
    double foot_position[3], foot_turn[3];
    double stance[ATEMI_STRIKE_MOST_FEET - 1][2];
    double joints[ATEMI_STRIKE_MOST_VARIABLES];
    double speed, lift, roll, pitch, com_x, com_y; ///< from here on, none changes the posture
    double hand_rise, hand_fall, body_rise, body_fall;
} strike_values;

/// A variable: the range it comes from, and its scale for the solver.
typedef struct strike_variable {
    atemi_strike_variable about; ///< without value and multiplier
    size_t                field; ///< in strike_values
    double                scale;
    bool                  is_motion; ///< a speed or momentum
} strike_variable;

/// A constraint, and its scale for the solver. Where its value is the least or the largest of
/// several, which is not smooth, each of them is a part, with the same bound.
typedef struct strike_constraint {
    atemi_strike_constraint about; ///< without value and multiplier
    double                  scale;
    int                     first_part, part_count; ///< no parts where the value is smooth itself
} strike_constraint;

/// What is seen of a blow.
typedef struct strike_outcome {
    atemi_blow_result blow;
    int               count; ///< instants, of STRIKE_BLOW_SAMPLES
    atemi_force       wrenches[STRIKE_BLOW_SAMPLES][ATEMI_STRIKE_MOST_FEET]; ///< of the floor
} strike_outcome;

/// The feet in a posture; see strike_feet.c.
typedef struct strike_feet {
    double                   *rows, *columns, *tau, *work, *M;
    int                      *pivot;
    int                       rank;
    atemi_mass_matrix_scratch mass;
} strike_feet;

/// The goals of the rates without the base; see strike_shares.c.
typedef struct strike_reduction {
    int     count; ///< rows of C
    double *X, *C, *weighted, *S, *ease, *scale, *z, *hand, *body;
    int    *goals; ///< [count] rows of the goals
} strike_reduction;

/// The least and the largest of some values.
typedef struct strike_extremes {
    double least, most;
} strike_extremes;

/// A strike under consideration.
typedef struct strike_problem {
    atemi_strike_task  task;
    const atemi_model *model;
    const strike_grid *grid;
    int                variable_count, constraint_count;
    strike_variable    variables[ATEMI_STRIKE_MOST_VARIABLES];
    int                part_count;  ///< of the parts of all constraints
    strike_constraint *constraints; ///< [constraint_count]

    // ---- At the values looked at last
    strike_values      values;
    bool               same_posture, same_hand; ///< as at the values before
    bool               can_strike; ///< the virtual base is one, at the posture looked at last
    double            *q;          ///< [q_count]
    double            *v;          ///< [v_count]
    strike_shares      shares;     ///< at q
    strike_way         ways[2];    ///< before and after the blow
    double            *found;      ///< [constraint_count]
    double            *parts;      ///< [part_count]
    double             objective;
    strike_outcome     outcome; ///< of the blow as planned
    atemi_support      support;
    atemi_vec3         corners[STRIKE_MOST_CORNERS], vertices[STRIKE_MOST_CORNERS];
    int                corner_count;
    atemi_vec3         com;
    atemi_force        momentum; ///< about the world's origin
    double             impact_margin, motion_margin;
    atemi_strike_times times;
    double (*clock)(void); ///< or NULL
    int evaluations;

    // ---- Room
    int                              leg_joint_count;
    int                             *leg_joints; ///< [joint_count] moved by inverse kinematics
    bool                            *moving;     ///< [v_count] theirs
    bool                            *locked;     ///< [v_count] see strike_is_locked()
    double                           blow_times[STRIKE_BLOW_SAMPLES];
    double                           touch_time; ///< how long hand and target touch, about, s
    double                           blow_step;  ///< where the blow is not linear, s
    double                          *weights;    ///< [v_count]
    double                          *rotors;     ///< [v_count] of light joints, in the blow
    double                          *doubt_q, *doubt_v; ///< [q_count], [v_count]
    double                          *knot_q, *knot_v, *knot_a, *mean_v, *node_v;
    strike_extremes                 *speeds; ///< [knots x v_count] in each segment
    strike_reduction                 reduction;
    int                              next, next_part; ///< to be counted, or filled
    bool                             declares; ///< constraints are given their names and bounds
    atemi_posture_goal               goals[ATEMI_STRIKE_MOST_FEET];
    atemi_inverse_kinematics_options ik_options;
    atemi_inverse_kinematics_scratch ik;
    atemi_rate_goals                 rates;
    atemi_kinematics                 kinematics;
    atemi_virtual_base               base;
    atemi_blow_scratch               scratch;
    atemi_stance_scratch             stance;
    strike_feet                      feet;
    strike_obstacle                  obstacle;
    double                          *distances; ///< [balls x knots] to the target
    double                          *tau;       ///< [v_count]
    atemi_arena                      arena, constraint_arena;
} strike_problem;

/// Makes the problem of a task. Destroy it, whatever the result.
atemi_status strike_problem_create(const atemi_strike_task *task, const strike_grid *grid,
                                   strike_problem *problem, atemi_error *error);
void         strike_problem_destroy(strike_problem *problem);

/// Evaluates objective and constraints at x [variable_count].
void strike_problem_evaluate(strike_problem *problem, const double *x);

/// The largest violation at the values looked at last, relative to the constraints' scales.
double strike_problem_violation(const strike_problem *problem);

// ---- Parts, in the order of an evaluation

/// Posture and rates ([STRIKE] III-A and III-B). The errors of the feet are in `ik.errors`.
void strike_find_posture(strike_problem *problem);
void strike_find_rates(strike_problem *problem);

/// Sets the goals of the rates at a posture: parts of those of first touch, and feet that go back
/// to their places with a gain, 1/s.
/// @return how many rows are the hands': the first ones; then come STRIKE_BODY_GOALS, then the feet
int strike_add_goals(strike_problem *problem, const double *q, double hand_part, double body_part,
                     double foot_gain);

/// The shares of the rates at a posture, with feet that stay as they are.
void strike_find_shares(strike_problem *problem, const double *q, const strike_shares *shares);

/// The rates at a posture and a time before or after first touch.
/// @param foot_gain 1/s, with which feet go back to their places
void strike_rates_at(strike_problem *problem, const double *q, double time, double foot_gain,
                     double *v);

/// The corners of all feet.
/// @param points [STRIKE_MOST_CORNERS] result
/// @return how many there are
int strike_stance_points(const strike_problem *problem, atemi_contact_point *points);

/// Whether a joint never moves: it is given at a limit, and nothing decides on it.
bool strike_is_locked(const strike_problem *problem, const atemi_joint *joint);

/// The bound of a joint's speed; infinite where there is none.
double strike_speed_limit(const strike_problem *problem, const atemi_joint *joint);

/// Room for the feet and for the goals.
strike_feet strike_feet_take(atemi_arena *arena, const atemi_model *model, int foot_count);

strike_reduction strike_reduction_take(atemi_arena *arena, const atemi_model *model, int rows);

/// Writes a text that is cut where it does not fit.
void strike_text(char *text, size_t size, const char *format, ...) ATEMI_PRINTF(3, 4);

/// What is said about a constraint when it is declared.
typedef struct strike_bounds {
    double      lower, upper, scale;
    const char *unit;
} strike_bounds;

/// From -size to size.
strike_bounds strike_within(double size, double scale, const char *unit);

/// Counts the constraint that comes next, declares it in the second evaluation, or fills it.
void strike_constrain(strike_problem *problem, double value, strike_bounds bounds,
                      const char *format, ...) ATEMI_PRINTF(4, 5);

/// The same for the largest of several values where there is an upper bound, and otherwise the
/// least.
void strike_constrain_extreme(strike_problem *problem, const double *values, int count,
                              strike_bounds bounds, const char *format, ...) ATEMI_PRINTF(5, 6);

/// What the constraint before is at.
double strike_last_value(const strike_problem *problem);
