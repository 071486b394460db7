// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a simulation by events says where it cannot go on.

#pragma once

#include "simulate/simulation.h"

/// The time, what happens, the link or joint where, and the cure.
/// @param what a phrase such as "the contacts jam"
/// @return ATEMI_ERROR_SINGULAR
atemi_status atemi_event_failure(const atemi_simulation *s, const char *what, atemi_error *error);
