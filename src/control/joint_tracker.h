// SPDX-License-Identifier: Apache-2.0

/// @file
/// Follows the reading of an encoder, and does not believe all of it.

#pragma once

#include "atemi/joint_control.h"

/// How many ticks in a row something has lasted, given how many before this one.
int atemi_joint_ticks(int before, bool lasts);

/// @param bandwidth rad/s
/// @param gate      a reading that is farther from what was expected is not believed
void atemi_joint_tracker_start(double period, double bandwidth, double gate,
                               atemi_joint_tracker *tracker);

/// One tick.
/// @param acceleration that the model says there was since the last tick
/// @return whether the reading was believed; where not, the tracker goes on by the model
bool atemi_joint_tracker_update(atemi_joint_tracker *tracker, double reading, double acceleration);

/// Stands still from now on, where readings have not been believed for too long.
void atemi_joint_tracker_give_up(atemi_joint_tracker *tracker);
