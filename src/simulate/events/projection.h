// SPDX-License-Identifier: Apache-2.0

/// @file
/// Projection: held points are brought back onto their constraints where they have drifted.

#pragma once

#include "simulate/ledger.h"

/// Positions, and positions and velocities, of the state, which is what was observed last, before
/// and after. The impulse that velocities take goes into the ledger.
/// @return whether the state has changed
bool atemi_project_positions(atemi_evaluation *e, atemi_simulation_contacts *set,
                             atemi_state *state);
bool atemi_project(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state,
                   atemi_ledger *ledger);

/// The same at the end of a step, from whose last stage the factor of M is known: as a measure of
/// what is least it is good enough. Nothing is booked: it is of the order of the step's error.
void atemi_project_step(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state);

/// Closes loops where steps have opened them, with a factor of M of a state near by; positions are
/// observed anew.
void atemi_project_loops(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *state,
                         atemi_ledger *ledger);

/// Closes loops from afar, and stops what opens them.
/// @return how far they are still open, m and rad
double atemi_close_loops(atemi_evaluation *e, atemi_simulation_contacts *set, atemi_state *scratch,
                         atemi_state *state, atemi_ledger *ledger);
