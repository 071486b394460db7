// SPDX-License-Identifier: Apache-2.0

/// @file
/// The options of a walk by name, and whether they make sense.

#pragma once

#include "walk/walking_body.h"

#include <stddef.h>

typedef struct atemi_walking_option {
    const char *name, *unit, *help; ///< the unit of a pure number is NULL
    size_t      offset;             ///< of its value, a double
    double      low, high;          ///< what it may be
    const char *reason;             ///< why not beyond
} atemi_walking_option;

/// All options, in their order.
const atemi_walking_option *atemi_walking_options_list(int *count);

/// The value of an option.
double atemi_walking_option_get(const atemi_walking_option  *option,
                                const atemi_walking_options *options);
void   atemi_walking_option_set(const atemi_walking_option *option, double value,
                                atemi_walking_options *options);

atemi_status atemi_walking_options_check(const atemi_walking_options *options,
                                         const atemi_walking_body *body, atemi_error *error);
