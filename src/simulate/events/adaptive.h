// SPDX-License-Identifier: Apache-2.0

/// @file
/// The adaptive integrator: ARKODE of SUNDIALS, with its root finding for events.

#pragma once

#include "simulate/events/step.h"

typedef struct atemi_adaptive atemi_adaptive;

/// Makes an integrator of a step, which keeps it, and of its contact set.
atemi_status atemi_adaptive_create(atemi_step *step, atemi_simulation_contacts *set,
                                   atemi_error *error);
void         atemi_adaptive_destroy(atemi_adaptive *adaptive);

/// The next step begins as the first one does: nothing is known of the one before.
/// @param adaptive or NULL
void atemi_adaptive_forget(atemi_adaptive *adaptive);

/// Steps once, by at most `h` from the start of the step, or to the first event. The margins are
/// those at the end; those that break there are negative.
/// @param event whether it ended at an event
/// @return ATEMI_ERROR_SINGULAR if no step is possible
atemi_status atemi_adaptive_step(atemi_step *step, atemi_simulation_contacts *set,
                                 atemi_state *state, double h, bool *event);
