// SPDX-License-Identifier: Apache-2.0

/// @file
/// What [SDC] eq. 9 leaves out, beside what it keeps: eq. 7 and 8.

#pragma once

#include "papers/reproduction_parts.h"

/// Adds a row for each posture and each of both equations.
atemi_status sdc_neglected_add(atemi_reproduction *reproduction, atemi_error *error);
