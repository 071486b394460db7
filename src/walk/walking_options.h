// SPDX-License-Identifier: Apache-2.0

/// @file
/// Whether options of a walk make sense.

#pragma once

#include "walk/walking_body.h"

atemi_status atemi_walking_options_check(const atemi_walking_options *options,
                                         const atemi_walking_body *body, atemi_error *error);
