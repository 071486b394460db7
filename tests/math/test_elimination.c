// SPDX-License-Identifier: Apache-2.0

#include "math/elimination.h"

#include "matrices.h"

enum { WIDEST = (LARGEST / 8 + 1) * 8 };

// [A | b] and zeros, with the stride of the build.
static void lay_out(int n, const matrix *A, const double *b, double *to)
{
    const int stride = elimination_stride(n);
    memset(to, 0, (size_t)n * (size_t)stride * sizeof *to);
    for (int i = 0; i < n; ++i) {
        memcpy(to + (ptrdiff_t)i * stride, A->at[i], (size_t)n * sizeof *to);
        to[i * stride + n] = b[i];
    }
}

TEST(elimination, solves)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 1 + random_index(&stream, LARGEST);
        matrix        A, inverse;
        double        x[LARGEST], b[LARGEST], found[WIDEST], system[LARGEST * WIDEST];
        fill(&A, n, n, &stream);
        random_vector(&stream, n, x);
        apply(&A, n, n, x, b);
        invert(&A, n, &inverse);
        lay_out(n, &A, b, system);
        CHECK(atemi_eliminate(n, system, found));
        check_near_vector(n, found, x, 1e-15 * norm1(&A, n) * norm1(&inverse, n));
    }
}

// Without exchanging rows, each would divide by zero or by 1e-20.
TEST(elimination, exchanges_rows_where_it_must)
{
    const matrix A = {{{0.0, 1.0, 0.0}, {0.0, 1e-20, 2.0}, {4.0, 0.0, 0.0}}};
    const double b[] = {3.0, 10.0, 20.0};
    double       x[WIDEST], system[3 * WIDEST];
    lay_out(3, &A, b, system);
    CHECK(atemi_eliminate(3, system, x));
    CHECK_NEAR(x[0], 5.0, 0.0);
    CHECK_NEAR(x[1], 3.0, 0.0);
    CHECK_NEAR(x[2], 5.0, 0.0);
}

// The third row is the sum of the others, but for rounding.
TEST(elimination, refuses_what_is_singular)
{
    const matrix A = {{{0.1, 0.7, 0.3}, {0.2, 0.1, 0.6}, {0.1 + 0.2, 0.7 + 0.1, 0.3 + 0.6}}};
    const double b[] = {1.0, 1.0, 1.0};
    double       x[WIDEST], system[3 * WIDEST];
    lay_out(3, &A, b, system);
    CHECK(!atemi_eliminate(3, system, x));
}
