// SPDX-License-Identifier: Apache-2.0

/// @file
/// What counts as no speed, and as no gap.

#pragma once

/// Slower, in m/s or rad/s, has no direction.
static const double atemi_creeping = 1e-9;

/// Within this gap, in m or rad, a point or a joint is in touch.
static const double atemi_touching = 2e-10;

/// Farther inside, in m, an open point is lifted out: more than conditions let one be.
static const double atemi_deep = 1.2e-10;
