// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a robot carries: the key payloads.

#pragma once

#include "io/scenario/scenario_robot.h"

/// Reads the key. Where it is given, the robot becomes one with more links: a solid box for each
/// payload, fixed to the link that carries it. Its control knows of them as of all other links.
void atemi_control_read_payloads(atemi_scenario_reader *reader, atemi_scenario_robot *robot);
