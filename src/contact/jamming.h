// SPDX-License-Identifier: Apache-2.0

/// @file
/// Jamming: how much of its mobility friction leaves to a slipping point.

#pragma once

#include "contact/rows.h"

/// The least A_rr relative to (J M^-1 J^T)_rr over the tied rows, both with the rows that are not
/// tied eliminated: these hold. Not positive where a point jams; 1 if no row is tied.
///
/// @param A        [count x count] of all rows; used up
/// @param mobility [2 count] (J M^-1 J^T)_rr of the tied rows, and scratch; used up
double atemi_jamming_find(const atemi_contact_row *rows, int count, double *A, double *mobility);
