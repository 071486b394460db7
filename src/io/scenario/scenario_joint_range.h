// SPDX-License-Identifier: Apache-2.0

/// @file
/// Whether the position that a scenario gives for a joint is one that the joint can take.

#pragma once

#include "atemi/model.h"
#include "io/scenario/scenario_reader.h"

/// Warns of a position outside the range that the robot's description gives the joint, and refuses
/// one that is more than a turn (or a metre) outside: "did you mean 90 deg?" where the number in
/// degrees is within. Joints of more than one coordinate are left alone.
/// @param text the number as the file has it, or NULL
void atemi_scenario_check_joint(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                const char *text, const atemi_joint *joint, double position);

/// The same for a range to search in: warns where a part of it is outside the joint's range, and
/// refuses one that the joint's range does not meet at all. Infinite ends are not looked at.
void atemi_scenario_check_joint_search(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                       const atemi_joint *joint, double lower, double upper);

/// Refuses a start that is outside its own search range.
void atemi_scenario_check_search(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                 const char *unit, double start, double lower, double upper);
