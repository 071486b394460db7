// SPDX-License-Identifier: Apache-2.0

#include "base/growing.h"

#include "atemi/base.h"

void *atemi_grown(void *array, size_t size, int count, int *capacity)
{
    if (count < *capacity) {
        return array;
    }
    const int larger = *capacity ? 2 * *capacity : ATEMI_FIRST_CAPACITY;
    void     *grown = atemi_resize(array, (size_t)larger * size);
    if (grown) {
        *capacity = larger;
    }
    return grown;
}
