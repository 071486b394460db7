// SPDX-License-Identifier: Apache-2.0

#include "base/heapsort.h"

#include "check.h"
#include "random.h"

enum { MOST = 40 };

typedef struct item {
    int  key;
    char tail[5]; // so that the size is no power of two
} item;

static bool before(const void *first, const void *second)
{
    return ((const item *)first)->key < ((const item *)second)->key;
}

TEST(heapsort, puts_every_item_behind_those_before_it)
{
    random_stream random = random_seeded(1);
    for (int count = 0; count < MOST; ++count) {
        item items[MOST];
        int  seen[MOST] = {0};
        for (int i = 0; i < count; ++i) { // half of them doubles
            const int key = (int)random_uniform(&random, 0.0, 0.5 * count + 1.0);
            items[i] = (item){key, {(char)key}};
            ++seen[key];
        }
        atemi_heap_sort(items, sizeof *items, before, count);
        for (int i = 0; i < count; ++i) {
            CHECK(i == 0 || items[i - 1].key <= items[i].key);
            CHECK_EQUAL_INT(items[i].tail[0], items[i].key);
            --seen[items[i].key];
        }
        for (int key = 0; key < MOST; ++key) {
            CHECK_EQUAL_INT(seen[key], 0);
        }
    }
}
