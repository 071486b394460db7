// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a controller believes of its robot: the keys in believed that jobs share.

#pragma once

#include "atemi/model_builder.h"
#include "io/scenario/scenario_reader.h"

/// Reads factors of masses and lengths where the reader stands.
void atemi_scenario_read_variation(atemi_scenario_reader *reader, atemi_model_variation *variation);

/// Makes the robot so varied, unless there was an error.
/// @param mark  for what cannot be
/// @param model NULL where the reader has no file
void atemi_scenario_vary(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                         const atemi_model *model, const atemi_model_variation *variation,
                         atemi_model **varied);
