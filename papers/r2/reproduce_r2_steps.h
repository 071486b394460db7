// SPDX-License-Identifier: Apache-2.0

/// @file
/// Whether joints of the whole robot swing as they shall, all over the workspace [R2, II-A]:
/// natural frequency and damping ratio from steps of joints in random postures.

#pragma once

#include "papers/r2/reproduce_r2_runs.h"

/// Steps joints and compares.
/// @param part of the paper's work
atemi_status atemi_reproduce_r2_steps(atemi_r2_study *study, double part, atemi_error *error);
