// SPDX-License-Identifier: Apache-2.0

/// @file
/// The servos of a scenario in which every joint has one: the keys servo and joint_friction.

#pragma once

#include "atemi/blow.h"
#include "io/scenario/scenario_reader.h"

typedef struct atemi_scenario_servo {
    double *stiffness, *damping, *limits, *viscous, *coulomb; ///< [v_count]
    bool    has_friction;                                     ///< of the joints acts
} atemi_scenario_servo;

/// @param model NULL where the reader has no file
void atemi_scenario_read_servo(atemi_scenario_reader *reader, const atemi_model *model,
                               atemi_scenario_servo *servo);

/// As a blow wants it.
atemi_blow_servo atemi_scenario_blow_servo(const atemi_scenario_servo *servo,
                                           const atemi_model          *model);

void atemi_scenario_servo_destroy(atemi_scenario_servo *servo);
