// SPDX-License-Identifier: Apache-2.0

#include "base/growing.h"

#include "atemi/base.h"
#include "check.h"

#include <stdlib.h>

TEST(growing, keeps_its_elements_in_few_steps)
{
    int *array = NULL, capacity = 0, steps = 0;
    for (int i = 0; i < 10000; ++i) {
        const int before = capacity;
        array = (int *)atemi_grown(array, sizeof *array, i, &capacity);
        CHECK(array && capacity > i);
        array[i] = i;
        steps += capacity != before;
    }
    CHECK_EQUAL_INT(steps, 11); // 16, then ten times twice as much: 16384
    for (int i = 0; i < 10000; ++i) {
        CHECK_EQUAL_INT(array[i], i);
    }
    atemi_release(array);
}

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void *refuse(void *context, void *block, size_t size)
{
    (void)context, (void)block, (void)size;
    return NULL;
}

static void release(void *context, void *block)
{
    (void)context;
    free(block);
}

TEST(growing, leaves_the_array_as_it_was_where_there_is_no_memory)
{
    const atemi_allocator poor = {allocate, refuse, release, NULL};
    int                   array[2] = {3, 4}, capacity = 2;
    atemi_set_allocator(&poor);
    CHECK(atemi_grown(array, sizeof *array, 1, &capacity) == array);
    CHECK(!atemi_grown(array, sizeof *array, 2, &capacity));
    atemi_set_allocator(NULL);
    CHECK_EQUAL_INT(capacity, 2);
    CHECK(array[0] == 3 && array[1] == 4);
}
