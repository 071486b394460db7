// SPDX-License-Identifier: Apache-2.0

#include "dynamics/derivatives.h"

#include "check.h"
#include "derivatives_rig.h"
#include "differences.h"

#include <math.h>
#include <string.h>

static void forward_dynamics(void *context, const double *q, const double *v, const double *tau,
                             double *a)
{
    derivatives_rig *r = context;
    CHECK_STATUS(atemi_forward_dynamics(r->tree.s, q, v, tau, r->external, a), ATEMI_OK);
}

static double largest_row_sum(const double *A, int n)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int j = 0; j < n; ++j) {
            sum += fabs(A[i * n + j]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

static double condition(derivatives_rig *r)
{
    atemi_mass_matrix(r->tree.s, r->tree.x.q, r->expected);
    return largest_row_sum(r->expected, r->tree.n) * largest_row_sum(r->found[2], r->tree.n);
}

// Forward dynamics rounds to 1e-16 times the condition number of M, which reaches 1e6 in chains,
// and differences make 1000 times that of it.
static void check_against_differences(derivatives_rig *r)
{
    const atemi_model  *model = r->tree.model;
    const random_state *x = &r->tree.x;
    const int           n = r->tree.n;
    double              a[TREE_MAX_V], expected[TREE_MAX_V];
    CHECK_STATUS(atemi_forward_dynamics_derivatives(model, x->q, x->v, x->tau, r->external, &r->s,
                                                    a, r->found[0], r->found[1], r->found[2]),
                 ATEMI_OK);
    forward_dynamics(r, x->q, x->v, x->tau, expected);
    const double noise = 1e-16 * condition(r) * (1.0 + largest_size(a, n));
    CHECK_NEAR(largest_difference(a, expected, n), 0.0, 10.0 * noise);
    for (int by = BY_Q; by <= BY_X; ++by) {
        differences(model, forward_dynamics, r, (difference_by)by, x->q, x->v, x->tau, n,
                    r->expected);
        const double scale = 1.0 + largest_size(r->expected, n * n);
        CHECK_NEAR(largest_difference(r->found[by], r->expected, n * n), 0.0,
                   1e-9 * scale + 1000.0 * noise);
    }
}

TEST(forward_dynamics_derivatives, are_those_of_differences_on_all_trees)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        derivatives_rig r = derivatives_rig_begin(c, 80);
        random_forces(r.tree.model, 80, r.forces);
        r.external = c % 2 ? r.forces : NULL;
        check_against_differences(&r);
        derivatives_rig_end(&r);
    }
}

// M da/dq = -dtau/dq at the same acceleration, row by row to rounding, whatever the condition of M.
static void check_balance(const double *M, const double *solved, const double *given, int n)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0.0, size = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += M[i * n + k] * solved[k * n + j];
                size += fabs(M[i * n + k] * solved[k * n + j]);
            }
            CHECK_NEAR(sum, -given[i * n + j], 1e-11 * (1.0 + size + fabs(given[i * n + j])));
        }
    }
}

TEST(forward_dynamics_derivatives, balance_those_of_inverse_dynamics)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        derivatives_rig r = derivatives_rig_begin(c, 84), s = derivatives_rig_begin(c, 84);
        double          a[TREE_MAX_V];
        random_forces(r.tree.model, 84, r.forces);
        CHECK_STATUS(atemi_forward_dynamics_derivatives(r.tree.model, r.tree.x.q, r.tree.x.v,
                                                        r.tree.x.tau, r.forces, &r.s, a, r.found[0],
                                                        r.found[1], r.found[2]),
                     ATEMI_OK);
        atemi_inverse_dynamics_derivatives(r.tree.model, r.tree.x.q, r.tree.x.v, a, r.forces, &s.s,
                                           NULL, s.found[0], s.found[1], s.found[2]);
        check_balance(s.found[2], r.found[0], s.found[0], r.tree.n);
        check_balance(s.found[2], r.found[1], s.found[1], r.tree.n);
        derivatives_rig_end(&r);
        derivatives_rig_end(&s);
    }
}

TEST(forward_dynamics_derivatives, hold_at_rest_in_a_straight_posture)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        derivatives_rig r = derivatives_rig_begin(c, 81);
        atemi_configuration_neutral(r.tree.model, r.tree.x.q);
        memset(r.tree.x.v, 0, sizeof r.tree.x.v);
        memset(r.tree.x.tau, 0, sizeof r.tree.x.tau);
        check_against_differences(&r);
        derivatives_rig_end(&r);
    }
}

// The oracle is M itself, by the composite-body algorithm.
TEST(forward_dynamics_derivatives, by_torque_are_the_inverse_of_the_mass_matrix)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        derivatives_rig r = derivatives_rig_begin(c, 82);
        const int       n = r.tree.n;
        double         *M = r.expected;
        atemi_mass_matrix(r.tree.s, r.tree.x.q, M);
        CHECK_STATUS(atemi_forward_dynamics_derivatives(r.tree.model, r.tree.x.q, NULL, NULL, NULL,
                                                        &r.s, NULL, r.found[0], r.found[1],
                                                        r.found[2]),
                     ATEMI_OK);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                double sum = 0.0;
                for (int k = 0; k < n; ++k) {
                    sum += M[i * n + k] * r.found[2][k * n + j];
                }
                CHECK_NEAR(sum, i == j ? 1.0 : 0.0, 1e-9); // 1e-16 by condition numbers to 1e6
            }
        }
        derivatives_rig_end(&r);
    }
}

TEST(forward_dynamics_derivatives, are_refused_where_a_joint_moves_no_mass)
{
    const atemi_inertia  body = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    const atemi_inertia  none = {.mass = 1.0}; // a point on its axis
    const atemi_vec3     axis = {0.0, 0.0, 1.0}, place = {0.1, 0.0, 0.0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "base", &body);
    tree_add_link(builder, "hand", &none);
    tree_add_joint(builder, "wrist", ATEMI_JOINT_REVOLUTE, "base", "hand", axis, place);
    derivatives_rig r = derivatives_rig_of(tree_finish(builder, ATEMI_BASE_FLOATING), 83);
    r.found[0][0] = 7.0;
    CHECK_STATUS(atemi_forward_dynamics_derivatives(r.tree.model, r.tree.x.q, NULL, NULL, NULL,
                                                    &r.s, NULL, r.found[0], r.found[1], r.found[2]),
                 ATEMI_ERROR_SINGULAR);
    CHECK(r.found[0][0] == 7.0);
    derivatives_rig_end(&r);
}
