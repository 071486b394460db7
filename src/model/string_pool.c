// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "model/names.h"

#include <string.h>

enum { CHUNK_SIZE = 4096 };

typedef struct atemi_string_chunk {
    struct atemi_string_chunk *older;
    size_t                     used, size;
    char                       text[];
} atemi_string_chunk;

static atemi_string_chunk *add_chunk(atemi_string_pool *pool, size_t least)
{
    const size_t        size = least > CHUNK_SIZE ? least : CHUNK_SIZE;
    atemi_string_chunk *chunk = (atemi_string_chunk *)atemi_allocate(sizeof *chunk + size);
    if (chunk) {
        *chunk = (atemi_string_chunk){.older = pool->newest, .size = size};
        pool->newest = chunk;
    }
    return chunk;
}

const char *atemi_string_pool_copy(atemi_string_pool *pool, const char *text)
{
    const size_t        size = strlen(text) + 1;
    atemi_string_chunk *chunk = pool->newest;
    if (!chunk || chunk->size - chunk->used < size) {
        chunk = add_chunk(pool, size);
    }
    if (!chunk) {
        return NULL;
    }
    char *copy = chunk->text + chunk->used;
    memcpy(copy, text, size);
    chunk->used += size;
    return copy;
}

void atemi_string_pool_destroy(atemi_string_pool *pool)
{
    while (pool->newest) {
        atemi_string_chunk *older = pool->newest->older;
        atemi_release(pool->newest);
        pool->newest = older;
    }
}
