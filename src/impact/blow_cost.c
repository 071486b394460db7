// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/blow.h"

// [SDC] eq. 18, 20 and 22. n joints, of which n_1 ... n_l on the limbs and n_k on the one that
// strikes:
//
//   S   = 15 2/3 n^3 + 63 n^2 + 6 (n_1^2 + ... + n_l^2) + 18 n_k
//   C_1 = (S + 254 1/2 n + 88) T_i
//   C_2 = S + 242 n + 73 + (2 n^2 + 25 n - 6) T_i
//   C_3 = (373 n - 371) T_i                                          T_i is missing in the print

static double inertia_cost(const atemi_blow_work *work)
{
    const double n = work->joints;
    double       squares = 0.0;
    for (int i = 0; i < work->limb_count; ++i) {
        squares += (double)work->limbs[i] * work->limbs[i];
    }
    return 47.0 / 3.0 * n * n * n + 63.0 * n * n + 6.0 * squares + 18.0 * work->striking;
}

double atemi_blow_cost_full(const atemi_blow_work *work)
{
    ATEMI_REQUIRE_OR(work && (work->limbs || work->limb_count == 0), 0.0);
    return (inertia_cost(work) + 254.5 * work->joints + 88.0) * work->iterations;
}

double atemi_blow_cost_frozen(const atemi_blow_work *work)
{
    ATEMI_REQUIRE_OR(work && (work->limbs || work->limb_count == 0), 0.0);
    const double n = work->joints;
    return inertia_cost(work) + 242.0 * n + 73.0 +
           (2.0 * n * n + 25.0 * n - 6.0) * work->iterations;
}

double atemi_blow_cost_articulated(const atemi_blow_work *work)
{
    ATEMI_REQUIRE_OR(work, 0.0);
    return (373.0 * work->joints - 371.0) * work->iterations;
}
