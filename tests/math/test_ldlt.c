// SPDX-License-Identifier: Apache-2.0

#include "matrices.h"

// H in the upper left positive, C in the lower right negative definite or zero, G between them.
static void random_saddle(matrix *K, int n, int constraints, double c, random_stream *stream)
{
    const int h = n - constraints;
    matrix    B, Bt;
    fill(&B, n, h, stream);
    transpose(&B, n, h, &Bt);
    multiply(&B, &Bt, n, h, n, K); // the off-diagonal blocks are a random G
    for (int i = 0; i < n; ++i) {
        for (int j = h; i >= h && j < n; ++j) {
            K->at[i][j] = i == j ? -c : 0.0;
        }
        K->at[i][i] += i < h ? 1.0 : 0.0;
    }
}

TEST(ldlt, finds_the_factors_that_the_matrix_was_built_from)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 1 + random_index(&stream, LARGEST);
        matrix        L, LD, Lt, A;
        random_lower(&L, n, &stream);
        double D[LARGEST];
        for (int j = 0; j < n; ++j) {
            const double sign = random_index(&stream, 2) ? 1.0 : -1.0;
            L.at[j][j] = 1.0;
            D[j] = sign * random_uniform(&stream, 1.0, 2.0);
        }
        LD = L;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                LD.at[i][j] *= D[j];
            }
        }
        transpose(&L, n, n, &Lt);
        multiply(&LD, &Lt, n, n, n, &A);
        hide_upper(&A, n);

        CHECK(atemi_ldlt_factor(n, A.at[0], STRIDE));
        check_upper_hidden(&A, n);
        for (int j = 0; j < n; ++j) {
            L.at[j][j] = D[j];
        }
        hide_upper(&L, n);
        check_near_matrix(n, n, &A, &L, 1e-8);
    }
}

TEST(ldlt, solves_saddle_point_systems)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 3 + random_index(&stream, LARGEST - 2);
        matrix        K;
        double        x[LARGEST], b[LARGEST];
        random_saddle(&K, n, n / 3, seed % 2 ? 1.0 : 0.0, &stream);
        random_vector(&stream, n, x);
        apply(&K, n, n, x, b);
        CHECK(atemi_ldlt_factor(n, K.at[0], STRIDE));
        atemi_ldlt_solve(n, K.at[0], STRIDE, b);
        check_near_vector(n, b, x, 1e-10);
    }
}

// A constraint that says again what others say: its diagonal is zero, so only the terms that
// cancel show how small its pivot is.
TEST(ldlt, notices_a_redundant_constraint_at_any_scale)
{
    const double scales[] = {1e-290, 1e-30, 1.0, 1e30, 1e290};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 6 + random_index(&stream, LARGEST - 5);
        matrix        K;
        random_saddle(&K, n, 3, 0.0, &stream);
        for (int j = 0; j < n - 3; ++j) {
            K.at[n - 1][j] = 2.0 * K.at[n - 3][j] - 0.5 * K.at[n - 2][j];
        }
        scale_all(&K, n, n, scales[seed % 5]);
        CHECK(!atemi_ldlt_factor(n, K.at[0], STRIDE));
    }
}

TEST(ldlt, notices_singular_matrices)
{
    double zero[] = {0.0}, none[] = {nan("")}, negative[] = {-2.0};
    double ones[] = {1.0, 0.0, 1.0, 1.0}, graded[] = {1.0, 0.0, 0.0, -1e-30};
    CHECK(!atemi_ldlt_factor(1, zero, 1));
    CHECK(!atemi_ldlt_factor(1, none, 1));
    CHECK(!atemi_ldlt_factor(2, ones, 2));
    CHECK(atemi_ldlt_factor(1, negative, 1));
    CHECK(atemi_ldlt_factor(2, graded, 2));
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 2 + random_index(&stream, LARGEST - 1);
        matrix        A;
        random_singular_gram(&A, n, &stream);
        scale_all(&A, n, n, -1.0);
        CHECK(!atemi_ldlt_factor(n, A.at[0], STRIDE));
    }
}
