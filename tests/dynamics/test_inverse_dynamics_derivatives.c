// SPDX-License-Identifier: Apache-2.0

#include "dynamics/derivatives.h"

#include "check.h"
#include "derivatives_rig.h"
#include "differences.h"

#include <math.h>
#include <string.h>

static void inverse_dynamics(void *context, const double *q, const double *v, const double *a,
                             double *tau)
{
    derivatives_rig *r = context;
    atemi_inverse_dynamics(r->tree.s, q, v, a, r->external, tau);
}

// tau rounds to about 1e-16 of what its terms are, differences lose 1e-14 more of it by their
// steps, extrapolation leaves 1e-11 of what swings: 1e-9 of the largest derivative has room for all
// of it.
static void check_against_differences(derivatives_rig *r)
{
    const atemi_model  *model = r->tree.model;
    const random_state *x = &r->tree.x;
    const int           n = r->tree.n;
    atemi_inverse_dynamics_derivatives(model, x->q, x->v, x->a, r->external, &r->s, NULL,
                                       r->found[0], r->found[1], r->found[2]);
    for (int by = BY_Q; by <= BY_X; ++by) {
        differences(model, inverse_dynamics, r, (difference_by)by, x->q, x->v, x->a, n,
                    r->expected);
        const double scale = largest_size(r->expected, n * n);
        CHECK_NEAR(largest_difference(r->found[by], r->expected, n * n), 0.0, 1e-9 * (1.0 + scale));
    }
}

TEST(inverse_dynamics_derivatives, are_those_of_differences_on_all_trees)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 0; seed < 2; ++seed) {
            derivatives_rig r = derivatives_rig_begin(c, 40 + seed);
            check_against_differences(&r);
            derivatives_rig_end(&r);
        }
    }
}

TEST(inverse_dynamics_derivatives, have_external_wrenches_constant_in_world_axes)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        derivatives_rig r = derivatives_rig_begin(c, 50);
        random_forces(r.tree.model, 50, r.forces);
        r.external = r.forces;
        check_against_differences(&r);
        derivatives_rig_end(&r);
    }
}

// All joints at zero: a straight chain has lost directions there, and nothing moves.
TEST(inverse_dynamics_derivatives, hold_at_rest_in_a_straight_posture)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        derivatives_rig r = derivatives_rig_begin(c, 60);
        atemi_configuration_neutral(r.tree.model, r.tree.x.q);
        memset(r.tree.x.v, 0, sizeof r.tree.x.v);
        memset(r.tree.x.a, 0, sizeof r.tree.x.a);
        check_against_differences(&r);
        derivatives_rig_end(&r);
    }
}

TEST(inverse_dynamics_derivatives, of_no_velocity_are_those_of_velocity_zero)
{
    derivatives_rig r = derivatives_rig_begin(5, 61);
    const int       n = r.tree.n;
    memset(r.tree.x.v, 0, sizeof r.tree.x.v);
    check_against_differences(&r);
    CHECK(largest_size(r.found[1], n * n) == 0.0);
    memcpy(r.expected, r.found[0], (size_t)(n * n) * sizeof *r.expected);
    atemi_inverse_dynamics_derivatives(r.tree.model, r.tree.x.q, NULL, r.tree.x.a, NULL, &r.s, NULL,
                                       r.found[0], r.found[1], r.found[2]);
    CHECK(largest_difference(r.found[0], r.expected, n * n) == 0.0);
    derivatives_rig_end(&r);
}

// Rows of light links are small numbers beside those of heavy ones: every entry is measured by what
// its own row has.
static void check_rows_of_chain(double inner, double outer)
{
    derivatives_rig r = derivatives_rig_of(uneven_chain(6, inner, outer), 62);
    const int       n = r.tree.n;
    check_against_differences(&r);
    for (int by = BY_Q; by <= BY_X; ++by) {
        differences(r.tree.model, inverse_dynamics, &r, (difference_by)by, r.tree.x.q, r.tree.x.v,
                    r.tree.x.a, n, r.expected);
        for (int i = 0; i < n; ++i) {
            const double scale = largest_size(r.expected + i * n, n);
            CHECK_NEAR(largest_difference(r.found[by] + i * n, r.expected + i * n, n), 0.0,
                       1e-9 * scale);
        }
    }
    derivatives_rig_end(&r);
}

TEST(inverse_dynamics_derivatives, keep_a_gram_at_the_end_of_a_ton_and_the_reverse)
{
    check_rows_of_chain(1000.0, 0.001);
    check_rows_of_chain(0.001, 1000.0);
}

// A point mass m on a massless rod l: tau = m l^2 a + m g l sin q.
TEST(inverse_dynamics_derivatives, of_a_pendulum_are_the_textbook_formula)
{
    const double         m = 1.3, l = 0.7, g = 9.81, q = 0.4;
    const atemi_inertia  bob = {.mass = m, .com = {0.0, 0.0, -l}}, ceiling = {0};
    const atemi_vec3     x_axis = {1.0, 0.0, 0.0}, nowhere = {0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "ceiling", &ceiling);
    tree_add_link(builder, "bob", &bob);
    tree_add_joint(builder, "pivot", ATEMI_JOINT_CONTINUOUS, "ceiling", "bob", x_axis, nowhere);
    derivatives_rig r = derivatives_rig_of(tree_finish(builder, ATEMI_BASE_FIXED), 63);
    r.tree.x.q[0] = q;
    atemi_inverse_dynamics_derivatives(r.tree.model, r.tree.x.q, r.tree.x.v, r.tree.x.a, NULL, &r.s,
                                       NULL, r.found[0], r.found[1], r.found[2]);
    CHECK_NEAR(r.found[0][0], m * g * l * cos(q), 1e-14); // a few roundings of 9 N m
    CHECK_NEAR(r.found[1][0], 0.0, 1e-15);
    CHECK_NEAR(r.found[2][0], m * l * l, 1e-15);
    derivatives_rig_end(&r);
}
