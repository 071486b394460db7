// SPDX-License-Identifier: Apache-2.0

/// @file
/// What every fuzzer has: the function that libFuzzer calls, and claims that end it when broken.

#pragma once

#include "atemi/base.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(int condition)
{
    if (!condition) {
        __builtin_trap();
    }
}

/// A contract handler: input from outside breaks no contract.
static inline void require_no_violation(void *context, const atemi_violation *violation)
{
    (void)context;
    (void)violation;
    __builtin_trap();
}
