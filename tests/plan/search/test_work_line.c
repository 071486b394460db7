// SPDX-License-Identifier: Apache-2.0

#include "plan/search/work_line.h"

#include "check.h"

#include <stdatomic.h>
#include <string.h>

enum { PIECES = 100, MANY = 2 * PIECES };

// Sums numbers that depend on what was known when a piece began: the answer tells in which order
// everything was.
typedef struct ledger {
    int        begun, taken, last;
    long       sum, after[WORK_LINE_LAG + 1], known[WORK_LINE_LAG], result[WORK_LINE_LAG];
    atomic_int under_way, most, hurried;
} ledger;

static bool on_begin(void *context, int index)
{
    ledger *l = (ledger *)context;
    CHECK_EQUAL_INT(index, l->begun);
    CHECK(index < WORK_LINE_LAG || l->taken > index - WORK_LINE_LAG);
    if (index == PIECES) {
        return false;
    }
    ++l->begun;
    l->known[index % WORK_LINE_LAG] = l->after[(index + 1) % (WORK_LINE_LAG + 1)];
    return true;
}

static void on_work(void *context, int index, int worker)
{
    ledger   *l = (ledger *)context;
    const int count = ++l->under_way;
    int       most = l->most;
    while (count > most && !atomic_compare_exchange_weak(&l->most, &most, count)) {
    }
    CHECK(worker >= 0 && worker < WORK_LINE_LAG);
    long x = l->known[index % WORK_LINE_LAG];
    for (int i = 0; i < 1000 * (index % 7); ++i) { // some take longer
        x = (x * 31 + index) % 1000003;
    }
    l->result[index % WORK_LINE_LAG] = x + index;
    --l->under_way;
}

static bool on_take(void *context, int index)
{
    ledger *l = (ledger *)context;
    CHECK_EQUAL_INT(index, l->taken);
    ++l->taken;
    l->sum = (l->sum * 17 + l->result[index % WORK_LINE_LAG]) % 1000003;
    l->after[index % (WORK_LINE_LAG + 1)] = l->sum;
    return index != l->last;
}

static void on_hurry(void *context)
{
    ++((ledger *)context)->hurried;
}

static ledger run(int threads, int last)
{
    ledger          l = {.last = last};
    const work_line line = {on_begin, on_work, on_take, on_hurry, &l};
    work_line_run(&line, threads);
    return l;
}

TEST(work_line, has_the_same_answer_for_any_number_of_threads)
{
    const ledger alone = run(1, MANY);
    CHECK_EQUAL_INT(alone.taken, PIECES);
    CHECK_EQUAL_INT(alone.most, 1);
    for (int threads = 2; threads <= 6; ++threads) {
        const ledger l = run(threads, MANY);
        CHECK_EQUAL_INT(l.taken, PIECES);
        CHECK_EQUAL_INT(l.sum, alone.sum);
        CHECK(l.most <= threads);
    }
}

TEST(work_line, ends_where_all_is_known_whatever_is_under_way)
{
    const ledger alone = run(1, 37);
    CHECK_EQUAL_INT(alone.taken, 38);
    CHECK_EQUAL_INT(alone.begun, 38);
    for (int threads = 2; threads <= 4; ++threads) {
        const ledger l = run(threads, 37);
        CHECK_EQUAL_INT(l.taken, 38);
        CHECK_EQUAL_INT(l.sum, alone.sum);
        CHECK(l.begun < 38 + WORK_LINE_LAG);
        CHECK(l.hurried > 0);
    }
}
