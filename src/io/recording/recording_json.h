// SPDX-License-Identifier: Apache-2.0

/// @file
/// Values of summary.json by their keys. What is missing or of another kind is an error that names
/// key and place.

#pragma once

#include "io/recording/recording_parts.h"

#include <jansson.h>

/// Where the reading stands, for messages: entry 12 of "events", "robot", ...
typedef struct atemi_recording_place {
    const char *part;
    int         index; ///< or ATEMI_NONE
} atemi_recording_place;

/// Says that the value of a key is not what is wanted.
atemi_status atemi_recording_json_complain(atemi_recording_place at, const char *key,
                                           const char *wanted, atemi_error *error);

/// A string, or NULL where there is none and none is needed.
atemi_status atemi_recording_json_string(const json_t *object, atemi_recording_place at,
                                         const char *key, bool needed, const char **string,
                                         atemi_error *error);

/// A number, or NaN for null and, where none is needed, for none.
atemi_status atemi_recording_json_number(const json_t *object, atemi_recording_place at,
                                         const char *key, bool needed, double *number,
                                         atemi_error *error);

/// Exactly `count` numbers.
atemi_status atemi_recording_json_numbers(const json_t *object, atemi_recording_place at,
                                          const char *key, int count, double *numbers,
                                          atemi_error *error);

/// Reads an entry of "surfaces" and adds it to the recording (recording_surfaces_read.c).
atemi_status atemi_recording_read_surface(const json_t *object, int index,
                                          atemi_recording *recording, atemi_error *error);

/// Reads an entry of "warnings" and adds it to the recording (recording_warnings.c).
/// Reads an entry of "cards" (recording_cards.c).
atemi_status atemi_recording_read_card(const json_t *object, int index, atemi_recording *recording,
                                       atemi_error *error);

atemi_status atemi_recording_read_warning(const json_t *object, int index,
                                          atemi_recording *recording, atemi_error *error);

/// Reads an entry of "tables" and adds it to the recording (recording_tables_read.c).
atemi_status atemi_recording_read_table(const json_t *object, int index, atemi_recording *recording,
                                        atemi_error *error);

/// Reads an entry of "plots" and adds it to the recording (recording_plots_read.c).
atemi_status atemi_recording_read_plot(const json_t *object, int index, atemi_recording *recording,
                                       atemi_error *error);
