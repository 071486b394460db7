// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>

enum { MAX_CONTACTS = 4 };

static const double pi = 3.14159265358979323846;

// Two derivations: repeated inverse dynamics with a dense M here, the sparse factor there. Both are
// exact; A's condition multiplies their rounding errors.
TEST(extended_newton_euler, agrees_with_constraint_space)
{
    int compared = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        tree_options options = tree_options_default();
        options.joints = 5 + (int)(seed % 20);
        options.base = (atemi_base)(seed % 4);
        options.mimic = seed % 5 == 0;
        data_bench    b = data_bench_of(random_tree(&options, seed));
        random_stream stream = random_seeded(seed);
        random_state  x;
        random_state_fill(b.model, seed, &x);

        atemi_contact contacts[3];
        for (int i = 0; i < 3; ++i) {
            contacts[i] = atemi_contact_default();
            contacts[i].link = random_index(&stream, atemi_model_link_count(b.model));
            contacts[i].mode = (atemi_contact_mode)(1 + random_index(&stream, 3));
            contacts[i].point.x = random_uniform(&stream, -0.3, 0.3);
            contacts[i].friction = random_uniform(&stream, 0.0, 0.3);
            contacts[i].normal_acceleration = random_uniform(&stream, -1.0, 1.0);
            contacts[i].acceleration.y = random_uniform(&stream, -1.0, 1.0);
        }
        double               one[TREE_MAX_V], two[TREE_MAX_V];
        atemi_force          first[3], second[3];
        atemi_contact_report report;
        const int            count = 1 + (int)(seed % 3);
        if (atemi_extended_newton_euler(b.data, x.q, x.v, x.tau,
                                        &(atemi_contact_set){.contacts = contacts, .count = count},
                                        one, first, &report) == ATEMI_OK &&
            report.condition < 1e5) {
            ++compared;
            CHECK_STATUS(atemi_constrained_dynamics(
                             b.data, x.q, x.v, x.tau, NULL,
                             &(atemi_contact_set){.contacts = contacts, .count = count}, two,
                             second, NULL),
                         ATEMI_OK);
            double scale = 1.0;
            for (int i = 0; i < atemi_model_v_count(b.model); ++i) {
                scale = fmax(scale, fabs(one[i]));
            }
            for (int i = 0; i < atemi_model_v_count(b.model); ++i) {
                CHECK_NEAR(one[i], two[i], 1e-10 * scale);
            }
            for (int i = 0; i < count; ++i) {
                const double size = 1.0 + atemi_vec3_norm(first[i].linear);
                CHECK_NEAR(first[i].linear.z, second[i].linear.z, 1e-10 * scale * size);
                CHECK_NEAR(first[i].angular.x, second[i].angular.x, 1e-10 * scale * size);
            }
        }
        data_bench_end(&b);
    }
    CHECK(compared > 20);
}

// ---- The paper's runs: Runge-Kutta with 1e-2 s, g = 9.8, D = 3, section V-B

typedef struct run {
    data_bench    b;
    atemi_contact tip;
    double        tau[3];
    double        q[3], v[3], a[3];
    atemi_force   force;
    int           n;
} run;

static atemi_model *manipulator(const char *name)
{
    atemi_model       *model;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    options.model.gravity.z = -9.8;
    CHECK_STATUS(atemi_robots_load(name, &options, &model, NULL), ATEMI_OK);
    return model;
}

static run run_of(const char *name, double friction)
{
    run r = {.b = data_bench_of(manipulator(name)), .tip = atemi_contact_default()};
    r.n = atemi_model_v_count(r.b.model);
    r.tip.link = atemi_model_find_link(r.b.model, "tip");
    r.tip.friction = friction;
    return r;
}

static void accelerate(run *r, const double *q, const double *v, double *a)
{
    double tau[3];
    for (int i = 0; i < r->n; ++i) {
        tau[i] = r->tau[i] - 3.0 * v[i];
    }
    CHECK_STATUS(atemi_extended_newton_euler(r->b.data, q, v, tau,
                                             &(atemi_contact_set){.contacts = &r->tip, .count = 1},
                                             a, &r->force, NULL),
                 ATEMI_OK);
}

static void runge_kutta(run *r, double h)
{
    double q[4][3], v[4][3], a[4][3];
    for (int s = 0; s < 4; ++s) {
        const double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
        for (int i = 0; i < r->n; ++i) {
            q[s][i] = r->q[i] + (s ? part * v[s - 1][i] : 0.0);
            v[s][i] = r->v[i] + (s ? part * a[s - 1][i] : 0.0);
        }
        accelerate(r, q[s], v[s], a[s]);
    }
    for (int i = 0; i < r->n; ++i) {
        r->q[i] += h / 6.0 * (v[0][i] + 2.0 * v[1][i] + 2.0 * v[2][i] + v[3][i]);
        r->v[i] += h / 6.0 * (a[0][i] + 2.0 * a[1][i] + 2.0 * a[2][i] + a[3][i]);
    }
    accelerate(r, r->q, r->v, r->a);
}

static void run_until(run *r, int steps)
{
    for (int i = 0; i < steps; ++i) {
        runge_kutta(r, 1e-2);
    }
}

// The force in a joint, world axes: what the paper calls 0f_i.
static atemi_vec3 joint_force(run *r, int joint)
{
    atemi_force external[8] = {0};
    double      tau[3];
    atemi_update_kinematics(r->b.data, r->q, NULL, NULL);
    atemi_contact_forces_add(r->b.data, &(atemi_contact_set){.contacts = &r->tip, .count = 1},
                             &r->force, external);
    atemi_inverse_dynamics(r->b.data, r->q, r->v, r->a, external, tau);
    const int             link = atemi_model_joint(r->b.model, joint)->child_link;
    const atemi_transform pose = atemi_link_pose(r->b.data, link);
    return atemi_mat3_apply(&pose.rotation, atemi_joint_wrench(r->b.data, joint).linear);
}

// To the last printed digit: half a unit of it.
static const double printed = 0.0005;

TEST(extended_newton_euler, reproduces_the_two_link_forces)
{
    run r = run_of("two_link", 0.01);
    r.q[0] = -7.0 * pi / 12.0;
    r.q[1] = pi / 6.0;
    r.tau[1] = -4.9 / 4.0;

    run_until(&r, 10); // t = 0.10
    atemi_vec3 one = joint_force(&r, 0), two = joint_force(&r, 1);
    CHECK_NEAR(one.y, -0.129, printed);
    CHECK_NEAR(one.z, 10.252, printed);
    CHECK_NEAR(two.y, -0.120, printed);
    CHECK_NEAR(two.z, 0.464, printed);
    CHECK_NEAR(r.force.linear.y, 0.093, printed);
    CHECK_NEAR(r.force.linear.z, 9.324, printed);

    run_until(&r, 475); // t = 4.85
    one = joint_force(&r, 0);
    two = joint_force(&r, 1);
    CHECK_NEAR(one.y, -0.088, printed);
    CHECK_NEAR(one.z, 10.074, printed);
    CHECK_NEAR(two.y, -0.090, printed);
    CHECK_NEAR(two.z, 0.271, printed);
    CHECK_NEAR(r.force.linear.y, 0.095, printed);
    CHECK_NEAR(r.force.linear.z, 9.533, printed);
    data_bench_end(&r.b);
}

// The run starts beside an unstable equilibrium: a phase shift of about 10 ms remains (0.03 N).
TEST(extended_newton_euler, reproduces_the_three_link_forces)
{
    run r = run_of("three_link", 0.01);
    r.q[0] = -0.05;
    r.q[1] = r.q[2] = -pi / 2.0 + 0.05;

    run_until(&r, 301); // t = 3.01
    CHECK_NEAR(joint_force(&r, 0).z, 16.952, 0.03);
    CHECK_NEAR(joint_force(&r, 1).z, 7.322, 0.03);
    CHECK_NEAR(joint_force(&r, 2).z, -2.134, 0.03);
    CHECK_NEAR(joint_force(&r, 2).y, 0.197, 0.03);
    CHECK_NEAR(r.force.linear.z, 11.760, 0.03);
    run_until(&r, 94); // t = 3.95
    CHECK_NEAR(r.force.linear.z, 12.658, 0.03);
    CHECK_NEAR(joint_force(&r, 2).y, -0.968, 0.03);
    data_bench_end(&r.b);
}

// At the stretched arm no joint can lift the tip: A vanishes. It is reported, not divided by.
TEST(extended_newton_euler, reports_a_kinematic_singularity)
{
    run                  r = run_of("two_link", 0.01);
    atemi_contact_report report;
    atemi_force          force;
    double               a[3] = {7.0, 7.0, 7.0};
    r.q[0] = 0.0; // upright, straight
    CHECK_STATUS(atemi_extended_newton_euler(r.b.data, r.q, r.v, NULL,
                                             &(atemi_contact_set){.contacts = &r.tip, .count = 1},
                                             a, &force, &report),
                 ATEMI_ERROR_SINGULAR);
    CHECK(report.condition > 1e12);
    CHECK_NEAR(a[0], 7.0, 0.0);
    data_bench_end(&r.b);
}
