// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/dense.h"
#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Matrices are built from factors that are known, products are taken in long double, and every
// matrix has a stride larger than its width, with a mark in the gap that must survive.

enum { LARGEST = 13, STRIDE = 17, SEEDS = 200 };

static const double mark = 1234.5;

typedef struct matrix {
    double at[LARGEST][STRIDE];
} matrix;

// Different in every place, so that exchanging two marks does not go unnoticed.
static double mark_at(int i, int j)
{
    return mark + i * STRIDE + j;
}

static void blank(matrix *A)
{
    for (int i = 0; i < LARGEST; ++i) {
        for (int j = 0; j < STRIDE; ++j) {
            A->at[i][j] = mark_at(i, j);
        }
    }
}

static void fill(matrix *A, int m, int n, random_stream *stream)
{
    blank(A);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            A->at[i][j] = random_uniform(stream, -1.0, 1.0);
        }
    }
}

static void scale_all(matrix *A, int m, int n, double s)
{
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            A->at[i][j] *= s;
        }
    }
}

// A = B C of shapes m x k and k x n.
static void multiply(const matrix *B, const matrix *C, int m, int k, int n, matrix *A)
{
    blank(A);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            long double sum = 0.0L;
            for (int l = 0; l < k; ++l) {
                sum += (long double)B->at[i][l] * (long double)C->at[l][j];
            }
            A->at[i][j] = (double)sum;
        }
    }
}

static void transpose(const matrix *A, int m, int n, matrix *T)
{
    blank(T);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            T->at[j][i] = A->at[i][j];
        }
    }
}

// b = A x
static void apply(const matrix *A, int m, int n, const double *x, double *b)
{
    for (int i = 0; i < m; ++i) {
        long double sum = 0.0L;
        for (int j = 0; j < n; ++j) {
            sum += (long double)A->at[i][j] * (long double)x[j];
        }
        b[i] = (double)sum;
    }
}

static void random_vector(random_stream *stream, int n, double *x)
{
    for (int i = 0; i < n; ++i) {
        x[i] = random_uniform(stream, -1.0, 1.0);
    }
}

static void check_near_vector(int n, const double *actual, const double *expected, double tolerance)
{
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(actual[i], expected[i], tolerance);
    }
}

static void check_near_matrix(int m, int n, const matrix *actual, const matrix *expected,
                              double tolerance)
{
    for (int i = 0; i < m; ++i) {
        check_near_vector(n, actual->at[i], expected->at[i], tolerance);
    }
}

static void check_marks(const matrix *A, int m, int n)
{
    for (int i = 0; i < LARGEST; ++i) {
        for (int j = i < m ? n : 0; j < STRIDE; ++j) {
            CHECK(A->at[i][j] == mark_at(i, j));
        }
    }
}

// Only the lower triangle is given, and only it may change.
static void hide_upper(matrix *A, int n)
{
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            A->at[i][j] = mark_at(i, j);
        }
    }
}

static void check_upper_hidden(const matrix *A, int n)
{
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            CHECK(A->at[i][j] == mark_at(i, j));
        }
    }
    check_marks(A, n, n);
}

// A lower triangle with diagonal in [1, 2), so that it is well conditioned enough.
static void random_lower(matrix *L, int n, random_stream *stream)
{
    fill(L, n, n, stream);
    for (int i = 0; i < n; ++i) {
        L->at[i][i] = random_uniform(stream, 1.0, 2.0);
        for (int j = i + 1; j < n; ++j) {
            L->at[i][j] = 0.0;
        }
    }
}

// An orthogonal matrix as a product of plane rotations, in long double until the end.
static void random_orthogonal(matrix *Q, int n, random_stream *stream)
{
    long double q[LARGEST][LARGEST] = {{0.0L}};
    for (int i = 0; i < n; ++i) {
        q[i][i] = 1.0L;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            const long double angle = (long double)random_uniform(stream, 0.0, 6.0);
            const long double c = cosl(angle), s = sinl(angle);
            for (int k = 0; k < n; ++k) {
                const long double a = q[i][k], b = q[j][k];
                q[i][k] = c * a - s * b;
                q[j][k] = s * a + c * b;
            }
        }
    }
    blank(Q);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            Q->at[i][j] = (double)q[i][j];
        }
    }
}

// n columns of which one is a combination of the others, which are orthogonal: nothing else about
// the matrix is delicate.
static void random_dependent(matrix *A, int n, random_stream *stream)
{
    const int dependent = random_index(stream, n);
    random_orthogonal(A, n, stream);
    for (int i = 0; i < n; ++i) {
        A->at[i][dependent] = 0.0;
    }
    for (int j = 0; j < n; ++j) {
        const double share = random_uniform(stream, 0.5, 1.0);
        for (int i = 0; i < n && j != dependent; ++i) {
            A->at[i][dependent] += share * A->at[i][j];
        }
    }
}

// A symmetric positive matrix of rank n - 1.
static void random_singular_gram(matrix *A, int n, random_stream *stream)
{
    matrix B, Bt;
    random_dependent(&B, n, stream);
    transpose(&B, n, n, &Bt);
    multiply(&Bt, &B, n, n, n, A);
}

static double norm1(const matrix *A, int n)
{
    double largest = 0.0;
    for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) {
            sum += fabs(A->at[i][j]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

// By Gauss and Jordan, in long double.
static void invert(const matrix *A, int n, matrix *inverse)
{
    long double w[LARGEST][2 * LARGEST];
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            w[i][j] = (long double)A->at[i][j];
            w[i][n + j] = i == j ? 1.0L : 0.0L;
        }
    }
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k; i < n; ++i) {
            best = fabsl(w[i][k]) > fabsl(w[best][k]) ? i : best;
        }
        for (int j = 0; j < 2 * n; ++j) {
            const long double kept = w[best][j];
            w[best][j] = w[k][j];
            w[k][j] = kept;
        }
        for (int i = 0; i < n; ++i) {
            const long double s = i == k ? 1.0L - 1.0L / w[k][k] : w[i][k] / w[k][k];
            for (int j = 2 * n - 1; j >= k; --j) {
                w[i][j] -= s * w[k][j];
            }
        }
    }
    blank(inverse);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            inverse->at[i][j] = (double)w[i][n + j];
        }
    }
}

// ---- Cholesky

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

// ---- L D L^T

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

// ---- L U

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

// ---- condition

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

// ---- Q R

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

static void check_is_permutation(int n, const int *pivot)
{
    bool seen[LARGEST] = {false};
    for (int j = 0; j < n; ++j) {
        CHECK(pivot[j] >= 0 && pivot[j] < n && !seen[pivot[j]]);
        seen[pivot[j]] = true;
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

// ---- all of them

TEST(dense, systems_without_unknowns_are_regular)
{
    CHECK(atemi_cholesky_factor(0, NULL, 0));
    CHECK(atemi_ldlt_factor(0, NULL, 0));
    CHECK(atemi_lu_factor(0, NULL, 0, NULL));
    atemi_cholesky_solve(0, NULL, 0, NULL);
    atemi_ldlt_solve(0, NULL, 0, NULL);
    atemi_lu_solve(0, NULL, 0, NULL, NULL);
    CHECK_NEAR(atemi_lu_condition(0, NULL, 0, NULL, 0.0, NULL), 1.0, 0.0);

    int    pivot[3];
    double b[3] = {1.0, 2.0, 3.0}, x[3] = {mark, mark, mark};
    CHECK_EQUAL_INT(atemi_qr_factor(0, 3, NULL, 3, 1e-10, NULL, pivot, NULL), 0);
    check_is_permutation(3, pivot);
    atemi_qr_solve(0, 3, NULL, 3, 0, NULL, pivot, NULL, x);
    check_near_vector(3, x, (double[]){0.0, 0.0, 0.0}, 0.0);
    CHECK_EQUAL_INT(atemi_qr_factor(3, 0, NULL, 0, 1e-10, NULL, NULL, NULL), 0);
    atemi_qr_solve(3, 0, NULL, 0, 0, NULL, NULL, b, NULL);
}

TEST(dense, functions_refuse_nonsense)
{
    double A[4] = {1.0, 0.0, 0.0, 1.0}, b[2], tau[2], work[4];
    int    pivot[2];
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_cholesky_factor(-1, A, 2)));
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_cholesky_factor(2, NULL, 2)));
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_ldlt_factor(2, A, 1)));
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_lu_factor(2, A, 2, NULL)));
    CHECK_BREAKS_CONTRACT(atemi_cholesky_solve(2, A, 2, NULL));
    CHECK_BREAKS_CONTRACT(atemi_ldlt_solve(2, A, 2, NULL));
    CHECK_BREAKS_CONTRACT(atemi_lu_solve(2, A, 2, NULL, b));
    CHECK_BREAKS_CONTRACT(CHECK(isinf(atemi_lu_condition(2, A, 2, pivot, 1.0, NULL))));
    CHECK_BREAKS_CONTRACT(atemi_qr_factor(2, 2, A, 2, -1.0, tau, pivot, work));
    CHECK_BREAKS_CONTRACT(atemi_qr_factor(2, 2, A, 2, 0.0, NULL, pivot, work));
    CHECK_BREAKS_CONTRACT(atemi_qr_solve(2, 2, A, 2, 3, tau, pivot, b, work));
    CHECK_BREAKS_CONTRACT(atemi_qr_solve(2, 2, A, 2, 2, tau, pivot, b, NULL));
}

TEST(dense, functions_do_not_allocate)
{
    random_stream stream = random_seeded(1);
    const int     n = LARGEST;
    matrix        A, LU, QR;
    double        b[LARGEST], x[LARGEST], work[2 * LARGEST], tau[LARGEST];
    int           pivot[LARGEST];
    fill(&A, n, n, &stream);
    LU = QR = A;
    random_vector(&stream, n, b);

    allocations_begin();
    atemi_cholesky_factor(n, A.at[0], STRIDE);
    atemi_lu_factor(n, LU.at[0], STRIDE, pivot);
    atemi_lu_solve(n, LU.at[0], STRIDE, pivot, b);
    atemi_lu_condition(n, LU.at[0], STRIDE, pivot, 1.0, work);
    const int rank = atemi_qr_factor(n, n, QR.at[0], STRIDE, 1e-10, tau, pivot, work);
    atemi_qr_solve(n, n, QR.at[0], STRIDE, rank, tau, pivot, b, x);
    CHECK_EQUAL_INT(allocations_end(), 0);
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
