// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // sysconf

#include "atemi/simulation_batch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

// So many blocks a thread, where the caller leaves it to us: the last block of a slow thread keeps
// the others waiting for a sixteenth of the time at most.
enum { BLOCKS_A_THREAD = 16 };

// More threads than this are not made.
enum { MAX_THREADS = 256 };

typedef struct shared_work {
    long                count, block;
    atemi_parallel_work work;
    void               *context;
    atomic_long         next; // the first item that is not taken yet
} shared_work;

typedef struct member {
    shared_work *shared;
    int          number;
    pthread_t    thread;
} member;

static void work_on(shared_work *shared, int number)
{
    for (;;) {
        long begin = atomic_fetch_add_explicit(&shared->next, shared->block, memory_order_relaxed);
        if (begin >= shared->count) {
            return;
        }
        long left = shared->count - begin;
        long end = begin + (left < shared->block ? left : shared->block);
        if (!shared->work(shared->context, number, begin, end)) {
            return;
        }
    }
}

static void *join_in(void *member_)
{
    member *self = member_;
    work_on(self->shared, self->number);
    return NULL;
}

static long block_for(long count, int threads)
{
    long blocks = (long)threads * BLOCKS_A_THREAD;
    return count > blocks ? count / blocks : 1;
}

int atemi_parallel_processors(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : (int)processors;
}

void atemi_parallel_run(long count, long block, int threads, atemi_parallel_work work,
                        void *context)
{
    threads = threads > MAX_THREADS ? MAX_THREADS : threads;
    threads = threads > count ? (int)count : threads;
    if (threads <= 1) {
        if (count > 0) {
            work(context, 0, 0, count);
        }
        return;
    }
    block = block > 0 ? block : block_for(count, threads);
    shared_work shared = {.count = count, .block = block, .work = work, .context = context};
    member      members[MAX_THREADS];
    int         started = 1;
    for (; started < threads; ++started) {
        members[started] = (member){.shared = &shared, .number = started};
        if (pthread_create(&members[started].thread, NULL, join_in, &members[started])) {
            break;
        }
    }
    work_on(&shared, 0);
    for (int i = 1; i < started; ++i) {
        pthread_join(members[i].thread, NULL);
    }
}
