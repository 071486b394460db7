// SPDX-License-Identifier: Apache-2.0

/// @file
/// The stride: which foot stands, where the pressure shall be and where the other foot goes.

#pragma once

#include "atemi/trajectory.h"
#include "walk/capture_point.h"
#include "walk/walking_body.h"

/// What the stride is decided by.
typedef struct atemi_foot_view {
    double heel, toe;               ///< x of the points, m
    double heel_height, heel_speed; ///< m; m/s along x
    double ankle_x, ankle_z, angle;
    double slide;               ///< speed along the floor, m/s
    bool   heel_down, toe_down; ///< touch the floor
    double push_x, push_z;      ///< force of the floor, N
} atemi_foot_view;

typedef struct atemi_body_view {
    double          com_x, com_z, com_speed; ///< centre of mass, m and m/s along x
    double          hip_x, hip_speed;
    atemi_foot_view feet[ATEMI_FEET];
} atemi_body_view;

/// What it asks for, beside the state that everybody may know.
typedef struct atemi_stride {
    atemi_walking_options options;
    double                gravity;       ///< across the floor, m/s^2
    double                lean;          ///< that along the floor, as part of it
    double                reach, ankles; ///< length of a leg, and height of the ankles, m
    atemi_walking_state   state;

    double           rate;           ///< of the pendulum, 1/s
    double           hurry;          ///< how fast its clock runs
    double           left_from;      ///< where the pressure was on landing, x
    atemi_axis_state heel;           ///< of the swinging foot, x
    double           lifted, tilted; ///< height and angle of that foot as it left
    atemi_axis_state hips;           ///< height over that of the options

    double pressures[ATEMI_FEET]; ///< x of the pressure under each foot
    double shares[ATEMI_FEET];    ///< of the floor's force
} atemi_stride;

/// Begins on both feet, at rest.
void atemi_stride_start(atemi_stride *stride);

/// Goes on by a tick.
void atemi_stride_update(atemi_stride *stride, const atemi_body_view *view);

/// The path of the swinging foot: height of its heel, and its angle.
atemi_axis_state atemi_stride_lift(const atemi_stride *stride);
atemi_axis_state atemi_stride_tilt(const atemi_stride *stride);
