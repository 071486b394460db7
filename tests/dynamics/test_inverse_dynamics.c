// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"

#include "atemi/model.h"
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

static const atemi_vec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0};
static const atemi_vec3 z_axis = {0.0, 0.0, 1.0}, nowhere = {0};

static atemi_inertia point(double mass, double x, double y, double z)
{
    return (atemi_inertia){.mass = mass, .com = {x, y, z}};
}

// Two point masses on massless rods that hang from (0, 0, 0), turning about y.
static atemi_model *double_pendulum(double m1, double l1, double m2, double l2)
{
    const atemi_inertia  first = point(m1, 0.0, 0.0, -l1), second = point(m2, 0.0, 0.0, -l2);
    const atemi_inertia  ceiling = {0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "ceiling", &ceiling);
    tree_add_link(builder, "upper", &first);
    tree_add_link(builder, "lower", &second);
    tree_add_joint(builder, "shoulder", ATEMI_JOINT_CONTINUOUS, "ceiling", "upper", y_axis,
                   nowhere);
    tree_add_joint(builder, "elbow", ATEMI_JOINT_CONTINUOUS, "upper", "lower", y_axis,
                   (atemi_vec3){0.0, 0.0, -l1});
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

// A point mass m on a massless rod l: tau = m l^2 a + m g l sin q.
TEST(inverse_dynamics, of_a_pendulum_is_the_textbook_formula)
{
    const double         m = 1.3, l = 0.7, g = 9.81;
    const double         q = 0.4, v = -2.0, a = 3.0;
    const atemi_inertia  bob = point(m, 0.0, 0.0, -l), ceiling = {0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "ceiling", &ceiling);
    tree_add_link(builder, "bob", &bob);
    tree_add_joint(builder, "pivot", ATEMI_JOINT_CONTINUOUS, "ceiling", "bob", x_axis, nowhere);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FIXED);
    atemi_data  *s = data_create(model);
    double       tau = 0.0;

    atemi_inverse_dynamics(s, &q, &v, &a, NULL, &tau);

    CHECK_NEAR(tau, m * l * l * a + m * g * l * sin(q), 1e-14); // a few roundings of 5 N m
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// Angles from the hanging position, the second relative to the first.
TEST(inverse_dynamics, of_a_double_pendulum_is_the_textbook_formula)
{
    const double m1 = 2.0, l1 = 0.8, m2 = 0.7, l2 = 0.5, g = 9.81;
    atemi_model *model = double_pendulum(m1, l1, m2, l2);
    atemi_data  *s = data_create(model);
    const double q[] = {0.6, -1.1}, v[] = {1.5, -2.5}, a[] = {-3.0, 4.0};
    double       tau[2];

    atemi_inverse_dynamics(s, q, v, a, NULL, tau);

    const double c = cos(q[1]), s2 = sin(q[1]), s1 = sin(q[0]), s12 = sin(q[0] + q[1]);
    const double M11 = (m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2.0 * m2 * l1 * l2 * c;
    const double M12 = m2 * l2 * l2 + m2 * l1 * l2 * c, M22 = m2 * l2 * l2;
    const double h1 = -m2 * l1 * l2 * s2 * (2.0 * v[0] * v[1] + v[1] * v[1]) +
                      (m1 + m2) * g * l1 * s1 + m2 * g * l2 * s12;
    const double h2 = m2 * l1 * l2 * s2 * v[0] * v[0] + m2 * g * l2 * s12;
    CHECK_NEAR(tau[0], M11 * a[0] + M12 * a[1] + h1, 1e-13); // roundings of terms up to 20 N m
    CHECK_NEAR(tau[1], M12 * a[0] + M22 * a[1] + h2, 1e-13);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// Euler's equations and Newton's in the body's own frame: I dw + w x I w, m (du + w x u - g).
TEST(inverse_dynamics, of_a_free_body_is_newton_and_euler)
{
    const atemi_inertia  body = {.mass = 2.0, .rotational = {.xx = 1.0, .yy = 2.0, .zz = 2.5}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "body", &body);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING);
    atemi_data  *s = data_create(model);
    const double q[] = {1.0, -2.0, 3.0, 0.0, 0.0, 0.0, 1.0};
    const double v[] = {0.3, -0.5, 0.7, 1.1, -1.3, 1.7};
    const double a[] = {0.2, 0.4, -0.6, 0.8, -1.0, 1.2};
    double       tau[6];

    atemi_inverse_dynamics(s, q, v, a, NULL, tau);

    const double expected[] = {
        2.0 * (a[0] + v[4] * v[2] - v[5] * v[1]),        2.0 * (a[1] + v[5] * v[0] - v[3] * v[2]),
        2.0 * (a[2] + v[3] * v[1] - v[4] * v[0] + 9.81), 1.0 * a[3] + (2.5 - 2.0) * v[4] * v[5],
        2.0 * a[4] + (1.0 - 2.5) * v[5] * v[3],          2.5 * a[5] + (2.0 - 1.0) * v[3] * v[4]};
    CHECK_NEAR(largest_difference(tau, expected, 6), 0.0, 1e-13); // roundings of 20 N
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// The oracle knows only poses, see lagrange.h. The rounding of up to 64 bodies in a chain is
// relative to the largest torque.
TEST(inverse_dynamics, agrees_with_lagranges_equations)
{
    check_needs_long_double();
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);
            atemi_force external[MAX_LINKS];
            double      tau[TREE_MAX_V], expected[TREE_MAX_V];
            random_forces(r.model, seed, external);

            atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, external, tau);
            lagrange_torques(r.model, r.x.q, r.x.v, r.x.a, external, expected);

            const double size = 1.0 + largest_size(expected, r.n);
            CHECK_NEAR(largest_difference(tau, expected, r.n), 0.0, 1e-12 * size);
            tree_rig_end(&r);
        }
    }
}

// Each torque to its own scale, the weight and the length of what hangs on its joint: of 1 g as
// well as of 1 t. Moments about one point common to all drown the gram.
static void check_uneven(double inner, double outer)
{
    enum { COUNT = 8 };
    atemi_model  *model = uneven_chain(COUNT, inner, outer);
    atemi_data   *s = data_create(model);
    random_stream stream = random_seeded(9);
    double        q[COUNT], v[COUNT], a[COUNT], tau[COUNT], expected[COUNT], weight = 0.0;
    for (int i = 0; i < COUNT; ++i) {
        q[i] = random_uniform(&stream, -0.8, 0.8);
        v[i] = random_uniform(&stream, -1.0, 1.0);
        a[i] = random_uniform(&stream, -1.0, 1.0);
    }
    atemi_inverse_dynamics(s, q, v, a, NULL, tau);
    lagrange_torques(model, q, v, a, NULL, expected);
    for (int i = COUNT - 1; i >= 0; --i) {
        weight += 10.0 * atemi_model_link(model, i + 1)->inertia.mass;
        CHECK_NEAR(tau[i], expected[i], 1e-14 * weight * 0.3 * (COUNT - i));
    }
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

TEST(inverse_dynamics, holds_for_a_gram_at_the_end_of_a_ton)
{
    check_needs_long_double();
    check_uneven(1000.0, 0.001);
}

TEST(inverse_dynamics, holds_for_a_ton_at_the_end_of_a_gram)
{
    check_needs_long_double();
    check_uneven(0.001, 1000.0);
}

// tau(no force) - tau(force) = sum of J^T force, with the oracle's J. Zero forces change nothing.
TEST(inverse_dynamics, is_relieved_by_the_virtual_power_of_external_forces)
{
    tree_rig r;
    tree_rig_begin(&r, 9, 4);
    const int     n = atemi_model_v_count(r.model), links = atemi_model_link_count(r.model);
    atemi_force   external[MAX_LINKS] = {0};
    static double J[6 * TREE_MAX_V];
    double        tau[TREE_MAX_V], relieved[TREE_MAX_V];

    atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, NULL, tau);
    atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, external, relieved);
    CHECK_NEAR(largest_difference(tau, relieved, n), 0.0, 0.0);

    // One component at a time, on the last link.
    for (int e = 0; e < 6; ++e) {
        const double f[6] = {e == 0, e == 1, e == 2, e == 3, e == 4, e == 5};
        external[links - 1] = (atemi_force){{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
        atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, external, relieved);
        lagrange_jacobian(r.model, r.x.q, links - 1, J);
        for (int k = 0; k < n; ++k) {
            CHECK_NEAR(tau[k] - relieved[k], J[e * n + k], 1e-12 * (1.0 + largest_size(tau, n)));
        }
    }
    tree_rig_end(&r);
}

TEST(inverse_dynamics, takes_null_for_rest_and_for_no_acceleration)
{
    const tree_options  options = tree_case(10);
    static const double zeros[TREE_MAX_V];
    atemi_model        *model = random_tree(&options, 5);
    const int           n = atemi_model_v_count(model);
    atemi_data         *s = data_create(model);
    random_state        x;
    double              tau[TREE_MAX_V], expected[TREE_MAX_V];
    random_state_fill(model, 5, &x);

    for (int way = 3; way >= 0; --way) { // what an earlier call left behind must not come back
        const double *v = way & 1 ? x.v : NULL, *a = way & 2 ? x.a : NULL;
        atemi_inverse_dynamics(s, x.q, v, a, NULL, tau);
        atemi_inverse_dynamics(s, x.q, v ? v : zeros, a ? a : zeros, NULL, expected);
        // Adding zeros may only change how terms are fused.
        CHECK_NEAR(largest_difference(tau, expected, n), 0.0,
                   1e-14 * (1.0 + largest_size(expected, n)));
    }
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

TEST(inverse_dynamics, may_write_over_any_input)
{
    for (int c = 9; c <= 12; c += 3) { // coupled and not
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 6);
        const size_t       size = sizeof(double) * (size_t)atemi_model_v_count(model);
        atemi_data        *s = data_create(model);
        random_state       x, y;
        double             tau[TREE_MAX_V];
        random_state_fill(model, 6, &x);

        atemi_inverse_dynamics(s, x.q, x.v, x.a, NULL, tau);
        y = x;
        atemi_inverse_dynamics(s, y.q, y.v, y.a, NULL, y.q);
        CHECK(memcmp(tau, y.q, size) == 0);
        y = x;
        atemi_inverse_dynamics(s, y.q, y.v, y.a, NULL, y.v);
        CHECK(memcmp(tau, y.v, size) == 0);
        y = x;
        atemi_inverse_dynamics(s, y.q, y.v, y.a, NULL, y.a);
        CHECK(memcmp(tau, y.a, size) == 0);
        atemi_data_destroy(s);
        atemi_model_destroy(model);
    }
}

TEST(inverse_dynamics, requires_model_scratch_configuration_and_result)
{
    tree_rig r;
    tree_rig_begin(&r, 3, 1);
    double tau[TREE_MAX_V];

    CHECK_BREAKS_CONTRACT(atemi_inverse_dynamics(r.s, NULL, r.x.v, r.x.a, NULL, tau));
    CHECK_BREAKS_CONTRACT(atemi_inverse_dynamics(NULL, r.x.q, r.x.v, r.x.a, NULL, tau));
    CHECK_BREAKS_CONTRACT(atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, NULL, NULL));
    tree_rig_end(&r);
}

// ---- The wrench in a joint ------------------------------------------------------------------

// Five beads on a string, each 0.1 m to the side of it: every joint bears what hangs below.
TEST(joint_wrench, of_a_hanging_chain_is_the_weight_below)
{
    enum { BEADS = 5 };
    const atemi_inertia  ceiling = {0}, bead = point(0.5, 0.1, 0.0, -0.2);
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "link0", &ceiling);
    for (int i = 1; i <= BEADS; ++i) {
        char name[16], parent[16], child[16];
        snprintf(name, sizeof name, "joint%d", i);
        snprintf(parent, sizeof parent, "link%d", i - 1);
        snprintf(child, sizeof child, "link%d", i);
        tree_add_link(builder, child, &bead);
        tree_add_joint(builder, name, ATEMI_JOINT_REVOLUTE, parent, child, i % 2 ? x_axis : y_axis,
                       (atemi_vec3){0.0, 0.0, -0.4});
    }
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FIXED);
    atemi_data  *s = data_create(model);
    const double q[BEADS] = {0};
    double       tau[BEADS];

    atemi_inverse_dynamics(s, q, NULL, NULL, NULL, tau);

    for (int i = 0; i < BEADS; ++i) {
        const atemi_force  f = atemi_joint_wrench(s, i);
        const double       weight = 0.5 * 9.81 * (BEADS - i);
        const atemi_motion found = {f.linear, f.angular};
        const atemi_motion expected = {{0.0, 0.0, weight}, {0.0, -0.1 * weight, 0.0}};
        CHECK_NEAR(largest_motion_difference(found, expected), 0.0, 1e-14); // sums of 25 N
    }
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// Newton's and Euler's equations for the whole subtree, from the oracle's accelerations. Planar,
// floating, prismatic and mimic joints are among them, and external forces act.
TEST(joint_wrench, balances_all_that_is_behind_the_joint)
{
    check_needs_long_double();
    for (int c = 3; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 31);
        atemi_force external[MAX_LINKS];
        double      tau[TREE_MAX_V];
        random_forces(r.model, 31, external);
        atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, external, tau);

        for (int j = 0; j < atemi_model_joint_count(r.model); j += 1 + c / 4) {
            if (atemi_model_joint(r.model, j)->type == ATEMI_JOINT_FIXED) {
                continue;
            }
            const atemi_force  f = atemi_joint_wrench(r.s, j);
            const atemi_force  g = lagrange_joint_wrench(r.model, r.x.q, r.x.v, r.x.a, external, j);
            const atemi_motion found = {f.linear, f.angular}, expected = {g.linear, g.angular};
            CHECK_NEAR(largest_motion_difference(found, expected), 0.0,
                       1e-12 * (1.0 + largest_size(tau, r.n)));
        }
        tree_rig_end(&r);
    }
}

// The joint's own torque is the wrench along its axis, and what its rotor takes.
TEST(joint_wrench, has_the_torque_along_the_axis)
{
    tree_rig r;
    tree_rig_begin(&r, 4, 32);
    double tau[TREE_MAX_V];
    atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, NULL, tau);

    for (int j = 0; j < atemi_model_joint_count(r.model); ++j) {
        const atemi_joint *joint = atemi_model_joint(r.model, j);
        if (joint->type == ATEMI_JOINT_FIXED) {
            continue;
        }
        const atemi_force f = atemi_joint_wrench(r.s, j);
        const atemi_vec3  part = joint->type == ATEMI_JOINT_PRISMATIC ? f.linear : f.angular;
        const double      rotor = joint->armature * r.x.a[joint->first_v];
        CHECK_NEAR(atemi_vec3_dot(joint->axis, part) + rotor, tau[joint->first_v],
                   1e-13 * (1.0 + largest_size(tau, r.n)));
    }
    tree_rig_end(&r);
}

TEST(joint_wrench, is_not_known_of_fixed_joints)
{
    const atemi_inertia  body = point(1.0, 0.1, 0.1, 0.1);
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "base", &body);
    tree_add_link(builder, "hand", &body);
    tree_add_joint(builder, "weld", ATEMI_JOINT_FIXED, "base", "hand", z_axis, nowhere);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING);
    atemi_data  *s = data_create(model);

    double q[7], tau[6];
    atemi_configuration_neutral(model, q);
    atemi_inverse_dynamics(s, q, NULL, NULL, NULL, tau);
    CHECK_BREAKS_CONTRACT(atemi_joint_wrench(s, 0));
    CHECK_BREAKS_CONTRACT(atemi_joint_wrench(s, -1));
    CHECK_BREAKS_CONTRACT(atemi_joint_wrench(s, 1));
    CHECK_BREAKS_CONTRACT(atemi_joint_wrench(NULL, 0));
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}
