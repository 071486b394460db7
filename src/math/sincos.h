// SPDX-License-Identifier: Apache-2.0

/// @file
/// Sine and cosine of a whole pack.

#pragma once

#include "math/pack.h"

/// Computes both for every lane, within one unit in the last place. NaN for what is not finite.
void atemi_pack_sincos(pack angle, pack *sine, pack *cosine);
