// SPDX-License-Identifier: Apache-2.0

/// @file
/// The arena: memory that is laid out once and never grows.
///
/// Every workspace of the library has one function `..._take(arena, model, ...)` that is the only
/// description of its layout. Run on atemi_arena_measuring() it counts the bytes; run on real
/// memory it places the arrays:
///
///     atemi_arena arena = atemi_arena_measuring();
///     atemi_data_take(&arena, model, NULL);
///     if (atemi_arena_create(&arena, arena.used, &error)) { ... }
///     data = atemi_data_take(&arena, model, NULL);
///
/// or, with memory of the caller's own, `arena = atemi_arena_over(buffer, sizeof buffer)`.
/// Several workspaces may share one arena.

#pragma once

#include "atemi/api.h"
#include "atemi/error.h"

#include <stddef.h>

ATEMI_BEGIN

enum { ATEMI_ARENA_ALIGNMENT = 64 };

/// Memory, and how much of it is taken.
typedef struct atemi_arena {
    unsigned char *memory;   ///< NULL while measuring
    size_t         capacity; ///< bytes of `memory`
    size_t         used;     ///< bytes taken or, while measuring, bytes needed
    void          *owned;    ///< block to release, or NULL
} atemi_arena;

/// An arena without memory that only counts.
ATEMI_API atemi_arena atemi_arena_measuring(void);

/// An arena over the caller's memory, of any alignment. What it holds lives as long as that does.
ATEMI_API atemi_arena atemi_arena_over(void *memory, size_t size);

/// Takes `size` bytes for a new arena from the allocator.
ATEMI_API atemi_status atemi_arena_create(atemi_arena *arena, size_t size, atemi_error *error);

/// Releases what atemi_arena_create() took. Harmless on any other arena and on a second call.
ATEMI_API void atemi_arena_destroy(atemi_arena *arena);

/// Takes `count` elements of `size` bytes, aligned to ATEMI_ARENA_ALIGNMENT and zeroed.
/// @return NULL while measuring; also NULL, with a broken contract, when the memory is used up
ATEMI_API void *atemi_arena_take(atemi_arena *arena, size_t size, size_t count);

/// Typed atemi_arena_take().
#define atemi_arena_array(arena, type, count)                                                      \
    ((type *)atemi_arena_take((arena), sizeof(type), (size_t)(count)))

ATEMI_END
