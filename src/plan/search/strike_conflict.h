// SPDX-License-Identifier: Apache-2.0

/// @file
/// Constraints of a strike that cannot be met together.

#pragma once

#include "plan/search/strike_violation.h"

enum { STRIKE_MAX_CONFLICTS = 40 }; ///< lighter ones are left out

/// Which constraints conflict, and the ranges of which variables, where violations are least in
/// sum: those that are not met first, the heaviest first; one of each family.
/// @param u         [variables] scaled: where strike_violation_minimize() ended
/// @param conflicts [STRIKE_MAX_CONFLICTS] result
/// @return how many there are
int strike_conflict_find(const strike_violation *violation, const double *u,
                         atemi_strike_conflict *conflicts);
