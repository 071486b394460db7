// SPDX-License-Identifier: Apache-2.0

#include "model/names.h"

#include <stdbool.h>
#include <string.h>

// Heap sort: no recursion, no memory, O(n log n) whatever the names. Equal names come in the order
// of their indices, so that the later of two doubles is the one found fault with.

static bool before(const atemi_name *a, const atemi_name *b)
{
    const int order = strcmp(a->text, b->text);
    return order < 0 || (order == 0 && a->index < b->index);
}

static void sift_down(atemi_name *names, int root, int count)
{
    const atemi_name moved = names[root];
    for (int child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && before(&names[child], &names[child + 1])) {
            ++child;
        }
        if (!before(&moved, &names[child])) {
            break;
        }
        names[root] = names[child];
        root = child;
    }
    names[root] = moved;
}

void atemi_names_sort(atemi_name *names, int count)
{
    for (int root = count / 2 - 1; root >= 0; --root) {
        sift_down(names, root, count);
    }
    for (int last = count - 1; last > 0; --last) {
        const atemi_name largest = names[0];
        names[0] = names[last];
        names[last] = largest;
        sift_down(names, 0, last);
    }
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
