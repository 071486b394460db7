// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a control loop on a simulated robot.

#pragma once

#include "atemi/control_loop.h"
#include "simulate/driven/joint_faults.h"

struct atemi_control_loop {
    const atemi_model         *model;    ///< as the robot is
    const atemi_model         *believed; ///< as its controllers have it
    atemi_control_loop_options options;  ///< its arrays are read at creation only
    atemi_arena                arena;
    atemi_whole_body_plant    *plant;
    atemi_coordination        *coordination;
    int                        count; ///< of joints
    int                        tick_count, tick;
    int                        contact_count, corner_count; ///< that it stands on

    atemi_joint_control     *controls;
    atemi_joint_measurement *measurements;
    atemi_joint_output      *outputs;
    atemi_joint_command     *commands;
    bool                    *is_elastic, *stopped;
    bool                    *held;   ///< [links] besides those that stand
    bool                    *stands; ///< [links]
    atemi_standing_contact  *contacts;
    double                  *gears;
    double                  *positions, *velocities, *torques; ///< [joints] as sensed
    atemi_goal_record       *goals;                            ///< [max_goals]

    joint_fault         *faults;      ///< [fault_count] joint by joint
    int                 *fault_first; ///< [joints + 1] of a joint
    double              *voltages;    ///< [joints] that were applied last
    double              *stop_times;  ///< [joints] s, when they stopped safely; infinite before
    int                  step_count;  ///< of the coordination so far
    int                  mail_size;   ///< steps whose commands are kept until the bus brings them
    atemi_joint_command *mail;        ///< [mail_size x joints]
    double              *mailed;      ///< [mail_size] s, when
    int                 *taken;       ///< [joints] steps whose commands have come, or were passed

    atemi_timed_surface *timed_surfaces;
    atemi_guiding_hand  *hands;
    atemi_vec3          *starts; ///< [hands] where they took hold
    bool                *leads;  ///< [hands] whether they do
    atemi_transform     *rails;
    int                  grip_count;
    atemi_grip          *grips; ///< [max_grips]
    double               offload, offload_goal, offload_rate;
};

/// Hands, timed surfaces, brakes and the weight, before a tick.
void atemi_control_loop_surround(atemi_control_loop *loop);

/// The faults of a joint.
joint_faults atemi_control_loop_faults(const atemi_control_loop *loop, int joint);
