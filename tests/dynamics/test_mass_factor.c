// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"

#include "check.h"
#include "data.h"
#include "random_tree.h"
#include "tree_rig.h"

#include <math.h>
#include <string.h>

enum { SEEDS = 3 };

static double M[TREE_MAX_V * TREE_MAX_V];

// A factorization of a positive definite matrix is backward stable: the residual is of the order of
// n roundings of |M| |x|, whatever the condition of M.
TEST(mass_factor, solves_with_the_residual_of_rounding)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);
            double solution[TREE_MAX_V];
            memcpy(solution, r.x.tau, sizeof solution);

            atemi_update_kinematics(r.s, r.x.q, NULL, NULL);
            atemi_update_factor(r.s, NULL);
            atemi_mass_solve(r.s, solution);

            atemi_mass_matrix(r.s, r.x.q, M);
            for (int i = 0; i < r.n; ++i) {
                double product = 0.0, size = 0.0;
                for (int j = 0; j < r.n; ++j) {
                    product += M[i * r.n + j] * solution[j];
                    size += fabs(M[i * r.n + j] * solution[j]);
                }
                CHECK_NEAR(product, r.x.tau[i], 1e-14 * r.n * (1.0 + size));
            }
            tree_rig_end(&r);
        }
    }
}

// Two factorizations of the same matrix differ by its condition, which is below 1e6 here.
TEST(mass_factor, solves_as_dense_cholesky_does)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 41);
        double solution[TREE_MAX_V], expected[TREE_MAX_V];
        memcpy(solution, r.x.tau, sizeof solution);
        memcpy(expected, r.x.tau, sizeof expected);

        atemi_update_kinematics(r.s, r.x.q, NULL, NULL);
        atemi_update_factor(r.s, NULL);
        atemi_mass_solve(r.s, solution);
        atemi_mass_matrix(r.s, r.x.q, M);
        CHECK(atemi_cholesky_factor(r.n, M, r.n));
        atemi_cholesky_solve(r.n, M, r.n, expected);

        CHECK_NEAR(largest_difference(solution, expected, r.n), 0.0,
                   1e-9 * (1.0 + largest_size(expected, r.n)));
        tree_rig_end(&r);
    }
}

TEST(mass_factor, solves_again_and_again_and_follows_the_configuration)
{
    const tree_options options = tree_case(9);
    atemi_model       *model = random_tree(&options, 43);
    const size_t       size = sizeof(double) * (size_t)atemi_model_v_count(model);
    atemi_data        *s = data_create(model), *fresh = data_create(model);
    random_state       x, y;
    double             first[TREE_MAX_V], second[TREE_MAX_V];
    random_state_fill(model, 43, &x);
    random_state_fill(model, 44, &y);

    atemi_update_kinematics(s, y.q, NULL, NULL);
    atemi_update_factor(s, NULL);
    atemi_update_kinematics(s, x.q, NULL, NULL);
    atemi_update_factor(s, NULL);
    atemi_update_kinematics(fresh, x.q, NULL, NULL);
    atemi_update_factor(fresh, NULL);
    for (int again = 0; again < 2; ++again) {
        memcpy(first, x.tau, sizeof first);
        memcpy(second, x.tau, sizeof second);
        atemi_mass_solve(s, first);
        atemi_mass_solve(fresh, second);
        CHECK(memcmp(first, second, size) == 0);
    }
    atemi_data_destroy(fresh);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// The work row is padded to whole packs. What a right side of NaN or infinity leaves in the padding
// must not reach the next solve: a robot whose filter hiccups once has to recover.
TEST(mass_factor, recovers_from_a_right_side_that_is_not_finite)
{
    static const double bad[] = {NAN, INFINITY};
    for (int joints = 1; joints <= 9; ++joints) { // every length of the last pack
        tree_options options = tree_options_default();
        options.joints = joints;
        options.base = ATEMI_BASE_FIXED;
        options.mimic = true;
        atemi_model *model = random_tree(&options, (uint64_t)joints);
        const int    n = atemi_model_v_count(model);
        atemi_data  *s = data_create(model);
        random_state x;
        double       before[TREE_MAX_V], spoilt[TREE_MAX_V], after[TREE_MAX_V];
        random_state_fill(model, 1, &x);
        atemi_update_kinematics(s, x.q, NULL, NULL);
        atemi_update_factor(s, NULL);

        memcpy(before, x.tau, sizeof before);
        atemi_mass_solve(s, before);
        for (int b = 0; b < 2; ++b) {
            for (int i = 0; i < n; ++i) {
                spoilt[i] = bad[b];
            }
            atemi_mass_solve(s, spoilt);
            memcpy(after, x.tau, sizeof after);
            atemi_mass_solve(s, after);
            CHECK(memcmp(before, after, sizeof(double) * (size_t)n) == 0);
        }
        atemi_data_destroy(s);
        atemi_model_destroy(model);
    }
}

// The same for configurations.
TEST(mass_factor, recovers_from_a_configuration_that_is_not_finite)
{
    const tree_options options = tree_case(7);
    atemi_model       *model = random_tree(&options, 45);
    const int          n = atemi_model_v_count(model);
    atemi_data        *s = data_create(model);
    random_state       x, bad;
    double             before[3][TREE_MAX_V], after[3][TREE_MAX_V];
    random_state_fill(model, 45, &x);
    for (int i = 0; i < TREE_MAX_V; ++i) {
        bad.q[i] = bad.v[i] = bad.a[i] = bad.tau[i] = NAN;
    }
    for (int round = 0; round < 3; ++round) {
        const random_state *now = round == 1 ? &bad : &x;
        double(*result)[TREE_MAX_V] = round ? after : before;
        memcpy(result[0], now->tau, sizeof result[0]);
        atemi_update_kinematics(s, now->q, NULL, NULL);
        const atemi_status status = atemi_update_factor(s, NULL);
        CHECK_STATUS(status, round == 1 ? ATEMI_ERROR_SINGULAR : ATEMI_OK);
        if (!status) {
            atemi_mass_solve(s, result[0]);
        }
        atemi_forward_dynamics(s, now->q, now->v, now->tau, NULL, result[1]);
        atemi_inverse_dynamics(s, now->q, now->v, now->a, NULL, result[2]);
    }
    for (int r = 0; r < 3; ++r) {
        CHECK(memcmp(before[r], after[r], sizeof(double) * (size_t)n) == 0);
    }
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

TEST(mass_factor, requires_model_factor_and_arrays)
{
    tree_rig r;
    tree_rig_begin(&r, 3, 1);
    CHECK_BREAKS_CONTRACT(atemi_update_factor(NULL, NULL));
    CHECK_BREAKS_CONTRACT(atemi_update_factor(r.s, NULL)); // at no state yet
    atemi_update_kinematics(r.s, r.x.q, NULL, NULL);
    CHECK_BREAKS_CONTRACT(atemi_mass_solve(r.s, r.x.tau)); // no factor yet
    CHECK_STATUS(atemi_update_factor(r.s, NULL), ATEMI_OK);
    CHECK_BREAKS_CONTRACT(atemi_mass_solve(NULL, r.x.tau));
    CHECK_BREAKS_CONTRACT(atemi_mass_solve(r.s, NULL));
    tree_rig_end(&r);
}
