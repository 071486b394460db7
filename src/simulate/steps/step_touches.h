// SPDX-License-Identifier: Apache-2.0

/// @file
/// The touches of shapes in a step: their rows in its system, and what is reported of them.

#pragma once

struct atemi_simulation;

/// Finds the touches in the middle of a step of h, which was observed last.
void atemi_step_touches_find(struct atemi_simulation *s, double h);

/// Adds the touches within reach to the points of the system. The kinematics have the velocities at
/// the end without impulses.
void atemi_step_touches_gather(struct atemi_simulation *s, double h);

/// Takes forces and modes from the impulses, and reports what has changed.
void atemi_step_touches_follow(struct atemi_simulation *s, double h);

/// Opens what is apart in the state that was observed last, at the start.
void atemi_step_touches_start(struct atemi_simulation *s);

/// Adds the forces of the last step to the loads of the links.
void atemi_step_touches_load(struct atemi_simulation *s);
