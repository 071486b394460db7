// SPDX-License-Identifier: Apache-2.0

/// @file
/// The force law of a soft surface in a scenario: the keys law, stiffness, damping and those of
/// round bodies.

#pragma once

#include "atemi/surface.h"
#include "io/scenario/scenario_reader.h"

typedef enum atemi_scenario_law_kind {
    ATEMI_LAW_COMPRESSION_DAMPER,
    ATEMI_LAW_KELVIN_VOIGT,
    ATEMI_LAW_HUNT_CROSSLEY,
} atemi_scenario_law_kind;

/// A law and its parameters, which it refers to.
typedef struct atemi_scenario_law {
    atemi_scenario_law_kind kind;
    atemi_spring_damper     spring;
    atemi_hunt_crossley     sphere;
    atemi_compliance        law;
} atemi_scenario_law;

/// Whether a law has the stiffness and the damping of a spring.
bool atemi_scenario_law_is_spring(const atemi_scenario_law *law);

/// Reads the keys where the reader stands. The result refers to itself: it stays where it is.
void atemi_scenario_read_law(atemi_scenario_reader *reader, atemi_scenario_law *law);
