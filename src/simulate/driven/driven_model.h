// SPDX-License-Identifier: Apache-2.0

/// @file
/// A robot's links without what belongs to its drives.

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

/// A copy of a model, without sites, geometries and postures, whose joints have these rotors in
/// place of their own.
/// @param rotors [v_count] kg m^2 or kg
/// @param driven result, to be destroyed
atemi_status atemi_driven_model_create(const atemi_model *model, const double *rotors,
                                       atemi_model **driven, atemi_error *error);
