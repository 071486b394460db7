// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// A measuring arena has no memory and endless capacity; an arena over nothing has no memory and
// no capacity, so that taking from it is an error and not a measurement. While measuring, one
// alignment's worth of slack is counted in advance: that much may be lost before the first aligned
// address of real memory.

static const atemi_arena nothing = {0};

static bool is_measuring(const atemi_arena *arena)
{
    return !arena->memory && arena->capacity == SIZE_MAX;
}

// How many bytes lie between `address` and the next aligned one.
static size_t padding(uintptr_t address)
{
    return (size_t)(-address % ATEMI_ARENA_ALIGNMENT);
}

// Whether `size * count` bytes are left; `start` becomes the offset of the first.
static bool fits(const atemi_arena *arena, size_t size, size_t count, size_t *start)
{
    const size_t gap = padding(arena->used);
    if (gap > arena->capacity - arena->used) {
        return false;
    }
    *start = arena->used + gap;
    return size == 0 || count <= (arena->capacity - *start) / size;
}

atemi_arena atemi_arena_measuring(void)
{
    atemi_arena arena = nothing;
    arena.capacity = SIZE_MAX;
    arena.used = ATEMI_ARENA_ALIGNMENT;
    return arena;
}

atemi_arena atemi_arena_over(void *memory, size_t size)
{
    ATEMI_REQUIRE_OR(memory || size == 0, nothing);

    const size_t lost = padding((uintptr_t)memory);
    if (size <= lost) {
        return nothing;
    }
    atemi_arena arena = nothing;
    arena.memory = (unsigned char *)memory + lost;
    arena.capacity = size - lost;
    return arena;
}

atemi_status atemi_arena_create(atemi_arena *arena, size_t size, atemi_error *error)
{
    ATEMI_REQUIRE_OR(arena, ATEMI_ERROR_CONTRACT);

    *arena = nothing;
    void *block = atemi_allocate(size > 0 ? size : 1);
    if (!block) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for %zu bytes", size);
    }
    *arena = atemi_arena_over(block, size);
    arena->owned = block;
    return ATEMI_OK;
}

void atemi_arena_destroy(atemi_arena *arena)
{
    if (arena && arena->owned) {
        atemi_release(arena->owned);
        *arena = nothing;
    }
}

void *atemi_arena_take(atemi_arena *arena, size_t size, size_t count)
{
    ATEMI_REQUIRE_OR(arena, NULL);

    size_t     start = 0;
    const bool enough_memory_left = fits(arena, size, count, &start);
    if (!enough_memory_left && is_measuring(arena)) {
        arena->used = SIZE_MAX; // more than any allocator has, so that creating it fails
    }
    ATEMI_REQUIRE_OR(enough_memory_left, NULL);

    arena->used = start + size * count;
    if (!arena->memory) {
        return NULL;
    }
    return memset(arena->memory + start, 0, size * count);
}
