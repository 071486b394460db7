// SPDX-License-Identifier: Apache-2.0

/// @file
/// The blow of a planned strike as it is estimated (atemi/blow.h), over time.

#pragma once

#include "atemi/strike_verification.h"

/// Computes it, from first touch until well after hand and target have parted.
atemi_status strike_estimate_make(const atemi_strike_task *task, atemi_strike_plan *plan,
                                  const atemi_strike_motion *motion,
                                  atemi_strike_estimate *estimate, atemi_error *error);
