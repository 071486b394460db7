// SPDX-License-Identifier: Apache-2.0

/// @file
/// [ENE] V-B: forces in the joints near a singular shape.

#pragma once

#include "papers/ene/reproduce_ene_motion.h"
#include "papers/reproduction_parts.h"

/// Adds how much larger they are there than elsewhere.
atemi_status atemi_reproduce_ene_shapes(atemi_reproduction *rows, const atemi_ene_setting *setting,
                                        atemi_error *error);
