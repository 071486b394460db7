// SPDX-License-Identifier: Apache-2.0

/// @file
/// Force over time of a motion of [SDC], late in the collision: Fig. 7.

#pragma once

#include "papers/reproduction_parts.h"

/// Adds how far SDC and the virtual mass are off full dynamics in the last third of the collision.
/// @param recording of the motion, with full dynamics
void sdc_history_add(atemi_reproduction *reproduction, int motion,
                     const atemi_recording *recording);
