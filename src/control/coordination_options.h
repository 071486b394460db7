// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a coordination may be created with.

#pragma once

#include "atemi/coordination.h"

/// Refuses models and options that cannot be.
atemi_status atemi_coordination_options_check(const atemi_model                *model,
                                              const atemi_coordination_options *options,
                                              atemi_error                      *error);

/// The joint that has rate i behind the base of the model.
const atemi_joint *atemi_coordination_model_joint(const atemi_model *model, int i);

/// The radius of the pinion that makes a sliding joint comparable to one that rotates, m; 1 for one
/// that rotates.
double atemi_joint_lever(const atemi_joint *joint);
