// SPDX-License-Identifier: Apache-2.0

/// @file
/// What errors call the joints of a model, and their units.

#pragma once

#include "atemi/model.h"

/// The name of the joint whose velocity is v[coordinate]; "base" for those of the base.
const char *atemi_joint_name_at(const atemi_model *model, int coordinate);

/// Its units.
typedef struct atemi_joint_units {
    const char *velocity, *torque, *damping;
} atemi_joint_units;

atemi_joint_units atemi_joint_units_at(const atemi_model *model, int coordinate);
