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

/// The description of a closed loop; its names are the model's, NULL for the world.
atemi_loop_description atemi_loop_describe(const atemi_model *model, const atemi_loop *loop);

/// Adds a geometry of a model to a builder, on the link of that name.
atemi_status atemi_geometry_copy(const atemi_geometry *from, const char *link,
                                 atemi_model_builder *builder, atemi_error *error);

/// Adds all parts of a model to a builder.
atemi_status atemi_parts_copy(const atemi_model *model, atemi_model_builder *builder,
                              atemi_error *error);

/// Whether a copy must couple mimic joints to have the coordinates of the model.
bool atemi_model_is_coupled(const atemi_model *model);
