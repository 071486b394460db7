// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inputs: torques and pushes of the hooks, and the instants at which they jump.

#pragma once

#include "simulate/world.h"

/// Sets where the next steps end at the latest: at `time`, or where an input jumps before that.
void atemi_inputs_look_ahead(atemi_simulation *s, double time);

/// When a step of h from its start ends: exactly at the limit where h is the way there.
double atemi_inputs_step_end(const atemi_simulation *s, double h);

/// The instant at which the hooks are asked for the last stage of a step that ends at `end`: just
/// before it, so that what jumps there has not jumped yet.
double atemi_inputs_before(const atemi_simulation *s, double end);

/// The instant at which they are asked for the state reached: now, or just before the limit.
double atemi_inputs_now(const atemi_simulation *s);

/// Asks the hooks again for the state reached, after a jump or when a run begins. If they answer
/// otherwise, the state is evaluated anew, and modes that cannot last are changed.
atemi_status atemi_inputs_renew(atemi_simulation *s);
