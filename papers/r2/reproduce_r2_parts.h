// SPDX-License-Identifier: Apache-2.0

/// @file
/// What [R2] says of the parts of its controller: loops of a joint, trajectories, desired dynamics.

#pragma once

#include "papers/reproduction_parts.h"

/// Tries the parts and compares.
atemi_status atemi_reproduce_r2_parts(atemi_reproduction *reproduction, atemi_error *error);
