// SPDX-License-Identifier: Apache-2.0

/// @file
/// The rules by which a patch changes its modes when one of their conditions breaks.

#pragma once

#include "simulate/events/conditions.h"

/// Slower, in m/s, has stopped when it turns back.
static const double atemi_standing = 1e-7;

/// Gives the points of a patch the modes that follow from a broken condition, in the state that was
/// evaluated last. Points that reach a rigid surface collide instead.
void atemi_mode_rules_apply(atemi_simulation_contacts *set, const atemi_condition *broken);
