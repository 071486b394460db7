// SPDX-License-Identifier: Apache-2.0

/// @file
/// Models that are built after other models, from the descriptions that their parts would have had.

#pragma once

#include "atemi/model.h"
#include "atemi/model_builder.h"

/// Adds all links of a model to a builder.
atemi_status atemi_links_copy(const atemi_model *model, atemi_model_builder *builder,
                              atemi_error *error);

/// The description of a joint; its names are the model's.
atemi_joint_description atemi_joint_describe(const atemi_model *model, int joint);

/// Whether a copy must couple mimic joints to have the coordinates of the model.
bool atemi_model_is_coupled(const atemi_model *model);
