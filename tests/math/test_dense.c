// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "matrices.h"

TEST(dense, systems_without_unknowns_are_regular)
{
    CHECK(atemi_cholesky_factor(0, NULL, 0));
    CHECK(atemi_lu_factor(0, NULL, 0, NULL));
    atemi_cholesky_solve(0, NULL, 0, NULL);
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
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_cholesky_factor(2, A, 1)));
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_lu_factor(2, A, 2, NULL)));
    CHECK_BREAKS_CONTRACT(atemi_cholesky_solve(2, A, 2, NULL));
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
