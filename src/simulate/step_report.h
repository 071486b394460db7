// SPDX-License-Identifier: Apache-2.0

/// @file
/// What is reported of a step of the method of steps: forces, modes, events, and the ledger.

#pragma once

struct atemi_simulation;

/// Books the work and the impulses of a step of h; before the state moves on.
void atemi_step_report_book(struct atemi_simulation *s, double h);

/// Takes forces and modes from the impulses, and reports what has changed; after that.
void atemi_step_report_modes(struct atemi_simulation *s, double h);
