// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"

#include "check.h"
#include "data.h"
#include "lagrange.h"
#include "random_tree.h"
#include "tree_rig.h"

#include <math.h>

enum { SEEDS = 3 };

static double M[TREE_MAX_V * TREE_MAX_V], N[TREE_MAX_V * TREE_MAX_V];

// Column j of M is the torque for a unit acceleration of joint j, less that of gravity. Both sum up
// to 64 bodies; the difference has lost what gravity had in digits.
TEST(mass_matrix, has_the_columns_of_inverse_dynamics)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);
            double unit[TREE_MAX_V] = {0}, gravity[TREE_MAX_V], tau[TREE_MAX_V];

            atemi_mass_matrix(r.s, r.x.q, M);
            atemi_inverse_dynamics(r.s, r.x.q, NULL, NULL, NULL, gravity);
            const double size = 1.0 + largest_size(M, r.n * r.n) + largest_size(gravity, r.n);
            for (int j = 0; j < r.n; ++j) {
                unit[j] = 1.0;
                atemi_inverse_dynamics(r.s, r.x.q, NULL, unit, NULL, tau);
                unit[j] = 0.0;
                for (int i = 0; i < r.n; ++i) {
                    CHECK_NEAR(M[i * r.n + j], tau[i] - gravity[i], 1e-13 * size);
                }
            }
            tree_rig_end(&r);
        }
    }
}

// The oracle's torques at rest without gravity's share, for three random accelerations.
TEST(mass_matrix, agrees_with_lagranges_equations)
{
    check_needs_long_double();
    for (int c = 0; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 8);
        double pushed[TREE_MAX_V], still[TREE_MAX_V];

        atemi_mass_matrix(r.s, r.x.q, M);
        lagrange_torques(r.model, r.x.q, NULL, r.x.a, NULL, pushed);
        lagrange_torques(r.model, r.x.q, NULL, NULL, NULL, still);
        for (int i = 0; i < r.n; ++i) {
            double sum = 0.0;
            for (int j = 0; j < r.n; ++j) {
                sum += M[i * r.n + j] * r.x.a[j];
            }
            CHECK_NEAR(sum, pushed[i] - still[i], 1e-12 * (1.0 + largest_size(pushed, r.n)));
        }
        tree_rig_end(&r);
    }
}

TEST(mass_matrix, is_symmetric_to_the_bit_and_positive_definite)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);

            atemi_mass_matrix(r.s, r.x.q, M);
            for (int i = 0; i < r.n; ++i) {
                for (int j = 0; j < i; ++j) {
                    CHECK(M[i * r.n + j] == M[j * r.n + i]);
                }
            }
            CHECK(atemi_cholesky_factor(r.n, M, r.n));
            tree_rig_end(&r);
        }
    }
}

// v^T M v / 2 against the links' energies by differences.
TEST(mass_matrix, is_the_quadratic_form_of_kinetic_energy)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 17);
        double energy = 0.0;

        atemi_mass_matrix(r.s, r.x.q, M);
        for (int i = 0; i < r.n; ++i) {
            for (int j = 0; j < r.n; ++j) {
                energy += 0.5 * r.x.v[i] * M[i * r.n + j] * r.x.v[j];
            }
        }
        const double expected = lagrange_sum(r.model, r.x.q, r.x.v).kinetic;
        CHECK_NEAR(energy, expected, 1e-12 * (1.0 + expected)); // n^2 terms that may cancel
        tree_rig_end(&r);
    }
}

// The joint of each rate, ATEMI_NONE for the base.
static void joints_of_rates(const atemi_model *model, int *joints)
{
    for (int k = 0; k < atemi_model_v_count(model); ++k) {
        joints[k] = ATEMI_NONE;
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        for (int k = 0; k < joint->v_count; ++k) {
            joints[joint->first_v + k] = j;
        }
    }
}

// Whether joint `above` is `below` or between it and the root. The base is above everything.
static bool is_above(const atemi_model *model, int above, int below)
{
    while (below != above && below != ATEMI_NONE) {
        below = atemi_model_link(model, atemi_model_joint(model, below)->parent_link)->parent_joint;
    }
    return below == above;
}

TEST(mass_matrix, is_zero_exactly_between_joints_on_different_branches)
{
    static const int uncoupled[] = {2, 3, 4, 6, 7, 12};
    for (int c = 0; c < 6; ++c) {
        tree_rig r;
        tree_rig_begin(&r, uncoupled[c], 9);
        int joints[TREE_MAX_V];

        atemi_mass_matrix(r.s, r.x.q, M);
        joints_of_rates(r.model, joints);
        for (int i = 0; i < r.n; ++i) {
            for (int j = 0; j < r.n; ++j) {
                if (!is_above(r.model, joints[i], joints[j]) &&
                    !is_above(r.model, joints[j], joints[i])) {
                    CHECK(M[i * r.n + j] == 0.0);
                }
            }
        }
        tree_rig_end(&r);
    }
}

TEST(mass_matrix, has_the_rotors_on_its_diagonal_and_nowhere_else)
{
    tree_options options = tree_case(7);
    atemi_model *with = random_tree(&options, 10);
    options.armature = false;
    atemi_model *without = random_tree(&options, 10);
    const int    n = atemi_model_v_count(with);
    atemi_data  *s = data_create(with), *t = data_create(without);
    random_state x;
    int          joints[TREE_MAX_V];
    random_state_fill(with, 10, &x);

    atemi_mass_matrix(s, x.q, M);
    atemi_mass_matrix(t, x.q, N);
    joints_of_rates(with, joints);
    for (int i = 0; i < n; ++i) {
        const atemi_joint *joint = joints[i] < 0 ? NULL : atemi_model_joint(with, joints[i]);
        const double       rotor = joint && joint->v_count == 1 ? joint->armature : 0.0;
        for (int j = 0; j < n; ++j) {
            CHECK(M[i * n + j] == N[i * n + j] + (i == j ? rotor : 0.0));
        }
    }
    atemi_data_destroy(t);
    atemi_data_destroy(s);
    atemi_model_destroy(without);
    atemi_model_destroy(with);
}

// With mimic joints given coordinates of their own, q' = G q + offset, and M = G^T M' G.
TEST(mass_matrix, of_coupled_joints_is_that_of_free_ones_with_the_coupling_applied)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        tree_options options = tree_case(9);
        atemi_model *coupled = random_tree(&options, seed);
        options.uncoupled = true;
        atemi_model  *loose = random_tree(&options, seed);
        const int     n = atemi_model_v_count(coupled), m = atemi_model_v_count(loose);
        const int     base_q = atemi_base_q_count(atemi_model_base(coupled));
        atemi_data   *s = data_create(coupled), *t = data_create(loose);
        random_state  x;
        double        q[TREE_MAX_Q], scale[TREE_MAX_V];
        int           source[TREE_MAX_V];
        static double expected[TREE_MAX_V * TREE_MAX_V];
        random_state_fill(coupled, seed, &x);
        CHECK(m > n);

        for (int k = 0; k < m; ++k) {
            source[k] = k; // the base's rates
            scale[k] = 1.0;
        }
        for (int k = 0; k < base_q; ++k) {
            q[k] = x.q[k];
        }
        for (int j = 0; j < atemi_model_joint_count(loose); ++j) {
            const atemi_joint *to = atemi_model_joint(loose, j);
            const atemi_joint *own = atemi_model_joint(coupled, j);
            const bool         copies = own->mimic.joint != ATEMI_NONE;
            const atemi_joint *from = copies ? atemi_model_joint(coupled, own->mimic.joint) : own;
            for (int k = 0; k < to->q_count; ++k) {
                q[to->first_q + k] =
                    copies ? own->mimic.multiplier * x.q[from->first_q] + own->mimic.offset
                           : x.q[from->first_q + k];
            }
            for (int k = 0; k < to->v_count; ++k) {
                source[to->first_v + k] = from->first_v + k;
                scale[to->first_v + k] = copies ? own->mimic.multiplier : 1.0;
            }
        }
        atemi_mass_matrix(s, x.q, M);
        atemi_mass_matrix(t, q, N);
        for (int e = 0; e < n * n; ++e) {
            expected[e] = 0.0;
        }
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < m; ++j) {
                expected[source[i] * n + source[j]] += scale[i] * scale[j] * N[i * m + j];
            }
        }
        CHECK_NEAR(largest_difference(M, expected, n * n), 0.0,
                   1e-13 * largest_size(expected, n * n)); // the order of the sums
        atemi_data_destroy(t);
        atemi_data_destroy(s);
        atemi_model_destroy(loose);
        atemi_model_destroy(coupled);
    }
}

TEST(mass_matrix, of_a_free_body_is_its_inertia)
{
    const atemi_inertia  body = {.mass = 3.0, .rotational = {1.0, 1.5, 2.0, 0.1, -0.2, 0.3}};
    const double         expected[6][6] = {{3, 0, 0, 0, 0, 0},       {0, 3, 0, 0, 0, 0},
                                           {0, 0, 3, 0, 0, 0},       {0, 0, 0, 1.0, 0.1, -0.2},
                                           {0, 0, 0, 0.1, 1.5, 0.3}, {0, 0, 0, -0.2, 0.3, 2.0}};
    const double         q[] = {5.0, -6.0, 7.0, 0.5, -0.5, 0.1, 0.7};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "body", &body);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING);
    atemi_data  *s = data_create(model);

    atemi_mass_matrix(s, q, M);
    CHECK_NEAR(largest_difference(M, &expected[0][0], 36), 0.0, 1e-14); // two rotations
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

TEST(mass_matrix, requires_model_scratch_configuration_and_result)
{
    tree_rig r;
    tree_rig_begin(&r, 3, 1);
    CHECK_BREAKS_CONTRACT(atemi_mass_matrix(r.s, NULL, M));
    CHECK_BREAKS_CONTRACT(atemi_mass_matrix(NULL, r.x.q, M));
    CHECK_BREAKS_CONTRACT(atemi_mass_matrix(r.s, r.x.q, NULL));
    tree_rig_end(&r);
}
