// SPDX-License-Identifier: Apache-2.0

#include "math/matrix.h"

#include "check.h"
#include "math/random.h"

enum { M = 5, MOST = 7, WIDTH = 2 * ATEMI_LANES };

// Element by element. Even and odd numbers of rows: two of them are computed at a time.
TEST(matrix, adds_the_product_with_a_transposed_matrix)
{
    uint64_t random = 3;
    for (int n = 1; n <= MOST; ++n) {
        double A[M * MOST], B[M * WIDTH], C[MOST * WIDTH], expected[MOST * WIDTH];
        for (int i = 0; i < M * n; ++i) {
            A[i] = random_unit_next(&random);
        }
        for (int i = 0; i < M * WIDTH; ++i) {
            B[i] = random_unit_next(&random);
        }
        for (int i = 0; i < n * WIDTH; ++i) {
            C[i] = expected[i] = random_unit_next(&random);
            for (int k = 0; k < M; ++k) {
                expected[i] += A[k * n + i / WIDTH] * B[k * WIDTH + i % WIDTH];
            }
        }
        matrix_add_transposed(M, n, A, n, B, WIDTH, C);
        for (int i = 0; i < n * WIDTH; ++i) {
            CHECK_NEAR(C[i], expected[i], 1e-14);
        }
    }
}

TEST(matrix, is_scaled_in_place)
{
    double A[WIDTH];
    for (int i = 0; i < WIDTH; ++i) {
        A[i] = i;
    }
    matrix_scale(WIDTH, -2.0, A, A);
    for (int i = 0; i < WIDTH; ++i) {
        CHECK_NEAR(A[i], -2.0 * i, 0.0);
    }
}
