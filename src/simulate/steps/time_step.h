// SPDX-License-Identifier: Apache-2.0

/// @file
/// The step of the method of steps: all contacts, stops and dry friction decided together.

#pragma once

#include "contact/cone_problem.h"
#include "contact/cone_sweeps.h"
#include "simulate/joint_bounds.h"
#include "simulate/ledger.h"
#include "simulate/steps/touch_set.h"

/// What a row that is no point's stands for.
typedef enum atemi_step_row_kind {
    ATEMI_STEP_ROW_STOP,
    ATEMI_STEP_ROW_FRICTION,
    ATEMI_STEP_ROW_LOOP, ///< one of a closed loop's, behind those of joints
} atemi_step_row_kind;

typedef struct atemi_step_row {
    atemi_step_row_kind kind;
    int                 rate; ///< which entry of v
    double              side; ///< of a stop: 1 at the lower, -1 at the upper one
    double              gap;  ///< to the stop, in the middle of the step
    bool                hits; ///< the stop is reached in this step, and left again
} atemi_step_row;

/// A point, or a touch of two shapes.
typedef struct atemi_step_point {
    int        index; ///< of the point in the contact set, or of the touch
    double     restitution;
    double     gap;    ///< in the middle of the step
    atemi_vec3 before; ///< its velocity there with v of the start
    bool       hits;   ///< it reaches its surface in this step, and bounces
} atemi_step_point;

/// Shapes that touch at more places than that, points included, are a pile.
enum { ATEMI_STEP_FEW = 12 };

typedef struct atemi_time_step {
    atemi_joint_bounds joints;

    double *middle;              ///< [q_count] the configuration halfway
    double *expected;            ///< [v_count] the velocities there, as far as they are known
    double *end;                 ///< [v_count] the velocities at the end, without impulses or with
    double *damping, *stiffness; ///< [v_count] D and K, of joints and servos
    double *implicit;            ///< [v_count] what they add to M
    double *correction;          ///< [v_count] that lifts points out of their surfaces
    bool    lifted;              ///< it is not zero
    bool   *thrown;              ///< [v_count] into a stop, by what else happens in this step
    bool    smooth;              ///< the accelerations of the last step go on

    atemi_constraint_space space;
    int                    contact_count; ///< of the system's points, those of the contact set
    int                    point_count, row_count; ///< of the system, touches included
    atemi_step_point      *points;                 ///< [rigid points and touches]
    atemi_contact         *contacts;               ///< [rigid points]
    atemi_cone            *cones, *smooth_cones;   ///< [points] with friction and without
    bool                   pile; ///< solved by sweeps, with `heap` in place of the system
    atemi_pile_system      heap; ///< of touches
    atemi_touch_set        touches;
    atemi_vec3            *touch_before;       ///< [touches] their velocities with v of the start
    atemi_step_row        *rows;               ///< [2 v_count and loop_rows]
    atemi_interval        *bounds;             ///< likewise
    double *before, *start, *impulses, *after; ///< [system rows] J v, what the problem starts from
    double *lift;                              ///< [system rows]
    double *scratch;                           ///< of the cone problem
    atemi_vec3 *forces;                        ///< [points] of the last step
    double     *stop_torques, *friction_torques; ///< [v_count] of the last step
    int         loop_count, loop_rows;           ///< closed loops, and their rows
    double     *loop_before;                     ///< [loop_rows] J v of the start
    double     *loop_forces;                     ///< [loop_rows] multipliers of the last step
} atemi_time_step;

/// Lays out what has the sizes of the model and of the set; without a system by the method of
/// events.
atemi_time_step atemi_time_step_take(atemi_arena *arena, const atemi_model *model,
                                     const atemi_simulation_contacts *set,
                                     const atemi_simulation_options  *options);

struct atemi_simulation;

/// Forgets the last step.
void atemi_time_step_reset(struct atemi_simulation *s);

/// Takes a step of h.
/// @return ATEMI_ERROR_SINGULAR where M is, or numbers are beyond all bounds
atemi_status atemi_time_step_advance(struct atemi_simulation *s, double h, atemi_error *error);
