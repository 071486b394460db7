// SPDX-License-Identifier: Apache-2.0

/// @file
/// The gains of the servos, which [SDC] does not print: cross-validated.

#pragma once

#include "papers/reproduction_parts.h"
#include "papers/sdc/sdc_motions.h"

/// The gains of a grid with which the six impulses of a posture come nearest to the printed ones.
atemi_status sdc_gains_fit(int posture, sdc_gains *gains, atemi_error *error);

/// A table: how far all impulses are from the printed ones with these gains, and with each at half
/// and at twice its value; and with those that are fitted to B and to C.
atemi_status sdc_gains_add_sensitivity(atemi_reproduction *reproduction, sdc_gains gains,
                                       atemi_error *error);
