// SPDX-License-Identifier: Apache-2.0

#include "math/working_set.h"

#include "atemi/math.h"
#include "check.h"
#include "math/matrix.h"
#include "random.h"

#include <math.h>
#include <string.h>

// Rows come and go at random; what the set solves is solved anew by LU.

enum { N = 9, ROWS = 40, WIDTH = (N + ATEMI_LANES - 1) / ATEMI_LANES * ATEMI_LANES };

typedef struct rig {
    atemi_arena arena;
    working_set set;
    double      M[ROWS * WIDTH], size[ROWS];
} rig;

static void begin(rig *r, random_stream *stream)
{
    atemi_arena measuring = atemi_arena_measuring();
    *r = (rig){0};
    atemi_working_set_take(&measuring, N, N);
    CHECK_STATUS(atemi_arena_create(&r->arena, measuring.used, NULL), ATEMI_OK);
    r->set = atemi_working_set_take(&r->arena, N, N);
    for (int i = 0; i < ROWS; ++i) {
        double sum = 0.0;
        for (int j = 0; j < N; ++j) {
            r->M[i * WIDTH + j] = random_uniform(stream, -1.0, 1.0);
            sum += r->M[i * WIDTH + j] * r->M[i * WIDTH + j];
        }
        r->size[i] = sqrt(sum);
    }
    atemi_working_set_clear(&r->set, r->M, WIDTH);
}

static void check_solution(const rig *r, random_stream *stream)
{
    const int n = r->set.count;
    double    G[N * N], b[N], x[N];
    int       pivot[N];
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            G[i * n + j] = row_dot(N, r->M + r->set.rows[i] * WIDTH, r->M + r->set.rows[j] * WIDTH);
        }
        b[i] = x[i] = random_uniform(stream, -1.0, 1.0);
    }
    CHECK(atemi_lu_factor(n, G, n, pivot));
    atemi_lu_solve(n, G, n, pivot, b);
    atemi_working_set_solve(&r->set, x);
    for (int i = 0; i < n; ++i) { // of a matrix whose condition is rarely above 1e5
        CHECK_NEAR(x[i], b[i], 1e-9 * (1.0 + fabs(b[i])));
    }
}

TEST(working_set, solves_for_its_rows_however_they_came_and_went)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        random_stream stream = random_seeded(seed);
        rig           r;
        begin(&r, &stream);
        for (int step = 0; step < 200; ++step) {
            const int row = random_index(&stream, ROWS);
            bool      there = false;
            for (int k = 0; k < r.set.count; ++k) {
                there = there || r.set.rows[k] == row;
            }
            if (r.set.count > 0 && (random_index(&stream, 2) || r.set.count == N - 2)) {
                atemi_working_set_remove(&r.set, random_index(&stream, r.set.count));
            } else if (!there) {
                const double own = atemi_working_set_project(&r.set, row, r.size[row]);
                CHECK(own > 0.0);
                atemi_working_set_append(&r.set, row, own);
            }
            check_solution(&r, &stream);
        }
        atemi_arena_destroy(&r.arena);
    }
}

// A row that is a sum of others, but for 1e-6 of a new one or for nothing.
TEST(working_set, knows_rows_that_depend_on_those_that_it_has)
{
    random_stream stream = random_seeded(5);
    rig           r;
    begin(&r, &stream);
    for (int i = 0; i < 4; ++i) {
        atemi_working_set_append(&r.set, i, atemi_working_set_project(&r.set, i, r.size[i]));
    }
    for (int trial = 0; trial < 2; ++trial) {
        double *row = r.M + 20 * WIDTH, sum = 0.0;
        for (int j = 0; j < N; ++j) {
            row[j] = 2.0 * r.M[j] - 3.0 * r.M[2 * WIDTH + j];
            row[j] += trial == 0 ? 0.0 : 1e-6 * r.M[30 * WIDTH + j];
            sum += row[j] * row[j];
        }
        const double own = atemi_working_set_project(&r.set, 20, sqrt(sum));
        if (trial == 0) {
            double c[N];
            CHECK(own == 0.0);
            atemi_working_set_coefficients(&r.set, c);
            CHECK_NEAR(c[0], 2.0, 1e-12);
            CHECK_NEAR(c[1], 0.0, 1e-12);
            CHECK_NEAR(c[2], -3.0, 1e-12);
        } else { // what row 30 has of its own, to a thousandth
            const double alone = atemi_working_set_project(&r.set, 30, r.size[30]);
            CHECK_NEAR(own / (1e-12 * alone), 1.0, 1e-3);
        }
    }
    atemi_arena_destroy(&r.arena);
}
