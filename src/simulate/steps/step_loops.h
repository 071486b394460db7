// SPDX-License-Identifier: Apache-2.0

/// @file
/// The closed loops in a step: their rows in its system, and what closes them at its end.

#pragma once

#include "simulate/steps/time_step.h"

/// Looks how the loops move in the middle of a step, which was observed last with v of the start.
void atemi_step_loops_find(struct atemi_simulation *s);

/// Adds their rows behind those of joints. The kinematics have the velocities at the end without
/// impulses.
/// @return how many
int atemi_step_loops_gather(struct atemi_simulation *s, atemi_contact_row *rows);

/// Gives no impulse to rows that move nothing, once the system has been projected.
void atemi_step_loops_bound(struct atemi_simulation *s);

/// What the cone problem starts from in their rows.
void atemi_step_loops_start(atemi_time_step *t);

/// Takes their forces from the impulses of a step of h.
void atemi_step_loops_follow(struct atemi_simulation *s, double h);

/// Books the impulse that the world gives through them.
void atemi_step_loops_book(const struct atemi_simulation *s, atemi_flows *work);

/// Closes what the step has opened.
void atemi_step_loops_close(struct atemi_simulation *s);
