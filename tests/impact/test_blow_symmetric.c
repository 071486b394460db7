// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_symmetric.h"

#include "check.h"
#include "random.h"

#include <math.h>

enum { N = 7, POLES = 4 };

static atemi_blow_lane random_lane(random_stream *random)
{
    atemi_blow_lane a;
    for (int k = 0; k < POLES; ++k) {
        a.re[k] = random_uniform(random, -1.0, 1.0);
        a.im[k] = random_uniform(random, -1.0, 1.0);
    }
    return a;
}

// A x = b at each of the four poles, by the rows of A as they were; diagonals of 2 N keep leading
// minors away from zero.
TEST(blow_symmetric, solves_complex_systems_at_all_poles)
{
    random_stream   random = random_seeded(3);
    atemi_blow_lane A[N * (N + 1) / 2], factor[N * (N + 1) / 2], x[N], b[N], work[N];
    CHECK_EQUAL_INT((int)symmetric_size(N), N * (N + 1) / 2);
    for (int i = 0; i < N; ++i) {
        for (int k = 0; k <= i; ++k) {
            symmetric_row(A, i)[k] = random_lane(&random);
        }
        symmetric_row(A, i)[i] = lane_shift(2.0 * (double)N, symmetric_row(A, i)[i]);
        b[i] = x[i] = random_lane(&random);
    }
    for (int i = 0; i < N * (N + 1) / 2; ++i) {
        factor[i] = A[i];
    }
    atemi_blow_symmetric_factor(N, factor, work);
    atemi_blow_symmetric_solve(N, factor, x);
    for (int i = 0; i < N; ++i) {
        atemi_blow_lane left = lane_of(0.0);
        for (int k = 0; k < N; ++k) {
            left = lane_add_product(left, k <= i ? symmetric_row(A, i)[k] : symmetric_row(A, k)[i],
                                    x[k]);
        }
        for (int k = 0; k < POLES; ++k) {
            CHECK_NEAR(left.re[k], b[i].re[k], 1e-13);
            CHECK_NEAR(left.im[k], b[i].im[k], 1e-13);
        }
    }
}
