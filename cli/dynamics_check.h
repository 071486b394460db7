// SPDX-License-Identifier: Apache-2.0

/// @file
/// Whether forward dynamics undoes inverse dynamics: a quick test of a robot and of this build.

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

#include <stdint.h>

/// More than this deviation means that the robot's mass matrix is (nearly) singular: a part of it
/// can be accelerated without any force. Rounding alone gives 2e-16 times the condition number,
/// which is 1e9 for real robots with tiny links (iCub: 1e-6).
#define DYNAMICS_CHECK_TOLERANCE 1e-4

typedef struct dynamics_check {
    int      states;    ///< number of random states
    uint64_t seed;      ///< of the first of them
    double   deviation; ///< the largest |forward(inverse(a)) - a| / |a| (largest entries); may be
                        ///< infinite
    char cause[ATEMI_ERROR_MESSAGE_SIZE]; ///< which joint moves no mass; empty if none was found
} dynamics_check;

/// Runs the check: configurations within the joint limits, |v| at most 1 and |a| at most 10.
atemi_status dynamics_check_run(const atemi_model *model, dynamics_check *check,
                                atemi_error *error);
