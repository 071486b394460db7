// SPDX-License-Identifier: Apache-2.0

#include "motion/least_norm.h"

#include "allocations.h"
#include "atemi/math.h"
#include "check.h"
#include "data.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 20, MOST = 40, MAX_SIZE = MOST + MAX_ROWS };

typedef struct bench {
    atemi_arena       arena;
    atemi_least_norm *least;
} bench;

static void bench_begin(bench *b)
{
    b->arena = atemi_arena_measuring();
    atemi_least_norm_take(&b->arena, MAX_ROWS, MOST);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    b->least = atemi_least_norm_take(&b->arena, MAX_ROWS, MOST);
}

static void fill(random_stream *random, int count, double *a)
{
    for (int i = 0; i < count; ++i) {
        a[i] = random_uniform(random, -1.0, 1.0);
    }
}

// Lagrange's conditions of  min v^T W v / 2  under  A v = b:  W v = A^T l.
static void solve_kkt(int m, int n, const double *A, const double *weights, const double *b,
                      double *v)
{
    static double K[MAX_SIZE * MAX_SIZE], x[MAX_SIZE];
    static int    pivot[MAX_SIZE];
    const int     size = m + n;
    memset(K, 0, sizeof K);
    for (int i = 0; i < n; ++i) {
        K[i * size + i] = weights ? weights[i] : 1.0;
        x[i] = 0.0;
    }
    for (int r = 0; r < m; ++r) {
        for (int i = 0; i < n; ++i) {
            K[(n + r) * size + i] = K[i * size + n + r] = A[r * n + i];
        }
        x[n + r] = b[r];
    }
    CHECK(atemi_lu_factor(size, K, size, pivot));
    atemi_lu_solve(size, K, size, pivot, x);
    memcpy(v, x, (size_t)n * sizeof *v);
}

static double weighted_square(int n, const double *weights, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += isfinite(weights[i]) ? weights[i] * v[i] * v[i] : 0.0;
    }
    return sum;
}

TEST(least_norm, satisfy_lagranges_conditions)
{
    bench b;
    bench_begin(&b);
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream random = random_seeded(seed);
        const int     n = 12 + random_index(&random, 20), m = 7 + random_index(&random, 5);
        double        A[MAX_ROWS * MOST], right[MAX_ROWS], weights[MOST], v[MOST], expected[MOST];
        fill(&random, m * n, A);
        fill(&random, m, right);
        for (int i = 0; i < n; ++i) {
            weights[i] = i < 6 && seed % 2 ? 0.0 : random_uniform(&random, 0.3, 30.0);
        }
        const double *used = seed % 5 ? weights : NULL;
        solve_kkt(m, n, A, used, right, expected);
        CHECK_EQUAL_INT(atemi_least_norm_factor(m, n, A, used, b.least), m);
        CHECK(atemi_least_norm_solve(b.least, right, v) < 1e-12 * (1.0 + largest_size(v, n)));
        CHECK(largest_difference(v, expected, n) < 1e-10 * (1.0 + largest_size(v, n)));
    }
    atemi_arena_destroy(&b.arena);
}

TEST(least_norm, of_infinite_weight_stay_zero)
{
    bench b;
    bench_begin(&b);
    random_stream random = random_seeded(9);
    double        A[6 * 10], right[6], weights[10], v[10];
    fill(&random, 60, A);
    fill(&random, 6, right);
    for (int i = 0; i < 10; ++i) {
        weights[i] = i % 4 == 1 ? (double)INFINITY : 1.0;
    }
    CHECK_EQUAL_INT(atemi_least_norm_factor(6, 10, A, weights, b.least), 6);
    CHECK(atemi_least_norm_solve(b.least, right, v) < 1e-12);
    CHECK(v[1] == 0.0 && v[5] == 0.0 && v[9] == 0.0);
    atemi_arena_destroy(&b.arena);
}

// Rows 4 and 5 are combinations of the others: of rank 4, met where they agree.
TEST(least_norm, know_the_rank_of_dependent_rows)
{
    bench b;
    bench_begin(&b);
    random_stream random = random_seeded(10);
    double        A[6 * 12], right[6], weights[12], v[12];
    fill(&random, 48, A);
    fill(&random, 4, right);
    for (int i = 0; i < 12; ++i) {
        weights[i] = i < 3 ? 0.0 : random_uniform(&random, 0.5, 2.0);
        A[48 + i] = A[i] - 2.0 * A[12 + i];
        A[60 + i] = 50.0 * A[24 + i];
    }
    right[4] = right[0] - 2.0 * right[1];
    right[5] = 50.0 * right[2];
    CHECK_EQUAL_INT(atemi_least_norm_factor(6, 12, A, weights, b.least), 4);
    CHECK(atemi_least_norm_solve(b.least, right, v) < 1e-12);

    double fewer[12];
    solve_kkt(4, 12, A, weights, right, fewer);
    CHECK_NEAR(weighted_square(12, weights, v), weighted_square(12, weights, fewer), 1e-12);

    right[4] += 0.1;
    const double residual = atemi_least_norm_solve(b.least, right, v);
    CHECK(residual > 0.01 && residual < 0.1);
    atemi_arena_destroy(&b.arena);
}

// The residual of a least-squares solution is normal to every column.
TEST(least_norm, come_nearest_where_rows_contradict_each_other)
{
    bench b;
    bench_begin(&b);
    random_stream random = random_seeded(11);
    enum { M = 18, N = 9 };
    double A[M * N], right[M], v[N];
    double weights[N] = {0.0, 0.0, 1.0, 2.0, 3.0, 0.1, 7.0, 1.0, 1.0};
    fill(&random, M * N, A);
    fill(&random, M, right);
    CHECK_EQUAL_INT(atemi_least_norm_factor(M, N, A, weights, b.least), N);
    atemi_least_norm_solve(b.least, right, v);
    for (int j = 0; j < N; ++j) {
        double normal = 0.0;
        for (int i = 0; i < M; ++i) {
            double residual = -right[i];
            for (int k = 0; k < N; ++k) {
                residual += A[i * N + k] * v[k];
            }
            normal += A[i * N + j] * residual;
        }
        CHECK_NEAR(normal, 0.0, 1e-13);
    }
    atemi_arena_destroy(&b.arena);
}

TEST(least_norm, of_nothing_are_nothing)
{
    bench b;
    bench_begin(&b);
    const double weights[2] = {(double)INFINITY, (double)INFINITY};
    double       A[4] = {1.0, 2.0, 3.0, 4.0}, right[2] = {1.0, -3.0}, v[2] = {7.0, 7.0};
    CHECK_EQUAL_INT(atemi_least_norm_factor(2, 2, A, weights, b.least), 0);
    CHECK_NEAR(atemi_least_norm_solve(b.least, right, v), 3.0, 0.0);
    CHECK(v[0] == 0.0 && v[1] == 0.0);
    CHECK_EQUAL_INT(atemi_least_norm_factor(0, 2, NULL, NULL, b.least), 0);
    CHECK_NEAR(atemi_least_norm_solve(b.least, NULL, v), 0.0, 0.0);
    CHECK(v[0] == 0.0 && v[1] == 0.0);
    atemi_arena_destroy(&b.arena);
}

TEST(least_norm, take_no_memory)
{
    bench b;
    bench_begin(&b);
    random_stream random = random_seeded(12);
    double        A[10 * 30], right[10], v[30];
    fill(&random, 300, A);
    fill(&random, 10, right);
    allocations_begin();
    atemi_least_norm_factor(10, 30, A, NULL, b.least);
    atemi_least_norm_solve(b.least, right, v);
    CHECK_EQUAL_INT(allocations_end(), 0);
    atemi_arena_destroy(&b.arena);
}
