// SPDX-License-Identifier: Apache-2.0

#include "matrices.h"

#include <float.h>

TEST(lu, factors_multiply_to_the_permuted_matrix)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 1 + random_index(&stream, LARGEST);
        matrix        A, LU, L, U, product;
        int           pivot[LARGEST];
        fill(&A, n, n, &stream);
        LU = A;
        CHECK(atemi_lu_factor(n, LU.at[0], STRIDE, pivot));
        check_marks(&LU, n, n);

        blank(&L);
        blank(&U);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                L.at[i][j] = i > j ? LU.at[i][j] : i == j ? 1.0 : 0.0;
                U.at[i][j] = i > j ? 0.0 : LU.at[i][j];
                CHECK(fabs(L.at[i][j]) <= 1.0);
            }
        }
        for (int k = 0; k < n; ++k) {
            CHECK(pivot[k] >= k && pivot[k] < n);
            const matrix before = A;
            memcpy(A.at[k], before.at[pivot[k]], sizeof A.at[k]);
            memcpy(A.at[pivot[k]], before.at[k], sizeof A.at[k]);
        }
        multiply(&L, &U, n, n, n, &product);
        check_near_matrix(n, n, &product, &A, 1e-14);
    }
}

TEST(lu, solves)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 1 + random_index(&stream, LARGEST);
        matrix        A, inverse;
        double        x[LARGEST], b[LARGEST];
        int           pivot[LARGEST];
        fill(&A, n, n, &stream);
        random_vector(&stream, n, x);
        apply(&A, n, n, x, b);
        invert(&A, n, &inverse);
        const double condition = norm1(&A, n) * norm1(&inverse, n);
        CHECK(atemi_lu_factor(n, A.at[0], STRIDE, pivot));
        atemi_lu_solve(n, A.at[0], STRIDE, pivot, b);
        check_near_vector(n, b, x, 1e-15 * condition);
    }
}

TEST(lu, exchanges_rows_where_it_must)
{
    double    A[] = {0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 4.0, 0.0, 0.0}, b[] = {3.0, 10.0, 20.0};
    const int n = 3;
    int       pivot[3];
    CHECK(atemi_lu_factor(n, A, n, pivot));
    atemi_lu_solve(n, A, n, pivot, b);
    check_near_vector(n, b, (double[]){5.0, 3.0, 5.0}, 0.0);
}

TEST(lu, notices_a_singular_matrix_at_any_scale)
{
    const double scales[] = {1e-300, 1e-30, 1.0, 1e30, 1e300};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 2 + random_index(&stream, LARGEST - 1);
        matrix        A;
        int           pivot[LARGEST];
        random_dependent(&A, n, &stream);
        scale_all(&A, n, n, scales[seed % 5]);
        for (int i = 0; i < n; ++i) { // columns of different size must not confuse it
            A.at[i][n / 2] *= 1e-6;
        }
        CHECK(!atemi_lu_factor(n, A.at[0], STRIDE, pivot));
    }
}

TEST(lu, judges_each_pivot_by_its_own_column)
{
    double graded[] = {1.0, 0.0, 0.0, 1e-30}, close[] = {1.0, 1.0, 1.0, 1.0 + 1e-13};
    double equal[] = {1.0, 1.0, 1.0, 1.0 + DBL_EPSILON}, empty[] = {1.0, 0.0, 1.0, 0.0};
    double weak[] = {1.0, 1e-20, 1.0, 1e-20 * (1.0 + DBL_EPSILON)}, none[] = {nan("")};
    int    pivot[2];
    CHECK(atemi_lu_factor(2, graded, 2, pivot));
    CHECK(atemi_lu_factor(2, close, 2, pivot));
    CHECK(!atemi_lu_factor(2, equal, 2, pivot));
    CHECK(!atemi_lu_factor(2, empty, 2, pivot));
    CHECK(!atemi_lu_factor(2, weak, 2, pivot));
    CHECK(!atemi_lu_factor(1, none, 1, pivot));
}

// ---- Its condition

static double estimated_condition(const matrix *A, int n)
{
    matrix LU = *A;
    int    pivot[LARGEST];
    double work[2 * LARGEST + 1];
    work[2 * n] = mark;
    CHECK(atemi_lu_factor(n, LU.at[0], STRIDE, pivot));
    const double condition = atemi_lu_condition(n, LU.at[0], STRIDE, pivot, norm1(A, n), work);
    CHECK(work[2 * n] == mark);
    return condition;
}

// |H|_1 |H^-1|_1 of Hilbert's matrices is known in whole numbers.
TEST(condition, of_hilberts_matrices_is_exact)
{
    const double expected[] = {1.0, 27.0, 748.0, 28375.0, 943656.0, 29070279.0};
    for (int n = 1; n <= 6; ++n) {
        matrix H;
        blank(&H);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                H.at[i][j] = 1.0 / (i + j + 1);
            }
        }
        CHECK_NEAR(estimated_condition(&H, n), expected[n - 1], 1e-9 * expected[n - 1]);
    }
}

TEST(condition, never_exceeds_the_true_one_and_rarely_falls_below_a_third)
{
    int exact = 0;
    for (uint64_t seed = 1; seed <= 1000; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 1 + random_index(&stream, LARGEST);
        matrix        A, inverse;
        fill(&A, n, n, &stream);
        invert(&A, n, &inverse);
        const double expected = norm1(&A, n) * norm1(&inverse, n);
        const double estimate = estimated_condition(&A, n);
        CHECK(estimate <= expected * (1.0 + 1e-14 * expected));
        CHECK(estimate >= expected / 3.0); // none of these seeds is one of the rare cases
        exact += estimate >= 0.999 * expected;
    }
    CHECK(exact >= 830); // 841, as with the steps of LAPACK's dlacn2 on the same matrices
}

// With u = (0, 1, -1) and the inverse E + t u u^T, all ones are a fixed point of the climb, from
// which it only reaches the corner (1, 0, 0): the climb finds 1, where the norm is 1 + 2 t.
TEST(condition, is_not_fooled_by_cancellation)
{
    const double t = 1e6, s = t / (1.0 + 2.0 * t);
    matrix       A;
    blank(&A);
    memcpy(A.at[0], (double[]){1.0, 0.0, 0.0}, 3 * sizeof(double));
    memcpy(A.at[1], (double[]){0.0, 1.0 - s, s}, 3 * sizeof(double));
    memcpy(A.at[2], (double[]){0.0, s, 1.0 - s}, 3 * sizeof(double));
    const double estimate = estimated_condition(&A, 3);
    // The last resort is x = (1, -3/2, 2), with u.x = -7/2 and |x|_1 = 9/2; |A|_1 = 1.
    CHECK_NEAR(estimate, (4.5 + 7.0 * t) / 4.5, 1e-8 * t);
}
