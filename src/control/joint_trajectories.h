// SPDX-License-Identifier: Apache-2.0

/// @file
/// Motions of joints by themselves: trapezoidal trajectories, stops, retreats, and steps towards
/// positions that something else gives.

#pragma once

#include "control/coordination_parts.h"

/// Takes a joint from its command to where it is.
void atemi_trajectories_retreat(moved_joint *joint);

/// Plans the trajectories of joints that arrive together. Their goals are set.
void atemi_trajectories_plan(atemi_coordination *c, const atemi_joint_target *targets, int count,
                             double duration, int goal, atemi_command_source source);

/// Moves all joints that are on a trajectory by one step.
void atemi_trajectories_advance(atemi_coordination *c);

/// The fraction of the distance to positions that the bounds of velocity let all joints of a driver
/// go in a step: at most 1.
/// @param positions [joints]
double atemi_trajectories_fraction(const atemi_coordination *c, joint_driver driver,
                                   const double *positions);

/// Moves the joints of a driver to positions, or as far as their bounds of velocity let all of them
/// go in a step.
/// @param positions [joints]
/// @return the fraction of the distance that they went
double atemi_trajectories_step_to(atemi_coordination *c, joint_driver driver,
                                  const double *positions);

/// Ends a goal that is still active, and writes down how far it came.
/// @param joint that did not follow, or ATEMI_NONE
void atemi_goal_end(atemi_coordination *c, int goal, atemi_goal_outcome outcome, int joint);

/// Ends a goal and stops all its joints softly.
void atemi_goal_stop(atemi_coordination *c, int goal, atemi_goal_outcome outcome, int joint);

/// Stops everything.
/// @param joint that is why, or ATEMI_NONE
void atemi_goals_stop_all(atemi_coordination *c, atemi_goal_outcome outcome, int joint);
