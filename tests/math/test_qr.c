// SPDX-License-Identifier: Apache-2.0

#include "matrices.h"

typedef struct factorization {
    int    m, n, steps, rank;
    matrix QR;
    double tau[LARGEST];
    int    pivot[LARGEST];
} factorization;

static factorization factorize(const matrix *A, int m, int n, double tolerance)
{
    factorization f = {.m = m, .n = n, .steps = m < n ? m : n, .QR = *A};
    double        work[LARGEST + 1];
    work[n] = mark;
    f.rank = atemi_qr_factor(m, n, f.QR.at[0], STRIDE, tolerance, f.tau, f.pivot, work);
    CHECK(work[n] == mark);
    check_marks(&f.QR, m, n);
    return f;
}

// Q = H_0 H_1 ... by the definition H = E - tau v v^T.
static void orthogonal_factor(const factorization *f, matrix *Q)
{
    blank(Q);
    for (int column = 0; column < f->m; ++column) {
        long double x[LARGEST] = {0.0L};
        x[column] = 1.0L;
        for (int k = f->steps - 1; k >= 0; --k) {
            long double product = x[k];
            for (int i = k + 1; i < f->m; ++i) {
                product += (long double)f->QR.at[i][k] * x[i];
            }
            x[k] -= (long double)f->tau[k] * product;
            for (int i = k + 1; i < f->m; ++i) {
                x[i] -= (long double)f->tau[k] * product * (long double)f->QR.at[i][k];
            }
        }
        for (int i = 0; i < f->m; ++i) {
            Q->at[i][column] = (double)x[i];
        }
    }
}

static void triangular_factor(const factorization *f, matrix *R)
{
    blank(R);
    for (int i = 0; i < f->m; ++i) {
        for (int j = 0; j < f->n; ++j) {
            R->at[i][j] = i <= j ? f->QR.at[i][j] : 0.0;
        }
    }
}

// Every diagonal element is at least as long as what is left of any later column.
static void check_pivoted(const factorization *f, double scale)
{
    for (int k = 0; k < f->steps; ++k) {
        for (int j = k + 1; j < f->n; ++j) {
            double length = 0.0;
            for (int i = k; i <= j && i < f->m; ++i) {
                length = hypot(length, f->QR.at[i][j] / scale);
            }
            CHECK(length <= fabs(f->QR.at[k][k] / scale) * (1.0 + 1e-14) + 1e-15);
        }
    }
}

static void check_factorization(const matrix *A, int m, int n, double scale)
{
    const factorization f = factorize(A, m, n, 1e-10);
    matrix              Q, Qt, R, identity, product;
    orthogonal_factor(&f, &Q);
    transpose(&Q, m, m, &Qt);
    multiply(&Qt, &Q, m, m, m, &identity);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) {
            CHECK_NEAR(identity.at[i][j], i == j ? 1.0 : 0.0, 1e-14);
        }
    }
    triangular_factor(&f, &R);
    multiply(&Q, &R, m, m, n, &product);
    check_is_permutation(n, f.pivot);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            CHECK_NEAR(product.at[i][j], A->at[i][f.pivot[j]], 1e-14 * scale);
        }
    }
    check_pivoted(&f, scale);
}

TEST(qr, factors_multiply_to_the_permuted_matrix_for_any_shape_and_scale)
{
    const double scales[] = {1e-300, 1e-160, 1.0, 1e160, 1e300};
    for (uint64_t seed = 1; seed <= 2 * SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int m = 1 + random_index(&stream, LARGEST), n = 1 + random_index(&stream, LARGEST);
        matrix    A;
        fill(&A, m, n, &stream);
        scale_all(&A, m, n, scales[seed % 5]);
        check_factorization(&A, m, n, scales[seed % 5]);
    }
}

TEST(qr, finds_the_rank_that_the_matrix_was_built_with)
{
    const double scales[] = {1e-300, 1e-30, 1.0, 1e30, 1e300};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int m = 1 + random_index(&stream, LARGEST), n = 1 + random_index(&stream, LARGEST);
        const int rank = random_index(&stream, (m < n ? m : n) + 1);
        matrix    U, V, A;
        random_orthogonal(&U, m, &stream);
        random_orthogonal(&V, n, &stream);
        for (int i = 0; i < m; ++i) {
            for (int k = 0; k < rank; ++k) {
                U.at[i][k] *= pow(10.0, -0.3 * k); // singular values down to 2e-4
            }
        }
        multiply(&U, &V, m, rank, n, &A);
        scale_all(&A, m, n, scales[seed % 5]);
        CHECK_EQUAL_INT(factorize(&A, m, n, 1e-10).rank, rank);
        CHECK_EQUAL_INT(factorize(&A, m, n, 2.0).rank, 0);
    }
}

// Läuchli's matrix: three columns that differ by d = 1e-9 only, whose lengths, if downdated, would
// cancel entirely. With the Gram matrix 1 1^T + d^2 E, R_11^2 = d^2 (2 + d^2) / (1 + d^2) and
// R_22^2 = d^2 (3 + d^2) / (2 + d^2).
TEST(qr, sees_through_nearly_parallel_columns)
{
    const double d = 1e-9;
    matrix       A;
    blank(&A);
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 3; ++j) {
            A.at[i][j] = i == 0 ? 1.0 : i == j + 1 ? d : 0.0;
        }
    }
    const factorization f = factorize(&A, 4, 3, 1e-12);
    CHECK_EQUAL_INT(f.rank, 3);
    CHECK_NEAR(fabs(f.QR.at[0][0]), 1.0, 1e-15);
    CHECK_NEAR(fabs(f.QR.at[1][1]), d * sqrt(2.0), 1e-6 * d);
    CHECK_NEAR(fabs(f.QR.at[2][2]), d * sqrt(1.5), 1e-6 * d);
    CHECK_EQUAL_INT(factorize(&A, 4, 3, 1e-6).rank, 1);
}

TEST(qr, measures_columns_whose_squares_are_no_numbers)
{
    const double s = 1e-310; // below the smallest normal number
    double       tiny[] = {s, s}, steep[] = {1.0, 3e200, 1.0, 4e200};
    double       tau[2], work[2];
    int          pivot[2];
    CHECK_EQUAL_INT(atemi_qr_factor(2, 1, tiny, 1, 1e-10, tau, pivot, work), 1);
    CHECK_NEAR(fabs(tiny[0]), s * sqrt(2.0), 1e-320);

    CHECK_EQUAL_INT(atemi_qr_factor(2, 2, steep, 2, 0.0, tau, pivot, work), 2);
    CHECK_EQUAL_INT(pivot[0], 1);
    CHECK_NEAR(fabs(steep[0]), 5e200, 1e186);
    CHECK_NEAR(fabs(steep[1]), 1.4, 1e-14); // (1, 1) along (3, 4) / 5
    CHECK_NEAR(fabs(steep[3]), 0.2, 1e-14); // and across
}

// Of all x, the least-squares solution makes the residual orthogonal to the columns.
TEST(qr, solves_in_the_sense_of_least_squares)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int m = 1 + random_index(&stream, LARGEST), n = 1 + random_index(&stream, LARGEST);
        const int rank = random_index(&stream, (m < n ? m : n) + 1);
        matrix    U, V, A, At;
        random_orthogonal(&U, m, &stream);
        random_orthogonal(&V, n, &stream);
        multiply(&U, &V, m, rank, n, &A);
        transpose(&A, m, n, &At);

        double b[LARGEST + 1], x[LARGEST + 1], Qtb[LARGEST + 1], residual[LARGEST], slope[LARGEST];
        random_vector(&stream, m, b);
        memcpy(Qtb, b, sizeof b);
        Qtb[m] = x[n] = mark;
        const factorization f = factorize(&A, m, n, 1e-10);
        CHECK_EQUAL_INT(f.rank, rank);
        atemi_qr_solve(m, n, f.QR.at[0], STRIDE, f.rank, f.tau, f.pivot, Qtb, x);
        CHECK(Qtb[m] == mark && x[n] == mark);

        apply(&A, m, n, x, residual);
        for (int i = 0; i < m; ++i) {
            residual[i] -= b[i];
        }
        apply(&At, n, m, residual, slope);
        for (int j = 0; j < n; ++j) {
            CHECK_NEAR(slope[j], 0.0, 1e-12);
        }
        for (int j = rank; j < n; ++j) {
            CHECK(x[f.pivot[j]] == 0.0);
        }
        double expected[LARGEST];
        matrix Q, Qt;
        orthogonal_factor(&f, &Q);
        transpose(&Q, m, m, &Qt);
        apply(&Qt, m, m, b, expected);
        check_near_vector(m, Qtb, expected, 1e-14);
    }
}

TEST(qr, of_a_regular_matrix_solves_exactly)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     n = 1 + random_index(&stream, LARGEST);
        matrix        A;
        double        x[LARGEST], b[LARGEST], solution[LARGEST];
        random_orthogonal(&A, n, &stream);
        for (int j = 0; j < n; ++j) {
            A.at[0][j] *= 3.0;
        }
        random_vector(&stream, n, x);
        apply(&A, n, n, x, b);
        const factorization f = factorize(&A, n, n, 1e-10);
        atemi_qr_solve(n, n, f.QR.at[0], STRIDE, f.rank, f.tau, f.pivot, b, solution);
        check_near_vector(n, solution, x, 1e-14);
    }
}

TEST(qr, of_zero_has_rank_zero_and_of_nonsense_ends)
{
    matrix A;
    blank(&A);
    scale_all(&A, 4, 3, 0.0);
    CHECK_EQUAL_INT(factorize(&A, 4, 3, 0.0).rank, 0);
    A.at[1][1] = nan("");
    CHECK_EQUAL_INT(factorize(&A, 4, 3, 1e-10).rank, 0);
    A.at[1][1] = HUGE_VAL;
    CHECK_EQUAL_INT(factorize(&A, 4, 3, 1e-10).rank, 0);
}

// ---- Least norm

enum { LEAST = 9 };

// x minus its part in the span of the rows of C, which are made orthonormal on the way.
static double outside_row_space(int rank, double C[][LEAST], const double *x)
{
    double rest[LEAST];
    memcpy(rest, x, sizeof rest);
    for (int i = 0; i < rank; ++i) {
        for (int pass = 0; pass < 2; ++pass) {
            for (int j = 0; j < i; ++j) {
                double along = 0.0;
                for (int k = 0; k < LEAST; ++k) {
                    along += C[i][k] * C[j][k];
                }
                for (int k = 0; k < LEAST; ++k) {
                    C[i][k] -= along * C[j][k];
                }
            }
        }
        double length = 0.0, along = 0.0;
        for (int k = 0; k < LEAST; ++k) {
            length += C[i][k] * C[i][k];
        }
        for (int k = 0; k < LEAST; ++k) {
            C[i][k] /= sqrt(length);
            along += C[i][k] * rest[k];
        }
        for (int k = 0; k < LEAST; ++k) {
            rest[k] -= along * C[i][k];
        }
    }
    double size = 0.0;
    for (int k = 0; k < LEAST; ++k) {
        size = fmax(size, fabs(rest[k]));
    }
    return size;
}

// A = B C has the rank of its factors. A solution is the shortest if it lies in the row space.
TEST(qr, of_least_norm_solves_and_has_no_part_that_does_nothing)
{
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        random_stream stream = random_seeded(seed);
        const int     rank = 1 + (int)(seed % LEAST);
        double        B[LEAST][LEAST], C[LEAST][LEAST], A[LEAST * LEAST], QR[LEAST * LEAST];
        double b[LEAST] = {0}, right[LEAST], x[LEAST], tau[LEAST], work[LEAST * LEAST + LEAST];
        int    pivot[LEAST];
        for (int i = 0; i < LEAST; ++i) {
            for (int j = 0; j < LEAST; ++j) {
                B[i][j] = random_uniform(&stream, -1.0, 1.0);
                C[i][j] = random_uniform(&stream, -1.0, 1.0);
            }
        }
        for (int i = 0; i < LEAST; ++i) {
            for (int j = 0; j < LEAST; ++j) {
                A[i * LEAST + j] = 0.0;
                for (int k = 0; k < rank; ++k) {
                    A[i * LEAST + j] += B[i][k] * C[k][j];
                }
                b[i] += A[i * LEAST + j] * (j + 1.0);
            }
        }
        memcpy(QR, A, sizeof A);
        memcpy(right, b, sizeof b);
        CHECK_EQUAL_INT(atemi_qr_factor(LEAST, LEAST, QR, LEAST, 1e-10, tau, pivot, work), rank);
        atemi_qr_solve_least_norm(LEAST, LEAST, QR, LEAST, rank, tau, pivot, right, x, work);
        for (int i = 0; i < LEAST; ++i) {
            double product = 0.0;
            for (int j = 0; j < LEAST; ++j) {
                product += A[i * LEAST + j] * x[j];
            }
            CHECK_NEAR(product, b[i], 1e-9); // times the condition of B and C
        }
        CHECK_NEAR(outside_row_space(rank, C, x), 0.0, 1e-9);
    }
}
