// SPDX-License-Identifier: Apache-2.0

/// @file
/// The energy watch: whether the robot has more energy than was put in.

#pragma once

#include "simulate/ledger.h"

/// Takes the energy of the state observed last as what it has to begin with; the ledger is empty.
void atemi_energy_watch_open(atemi_ledger *ledger, const atemi_evaluation *e);

/// Compares the energy of the state observed last with that, and with what the ledger has booked.
/// @return ATEMI_ERROR_SINGULAR where it exceeds them; the error names time, joint and cure
atemi_status atemi_energy_watch_look(atemi_ledger *ledger, const atemi_evaluation *e,
                                     const atemi_state *state, atemi_error *error);
