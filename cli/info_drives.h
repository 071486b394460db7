// SPDX-License-Identifier: Apache-2.0

/// @file
/// The drives of a robot's joints, as compliant control takes them where nothing else is given.

#pragma once

#include "atemi/model.h"

#include <jansson.h>

/// Prints them as a table; nothing for a robot without joints.
void info_drives_print(const atemi_model *model);

/// The same as JSON.
json_t *info_drives_json(const atemi_model *model);
