// SPDX-License-Identifier: Apache-2.0

/// @file
/// What is reported of a step of the method of steps: forces, modes, events, and the ledger.

#pragma once

struct atemi_simulation;

/// Notes how deep points were inside their surfaces at the start of a step of h, of which the
/// middle was observed.
void atemi_step_report_depth(struct atemi_simulation *s, double h);

/// Books the work and the impulses of a step of h; before the state moves on.
void atemi_step_report_book(struct atemi_simulation *s, double h);

/// Takes forces and modes from the impulses, and reports what has changed; after that.
void atemi_step_report_modes(struct atemi_simulation *s, double h);

/// Puts the forces of the last step on rigid points back, and adds them to the loads of the links,
/// after these were asked for anew.
void atemi_step_report_forces(struct atemi_simulation *s);
