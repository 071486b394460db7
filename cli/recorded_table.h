// SPDX-License-Identifier: Apache-2.0

/// @file
/// The tables of a recording, for people and as JSON.

#pragma once

#include "atemi/recording.h"

#include <jansson.h>

/// The table of a name, or NULL.
const atemi_recorded_table *recorded_table_find(const atemi_recording *recording, const char *name);

/// Prints a table with its title, as table_print() does.
void recorded_table_print(const atemi_recorded_table *table);

/// Adds all tables to an answer, by name: columns, labels and rows.
json_t *recorded_tables_extend_json(json_t *answer, const atemi_recording *recording);
