// SPDX-License-Identifier: Apache-2.0

/// @file
/// The forces that inverse dynamics keeps.

#pragma once

#include "dynamics/blocks.h"

/// What a block of nodes gets from its parents, world axes, moments about the nodes' origins.
typedef struct atemi_force_block {
    lanes3 linear, angular;
} atemi_force_block;
