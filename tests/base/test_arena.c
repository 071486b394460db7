// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/base.h"
#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 4096 };

typedef struct thing {
    char    letter[3];
    double  number[5];
    int64_t nothing[7];
} thing;

typedef struct scratch {
    char   *letters;
    double *numbers;
    thing  *things;
    char   *none;
} scratch;

// The odd counts make every array end off the alignment.
static scratch scratch_take(atemi_arena *arena)
{
    scratch s;
    s.letters = atemi_arena_array(arena, char, 3);
    s.numbers = atemi_arena_array(arena, double, 11);
    s.none = atemi_arena_array(arena, char, 0);
    s.things = atemi_arena_array(arena, thing, 5);
    return s;
}

static size_t scratch_size(void)
{
    atemi_arena arena = atemi_arena_measuring();
    scratch_take(&arena);
    return arena.used;
}

static bool is_aligned(const void *address)
{
    return (uintptr_t)address % ATEMI_ARENA_ALIGNMENT == 0;
}

static bool is_zero(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; ++i) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

static void check_scratch(const scratch *s, const void *memory, size_t size)
{
    CHECK(is_aligned(s->letters) && is_aligned(s->numbers) && is_aligned(s->things));
    CHECK(is_zero(s->letters, 3) && is_zero(s->numbers, 11 * sizeof(double)));
    CHECK(is_zero(s->things, 5 * sizeof(thing)));

    CHECK((const char *)s->letters >= (const char *)memory);
    CHECK((const char *)s->numbers >= s->letters + 3);
    CHECK((const char *)s->things >= (const char *)(s->numbers + 11));
    CHECK((const char *)(s->things + 5) <= (const char *)memory + size);
}

TEST(arena, measures_without_memory)
{
    atemi_arena   arena = atemi_arena_measuring();
    const scratch s = scratch_take(&arena);
    CHECK(!s.letters && !s.numbers && !s.things && !s.none);
    CHECK(!arena.memory);
    // 64 of slack, then arrays of 3, 88 and 5 * 104 bytes, each from a multiple of 64.
    CHECK_EQUAL_INT(sizeof(thing), 104);
    CHECK_EQUAL_INT(arena.used, 64 + 64 + 128 + 520);
}

TEST(arena, fits_into_the_measured_size_at_any_address)
{
    static unsigned char buffer[BUFFER_SIZE];
    const size_t         size = scratch_size();
    for (size_t shift = 0; shift <= 2 * ATEMI_ARENA_ALIGNMENT; ++shift) {
        memset(buffer, 0x5A, sizeof buffer);
        atemi_arena   arena = atemi_arena_over(buffer + shift, size);
        const scratch s = scratch_take(&arena);
        check_scratch(&s, buffer + shift, size);
        CHECK(arena.used <= arena.capacity);
        CHECK_EQUAL_INT(buffer[shift + size], 0x5A);
        CHECK(shift == 0 || buffer[shift - 1] == 0x5A);
    }
}

TEST(arena, is_created_and_destroyed)
{
    atemi_arena arena = atemi_arena_measuring();
    scratch_take(&arena);
    const size_t size = arena.used;
    failing_allocator_install(0);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 1);
    const scratch s = scratch_take(&arena);
    check_scratch(&s, arena.owned, size);
    atemi_arena_destroy(&arena);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    atemi_arena_destroy(&arena);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    failing_allocator_remove();
}

static void *note_size(void *context, size_t size)
{
    *(size_t *)context = size;
    return malloc(size);
}

static void *refuse_to_resize(void *context, void *block, size_t size)
{
    (void)context, (void)block, (void)size;
    return NULL;
}

static void release(void *context, void *block)
{
    (void)context;
    free(block);
}

// An allocator may answer a request for no bytes with NULL, which is not a lack of memory.
TEST(arena, asks_for_the_bytes_it_is_told_but_never_for_none)
{
    size_t                asked = 0;
    const atemi_allocator allocator = {note_size, refuse_to_resize, release, &asked};
    atemi_arena           arena;
    atemi_set_allocator(&allocator);
    CHECK_STATUS(atemi_arena_create(&arena, 100, NULL), ATEMI_OK);
    atemi_arena_destroy(&arena);
    CHECK_EQUAL_INT(asked, 100);
    CHECK_STATUS(atemi_arena_create(&arena, 0, NULL), ATEMI_OK);
    atemi_arena_destroy(&arena);
    CHECK_EQUAL_INT(asked, 1);
}

TEST(arena, of_no_bytes_can_be_created)
{
    atemi_arena arena;
    CHECK_STATUS(atemi_arena_create(&arena, 0, NULL), ATEMI_OK);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 1, 1)));
    atemi_arena_destroy(&arena);
}

TEST(arena, says_that_there_is_no_memory)
{
    atemi_arena arena = atemi_arena_measuring();
    atemi_error error;
    failing_allocator_install(1);
    CHECK_STATUS(atemi_arena_create(&arena, 12345, &error), ATEMI_ERROR_MEMORY);
    CHECK_CONTAINS(error.message, "12345");
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 1, 1))); // it does not go on measuring
    atemi_arena_destroy(&arena);
    failing_allocator_remove();
}

TEST(arena, destroyed_twice_or_over_foreign_memory_is_harmless)
{
    unsigned char buffer[BUFFER_SIZE];
    atemi_arena   arena = atemi_arena_over(buffer, sizeof buffer);
    atemi_arena_destroy(&arena);
    CHECK(atemi_arena_take(&arena, 8, 1));
    arena = atemi_arena_measuring();
    atemi_arena_destroy(&arena);
    atemi_arena_destroy(NULL);
}

TEST(arena, used_up_yields_null_with_a_broken_contract_and_goes_on)
{
    _Alignas(ATEMI_ARENA_ALIGNMENT) unsigned char buffer[200];
    atemi_arena                                   arena = atemi_arena_over(buffer, sizeof buffer);
    CHECK(atemi_arena_take(&arena, 1, 1) == buffer);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 1, 137)));
    CHECK_EQUAL_INT(arena.used, 1);
    CHECK(atemi_arena_take(&arena, 1, 136) == buffer + 64);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 1, 1)));

    arena = atemi_arena_over(buffer, ATEMI_ARENA_ALIGNMENT);
    CHECK(atemi_arena_take(&arena, 1, 1) == buffer);
    CHECK(atemi_arena_take(&arena, 1, 0) == buffer + 64); // of nothing there is enough
}

TEST(arena, over_less_than_an_alignment_holds_what_is_left)
{
    _Alignas(ATEMI_ARENA_ALIGNMENT) unsigned char buffer[2 * ATEMI_ARENA_ALIGNMENT];
    atemi_arena                                   arena = atemi_arena_over(buffer + 63, 2);
    CHECK(atemi_arena_take(&arena, 1, 1) == buffer + 64);

    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 1, 1)));

    arena = atemi_arena_over(buffer + 1, 10);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 1, 1)));
    CHECK_EQUAL_INT(arena.used, 0);
    arena = atemi_arena_over(buffer + 1, 63);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 1, 1)));
    CHECK(!arena.memory);
    arena = atemi_arena_over(NULL, 0);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 1, 1)));
    CHECK_BREAKS_CONTRACT(arena = atemi_arena_over(NULL, 8));
    CHECK_EQUAL_INT(arena.capacity, 0);
}

TEST(arena, notices_sizes_that_overflow)
{
    _Alignas(ATEMI_ARENA_ALIGNMENT) unsigned char buffer[200];
    atemi_arena                                   arena = atemi_arena_over(buffer, sizeof buffer);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, 8, SIZE_MAX / 8 + 2)));
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(&arena, SIZE_MAX, SIZE_MAX)));
    CHECK(atemi_arena_take(&arena, 8, 1));
}

TEST(arena, measured_beyond_all_memory_cannot_be_created)
{
    atemi_arena arena = atemi_arena_measuring();
    atemi_arena_take(&arena, 1, SIZE_MAX / 2);
    CHECK_BREAKS_CONTRACT(atemi_arena_take(&arena, 2, SIZE_MAX / 2));
    CHECK_BREAKS_CONTRACT(atemi_arena_take(&arena, 1, 1));
    CHECK(arena.used == SIZE_MAX);

    unsigned char buffer[1];
    arena = atemi_arena_over(buffer, 0);
    CHECK_BREAKS_CONTRACT(atemi_arena_take(&arena, 1, 1));
}

TEST(arena, without_an_arena_breaks_the_contract)
{
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_arena_take(NULL, 1, 1)));
    CHECK_BREAKS_CONTRACT(CHECK_STATUS(atemi_arena_create(NULL, 1, NULL), ATEMI_ERROR_CONTRACT));
}

TEST(arena, takes_no_memory_from_the_heap)
{
    static unsigned char buffer[BUFFER_SIZE];
    allocations_begin();
    atemi_arena arena = atemi_arena_over(buffer, sizeof buffer);
    scratch_take(&arena);
    CHECK_EQUAL_INT(allocations_end(), 0);
}
