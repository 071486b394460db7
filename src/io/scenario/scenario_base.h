// SPDX-License-Identifier: Apache-2.0

/// @file
/// The pose and motion of a base, as a scenario gives them: in world axes, whatever the base is.

#pragma once

#include "atemi/model.h"
#include "io/scenario/scenario_reader.h"

/// Reads position, rpy, velocity and angular_velocity into the base's part of q and v.
/// @param model NULL where the reader has no file
void atemi_scenario_read_base(atemi_scenario_reader *reader, const atemi_model *model, double *q,
                              double *v);
