// SPDX-License-Identifier: Apache-2.0

/// @file
/// Heap sort: no recursion, no memory (which qsort() may take), O(n log n) whatever the items.

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Items of one size, and their order.
typedef struct atemi_heap {
    char  *items;
    size_t size;
    bool (*before)(const void *a, const void *b);
} atemi_heap;

static inline char *atemi_heap_item(const atemi_heap *heap, int i)
{
    return heap->items + (size_t)i * heap->size;
}

static inline bool atemi_heap_before(const atemi_heap *heap, int i, int j)
{
    return heap->before(atemi_heap_item(heap, i), atemi_heap_item(heap, j));
}

static inline void atemi_heap_swap(const atemi_heap *heap, int i, int j)
{
    char *a = atemi_heap_item(heap, i), *b = atemi_heap_item(heap, j);
    for (size_t k = 0; k < heap->size; ++k) {
        const char kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

static inline void atemi_heap_sift(const atemi_heap *heap, int root, int count)
{
    for (int child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && atemi_heap_before(heap, child, child + 1);
        if (!atemi_heap_before(heap, root, child)) {
            return;
        }
        atemi_heap_swap(heap, root, child);
        root = child;
    }
}

static inline void atemi_heap_sort(const atemi_heap *heap, int count)
{
    for (int root = count / 2 - 1; root >= 0; --root) {
        atemi_heap_sift(heap, root, count);
    }
    for (int last = count - 1; last > 0; --last) {
        atemi_heap_swap(heap, 0, last);
        atemi_heap_sift(heap, 0, last);
    }
}
