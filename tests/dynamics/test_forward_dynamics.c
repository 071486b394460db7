// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"

#include "atemi/math.h"
#include "check.h"
#include "data.h"
#include "lagrange.h"
#include "random.h"
#include "random_tree.h"
#include "tree_rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = 3, MAX_LINKS = TREE_MAX_JOINTS + 1 };

static double M[TREE_MAX_V * TREE_MAX_V];

// A cart on rails along x, a point mass on a rod below it: the 2 x 2 system of every textbook,
//   (mc + mp) x" - mp l cos(q) q" + mp l sin(q) q'^2 = F
//   mp l^2 q" - mp l cos(q) x" + mp g l sin(q)       = tau
TEST(forward_dynamics, of_a_cart_with_a_pendulum_is_the_textbook_formula)
{
    const double         mc = 3.0, mp = 0.8, l = 0.6, g = 9.81;
    const atemi_inertia  rails = {0}, cart = {.mass = mc};
    const atemi_inertia  bob = {.mass = mp, .com = {0.0, 0.0, -l}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "rails", &rails);
    tree_add_link(builder, "cart", &cart);
    tree_add_link(builder, "bob", &bob);
    tree_add_joint(builder, "slide", ATEMI_JOINT_PRISMATIC, "rails", "cart",
                   (atemi_vec3){1.0, 0.0, 0.0}, (atemi_vec3){0});
    tree_add_joint(builder, "pivot", ATEMI_JOINT_CONTINUOUS, "cart", "bob",
                   (atemi_vec3){0.0, 1.0, 0.0}, (atemi_vec3){0});
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FIXED);
    atemi_data  *s = data_create(model);
    const double q[] = {0.4, 2.1}, v[] = {-0.7, 3.0}, tau[] = {5.0, -2.0};
    double       a[2];

    atemi_forward_dynamics(s, q, v, tau, NULL, a);

    const double M12 = -mp * l * cos(q[1]), M22 = mp * l * l;
    const double f = tau[0] - mp * l * sin(q[1]) * v[1] * v[1];
    const double n = tau[1] - mp * g * l * sin(q[1]);
    const double determinant = (mc + mp) * M22 - M12 * M12;
    CHECK_NEAR(a[0], (M22 * f - M12 * n) / determinant, 1e-13); // roundings of 20 m/s^2
    CHECK_NEAR(a[1], ((mc + mp) * n - M12 * f) / determinant, 1e-13);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// Whatever its inertia and spin, a free body's centre of mass falls with gravity.
TEST(forward_dynamics, of_a_free_body_is_to_fall)
{
    const atemi_inertia body = {
        .mass = 2.0, .com = {0.1, -0.2, 0.3}, .rotational = {1.0, 1.2, 1.4, 0.1, 0.05, -0.1}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "body", &body);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING);
    atemi_data  *s = data_create(model);
    const double q[] = {1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 0.9}, v[] = {1.0, -1.0, 0.5, 2.0, -1.5, 1.0};
    double       a[6];

    atemi_forward_dynamics(s, q, v, NULL, NULL, a);
    atemi_update_kinematics(s, q, v, a);

    const atemi_transform pose = atemi_link_pose(s, 0);
    const atemi_motion    u = atemi_link_velocity(s, 0);
    const atemi_motion    du = atemi_link_acceleration(s, 0);
    const atemi_vec3      c = atemi_mat3_apply(&pose.rotation, body.com);
    const atemi_vec3      swing = atemi_vec3_cross(du.angular, c);
    const atemi_vec3      pull = atemi_vec3_cross(u.angular, atemi_vec3_cross(u.angular, c));
    const atemi_vec3      fall = atemi_vec3_add(du.linear, atemi_vec3_add(swing, pull));
    CHECK_NEAR(fall.x, 0.0, 1e-14); // roundings of 10 m/s^2
    CHECK_NEAR(fall.y, 0.0, 1e-14);
    CHECK_NEAR(fall.z, -9.81, 1e-14);

    // At rest there is nothing else: the base falls straight, in its own axes.
    atemi_forward_dynamics(s, q, NULL, NULL, NULL, a);
    const atemi_vec3 down = {0.0, 0.0, -9.81};
    const atemi_vec3 own = atemi_mat3_apply_transposed(&pose.rotation, down);
    const double     expected[] = {own.x, own.y, own.z, 0.0, 0.0, 0.0};
    CHECK_NEAR(largest_difference(a, expected, 6), 0.0, 1e-14);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// Forward after inverse is the identity, up to the condition of M times rounding: lengths of 0.1 to
// 20 m and masses of 0.1 to 10 kg make about 1e5 of it.
TEST(forward_dynamics, undoes_inverse_dynamics)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);
            atemi_force external[MAX_LINKS];
            double      tau[TREE_MAX_V], a[TREE_MAX_V];
            random_forces(r.model, seed, external);

            atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, external, tau);
            atemi_forward_dynamics(r.s, r.x.q, r.x.v, tau, external, a);
            CHECK_NEAR(largest_difference(a, r.x.a, r.n), 0.0,
                       1e-10 * (1.0 + largest_size(tau, r.n)));

            atemi_inverse_dynamics(r.s, r.x.q, NULL, r.x.a, NULL, tau);
            atemi_forward_dynamics(r.s, r.x.q, NULL, tau, NULL, a);
            CHECK_NEAR(largest_difference(a, r.x.a, r.n), 0.0,
                       1e-10 * (1.0 + largest_size(tau, r.n)));
            tree_rig_end(&r);
        }
    }
}

// With the oracle's torques as input: the way back needs no algorithm of the library.
TEST(forward_dynamics, obeys_lagranges_equations)
{
    check_needs_long_double();
    for (int c = 0; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 51);
        atemi_force external[MAX_LINKS];
        double      a[TREE_MAX_V], tau[TREE_MAX_V];
        random_forces(r.model, 51, external);

        atemi_forward_dynamics(r.s, r.x.q, r.x.v, r.x.tau, external, a);
        lagrange_torques(r.model, r.x.q, r.x.v, a, external, tau);
        // Backward stable: the error is of the torques that the accelerations need one by one.
        CHECK_NEAR(largest_difference(tau, r.x.tau, r.n), 0.0,
                   1e-11 * (1.0 + largest_size(a, r.n)) * r.n);
        tree_rig_end(&r);
    }
}

TEST(forward_dynamics, is_the_dense_solution_of_the_mass_matrix)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 52);
        double a[TREE_MAX_V], expected[TREE_MAX_V];

        atemi_forward_dynamics(r.s, r.x.q, r.x.v, r.x.tau, NULL, a);
        atemi_inverse_dynamics(r.s, r.x.q, r.x.v, NULL, NULL, expected);
        for (int i = 0; i < r.n; ++i) {
            expected[i] = r.x.tau[i] - expected[i];
        }
        atemi_mass_matrix(r.s, r.x.q, M);
        CHECK(atemi_cholesky_factor(r.n, M, r.n));
        atemi_cholesky_solve(r.n, M, r.n, expected);
        // The condition of M, up to 1e6, times rounding.
        CHECK_NEAR(largest_difference(a, expected, r.n), 0.0,
                   1e-9 * (1.0 + largest_size(expected, r.n)));
        tree_rig_end(&r);
    }
}

// What a unit rate of each joint moves by itself: the scale of its torque.
static double torque_scale(int n, int i, const double *a)
{
    double scale = 0.0;
    for (int j = 0; j < n; ++j) {
        scale += fabs(M[i * n + j] * a[j]);
    }
    return scale;
}

// The acceleration is right when the torques it needs are the given ones, joint by joint and each
// to its own scale: of 1 g as well as of 1 t. Recursions that take moments about one common point
// drown the gram.
static void check_uneven(int count, double inner, double outer)
{
    atemi_model  *model = uneven_chain(count, inner, outer);
    atemi_data   *s = data_create(model);
    double        q[TREE_MAX_V], v[TREE_MAX_V], a[TREE_MAX_V], tau[TREE_MAX_V], back[TREE_MAX_V];
    random_stream stream = random_seeded(7);
    for (int i = 0; i < count; ++i) {
        q[i] = random_uniform(&stream, -0.8, 0.8);
        v[i] = random_uniform(&stream, -1.0, 1.0);
        a[i] = random_uniform(&stream, -1.0, 1.0);
    }
    atemi_inverse_dynamics(s, q, v, a, NULL, tau);
    atemi_forward_dynamics(s, q, v, tau, NULL, a);
    atemi_inverse_dynamics(s, q, v, a, NULL, back);
    atemi_mass_matrix(s, q, M);
    for (int i = 0; i < count; ++i) {
        const double scale = torque_scale(count, i, a) + fabs(tau[i]);
        CHECK_NEAR(back[i], tau[i], 1e-14 * scale); // some ten roundings
    }
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

TEST(forward_dynamics, holds_for_a_gram_at_the_end_of_a_ton)
{
    check_uneven(8, 1000.0, 0.001);
}

TEST(forward_dynamics, holds_for_a_ton_at_the_end_of_a_gram)
{
    check_uneven(8, 0.001, 1000.0);
}

TEST(forward_dynamics, holds_for_long_chains)
{
    check_uneven(200, 1.0, 1.0);
}

TEST(forward_dynamics, takes_null_for_rest_and_for_no_torque)
{
    static const double zeros[TREE_MAX_V];
    for (int c = 9; c <= 12; c += 3) { // coupled and not
        tree_rig r;
        tree_rig_begin(&r, c, 55);
        double a[TREE_MAX_V], expected[TREE_MAX_V];
        for (int way = 3; way >= 0; --way) {
            const double *v = way & 1 ? r.x.v : NULL, *tau = way & 2 ? r.x.tau : NULL;
            atemi_forward_dynamics(r.s, r.x.q, v, tau, NULL, a);
            atemi_forward_dynamics(r.s, r.x.q, v ? v : zeros, tau ? tau : zeros, NULL, expected);
            // Adding zeros may only change how terms are fused; then the condition of M, 1e5.
            CHECK_NEAR(largest_difference(a, expected, r.n), 0.0,
                       1e-10 * (1.0 + largest_size(expected, r.n)));
        }
        tree_rig_end(&r);
    }
}

TEST(forward_dynamics, may_write_over_torques_and_rates)
{
    for (int c = 9; c <= 12; c += 3) { // coupled and not
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 56);
        const size_t       size = sizeof(double) * (size_t)atemi_model_v_count(model);
        atemi_data        *s = data_create(model);
        random_state       x, y;
        double             a[TREE_MAX_V];
        random_state_fill(model, 56, &x);
        atemi_forward_dynamics(s, x.q, x.v, x.tau, NULL, a);
        y = x;
        atemi_forward_dynamics(s, y.q, y.v, y.tau, NULL, y.tau);
        CHECK(memcmp(a, y.tau, size) == 0);
        y = x;
        atemi_forward_dynamics(s, y.q, y.v, y.tau, NULL, y.v);
        CHECK(memcmp(a, y.v, size) == 0);
        atemi_data_destroy(s);
        atemi_model_destroy(model);
    }
}

TEST(forward_dynamics, requires_model_scratch_configuration_and_result)
{
    tree_rig r;
    tree_rig_begin(&r, 3, 1);
    double a[TREE_MAX_V];
    CHECK_BREAKS_CONTRACT(atemi_forward_dynamics(r.s, NULL, r.x.v, r.x.tau, NULL, a));
    CHECK_BREAKS_CONTRACT(atemi_forward_dynamics(NULL, r.x.q, r.x.v, r.x.tau, NULL, a));
    CHECK_BREAKS_CONTRACT(atemi_forward_dynamics(r.s, r.x.q, r.x.v, r.x.tau, NULL, NULL));
    tree_rig_end(&r);
}
