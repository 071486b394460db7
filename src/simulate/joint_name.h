// SPDX-License-Identifier: Apache-2.0

/// @file
/// What errors call the joints of a simulation, and their units.

#pragma once

#include "simulate/world.h"

/// The name of the joint whose velocity is v[coordinate]; "base" for those of the base.
const char *atemi_simulation_joint_name(const atemi_simulation *s, int coordinate);

/// Its units.
typedef struct atemi_joint_units {
    const char *velocity, *torque, *damping;
} atemi_joint_units;

atemi_joint_units atemi_simulation_joint_units(const atemi_simulation *s, int coordinate);
