// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"

#include "atemi/base.h"
#include "instrumented.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_bool armed;
static atomic_int  calls;

static void count_call(void)
{
    if (atomic_load(&armed)) {
        atomic_fetch_add(&calls, 1);
    }
}

#if defined(__GLIBC__) && !defined(UNDER_SANITIZER) && !defined(UNDER_VALGRIND)

// The definitions of the executable win over those of the C library, which stay reachable by their
// other names.
// NOLINTBEGIN(bugprone-reserved-identifier)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void  __libc_free(void *block);
// NOLINTEND(bugprone-reserved-identifier)

void *malloc(size_t size)
{
    count_call();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    count_call();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    count_call();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count_call();
    return __libc_memalign(alignment, size);
}

// The C standard alone does not declare it.
int posix_memalign(void **block, size_t alignment, size_t size);

int posix_memalign(void **block, size_t alignment, size_t size)
{
    count_call();
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    void *found = __libc_memalign(alignment, size);
    if (!found) {
        return ENOMEM;
    }
    *block = found;
    return 0;
}

void free(void *block)
{
    count_call();
    __libc_free(block);
}

static void watch(void) {}
static void look_away(void) {}

#else

static void *counting_allocate(void *context, size_t size)
{
    (void)context;
    count_call();
    return malloc(size);
}

static void *counting_resize(void *context, void *block, size_t size)
{
    (void)context;
    count_call();
    return realloc(block, size);
}

static void counting_release(void *context, void *block)
{
    (void)context;
    count_call();
    free(block);
}

static void watch(void)
{
    const atemi_allocator counting = {counting_allocate, counting_resize, counting_release, NULL};
    atemi_set_allocator(&counting);
}

static void look_away(void)
{
    atemi_set_allocator(NULL);
}

#endif

static struct {
    int  calls_before_failure;
    bool failed;
    int  outstanding;
} failing;

static bool fails_now(void)
{
    if (failing.calls_before_failure < 0 || failing.calls_before_failure-- > 0) {
        return false;
    }
    failing.failed = true;
    return true;
}

static void *failing_resize(void *context, void *block, size_t size)
{
    (void)context;
    if (fails_now()) {
        return NULL;
    }
    const bool  is_new = !block;
    void *const resized = realloc(block, size);
    if (is_new && resized) {
        ++failing.outstanding;
    }
    return resized;
}

static void *failing_allocate(void *context, size_t size)
{
    return failing_resize(context, NULL, size);
}

static void failing_release(void *context, void *block)
{
    (void)context;
    if (block) {
        --failing.outstanding;
    }
    free(block);
}

void allocations_begin(void)
{
    watch();
    atomic_store(&calls, 0);
    atomic_store(&armed, true);
}

int allocations_count(void)
{
    return atomic_load(&calls);
}

int allocations_end(void)
{
    atomic_store(&armed, false);
    look_away();
    return allocations_count();
}

void failing_allocator_install(int n)
{
    failing.calls_before_failure = n - 1;
    failing.failed = false;
    failing.outstanding = 0;
    const atemi_allocator allocator = {failing_allocate, failing_resize, failing_release, NULL};
    atemi_set_allocator(&allocator);
}

int failing_allocator_outstanding(void)
{
    return failing.outstanding;
}

bool failing_allocator_failed(void)
{
    return failing.failed;
}

void failing_allocator_remove(void)
{
    atemi_set_allocator(NULL);
}
