// SPDX-License-Identifier: Apache-2.0

/// @file
/// A model as URDF, with our extensions: read again it is the same robot, to rounding.

#pragma once

#include "atemi/model.h"
#include "io/bytes/text.h"

/// Appends the model. The base is not in a URDF; meshes are named by the files that were
/// found. Without memory `text->failed` says so.
void atemi_urdf_write(const atemi_model *model, atemi_text *text);
