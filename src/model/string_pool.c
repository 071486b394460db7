// SPDX-License-Identifier: Apache-2.0

#include "atemi/allocator.h"
#include "model/parts.h"

#include <string.h>

enum { CHUNK_SIZE = 4096 };

typedef struct string_chunk {
    struct string_chunk *older;
    size_t               used, size;
    char                 text[];
} string_chunk;

static string_chunk *add_chunk(string_pool *pool, size_t least)
{
    const size_t  size = least > CHUNK_SIZE ? least : CHUNK_SIZE;
    string_chunk *chunk = (string_chunk *)atemi_allocate(sizeof *chunk + size);
    if (chunk) {
        *chunk = (string_chunk){.older = pool->newest, .size = size};
        pool->newest = chunk;
    }
    return chunk;
}

const char *atemi_string_pool_copy(string_pool *pool, const char *text)
{
    const size_t  size = strlen(text) + 1;
    string_chunk *chunk = pool->newest;
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

void atemi_string_pool_destroy(string_pool *pool)
{
    while (pool->newest) {
        string_chunk *older = pool->newest->older;
        atemi_release(pool->newest);
        pool->newest = older;
    }
}
