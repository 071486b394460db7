// SPDX-License-Identifier: Apache-2.0

#include "base/growing.h"

#include "atemi/base.h"

void *atemi_grown(void *array, size_t size, int count, int *room)
{
    if (count < *room) {
        return array;
    }
    const int larger = *room ? 2 * *room : ATEMI_FIRST_ROOM;
    void     *grown = atemi_resize(array, (size_t)larger * size);
    if (grown) {
        *room = larger;
    }
    return grown;
}
