// SPDX-License-Identifier: Apache-2.0

/// @file
/// Slow sliding: the direction of friction where sliding is slower than a step can follow.

#pragma once

#include "simulate/world.h"

/// Gives slow points of a state that was observed, and whose load is known, their directions.
void atemi_slow_sliding_direct(atemi_simulation *s, const double *q, const double *v);
