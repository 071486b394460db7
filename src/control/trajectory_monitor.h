// SPDX-License-Identifier: Apache-2.0

/// @file
/// The trajectory monitor: whether what is measured follows what is commanded, and whether anyone
/// commands.

#pragma once

#include "control/coordination_parts.h"

/// Takes the measurement of a step; what is no number leaves the last one.
void atemi_monitor_sense(atemi_coordination *c, const atemi_coordination_measurement *measurement);

/// Reacts to joints that do not follow, to measurements and commands that do not come, and to
/// feedback that gives energy away.
void atemi_monitor_react(atemi_coordination *c);

/// Ends motions that would make a robot that stands tip, slide, or need more than its joints have.
void atemi_monitor_balance(atemi_coordination *c);
