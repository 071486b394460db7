// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the subcommand `simulate` shows of a recording.

#pragma once

#include "atemi/recording.h"

#include <jansson.h>

/// A result of a recording by its name; NaN where there is none.
double simulate_result(const atemi_recording *recording, const char *name);

/// Prints outcome, events, energies and what touches at the end, for people.
/// @param wall_time that it took, s
void simulate_print_text(const atemi_recording *recording, double wall_time);

/// The same as one JSON object, without what depends on the machine; NULL without memory.
/// @param scenario its path, as the user named it
/// @param folder   that the recording is in, or NULL
json_t *simulate_json(const atemi_recording *recording, const char *scenario, const char *folder);
