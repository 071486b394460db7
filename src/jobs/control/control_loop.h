// SPDX-License-Identifier: Apache-2.0

/// @file
/// The closed loop of [R2] on a simulated robot: Multi-Loop control of every joint at 5 kHz (of
/// those without spring at 500 Hz), coordination above it.

#pragma once

#include "jobs/control/control_scenario.h"

/// The last goals: the log is a ring.
enum { CONTROL_MOST_GOALS = 256 };

typedef struct control_loop {
    const control_scenario  *scenario;
    atemi_whole_body_plant  *plant;
    atemi_coordination      *coordination;
    int                      count; ///< of joints
    atemi_joint_control     *controls;
    atemi_joint_measurement *measurements;
    atemi_joint_output      *outputs;
    atemi_joint_command     *commands;
    double                  *positions, *velocities, *torques; ///< [joints] as sensed
    atemi_goal_record       *goals;                            ///< [CONTROL_MOST_GOALS]
    atemi_vec3               starts[CONTROL_MOST_HANDS];       ///< where hands took hold
    bool                     leads[CONTROL_MOST_HANDS];        ///< whether they do
    int                      ticks;                            ///< of a step of the coordination
    double                   offload, offload_goal, offload_rate;
    atemi_arena              arena;
} control_loop;

atemi_status atemi_control_loop_create(const control_scenario *scenario, control_loop *loop,
                                       atemi_error *error);
void         atemi_control_loop_destroy(control_loop *loop);

/// One step of the coordination, from what was measured last.
void atemi_control_loop_coordinate(control_loop *loop);

/// One tick of the joints and of the robot.
/// @param tick of the step, from 0: commands are new in the first
atemi_status atemi_control_loop_tick(control_loop *loop, int tick, atemi_error *error);

/// Lets a share of the weight be taken away within a time.
void atemi_control_loop_offload(control_loop *loop, double share, double duration);
