// SPDX-License-Identifier: Apache-2.0

/// @file
/// Heap sort: no recursion, no memory (which qsort() may take), O(n log n) whatever the items.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { ATEMI_HEAP_MAX_SIZE = 32 }; ///< of an item, bytes

typedef bool atemi_heap_before(const void *a, const void *b);

static inline void atemi_heap_swap(char *a, char *b, size_t size)
{
    char kept[ATEMI_HEAP_MAX_SIZE];
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

static inline void atemi_heap_sift(char *items, size_t size, atemi_heap_before *before, int root,
                                   int count)
{
    for (int child = 2 * root + 1; child < count; child = 2 * root + 1) {
        char *upper = items + (size_t)root * size, *lower = items + (size_t)child * size;
        if (child + 1 < count && before(lower, lower + size)) {
            lower += size;
            ++child;
        }
        if (!before(upper, lower)) {
            return;
        }
        atemi_heap_swap(upper, lower, size);
        root = child;
    }
}

/// Sorts `count` items of `size` bytes, ATEMI_HEAP_MAX_SIZE at most.
static inline void atemi_heap_sort(void *items, size_t size, atemi_heap_before *before, int count)
{
    char *first = (char *)items;
    for (int root = count / 2 - 1; root >= 0; --root) {
        atemi_heap_sift(first, size, before, root, count);
    }
    for (int last = count - 1; last > 0; --last) {
        atemi_heap_swap(first, first + (size_t)last * size, size);
        atemi_heap_sift(first, size, before, 0, last);
    }
}
