// SPDX-License-Identifier: Apache-2.0

#include "contact/semidefinite.h"

#include "atemi/math.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { MOST = 12 };

static const double tolerance = 1e-11;

typedef struct system {
    int    n;
    double A[MOST * MOST], b[MOST];
} system;

// A = B B^T of n rows in `rank` dimensions, the last ones sums of others; b = A x.
static system random_system(int n, int rank, random_stream *random)
{
    system s = {.n = n};
    double B[MOST * MOST], x[MOST];
    for (int i = 0; i < n; ++i) {
        x[i] = random_uniform(random, -1.0, 1.0);
        for (int k = 0; k < rank; ++k) {
            B[i * rank + k] = random_uniform(random, -1.0, 1.0);
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < rank; ++k) {
                s.A[i * n + j] += B[i * rank + k] * B[j * rank + k];
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            s.b[i] += s.A[i * n + j] * x[j];
        }
    }
    return s;
}

static atemi_semidefinite_report solve(const system *s, double *x)
{
    double A[MOST * MOST], scratch[MOST * (MOST + 1)];
    int    pivot[MOST];
    memcpy(A, s->A, sizeof A);
    memcpy(x, s->b, sizeof s->b);
    return atemi_semidefinite_solve(s->n, A, tolerance, pivot, scratch, x);
}

static void solve_by_qr(const system *s, double *x)
{
    double    A[MOST * MOST], b[MOST], tau[MOST], work[MOST * (MOST + 1)];
    int       pivot[MOST];
    const int n = s->n;
    memcpy(A, s->A, sizeof A);
    memcpy(b, s->b, sizeof b);
    const int rank = atemi_qr_factor(n, n, A, n, tolerance, tau, pivot, work);
    atemi_qr_solve_least_norm(n, n, A, n, rank, tau, pivot, b, x, work);
}

TEST(semidefinite, finds_the_rank_and_the_shortest_solution)
{
    random_stream random = random_seeded(11);
    for (int trial = 0; trial < 300; ++trial) {
        const int    n = 1 + random_index(&random, MOST), rank = 1 + random_index(&random, n);
        const system s = random_system(n, rank, &random);
        double       x[MOST], shortest[MOST];
        const atemi_semidefinite_report report = solve(&s, x);
        if (report.condition > 1e5) {
            continue; // where rounding decides
        }
        solve_by_qr(&s, shortest);
        CHECK_EQUAL_INT(report.rank, rank);
        CHECK(report.left < 1e-9);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(x[i], shortest[i], 1e-8);
        }
    }
}

// Two rows that are one ask for 1 and 3: 2 is left.
TEST(semidefinite, tells_what_dependent_rows_ask_beyond)
{
    const system s = {.n = 2, .A = {1.0, 1.0, 1.0, 1.0}, .b = {1.0, 3.0}};
    double       x[MOST];
    CHECK_NEAR(solve(&s, x).left, 2.0, 1e-15);
}

TEST(semidefinite, of_nothing_has_rank_zero)
{
    const system                    s = {.n = 2, .b = {0.0, 0.5}};
    double                          x[MOST];
    const atemi_semidefinite_report report = solve(&s, x);
    CHECK_EQUAL_INT(report.rank, 0);
    CHECK_NEAR(report.left, 0.5, 0.0);
    CHECK_NEAR(x[0], 0.0, 0.0);
    CHECK_NEAR(x[1], 0.0, 0.0);
}
