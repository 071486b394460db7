// SPDX-License-Identifier: Apache-2.0

/// @file
/// Slow sliding: the direction of friction where sliding is slower than a step can follow.

#pragma once

#include "simulate/evaluation.h"

/// Gives slow points of a state that was observed, and whose load is known, their directions.
void atemi_slow_sliding_direct(atemi_evaluation *e, atemi_contact_set *set, const double *q,
                               const double *v);
