// SPDX-License-Identifier: Apache-2.0

/// @file
/// The torques of a scenario: the keys torques and limit_torques.
///
///     constant    tau = torque
///     sinusoid    tau = offset + amplitude sin(2 pi frequency t + phase)
///     servo       tau = stiffness (target - q) - damping v
///
/// Several on one joint add up.

#pragma once

#include "atemi/model.h"
#include "io/scenario/scenario_reader.h"

typedef enum atemi_actuator_kind {
    ATEMI_ACTUATOR_CONSTANT,
    ATEMI_ACTUATOR_SINUSOID,
    ATEMI_ACTUATOR_SERVO,
} atemi_actuator_kind;

/// What acts on one joint.
typedef struct atemi_actuator {
    atemi_actuator_kind kind;
    int                 joint;
    double              torque;                              ///< N m or N
    double              amplitude, frequency, phase, offset; ///< N m or N, Hz, rad
    double              stiffness, damping, target;          ///< N m/rad, N m s/rad, rad, or of m
} atemi_actuator;

typedef struct atemi_scenario_torques {
    const atemi_model *model;
    int                count;
    atemi_actuator    *actuators; ///< [count]
    bool               limited;   ///< their sum is to stay within the joints' effort limits
} atemi_scenario_torques;

/// @param model NULL where the reader has no file
/// @param q     [q_count] what servos hold where the scenario says nothing else
void atemi_scenario_read_torques(atemi_scenario_reader *reader, const atemi_model *model,
                                 const double *q, atemi_scenario_torques *torques);

/// Adds the torques of an instant. No allocation.
void atemi_scenario_torques_add(const atemi_scenario_torques *torques, double time, const double *q,
                                const double *v, double *tau);

/// Adds the stiffness of the servos; their damping. No allocation.
void atemi_scenario_torques_add_stiffness(const atemi_scenario_torques *torques, double *stiffness);
void atemi_scenario_torques_add_damping(const atemi_scenario_torques *torques, double *damping);

void atemi_scenario_torques_destroy(atemi_scenario_torques *torques);
