// SPDX-License-Identifier: Apache-2.0

#include "model/names.h"

#include "base/heapsort.h"

#include <string.h>

// Equal names come in the order of their indices, so that the later of two doubles is the one found
// fault with.

static bool before(const void *first, const void *second)
{
    const atemi_name *a = (const atemi_name *)first, *b = (const atemi_name *)second;
    const int         order = strcmp(a->text, b->text);
    return order < 0 || (order == 0 && a->index < b->index);
}

void atemi_names_sort(atemi_name *names, int count)
{
    atemi_heap_sort(names, sizeof *names, before, count);
}

int atemi_names_find(const atemi_name *names, int count, const char *text)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strcmp(names[middle].text, text) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && strcmp(names[low].text, text) == 0 ? names[low].index : -1;
}
