// SPDX-License-Identifier: Apache-2.0

/// @file
/// Faults that are put into a simulated joint, between its plant and its controller.

#pragma once

#include "atemi/control_loop.h"

enum { JOINT_ENCODERS = 2 };

/// A fault, and what became of it.
typedef struct joint_fault {
    atemi_injected_fault options;
    uint64_t             random;
    bool                 begun;
    double               before[JOINT_ENCODERS]; ///< reading, as it came
    double               shown[JOINT_ENCODERS];  ///< reading, as it went on
    double               lost[JOINT_ENCODERS];   ///< motion that was not seen
} joint_fault;

/// The faults of one joint, in their order.
typedef struct joint_faults {
    joint_fault *faults; ///< [count]
    int          count;
} joint_faults;

void atemi_joint_fault_start(const atemi_injected_fault *options, uint64_t seed,
                             joint_fault *fault);

/// What the controller gets of a measurement.
void atemi_joint_faults_sense(joint_faults of, double time, const atemi_joint_drive *drive,
                              atemi_joint_measurement *measurement);

/// Whether this tick is lost.
bool atemi_joint_faults_lose_tick(joint_faults of, double time);

/// Whether the brake is closed.
bool atemi_joint_faults_brake(joint_faults of, double time);

/// By how much commands come later, s.
double atemi_joint_faults_delay(joint_faults of, double time);

/// The voltage that acts where `demand` is asked for and `before` acted, a tick ago.
double atemi_joint_faults_voltage(joint_faults of, double time, double period, double before,
                                  double demand);
