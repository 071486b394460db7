// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_failure.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/scenario/scenario_parts.h"

#include <string.h>

static void fail_on_memory(atemi_scenario_reader *reader)
{
    (void)atemi_fail(&reader->error, ATEMI_ERROR_MEMORY, "no memory for what a scenario asks for");
}

void atemi_scenario_adopt(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                          const atemi_error *cause)
{
    char text[ATEMI_ERROR_FILE_SIZE + ATEMI_ERROR_MESSAGE_SIZE];
    if (reader->error.status) {
        return;
    }
    atemi_error_format(cause, text, (int)sizeof text);
    (void)atemi_fail(&reader->error, cause->status, "%s: %s", mark.path, text);
    atemi_error_locate(&reader->error, reader->file, mark.place.line, mark.place.column);
}

void *atemi_scenario_allocate(atemi_scenario_reader *reader, size_t size, int count)
{
    const size_t bytes = size * (size_t)(count > 0 ? count : 1);
    void        *block = reader->error.status ? NULL : atemi_allocate(bytes);
    if (block) {
        memset(block, 0, bytes);
    } else if (!reader->error.status) {
        fail_on_memory(reader);
    }
    return block;
}

// The capacity is ATEMI_FIRST_CAPACITY times a power of two, the least that holds `count`.
static bool is_full(int count)
{
    return count == 0 || (count >= ATEMI_FIRST_CAPACITY && (count & (count - 1)) == 0);
}

bool atemi_scenario_grow(atemi_scenario_reader *reader, size_t size, int count, void **array)
{
    int   capacity = is_full(count) ? count : count + 1;
    void *block = reader->error.status ? NULL : atemi_grown(*array, size, count, &capacity);
    if (block) {
        *array = block;
    } else if (!reader->error.status) {
        fail_on_memory(reader);
    }
    return block != NULL;
}
