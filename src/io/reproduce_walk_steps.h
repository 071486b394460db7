// SPDX-License-Identifier: Apache-2.0

/// @file
/// The walks of [WALK]: a thousand steps, floors of less and less friction, ice.

#pragma once

#include "atemi/model.h"
#include "io/reproduction_parts.h"

/// Walks and compares.
/// @param from how much of the paper is done already, 0 to 1
atemi_status atemi_reproduce_walk_steps(atemi_reproduction *reproduction, const atemi_model *robot,
                                        double from, atemi_error *error);
