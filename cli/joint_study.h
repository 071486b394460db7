// SPDX-License-Identifier: Apache-2.0

/// @file
/// One joint of a robot under compliant control: margins, open loop, and a step.

#pragma once

#include "atemi/coordination.h"
#include "atemi/recording.h"

typedef struct joint_study {
    // What is asked for. NaN: as usual.
    const atemi_model *model;
    int                joint; ///< counted as in v behind the base
    double             natural_frequency, damping_ratio, period, inertia;
    bool               takes_torque;

    // What comes of it.
    atemi_joint_control_options control;
    atemi_coordinated_joint     coordinated;
    atemi_joint_stability       stability; ///< over the workspace
    atemi_impedance             impedance; ///< with `inertia`
    atemi_joint_margin          margin;    ///< with `inertia`
} joint_study;

/// Finds options, impedance and margins.
/// @return ATEMI_ERROR_INPUT for a robot or figures that cannot be controlled
atemi_status joint_study_find(joint_study *study, atemi_error *error);

/// Adds the open loop of the impedance as the table "bode", with a plot.
atemi_status joint_study_add_bode(const joint_study *study, atemi_recording *recording,
                                  atemi_error *error);

/// Adds the answer to a step of the commanded position as the table "step", with a plot: the joint
/// alone, with its drive and sensors without noise.
atemi_status joint_study_add_step(const joint_study *study, atemi_recording *recording,
                                  atemi_error *error);
