// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inputs: torques and external forces of the hooks, and the instants at which they jump.

#pragma once

#include "simulate/events/step.h"

/// Sets where the next steps end at the latest: at `time`, or where an input jumps after `now` and
/// before that.
void atemi_inputs_limit(atemi_step *step, double now, double time);

/// Whether the hooks, asked again, answer otherwise than when the state was evaluated last.
bool atemi_inputs_differ(atemi_step *step, const atemi_state *state);
