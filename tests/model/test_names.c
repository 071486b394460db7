// SPDX-License-Identifier: Apache-2.0

#include "model/names.h"

#include "allocations.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 500 };

TEST(names, are_found_by_their_text_once_sorted)
{
    static char texts[COUNT][16];
    atemi_name  names[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        snprintf(texts[i], sizeof texts[i], "%d", i * 7919 % 1000);
        names[i] = (atemi_name){texts[i], i};
    }
    atemi_names_sort(names, COUNT);
    for (int i = 0; i < COUNT; ++i) {
        CHECK(i == 0 || strcmp(names[i - 1].text, names[i].text) < 0);
        CHECK_EQUAL_INT(atemi_names_find(names, COUNT, texts[i]), i);
    }
    CHECK_EQUAL_INT(atemi_names_find(names, COUNT, "none"), -1);
    CHECK_EQUAL_INT(atemi_names_find(names, 0, "1"), -1);
}

TEST(names, of_a_pool_stay_where_they_are_until_it_is_destroyed)
{
    atemi_string_pool pool = {0};
    const char       *copies[COUNT];
    char              text[400];
    failing_allocator_install(0);
    for (int i = 0; i < COUNT; ++i) {
        snprintf(text, sizeof text, "%0*d", 1 + i * 3 % 390, i);
        copies[i] = atemi_string_pool_copy(&pool, text);
    }
    for (int i = 0; i < COUNT; ++i) {
        snprintf(text, sizeof text, "%0*d", 1 + i * 3 % 390, i);
        CHECK_EQUAL_STRING(copies[i], text);
    }
    atemi_string_pool_destroy(&pool);
    failing_allocator_remove();
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
}

TEST(names, without_memory_are_not_copied)
{
    atemi_string_pool pool = {0};
    failing_allocator_install(1);
    CHECK(!atemi_string_pool_copy(&pool, "name"));
    atemi_string_pool_destroy(&pool);
    failing_allocator_remove();
}
