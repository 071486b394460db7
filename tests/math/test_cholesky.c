// SPDX-License-Identifier: Apache-2.0

#include "matrices.h"

#include <float.h>

TEST(cholesky, finds_the_factor_that_the_matrix_was_built_from)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 1 + random_index(&stream, LARGEST);
        matrix        L, Lt, A;
        random_lower(&L, n, &stream);
        transpose(&L, n, n, &Lt);
        multiply(&L, &Lt, n, n, n, &A);
        hide_upper(&A, n);

        CHECK(atemi_cholesky_factor(n, A.at[0], STRIDE));
        check_upper_hidden(&A, n);
        hide_upper(&L, n);
        check_near_matrix(n, n, &A, &L, 1e-9);
    }
}

TEST(cholesky, solves)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 1 + random_index(&stream, LARGEST);
        matrix        B, Bt, A;
        double        x[LARGEST], b[LARGEST + 1];
        fill(&B, n, n, &stream);
        transpose(&B, n, n, &Bt);
        multiply(&B, &Bt, n, n, n, &A);
        for (int i = 0; i < n; ++i) {
            A.at[i][i] += 1.0;
        }
        random_vector(&stream, n, x);
        apply(&A, n, n, x, b);
        b[n] = mark;
        CHECK(atemi_cholesky_factor(n, A.at[0], STRIDE));
        atemi_cholesky_solve(n, A.at[0], STRIDE, b);
        check_near_vector(n, b, x, 1e-13);
        CHECK(b[n] == mark);
    }
}

TEST(cholesky, notices_a_singular_matrix_at_any_scale)
{
    const double scales[] = {1e-300, 1e-30, 1.0, 1e30, 1e300};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 2 + random_index(&stream, LARGEST - 1);
        matrix        A;
        random_singular_gram(&A, n, &stream);
        scale_all(&A, n, n, scales[seed % 5]);
        CHECK(!atemi_cholesky_factor(n, A.at[0], STRIDE));
    }
}

TEST(cholesky, refuses_what_is_not_positive)
{
    double negative[] = {-1.0}, zero[] = {0.0}, indefinite[] = {1.0, 0.0, 2.0, 1.0};
    double none[] = {nan("")}, endless[] = {HUGE_VAL};
    CHECK(!atemi_cholesky_factor(1, negative, 1));
    CHECK(!atemi_cholesky_factor(1, zero, 1));
    CHECK(!atemi_cholesky_factor(2, indefinite, 2));
    CHECK(!atemi_cholesky_factor(1, none, 1));
    CHECK(!atemi_cholesky_factor(1, endless, 1));
}

TEST(cholesky, judges_each_pivot_by_its_own_diagonal)
{
    double graded[] = {1.0, 0.0, 0.0, 1e-30}; // badly scaled, but perfectly regular
    double close[] = {1.0, 0.0, 1.0, 1.0 + 1e-13};
    double equal[] = {1.0, 0.0, 1.0, 1.0 + DBL_EPSILON};
    double weak[] = {1.0, 0.0, 1e-10, 1e-20 * (1.0 + DBL_EPSILON)};
    CHECK(atemi_cholesky_factor(2, graded, 2));
    CHECK(atemi_cholesky_factor(2, close, 2));
    CHECK(!atemi_cholesky_factor(2, equal, 2));
    CHECK(!atemi_cholesky_factor(2, weak, 2));
}
