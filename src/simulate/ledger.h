// SPDX-License-Identifier: Apache-2.0

/// @file
/// The ledger: impulses and work, summed up over steps and bumps.

#pragma once

#include "simulate/world.h"

/// Nothing has flown yet.
void atemi_ledger_open(atemi_simulation *s);

/// Notes what flows in a stage of a step, 0 to 3, whose state, with the rates v, was evaluated
/// last.
void atemi_ledger_look(atemi_simulation *s, int stage, const double *v);

/// The forces and powers of pushes that are in the loads now, and nothing else.
void atemi_ledger_see_pushes(atemi_simulation *s);

/// Notes the impulses with which velocities are projected, the multipliers of the constraint
/// space's rows, or that there are none; and books them.
void atemi_ledger_see_projection(atemi_simulation *s, bool any);
void atemi_ledger_keep_projection(atemi_simulation *s);

/// Books the step under way, as it was taken last: by the weights of its stages and with its
/// projection, or with what flows at its ends only.
void atemi_ledger_keep_stages(atemi_simulation *s);
void atemi_ledger_keep_ends(atemi_simulation *s);

/// Books the impulses of a bump, and the energy that came with it.
void atemi_ledger_keep_bump(atemi_simulation *s, double energy);
