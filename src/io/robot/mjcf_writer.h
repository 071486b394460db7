// SPDX-License-Identifier: Apache-2.0

/// @file
/// A model as MuJoCo's MJCF: the same robot there.

#pragma once

#include "atemi/model.h"
#include "io/bytes/text.h"

/// Appends the model. What MJCF has no place for is named in warnings to the log hook. Without
/// memory `text->failed` says so.
void atemi_mjcf_write(const atemi_model *model, atemi_text *text);
