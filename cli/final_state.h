// SPDX-License-Identifier: Apache-2.0

/// @file
/// The state at the end of a recording, as a part of the answer.

#pragma once

#include "atemi/recording.h"

#include <jansson.h>

/// Prints what touches at the end, for people; nothing if nothing does.
void final_state_print(const atemi_recording *recording);

/// Adds the state at the end to an answer.
json_t *final_state_extend_json(json_t *answer, const atemi_recording *recording);
