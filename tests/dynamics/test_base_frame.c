// SPDX-License-Identifier: Apache-2.0

#include "dynamics/base_frame.h"

#include "atemi/kinematics.h"
#include "atemi/model.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

typedef struct bench {
    atemi_model             *model;
    atemi_arena              arena;
    atemi_base_frame_scratch scratch;
    atemi_data              *oracle;
    atemi_base_frame         frame;
    int                      n, base;
    double                   q[MOST], u[MOST], du[MOST];
} bench;

static const atemi_vec3 gravity = {1.0, 2.0, -9.0};

static void bench_begin(bench *b, atemi_base base, const char *link)
{
    *b = (bench){.arena = atemi_arena_measuring()};
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = base;
    options.model.gravity = gravity;
    CHECK_STATUS(atemi_robots_load("r2_like", &options, &b->model, NULL), ATEMI_OK);
    atemi_base_frame_scratch_take(&b->arena, b->model);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    b->scratch = atemi_base_frame_scratch_take(&b->arena, b->model);
    b->oracle = data_create(b->model);
    b->n = atemi_model_v_count(b->model);
    b->base = base == ATEMI_BASE_FLOATING ? 6 : 0;
    b->frame.link = atemi_model_find_link(b->model, link);
    b->frame.pose.rotation =
        base == ATEMI_BASE_FLOATING ? atemi_mat3_from_rpy(0.4, -1.0, 2.0) : atemi_mat3_identity();
    b->frame.pose.position = (atemi_vec3){0.3, -0.2, 0.1};
}

static void bench_end(bench *b)
{
    atemi_data_destroy(b->oracle);
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static void bench_random(bench *b, uint64_t seed)
{
    random_stream stream = random_seeded(seed);
    atemi_configuration_random(b->model, seed, b->q);
    for (int i = b->base; i < b->n; ++i) {
        b->u[i] = random_uniform(&stream, -1.0, 1.0);
        b->du[i] = random_uniform(&stream, -1.0, 1.0);
    }
}

static int first_q(const bench *b)
{
    return b->base ? 7 : 0;
}

// The posture after joint i has moved by d, the base placed.
static void place_moved(bench *b, const double *d, double *q)
{
    memcpy(q, b->q, sizeof b->q);
    for (int i = b->base; i < b->n; ++i) {
        q[first_q(b) + i - b->base] += d[i];
    }
    atemi_base_frame_place(b->model, &b->frame, &b->scratch, q);
}

static double potential_at(bench *b, const double *d)
{
    double q[MOST];
    place_moved(b, d, q);
    atemi_update_kinematics(b->oracle, q, NULL, NULL);
    return atemi_potential_energy(b->oracle);
}

// Kinetic energy of the joint rates u at a posture moved by d: the whole motion by differences of
// placed postures, so that nothing of base_frame.c but the placing has part in it.
static double kinetic_at(bench *b, const double *d, const double *u)
{
    const double h = 1e-5;
    double       q[MOST], ahead[MOST], back[MOST], v[MOST], far[MOST];
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < b->n; ++i) {
            far[i] = d[i] + side * h * u[i];
        }
        place_moved(b, far, side < 0 ? back : ahead);
    }
    atemi_configuration_difference(b->model, back, ahead, v);
    for (int i = 0; i < b->n; ++i) {
        v[i] /= 2.0 * h;
    }
    place_moved(b, d, q);
    atemi_update_kinematics(b->oracle, q, v, NULL);
    return atemi_kinetic_energy(b->oracle);
}

TEST(base_frame, puts_its_link_where_it_shall_be)
{
    bench b;
    bench_begin(&b, ATEMI_BASE_FLOATING, "left_foot");
    for (uint64_t seed = 0; seed < 20; ++seed) {
        bench_random(&b, seed);
        atemi_base_frame_place(b.model, &b.frame, &b.scratch, b.q);
        atemi_update_kinematics(b.oracle, b.q, NULL, NULL);
        const atemi_transform at = atemi_link_pose(b.oracle, b.frame.link);
        CHECK(largest_pose_difference(&at, &b.frame.pose) < 1e-14);
    }
    bench_end(&b);
}

// Torques are the gradient of the potential energy; differences of 1e-4 rad are right to 1e-5.
TEST(base_frame, has_the_gradient_of_the_weight_as_gravity_torques)
{
    for (int fixed = 0; fixed < 2; ++fixed) {
        bench b;
        bench_begin(&b, fixed ? ATEMI_BASE_FIXED : ATEMI_BASE_FLOATING,
                    fixed ? "pelvis" : "left_foot");
        bench_random(&b, 3);
        double tau[MOST], d[MOST] = {0};
        atemi_base_frame_gravity_torques(b.model, &b.frame, gravity, &b.scratch, b.q, tau);
        for (int i = b.base; i < b.n; ++i) {
            const double h = 1e-4;
            d[i] = h;
            const double up = potential_at(&b, d);
            d[i] = -h;
            const double down = potential_at(&b, d);
            d[i] = 0.0;
            CHECK_NEAR(tau[i], (up - down) / (2.0 * h), 1e-5);
        }
        bench_end(&b);
    }
}

TEST(base_frame, has_twice_the_energy_of_a_unit_rate_as_effective_inertia)
{
    bench b;
    bench_begin(&b, ATEMI_BASE_FLOATING, "right_foot");
    bench_random(&b, 4);
    double inertias[MOST];
    atemi_base_frame_effective_inertias(b.model, &b.frame, &b.scratch, b.q, inertias);
    for (int i = b.base; i < b.n; ++i) {
        double u[MOST] = {0}, rest[MOST] = {0};
        u[i] = 1.0;
        CHECK_NEAR(inertias[i], 2.0 * kinetic_at(&b, rest, u), 1e-6 * inertias[i]);
    }
    bench_end(&b);
}

// Lagrange: tau_i = d/dt dT/du_i - dT/dq_i, all by differences.
static double lagrange_torque(bench *b, int i)
{
    const double h = 1e-3;
    double       momentum[2], energy[2];
    for (int side = 0; side < 2; ++side) {
        const double s = side ? h : -h;
        double       d[MOST] = {0}, u[MOST] = {0}, more[2];
        for (int k = b->base; k < b->n; ++k) {
            d[k] = s * b->u[k] + 0.5 * s * s * b->du[k];
        }
        for (int sign = 0; sign < 2; ++sign) {
            for (int k = b->base; k < b->n; ++k) {
                u[k] = b->u[k] + s * b->du[k] + (k == i) * (sign ? 0.5 : -0.5);
            }
            more[sign] = kinetic_at(b, d, u);
        }
        momentum[side] = more[1] - more[0]; // T is quadratic in u: no error
        memset(d, 0, sizeof d);
        d[i] = s;
        energy[side] = kinetic_at(b, d, b->u);
    }
    return (momentum[1] - momentum[0] - (energy[1] - energy[0])) / (2.0 * h);
}

TEST(base_frame, has_the_inertia_torques_of_lagrange)
{
    for (int fixed = 0; fixed < 2; ++fixed) {
        bench b;
        bench_begin(&b, fixed ? ATEMI_BASE_FIXED : ATEMI_BASE_FLOATING,
                    fixed ? "pelvis" : "left_foot");
        bench_random(&b, 8);
        double tau[MOST];
        atemi_base_frame_inertia_torques(b.model, &b.frame, b.u, b.du, &b.scratch, b.q, tau);
        for (int i = b.base; i < b.n; i += 3) {
            CHECK_NEAR(tau[i], lagrange_torque(&b, i), 1e-3); // of up to 500 N m
        }
        bench_end(&b);
    }
}

TEST(base_frame, has_the_jacobian_of_what_is_placed)
{
    bench b;
    bench_begin(&b, ATEMI_BASE_FLOATING, "left_foot");
    bench_random(&b, 9);
    const int        hand = atemi_model_find_link(b.model, "right_foot");
    const atemi_vec3 point = {0.1, 0.2, -0.3};
    double           J[6 * MOST];
    atemi_base_frame_place(b.model, &b.frame, &b.scratch, b.q);
    atemi_base_frame_jacobian(b.model, hand, point, &b.scratch, J);
    for (int i = b.base; i < b.n; ++i) {
        const double h = 1e-5;
        atemi_vec3   at[2];
        for (int side = 0; side < 2; ++side) {
            double d[MOST] = {0}, q[MOST];
            d[i] = side ? h : -h;
            place_moved(&b, d, q);
            const atemi_transform pose = atemi_link_pose_in(b.model, &b.scratch.kinematics, hand);
            at[side] = atemi_transform_apply(&pose, point);
        }
        CHECK_NEAR(J[i], (at[1].x - at[0].x) / (2.0 * h), 1e-8);
        CHECK_NEAR(J[b.n + i], (at[1].y - at[0].y) / (2.0 * h), 1e-8);
        CHECK_NEAR(J[2 * b.n + i], (at[1].z - at[0].z) / (2.0 * h), 1e-8);
    }
    bench_end(&b);
}

TEST(base_frame, fits_any_link_of_a_floating_robot_and_the_root_of_a_fixed_one)
{
    bench b;
    bench_begin(&b, ATEMI_BASE_FLOATING, "left_foot");
    CHECK(atemi_base_frame_fits(b.model, 0) && atemi_base_frame_fits(b.model, b.frame.link));
    CHECK(!atemi_base_frame_fits(b.model, -1) && !atemi_base_frame_fits(b.model, 1000));
    bench_end(&b);
    bench_begin(&b, ATEMI_BASE_FIXED, "pelvis");
    CHECK(atemi_base_frame_fits(b.model, 0) && !atemi_base_frame_fits(b.model, 3));
    bench_end(&b);
}
