// SPDX-License-Identifier: Apache-2.0

/// @file
/// What is hit in a recording, found by the names of its columns and results: a block behind its
/// face, which moves.

#pragma once

#include "atemi/recording.h"

typedef struct atemi_report_target {
    int        position[3]; ///< columns, of the middle of its face
    atemi_vec3 direction;   ///< of the blow, into the block
    double     width;       ///< m, of its face
} atemi_report_target;

/// @return whether the recording says all of it
bool atemi_report_target_find(const atemi_recording *recording, atemi_report_target *target);
