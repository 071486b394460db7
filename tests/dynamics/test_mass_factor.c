// SPDX-License-Identifier: Apache-2.0

#include "atemi/mass_matrix.h"

#include "check.h"
#include "random_tree.h"
#include "scratch.h"
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

            atemi_mass_factor_update(r.model, r.x.q, &r.s.factor);
            atemi_mass_factor_solve(r.model, &r.s.factor, solution);

            atemi_mass_matrix_in(r.model, r.x.q, &r.s.mass, M);
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

        atemi_mass_factor_update(r.model, r.x.q, &r.s.factor);
        atemi_mass_factor_solve(r.model, &r.s.factor, solution);
        atemi_mass_matrix_in(r.model, r.x.q, &r.s.mass, M);
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
    scratch            s = scratch_create(model), fresh = scratch_create(model);
    random_state       x, y;
    double             first[TREE_MAX_V], second[TREE_MAX_V];
    random_state_fill(model, 43, &x);
    random_state_fill(model, 44, &y);

    atemi_mass_factor_update(model, y.q, &s.factor);
    atemi_mass_factor_update(model, x.q, &s.factor);
    atemi_mass_factor_update(model, x.q, &fresh.factor);
    for (int again = 0; again < 2; ++again) {
        memcpy(first, x.tau, sizeof first);
        memcpy(second, x.tau, sizeof second);
        atemi_mass_factor_solve(model, &s.factor, first);
        atemi_mass_factor_solve(model, &fresh.factor, second);
        CHECK(memcmp(first, second, size) == 0);
    }
    scratch_destroy(&fresh);
    scratch_destroy(&s);
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
        scratch      s = scratch_create(model);
        random_state x;
        double       before[TREE_MAX_V], spoilt[TREE_MAX_V], after[TREE_MAX_V];
        random_state_fill(model, 1, &x);
        atemi_mass_factor_update(model, x.q, &s.factor);

        memcpy(before, x.tau, sizeof before);
        atemi_mass_factor_solve(model, &s.factor, before);
        for (int b = 0; b < 2; ++b) {
            for (int i = 0; i < n; ++i) {
                spoilt[i] = bad[b];
            }
            atemi_mass_factor_solve(model, &s.factor, spoilt);
            memcpy(after, x.tau, sizeof after);
            atemi_mass_factor_solve(model, &s.factor, after);
            CHECK(memcmp(before, after, sizeof(double) * (size_t)n) == 0);
        }
        scratch_destroy(&s);
        atemi_model_destroy(model);
    }
}

// The same for configurations.
TEST(mass_factor, recovers_from_a_configuration_that_is_not_finite)
{
    const tree_options options = tree_case(7);
    atemi_model       *model = random_tree(&options, 45);
    const int          n = atemi_model_v_count(model);
    scratch            s = scratch_create(model);
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
        atemi_mass_factor_update(model, now->q, &s.factor);
        atemi_mass_factor_solve(model, &s.factor, result[0]);
        atemi_forward_dynamics_in(model, now->q, now->v, now->tau, NULL, &s.forward, result[1]);
        atemi_inverse_dynamics_in(model, now->q, now->v, now->a, NULL, &s.inverse, result[2]);
    }
    for (int r = 0; r < 3; ++r) {
        CHECK(memcmp(before[r], after[r], sizeof(double) * (size_t)n) == 0);
    }
    scratch_destroy(&s);
    atemi_model_destroy(model);
}

TEST(mass_factor, requires_model_factor_and_arrays)
{
    tree_rig r;
    tree_rig_begin(&r, 3, 1);
    CHECK_BREAKS_CONTRACT(atemi_mass_factor_update(NULL, r.x.q, &r.s.factor));
    CHECK_BREAKS_CONTRACT(atemi_mass_factor_update(r.model, NULL, &r.s.factor));
    CHECK_BREAKS_CONTRACT(atemi_mass_factor_update(r.model, r.x.q, NULL));
    CHECK_BREAKS_CONTRACT(atemi_mass_factor_solve(NULL, &r.s.factor, r.x.tau));
    CHECK_BREAKS_CONTRACT(atemi_mass_factor_solve(r.model, NULL, r.x.tau));
    CHECK_BREAKS_CONTRACT(atemi_mass_factor_solve(r.model, &r.s.factor, NULL));
    tree_rig_end(&r);
}
