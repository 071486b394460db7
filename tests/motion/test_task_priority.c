// SPDX-License-Identifier: Apache-2.0

#include "motion/task_priority.h"

#include "check.h"
#include "random.h"

#include <math.h>

enum { N = 12, ROWS = 16 };

typedef struct bench {
    atemi_arena         arena;
    atemi_task_priority tasks;
} bench;

static bench bench_begin(void)
{
    bench b = {.arena = atemi_arena_measuring()};
    atemi_task_priority_take(&b.arena, ROWS, N);
    CHECK_STATUS(atemi_arena_create(&b.arena, b.arena.used, NULL), ATEMI_OK);
    b.tasks = atemi_task_priority_take(&b.arena, ROWS, N);
    return b;
}

static void fill(random_stream *stream, int count, double *values)
{
    for (int i = 0; i < count; ++i) {
        values[i] = random_uniform(stream, -1.0, 1.0);
    }
}

static double residual(int rows, const double *A, const double *b, const double *v)
{
    double square = 0.0;
    for (int i = 0; i < rows; ++i) {
        double r = -b[i];
        for (int j = 0; j < N; ++j) {
            r += A[i * N + j] * v[j];
        }
        square += r * r;
    }
    return sqrt(square);
}

// A level that lower ones contradict is met as if they were not there.
TEST(task_priority, never_costs_a_level_anything_for_those_below)
{
    bench b = bench_begin();
    for (uint64_t seed = 0; seed < 300; ++seed) {
        random_stream stream = random_seeded(seed);
        double        first[4 * N], second[7 * N], third[ROWS * N], wanted[3][ROWS];
        fill(&stream, 4 * N, first);
        fill(&stream, 7 * N, second);
        fill(&stream, ROWS * N, third);
        for (int level = 0; level < 3; ++level) {
            fill(&stream, ROWS, wanted[level]);
        }
        atemi_task_priority_begin(N, &b.tasks);
        CHECK_EQUAL_INT(atemi_task_priority_add(4, first, wanted[0], &b.tasks), 4);
        CHECK_EQUAL_INT(atemi_task_priority_add(7, second, wanted[1], &b.tasks), 7);
        CHECK_EQUAL_INT(atemi_task_priority_add(ROWS, third, wanted[2], &b.tasks), 1);
        CHECK_NEAR(residual(4, first, wanted[0], b.tasks.rates), 0.0, 1e-11);
        CHECK_NEAR(residual(7, second, wanted[1], b.tasks.rates), 0.0, 1e-10);
    }
    atemi_arena_destroy(&b.arena);
}

// The lower level is as near as the upper one lets it: no change of rates that the upper level does
// not see brings it nearer.
TEST(task_priority, does_of_a_level_all_that_those_above_leave)
{
    bench b = bench_begin();
    for (uint64_t seed = 0; seed < 100; ++seed) {
        random_stream stream = random_seeded(seed);
        double first[5 * N], second[ROWS * N], want[ROWS], wish[ROWS], other[N], zero[ROWS] = {0};
        fill(&stream, 5 * N, first);
        fill(&stream, ROWS * N, second);
        fill(&stream, ROWS, want);
        fill(&stream, ROWS, wish);
        atemi_task_priority_begin(N, &b.tasks);
        atemi_task_priority_add(5, first, want, &b.tasks);
        atemi_task_priority_add(ROWS, second, wish, &b.tasks);
        double v[N];
        for (int j = 0; j < N; ++j) {
            v[j] = b.tasks.rates[j];
        }
        const double best = residual(ROWS, second, wish, v);
        for (int trial = 0; trial < 20; ++trial) {
            double identity[N * N] = {0};
            fill(&stream, N, other);
            for (int j = 0; j < N; ++j) {
                identity[j * N + j] = 1.0;
            }
            atemi_task_priority_begin(N, &b.tasks); // a random motion that the first does not see
            atemi_task_priority_add(5, first, zero, &b.tasks);
            atemi_task_priority_add(N, identity, other, &b.tasks);
            CHECK_NEAR(residual(5, first, zero, b.tasks.rates), 0.0, 1e-11);
            for (int j = 0; j < N; ++j) {
                other[j] = v[j] + 1e-2 * b.tasks.rates[j];
            }
            CHECK(residual(ROWS, second, wish, other) >= best - 1e-12);
        }
    }
    atemi_arena_destroy(&b.arena);
}

// Rows that are there already, twice, and zero rows: nothing is left to them.
TEST(task_priority, leaves_dependent_levels_without_a_say)
{
    bench         b = bench_begin();
    random_stream stream = random_seeded(2);
    double        A[3 * N], twice[3 * N], want[3] = {1.0, 2.0, 3.0}, other[3] = {-5.0, 4.0, 0.0};
    fill(&stream, 3 * N, A);
    for (int j = 0; j < N; ++j) {
        twice[j] = A[j] + A[N + j];
        twice[N + j] = -2.0 * A[2 * N + j];
        twice[2 * N + j] = 0.0;
    }
    atemi_task_priority_begin(N, &b.tasks);
    CHECK_EQUAL_INT(atemi_task_priority_add(3, A, want, &b.tasks), 3);
    CHECK_EQUAL_INT(atemi_task_priority_add(3, twice, other, &b.tasks), 0);
    CHECK_NEAR(residual(3, A, want, b.tasks.rates), 0.0, 1e-12);
    CHECK_EQUAL_INT(b.tasks.rank, 3);
    atemi_arena_destroy(&b.arena);
}
