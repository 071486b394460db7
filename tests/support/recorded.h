// SPDX-License-Identifier: Apache-2.0

/// @file
/// The parts of a recording by name. One that is not there fails the test.

#pragma once

#include "atemi/recording.h"

double                      result(const atemi_recording *recording, const char *name);
const double               *column(const atemi_recording *recording, const char *name);
const atemi_recorded_table *table(const atemi_recording *recording, const char *name);

/// Whether there is such a part.
bool has_result(const atemi_recording *recording, const char *name);
bool has_table(const atemi_recording *recording, const char *name);
