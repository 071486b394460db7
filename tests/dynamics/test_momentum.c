// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"

#include "atemi/model.h"
#include "check.h"
#include "data.h"
#include "lagrange.h"
#include "random_tree.h"
#include "tree_rig.h"

#include <math.h>

enum { SEEDS = 3, MAX_LINKS = TREE_MAX_JOINTS + 1 };

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

static atemi_motion as_motion(atemi_force f)
{
    return (atemi_motion){f.linear, f.angular};
}

// Sums over up to 65 links, relative to the largest of them.
TEST(momentum, center_of_mass_and_energies_are_sums_over_links)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);

            atemi_update_kinematics(r.s, r.x.q, r.x.v, NULL);
            const lagrange_sums expected = lagrange_sum(r.model, r.x.q, r.x.v);
            const atemi_force   P = atemi_momentum(r.s);
            const atemi_motion  here = {.linear = atemi_center_of_mass(r.s)};
            const atemi_motion  there = {.linear = expected.center};
            const double        size = expected.mass * 30.0 * sqrt(1.0 + expected.kinetic);

            CHECK_NEAR(atemi_model_mass(r.model), expected.mass, 1e-14 * expected.mass);
            CHECK_NEAR(largest_motion_difference(here, there), 0.0, 1e-13 * 30.0); // of 30 m
            CHECK_NEAR(largest_motion_difference(as_motion(P), as_motion(expected.momentum)), 0.0,
                       1e-13 * size);
            CHECK_NEAR(atemi_kinetic_energy(r.s), expected.kinetic,
                       1e-12 * (1.0 + expected.kinetic));
            CHECK_NEAR(atemi_potential_energy(r.s), expected.potential,
                       1e-13 * 10.0 * 30.0 * (1.0 + expected.mass));
            tree_rig_end(&r);
        }
    }
}

TEST(momentum, is_the_momentum_matrix_times_the_rates)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            tree_rig r;
            tree_rig_begin(&r, c, seed);
            static double A[6 * TREE_MAX_V];

            atemi_momentum_matrix(r.s, r.x.q, A);
            const atemi_force  P = lagrange_sum(r.model, r.x.q, r.x.v).momentum;
            const atemi_motion product = {
                {dot(A, r.x.v, r.n), dot(A + r.n, r.x.v, r.n), dot(A + 2 * r.n, r.x.v, r.n)},
                {dot(A + 3 * r.n, r.x.v, r.n), dot(A + 4 * r.n, r.x.v, r.n),
                 dot(A + 5 * r.n, r.x.v, r.n)}};
            // n products of up to the largest element, and the oracle's 1e-13 of them.
            CHECK_NEAR(largest_motion_difference(product, as_motion(P)), 0.0,
                       1e-13 * r.n * (1.0 + largest_size(A, 6 * r.n)));
            tree_rig_end(&r);
        }
    }
}

// A point in time on the motion with rates v and accelerations a at zero.
static void go(const atemi_model *model, const random_state *x, double t, atemi_data *s)
{
    double q[TREE_MAX_Q], v[TREE_MAX_V], mean[TREE_MAX_V];
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        mean[i] = x->v[i] + 0.5 * t * x->a[i];
        v[i] = x->v[i] + t * x->a[i];
    }
    atemi_configuration_integrate(model, x->q, mean, t, q);
    atemi_update_kinematics(s, q, v, NULL);
}

// The derivative at zero of f(model, scratch) along the motion: central differences with one step
// of Richardson's. Truncation (0.1 rate)^4 of 1e-3 s steps and rounding of 1e-16 / 1e-3 both stay
// below 1e-9 of the value.
typedef double (*quantity)(const atemi_model *model, const atemi_data *k, int index);

static double rate_of(quantity f, int index, const atemi_model *model, const random_state *x,
                      atemi_data *s)
{
    double       slope[2];
    const double h[] = {4e-4, 2e-4};
    for (int k = 0; k < 2; ++k) {
        go(model, x, h[k], s);
        const double after = f(model, s, index);
        go(model, x, -h[k], s);
        slope[k] = (after - f(model, s, index)) / (2.0 * h[k]);
    }
    return (4.0 * slope[1] - slope[0]) / 3.0;
}

static double momentum_component(const atemi_model *model, const atemi_data *k, int index)
{
    (void)model;
    const atemi_force P = atemi_momentum(k);
    const double      all[] = {P.linear.x,  P.linear.y,  P.linear.z,
                               P.angular.x, P.angular.y, P.angular.z};
    return all[index];
}

static double energy(const atemi_model *model, const atemi_data *k, int index)
{
    (void)model;
    (void)index;
    return atemi_kinetic_energy(k) + atemi_potential_energy(k);
}

// What the surroundings do to the whole robot, about its centre of mass.
static atemi_force sum_of_forces(const atemi_model *model, const atemi_data *k,
                                 const atemi_force *external)
{
    const atemi_vec3 c = atemi_center_of_mass(k);
    atemi_force      sum = {.linear =
                                atemi_vec3_scale(atemi_model_mass(model), atemi_model_gravity(model))};
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        const atemi_vec3 arm = atemi_vec3_sub(c, atemi_link_pose(k, i).position);
        sum = atemi_force_add(sum, atemi_force_at(external[i], arm));
    }
    return sum;
}

// Only the surroundings change the momentum of a free robot, whatever its joints do. Rotors have
// inertia here but, as everywhere, no momentum; the motors' torques are internal.
TEST(momentum, of_a_free_robot_changes_by_gravity_and_external_forces_alone)
{
    static const int floating[] = {0, 3, 7, 10};
    for (int c = 0; c < 4; ++c) {
        tree_rig r;
        tree_rig_begin(&r, floating[c], 61);
        atemi_force external[MAX_LINKS];
        random_forces(r.model, 61, external);
        for (int i = 0; i < 6; ++i) {
            r.x.tau[i] = 0.0; // nothing pushes the base
        }
        for (int i = 0; i < atemi_model_v_count(r.model); ++i) {
            r.x.v[i] *= 0.3;
        }
        atemi_forward_dynamics(r.s, r.x.q, r.x.v, r.x.tau, external, r.x.a);
        go(r.model, &r.x, 0.0, r.s);
        const atemi_force f = sum_of_forces(r.model, r.s, external);
        const double      expected[] = {f.linear.x,  f.linear.y,  f.linear.z,
                                        f.angular.x, f.angular.y, f.angular.z};
        const double      size = 1.0 + largest_size(r.x.a, atemi_model_v_count(r.model));
        for (int e = 0; e < 6; ++e) {
            CHECK_NEAR(rate_of(momentum_component, e, r.model, &r.x, r.s), expected[e],
                       1e-8 * size * size);
        }
        tree_rig_end(&r);
    }
}

// dE/dt = tau . v, for every base and joint, rotors and gravity included.
TEST(energy, changes_by_the_power_of_the_joints)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        tree_rig r;
        tree_rig_begin(&r, c, 62);
        double tau[TREE_MAX_V];
        atemi_inverse_dynamics(r.s, r.x.q, r.x.v, r.x.a, NULL, tau);

        double power = 0.0, size = 1.0;
        for (int i = 0; i < r.n; ++i) {
            power += tau[i] * r.x.v[i];
            size += fabs(tau[i] * r.x.v[i]);
        }
        CHECK_NEAR(rate_of(energy, 0, r.model, &r.x, r.s), power, 1e-8 * size);
        tree_rig_end(&r);
    }
}

// 3 kg at 2 m height, turning about its centre: numbers that need no oracle.
TEST(energy, of_a_spinning_body_is_the_textbook_formula)
{
    const atemi_inertia  body = {.mass = 3.0, .rotational = {.xx = 0.1, .yy = 0.2, .zz = 0.25}};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "body", &body);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING);
    atemi_data  *s = data_create(model);
    const double q[] = {0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0}, v[] = {1.0, 2.0, 0.0, 0.0, 4.0, 2.0};

    atemi_update_kinematics(s, q, v, NULL);
    CHECK_NEAR(atemi_kinetic_energy(s), 7.5 + 1.6 + 0.5,
               1e-14); // one ulp of 10
    CHECK_NEAR(atemi_potential_energy(s), 3.0 * 9.81 * 2.0, 1e-14);
    const atemi_force  P = atemi_momentum(s);
    const atemi_motion expected = {{3.0, 6.0, 0.0}, {0.0, 0.8, 0.5}};
    CHECK_NEAR(largest_motion_difference(as_motion(P), expected), 0.0, 1e-15);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// A motor without a load: no mass, no momentum and no centre, but rotor and energy.
TEST(momentum, of_a_robot_without_mass_is_zero)
{
    const atemi_inertia     nothing = {0};
    atemi_model_builder    *builder = tree_begin();
    atemi_joint_description joint = atemi_joint_description_default();
    tree_add_link(builder, "stand", &nothing);
    tree_add_link(builder, "shaft", &nothing);
    joint.name = "motor";
    joint.type = ATEMI_JOINT_CONTINUOUS;
    joint.parent = "stand";
    joint.child = "shaft";
    joint.armature = 0.5;
    joint.origin.position = (atemi_vec3){1.0, 2.0, 3.0};
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FIXED);
    atemi_data  *s = data_create(model);
    const double q = 0.1, v = 4.0, tau = 3.0;
    double       a = 0.0, A[6];

    atemi_update_kinematics(s, &q, &v, NULL);
    const atemi_motion still = {0};
    const atemi_motion center = {.linear = atemi_center_of_mass(s)};
    CHECK_NEAR(largest_motion_difference(center, still), 0.0, 0.0);
    CHECK_NEAR(largest_motion_difference(as_motion(atemi_momentum(s)), still), 0.0, 0.0);
    CHECK_NEAR(atemi_potential_energy(s), 0.0, 0.0);
    CHECK_NEAR(atemi_kinetic_energy(s), 4.0, 0.0);
    atemi_momentum_matrix(s, &q, A);
    CHECK_NEAR(largest_size(A, 6), 0.0, 0.0);
    atemi_forward_dynamics(s, &q, &v, &tau, NULL, &a);
    CHECK_NEAR(a, 6.0, 1e-15);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

TEST(momentum_matrix, requires_model_scratch_configuration_and_result)
{
    tree_rig r;
    tree_rig_begin(&r, 3, 1);
    static double A[6 * TREE_MAX_V];
    CHECK_BREAKS_CONTRACT(atemi_momentum_matrix(r.s, NULL, A));
    CHECK_BREAKS_CONTRACT(atemi_momentum_matrix(NULL, r.x.q, A));
    CHECK_BREAKS_CONTRACT(atemi_momentum_matrix(r.s, r.x.q, NULL));
    tree_rig_end(&r);
}
