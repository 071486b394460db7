// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/base.h"
#include "check.h"

#include <string.h>

typedef struct ledger {
    char  pool[64];
    int   allocated, resized, released;
    void *last;
} ledger;

static void *ledger_allocate(void *context, size_t size)
{
    ledger *l = context;
    ++l->allocated;
    return size <= sizeof l->pool ? l->pool : NULL;
}

static void *ledger_resize(void *context, void *block, size_t size)
{
    ledger *l = context;
    ++l->resized;
    l->last = block;
    return size <= sizeof l->pool ? l->pool + 1 : NULL;
}

static void ledger_release(void *context, void *block)
{
    ledger *l = context;
    ++l->released;
    l->last = block;
}

static atemi_allocator allocator_of(ledger *l)
{
    const atemi_allocator allocator = {ledger_allocate, ledger_resize, ledger_release, l};
    return allocator;
}

TEST(allocator, is_the_heap_by_default)
{
    char *block = atemi_allocate(4);
    CHECK(block);
    memcpy(block, "abc", 4);
    char *larger = atemi_resize(block, 1000);
    CHECK(larger);
    CHECK_EQUAL_STRING(larger, "abc");
    atemi_release(larger);
    atemi_release(NULL);
}

TEST(allocator, hook_receives_every_call)
{
    ledger                l = {0};
    const atemi_allocator allocator = allocator_of(&l);
    atemi_set_allocator(&allocator);

    CHECK(atemi_allocate(64) == l.pool);
    CHECK(!atemi_allocate(65));
    CHECK(atemi_resize(l.pool, 8) == l.pool + 1);
    CHECK(l.last == l.pool);
    atemi_release(l.pool + 1);
    CHECK(l.last == l.pool + 1);

    CHECK_EQUAL_INT(l.allocated, 2);
    CHECK_EQUAL_INT(l.resized, 1);
    CHECK_EQUAL_INT(l.released, 1);
}

TEST(allocator, null_restores_the_heap)
{
    ledger                l = {0};
    const atemi_allocator allocator = allocator_of(&l);
    atemi_set_allocator(&allocator);
    atemi_set_allocator(NULL);
    void *block = atemi_allocate(8);
    CHECK(block && block != l.pool);
    atemi_release(block);
    CHECK_EQUAL_INT(l.allocated + l.released, 0);
}

TEST(allocator, with_a_missing_function_is_refused)
{
    ledger                l = {0};
    const atemi_allocator whole = allocator_of(&l);
    for (int missing = 0; missing < 3; ++missing) {
        atemi_allocator partial = whole;
        partial.allocate = missing == 0 ? NULL : partial.allocate;
        partial.resize = missing == 1 ? NULL : partial.resize;
        partial.release = missing == 2 ? NULL : partial.release;
        CHECK_BREAKS_CONTRACT(atemi_set_allocator(&partial));
        atemi_release(atemi_allocate(8)); // the one before still serves
    }
    CHECK_EQUAL_INT(l.allocated, 0);
}

// The instruments that other tests rely on.

TEST(allocations, are_counted_only_between_begin_and_end)
{
    allocations_begin();
    CHECK_EQUAL_INT(allocations_count(), 0);
    void *block = atemi_allocate(8);
    CHECK_EQUAL_INT(allocations_count(), 1);
    atemi_release(block);
    CHECK_EQUAL_INT(allocations_end(), 2);
    atemi_release(atemi_allocate(8));
    CHECK_EQUAL_INT(allocations_count(), 2);
    allocations_begin();
    CHECK_EQUAL_INT(allocations_end(), 0);
}

TEST(failing_allocator, fails_exactly_the_nth_call)
{
    failing_allocator_install(2);
    void *first = atemi_allocate(8);
    CHECK(first);
    CHECK(!failing_allocator_failed());
    CHECK(!atemi_resize(first, 16));
    CHECK(failing_allocator_failed());
    void *third = atemi_allocate(8);
    CHECK(third);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 2);
    atemi_release(first);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 1);
    third = atemi_resize(third, 100);
    atemi_release(third);
    atemi_release(NULL);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    failing_allocator_remove();
}

TEST(failing_allocator, told_zero_never_fails)
{
    failing_allocator_install(0);
    for (int i = 0; i < 10; ++i) {
        void *block = atemi_resize(NULL, 8);
        CHECK(block);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 1);
        atemi_release(block);
    }
    CHECK(!failing_allocator_failed());
    failing_allocator_remove();
}
