// SPDX-License-Identifier: Apache-2.0

/// @file
/// Watches feet slide.

#pragma once

#include "atemi/walk.h"

/// A foot's slide under way.
typedef struct atemi_slip_watch {
    bool       slides;
    atemi_slip slip; ///< so far
    double     last; ///< x of the foot's middle, m
} atemi_slip_watch;

/// Looks at a foot after a tick.
/// @return whether a slide that counts has ended, which then is in `watch->slip`
bool atemi_slip_watch_look(atemi_slip_watch *watch, const atemi_simulation *simulation, int foot);
