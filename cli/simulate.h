// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the subcommand `simulate` shows of a recording.

#pragma once

#include "atemi/recording.h"

#include <jansson.h>

/// Prints events, energies and what touches at the end, for people.
/// @param wall_time that it took, s
void simulate_print_text(const atemi_recording *recording, double wall_time);

/// Adds the state at the end to an answer.
json_t *simulate_extend_json(json_t *answer, const atemi_recording *recording);
