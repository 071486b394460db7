// SPDX-License-Identifier: Apache-2.0

/// @file
/// Watches memory: that none is taken where none may be, and that none is lost when it runs out.

#pragma once

#include <stdbool.h>

/// Starts to count allocations from zero, of every thread and of every library in the process.
///
/// Under a sanitizer or valgrind, which need malloc for themselves, only those through the
/// allocator hook count, and atemi_set_allocator() must not be called before allocations_end().
void allocations_begin(void);

/// How often malloc, calloc, realloc, posix_memalign, aligned_alloc or free was called since then.
int allocations_count(void);

/// Stops counting.
/// @return allocations_count()
int allocations_end(void);

/// Installs an allocator whose n-th call from now (allocate or resize, the first is 1) fails;
/// none for n = 0. What it gives out comes from malloc.
void failing_allocator_install(int n);

/// How many of its blocks have not been released.
int failing_allocator_outstanding(void);

/// Whether the n-th call came.
bool failing_allocator_failed(void);

/// Restores the library's default allocator. The two numbers above stay readable.
void failing_allocator_remove(void);
