// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation_batch.h"
#include "check.h"

#include <stdatomic.h>

enum { ITEMS = 1000 };

typedef struct tally {
    atomic_int visits[ITEMS];
    atomic_int wrong_threads;
    int        threads;
    long       stop_at; // or -1
} tally;

static bool visit(void *context, int thread, long begin, long end)
{
    tally *t = context;
    if (thread < 0 || thread >= t->threads) {
        ++t->wrong_threads;
    }
    for (long i = begin; i < end; ++i) {
        ++t->visits[i];
        if (i == t->stop_at) {
            return false;
        }
    }
    return true;
}

TEST(parallel, every_item_is_worked_on_once)
{
    static const int  threads[] = {1, 2, 3, 16, 2000};
    static const long blocks[] = {0, 1, 7, 5000};
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 4; ++j) {
            tally t = {.threads = threads[i], .stop_at = -1};
            atemi_parallel_run(ITEMS, blocks[j], threads[i], visit, &t);
            for (int k = 0; k < ITEMS; ++k) {
                CHECK_EQUAL_INT(t.visits[k], 1);
            }
            CHECK_EQUAL_INT(t.wrong_threads, 0);
        }
    }
}

TEST(parallel, no_items_are_no_work)
{
    tally t = {.threads = 4, .stop_at = -1};
    atemi_parallel_run(0, 0, 4, visit, &t);
    CHECK_EQUAL_INT(t.visits[0], 0);
}

/// A thread that stops takes no more blocks; what is before its last item was begun earlier, and is
/// finished by the others.
TEST(parallel, items_before_a_stop_are_all_worked_on)
{
    for (int threads = 1; threads <= 4; ++threads) {
        tally t = {.threads = threads, .stop_at = 500};
        atemi_parallel_run(ITEMS, 10, threads, visit, &t);
        for (int k = 0; k <= 500; ++k) {
            CHECK_EQUAL_INT(t.visits[k], 1);
        }
    }
}
