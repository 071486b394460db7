// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"

#include "check.h"
#include "data.h"
#include "lagrange.h"
#include "random_tree.h"
#include "tree_rig.h"

#include <string.h>

enum { SEEDS = 4, MAX_LINKS = TREE_MAX_JOINTS + 1 };

// Two roundings a joint along chains of up to 64, of which each turns what comes after it.
static const double rounding = 1e-13;

static double motion_size(atemi_motion a)
{
    const atemi_motion nothing = {0};
    return largest_motion_difference(a, nothing);
}

TEST(kinematics, puts_links_where_origins_and_joint_motions_multiply_to)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);
            lagrange_link expected[MAX_LINKS];

            atemi_update_kinematics(r.s, r.x.q, NULL, NULL);
            lagrange_links(r.model, r.x.q, NULL, NULL, expected);

            for (int i = 0; i < atemi_model_link_count(r.model); ++i) {
                const atemi_transform pose = atemi_link_pose(r.s, i);
                const double          size = atemi_vec3_norm(expected[i].pose.position);
                CHECK_NEAR(largest_pose_difference(&pose, &expected[i].pose), 0.0,
                           rounding * (1.0 + size));
            }
            tree_rig_end(&r);
        }
    }
}

// The oracle differentiates poses along q(t), to 1e-13 of the bounds of its motion. Rates add up
// along a chain and may cancel, so the tolerances are one digit more, of the fastest link.
TEST(kinematics, moves_links_as_their_poses_change)
{
    check_needs_long_double();
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);
            lagrange_link expected[MAX_LINKS];

            atemi_update_kinematics(r.s, r.x.q, r.x.v, r.x.a);
            lagrange_links(r.model, r.x.q, r.x.v, r.x.a, expected);

            double speed = 1.0, push = 1.0;
            for (int i = 0; i < atemi_model_link_count(r.model); ++i) {
                speed = fmax(speed, motion_size(expected[i].velocity));
                push = fmax(push, motion_size(expected[i].acceleration));
            }
            for (int i = 0; i < atemi_model_link_count(r.model); ++i) {
                const atemi_motion v = atemi_link_velocity(r.s, i);
                const atemi_motion a = atemi_link_acceleration(r.s, i);
                CHECK_NEAR(largest_motion_difference(v, expected[i].velocity), 0.0,
                           10.0 * rounding * speed);
                CHECK_NEAR(largest_motion_difference(a, expected[i].acceleration), 0.0,
                           10.0 * rounding * push);
            }
            tree_rig_end(&r);
        }
    }
}

// Ten metres a second along x of the base, which looks along y: a closed form that fixes what frame
// the base's rates are in.
TEST(kinematics, takes_base_rates_in_the_bases_own_frame)
{
    const atemi_inertia  body = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "body", &body);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING);
    atemi_data  *s = data_create(model);
    const double half = sqrt(0.5);
    const double q[] = {1.0, 2.0, 3.0, 0.0, 0.0, half, half};
    const double v[] = {10.0, 0.0, 0.0, 0.0, 0.0, 2.0}, a[6] = {0};

    atemi_update_kinematics(s, q, v, a);
    const atemi_motion u = atemi_link_velocity(s, 0);
    const atemi_motion du = atemi_link_acceleration(s, 0);
    const atemi_motion expected = {{0.0, 10.0, 0.0}, {0.0, 0.0, 2.0}};
    const atemi_motion centripetal = {{-20.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

    // The digits of sqrt(0.5), times 20.
    CHECK_NEAR(largest_motion_difference(u, expected), 0.0, 1e-14);
    CHECK_NEAR(largest_motion_difference(du, centripetal), 0.0, 1e-14);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

TEST(kinematics, does_not_mind_the_length_of_quaternions)
{
    tree_options options = tree_case(7);
    atemi_model *model = random_tree(&options, 3);
    atemi_data  *s = data_create(model), *t = data_create(model);
    random_state x;
    random_state_fill(model, 3, &x);

    atemi_update_kinematics(s, x.q, x.v, x.a);
    for (int k = 3; k < 7; ++k) {
        x.q[k] *= 3.0;
    }
    atemi_update_kinematics(t, x.q, x.v, x.a);
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        const atemi_transform a = atemi_link_pose(s, i);
        const atemi_transform b = atemi_link_pose(t, i);
        CHECK_NEAR(largest_pose_difference(&a, &b), 0.0, 1e-14 * 20.0); // metres of the tree
    }
    atemi_data_destroy(t);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// Everything is computed from a point that rides on the base, so the world's origin may be
// anywhere.
TEST(kinematics, far_from_the_origin_leave_the_dynamics_the_same_to_the_bit)
{
    static double M[2][TREE_MAX_V * TREE_MAX_V], A[2][6 * TREE_MAX_V];
    static double h[2][TREE_MAX_V], a[2][TREE_MAX_V];
    tree_rig      r;
    tree_rig_begin(&r, 7, 5);

    for (int far = 0; far < 2; ++far) {
        r.x.q[0] += far * 1e4;
        r.x.q[1] -= far * 1e4;
        r.x.q[2] += far * 1e4;
        atemi_mass_matrix(r.s, r.x.q, M[far]);
        atemi_momentum_matrix(r.s, r.x.q, A[far]);
        atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, NULL, h[far]);
        atemi_forward_dynamics(r.s, r.x.q, r.x.v, r.x.tau, NULL, a[far]);
    }
    CHECK(memcmp(M[0], M[1], sizeof(double) * (size_t)(r.n * r.n)) == 0);
    CHECK(memcmp(h[0], h[1], sizeof(double) * (size_t)r.n) == 0);
    CHECK(memcmp(a[0], a[1], sizeof(double) * (size_t)r.n) == 0);
    // Of the centre of mass the world's coordinates are taken in between: 1e4 m have 1e-12 m
    // digits.
    CHECK_NEAR(largest_difference(A[0], A[1], 6 * r.n), 0.0, 1e-11 * largest_size(A[0], 6 * r.n));
    tree_rig_end(&r);
}

TEST(kinematics, of_links_on_the_world_is_to_stand_still)
{
    const atemi_inertia  body = {.mass = 1.0, .com = {0.1, 0.0, 0.0}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "world", &body);
    tree_add_link(builder, "table", &body);
    tree_add_link(builder, "arm", &body);
    tree_add_joint(builder, "bolt", ATEMI_JOINT_FIXED, "world", "table", (atemi_vec3){0},
                   (atemi_vec3){0.0, 0.0, 0.7});
    tree_add_joint(builder, "shoulder", ATEMI_JOINT_REVOLUTE, "table", "arm",
                   (atemi_vec3){0.0, 0.0, 1.0}, (atemi_vec3){0.5, 0.0, 0.0});
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FIXED);
    atemi_data  *s = data_create(model);
    const double q = 0.3, v = 2.0, a = 1.0;
    double       J[6], rate[6];

    atemi_update_kinematics(s, &q, &v, &a);
    for (int i = 0; i < 2; ++i) {
        CHECK_NEAR(motion_size(atemi_link_velocity(s, i)), 0.0, 0.0);
        CHECK_NEAR(motion_size(atemi_link_acceleration(s, i)), 0.0, 0.0);
        atemi_link_jacobian(s, i, J);
        atemi_link_jacobian_rate(s, i, rate);
        CHECK_NEAR(largest_size(J, 6) + largest_size(rate, 6), 0.0, 0.0);
    }
    CHECK_NEAR(atemi_link_pose(s, 1).position.z, 0.7, 0.0);
    CHECK_NEAR(atemi_link_pose(s, 2).position.x, 0.5, 0.0);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// The arrays of a robot without coordinates are empty, and NULL is an empty array.
TEST(kinematics, of_a_robot_without_joints_needs_no_arrays)
{
    const atemi_inertia  body = {.mass = 1.0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "statue", &body);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FIXED);
    atemi_data  *s = data_create(model);

    atemi_update_kinematics(s, NULL, NULL, NULL);
    CHECK_NEAR(atemi_link_pose(s, 0).rotation.x.x, 1.0, 0.0);
    CHECK_NEAR(atemi_center_of_mass(s).x, 0.0, 0.0);
    atemi_link_jacobian(s, 0, NULL);
    atemi_link_jacobian_rate(s, 0, NULL);
    atemi_inverse_dynamics(s, NULL, NULL, NULL, NULL, NULL);
    atemi_forward_dynamics(s, NULL, NULL, NULL, NULL, NULL);
    atemi_mass_matrix(s, NULL, NULL);
    atemi_update_kinematics(s, NULL, NULL, NULL);
    atemi_update_factor(s, NULL);
    atemi_mass_solve(s, NULL);
    atemi_momentum_matrix(s, NULL, NULL);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

TEST(kinematics, refuses_what_the_contract_excludes)
{
    tree_rig r;
    tree_rig_begin(&r, 3, 1);
    const int links = atemi_model_link_count(r.model);
    double    J[6 * TREE_MAX_V];

    CHECK_BREAKS_CONTRACT(atemi_update_kinematics(NULL, r.x.q, NULL, NULL));
    CHECK_BREAKS_CONTRACT(atemi_update_kinematics(r.s, NULL, NULL, NULL));
    atemi_update_kinematics(r.s, r.x.q, r.x.v, r.x.a);
    CHECK_BREAKS_CONTRACT(atemi_link_pose(r.s, -1));
    CHECK_BREAKS_CONTRACT(atemi_link_pose(r.s, links));
    CHECK_BREAKS_CONTRACT(atemi_link_velocity(r.s, links));
    CHECK_BREAKS_CONTRACT(atemi_link_velocity(NULL, 0));
    CHECK_BREAKS_CONTRACT(atemi_link_acceleration(r.s, links));
    CHECK_BREAKS_CONTRACT(atemi_link_jacobian(r.s, links, J));
    CHECK_BREAKS_CONTRACT(atemi_link_jacobian(r.s, 0, NULL));
    CHECK_BREAKS_CONTRACT(atemi_link_jacobian_rate(r.s, -1, J));
    CHECK_BREAKS_CONTRACT(atemi_link_jacobian_rate(r.s, 0, NULL));
    CHECK_BREAKS_CONTRACT(atemi_center_of_mass(NULL));
    CHECK_BREAKS_CONTRACT(atemi_momentum(NULL));
    CHECK_BREAKS_CONTRACT(atemi_kinetic_energy(NULL));
    CHECK_BREAKS_CONTRACT(atemi_potential_energy(NULL));
    tree_rig_end(&r);
}
