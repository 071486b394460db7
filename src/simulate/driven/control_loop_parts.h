// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a control loop on a simulated robot.

#pragma once

#include "atemi/control_loop.h"

struct atemi_control_loop {
    const atemi_model         *model;
    atemi_control_loop_options options; ///< its arrays are read at creation only
    atemi_arena                arena;
    atemi_whole_body_plant    *plant;
    atemi_coordination        *coordination;
    int                        count; ///< of joints
    int                        tick_count, tick;

    atemi_joint_control     *controls;
    atemi_joint_measurement *measurements;
    atemi_joint_output      *outputs;
    atemi_joint_command     *commands;
    bool                    *is_elastic, *stopped;
    bool                    *held; ///< [links]
    double                  *gears;
    double                  *positions, *velocities, *torques; ///< [joints] as sensed
    atemi_goal_record       *goals;                            ///< [max_goals]

    atemi_timed_surface *timed_surfaces;
    atemi_guiding_hand  *hands;
    atemi_vec3          *starts; ///< [hands] where they took hold
    bool                *leads;  ///< [hands] whether they do
    atemi_transform     *rails;
    int                  grip_count;
    atemi_grip          *grips; ///< [max_grips]
    double               offload, offload_goal, offload_rate;
};

/// Hands, timed surfaces and the weight, before a tick.
void atemi_control_loop_surround(atemi_control_loop *loop);
