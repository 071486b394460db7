// SPDX-License-Identifier: Apache-2.0

/// @file
/// Warnings of a scenario: what can be done as it is written, but is hardly what was meant. A job
/// goes on; its recording keeps the warnings, and the log hook (atemi/base.h) hears each at once.

#pragma once

#include "atemi/recording.h"
#include "io/scenario/scenario_reader.h"

/// As a recording has it. `file` is NULL where the scenario has none.
typedef atemi_recorded_warning atemi_scenario_warning;

/// Warns "file:line:column: path: ...". Nothing happens after an error, without a file, for a
/// warning that was given already, and after the first hundred.
void atemi_scenario_warn(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                         const char *format, ...) ATEMI_PRINTF(3, 4);

/// All warnings so far, in their order.
const atemi_scenario_warning *atemi_scenario_warnings(const atemi_scenario_reader *reader,
                                                      int                         *count);

/// Whether the file has a key in the current mapping.
bool atemi_scenario_is_given(const atemi_scenario_reader *reader, const char *key);

/// Warns where a key of the current mapping is given although it cannot matter: "PATH: has no
/// effect: WHY". To be called before the mapping is left.
void atemi_scenario_warn_if_given(atemi_scenario_reader *reader, const char *key, const char *why);
