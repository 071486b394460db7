// SPDX-License-Identifier: Apache-2.0

/// @file
/// The base that a robot has if none is given: floating where the root link, with all that
/// is fixed to it, has mass; fixed where it has none, or is named "world".

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

/// Chooses the base.
/// @param model  the robot with a fixed base, which any robot can have
/// @param reason why, for a person; a literal. May be NULL
atemi_status atemi_default_base(const atemi_model *model, atemi_base *base, const char **reason,
                                atemi_error *error);

/// Tells of every link whether it moves when the base is fixed: whether a joint that is not fixed
/// lies before it. O(links).
/// @param moving [link_count]
void atemi_default_base_mark_moving(const atemi_model *model, bool *moving);
