// SPDX-License-Identifier: Apache-2.0

/// @file
/// The allocator hook. The library takes heap memory only where an object is made or filled, never
/// in the real-time layers' computations, and through this hook; the parsers of YAML and JSON that
/// it links have their own.

#pragma once

#include "atemi/api.h"

#include <stddef.h>

ATEMI_BEGIN

/// Memory functions with the contracts of malloc, realloc and free.
typedef struct atemi_allocator {
    void *(*allocate)(void *context, size_t size);
    void *(*resize)(void *context, void *block, size_t size);
    void (*release)(void *context, void *block);
    void *context;
} atemi_allocator;

/// Installs the allocator; NULL restores malloc, realloc and free. To be called before the library
/// holds any memory, and not while other threads use it.
ATEMI_API void atemi_set_allocator(const atemi_allocator *allocator);

/// malloc, realloc and free through the hook.
ATEMI_API void *atemi_allocate(size_t size);
ATEMI_API void *atemi_resize(void *block, size_t size);
ATEMI_API void  atemi_release(void *block);

ATEMI_END
