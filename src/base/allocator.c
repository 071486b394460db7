// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"

#include <stdlib.h>

static void *allocate_from_heap(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void *resize_on_heap(void *context, void *block, size_t size)
{
    (void)context;
    return realloc(block, size);
}

static void release_to_heap(void *context, void *block)
{
    (void)context;
    free(block);
}

#define HEAP {allocate_from_heap, resize_on_heap, release_to_heap, NULL}

static atemi_allocator hook = HEAP;

void atemi_set_allocator(const atemi_allocator *allocator)
{
    const atemi_allocator heap = HEAP;
    const atemi_allocator chosen = allocator ? *allocator : heap;
    ATEMI_REQUIRE(chosen.allocate && chosen.resize && chosen.release);
    hook = chosen;
}

void *atemi_allocate(size_t size)
{
    return hook.allocate(hook.context, size);
}

void *atemi_resize(void *block, size_t size)
{
    return hook.resize(hook.context, block, size);
}

void atemi_release(void *block)
{
    hook.release(hook.context, block);
}
