// SPDX-License-Identifier: Apache-2.0

/// @file
/// How well a scenario fits what somebody reads: its keys at the top beside those of a schema.

#pragma once

#include "io/scenario/scenario_reader.h"

/// What does not fit.
typedef struct atemi_scenario_fit {
    int         misfits; ///< keys that the schema lacks, and required ones that the file lacks
    const char *key;     ///< the first of them; NULL if all fit
    bool        missing; ///< the file lacks it
    atemi_place place;   ///< where it is, or the file begins
} atemi_scenario_fit;

/// Compares the keys at the top of a file, whether they were asked for or not, with those that a
/// blank reader was asked for. Both readers must outlive the result.
atemi_scenario_fit atemi_scenario_fit_find(const atemi_scenario_reader *reader,
                                           const atemi_scenario_reader *schema);

/// Whether a file has a key at its top, asked for or not.
bool atemi_scenario_fit_has(const atemi_scenario_reader *reader, const char *key);
