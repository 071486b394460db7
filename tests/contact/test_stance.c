// SPDX-License-Identifier: Apache-2.0

#include "atemi/stance.h"

#include "atemi/configuration.h"
#include "atemi/constrained_dynamics.h"
#include "atemi/robots.h"
#include "atemi/support.h"
#include "check.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>

enum { MOST_POINTS = 16 };

typedef struct bench {
    atemi_model                       *model;
    atemi_arena                        arena;
    atemi_stance_scratch               stance;
    atemi_constrained_dynamics_scratch dynamics;
    atemi_stance_point                 points[MOST_POINTS];
    atemi_vec3                         forces[MOST_POINTS];
    double                             tau[TREE_MAX_V], a[TREE_MAX_V];
    int                                count, n;
} bench;

static void place(bench *b, atemi_arena *arena)
{
    b->stance = atemi_stance_scratch_take(arena, b->model);
    b->dynamics = atemi_constrained_dynamics_scratch_take(arena, b->model, MOST_POINTS);
}

static void bench_begin(bench *b, atemi_model *model)
{
    *b = (bench){.model = model, .arena = atemi_arena_measuring()};
    b->n = atemi_model_v_count(model);
    place(b, &b->arena);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    place(b, &b->arena);
}

static void bench_end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static void add_sole(bench *b, const char *name)
{
    const atemi_site     *site = atemi_model_site(b->model, atemi_model_find_site(b->model, name));
    const atemi_transform here = atemi_transform_identity();
    atemi_vec3            corners[4];
    const int             count = atemi_site_corners(site, &here, corners);
    for (int i = 0; i < count; ++i) {
        b->points[b->count++] = (atemi_stance_point){site->link, corners[i]};
    }
}

static const double *hrp2_begin(bench *b)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    bench_begin(b, model);
    return atemi_model_posture(model, atemi_model_find_posture(model, "punch_8kg"));
}

static double base_residual(const bench *b)
{
    double most = 0.0;
    for (int i = 0; i < atemi_base_v_count(atemi_model_base(b->model)); ++i) {
        most = fmax(most, fabs(b->tau[i]));
    }
    return most;
}

static atemi_vec3 sum_of_forces(const bench *b)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < b->count; ++i) {
        sum = atemi_vec3_add(sum, b->forces[i]);
    }
    return sum;
}

TEST(stance, its_torques_hold_a_robot_on_two_feet_still)
{
    bench         b;
    const double *q = hrp2_begin(&b);
    add_sole(&b, "right_sole");
    add_sole(&b, "left_sole");
    atemi_stance_dynamics(b.model, q, NULL, NULL, NULL, b.points, b.count, &b.stance, b.tau,
                          b.forces);
    const double weight = 9.81 * atemi_model_mass(b.model);
    CHECK_NEAR(sum_of_forces(&b).z, weight, 1e-9 * weight);
    CHECK_NEAR(sum_of_forces(&b).x, 0.0, 1e-9 * weight);
    CHECK_NEAR(base_residual(&b), 0.0, 1e-9 * weight);

    atemi_contact contacts[2] = {{.link = b.points[0].link, .normal = {0.0, 0.0, 1.0}},
                                 {.link = b.points[4].link, .normal = {0.0, 0.0, 1.0}}};
    atemi_force   forces[2];
    contacts[0].mode = contacts[1].mode = ATEMI_CONTACT_SURFACE;
    double v[TREE_MAX_V] = {0};
    CHECK_STATUS(atemi_constrained_dynamics(b.model, q, v, b.tau, NULL, contacts, 2, &b.dynamics,
                                            b.a, forces, NULL),
                 ATEMI_OK);
    for (int i = 0; i < b.n; ++i) {
        CHECK_NEAR(b.a[i], 0.0, 1e-8);
    }
    bench_end(&b);
}

TEST(stance, its_forces_follow_acceleration_and_other_forces)
{
    bench         b;
    const double *q = hrp2_begin(&b);
    add_sole(&b, "right_sole");
    add_sole(&b, "left_sole");
    atemi_force  push[64] = {0};
    double       v[TREE_MAX_V] = {0}, a[TREE_MAX_V] = {0};
    const double mass = atemi_model_mass(b.model);
    a[0] = 0.5; // the whole robot forwards: the base is upright
    push[0].linear = (atemi_vec3){0.0, 20.0, 0.0};
    atemi_stance_dynamics(b.model, q, v, a, push, b.points, b.count, &b.stance, b.tau, b.forces);
    CHECK_NEAR(sum_of_forces(&b).x, 0.5 * mass, 1e-9);
    CHECK_NEAR(sum_of_forces(&b).y, -20.0, 1e-9);
    CHECK_NEAR(base_residual(&b), 0.0, 1e-7);
    bench_end(&b);
}

// Two points give no moment about their line: it stays with the base.
TEST(stance, what_points_in_line_cannot_give_remains)
{
    bench         b;
    const double *q = hrp2_begin(&b);
    add_sole(&b, "right_sole");
    b.count = 2;
    atemi_stance_dynamics(b.model, q, NULL, NULL, NULL, b.points, b.count, &b.stance, b.tau,
                          b.forces);
    const double weight = 9.81 * atemi_model_mass(b.model);
    CHECK_NEAR(sum_of_forces(&b).z, weight, 1e-9 * weight);
    CHECK(isfinite(base_residual(&b)));
    CHECK(base_residual(&b) > 1.0);
    bench_end(&b);
}

TEST(stance, a_fixed_base_needs_no_points)
{
    atemi_model *model;
    bench        b;
    CHECK_STATUS(atemi_robots_load("three_link", NULL, &model, NULL), ATEMI_OK);
    bench_begin(&b, model);
    double q[TREE_MAX_V] = {0.3, -0.2, 0.5}, expected[TREE_MAX_V];
    atemi_inverse_dynamics(model, q, NULL, NULL, NULL, &b.stance.inverse, expected);
    atemi_stance_dynamics(model, q, NULL, NULL, NULL, NULL, 0, &b.stance, b.tau, NULL);
    for (int i = 0; i < b.n; ++i) {
        CHECK(b.tau[i] == expected[i]);
    }
    bench_end(&b);
}

// Turned bases, whose rates are along their own axes. Without gravity nothing has to push.
TEST(stance, carries_bases_that_move_in_a_plane)
{
    static const atemi_base bases[] = {ATEMI_BASE_PLANAR, ATEMI_BASE_SAGITTAL};
    for (int i = 0; i < 20; ++i) {
        atemi_urdf_options options = atemi_urdf_options_default();
        atemi_model       *model;
        bench              b;
        double             q[TREE_MAX_Q], a[TREE_MAX_V];
        options.model.base = bases[i % 2];
        options.model.gravity = (atemi_vec3){0.0, 0.0, 0.0};
        CHECK_STATUS(atemi_robots_load("hrp2_like", &options, &model, NULL), ATEMI_OK);
        bench_begin(&b, model);
        add_sole(&b, "right_sole");
        add_sole(&b, "left_sole");
        random_stream stream = random_seeded((uint64_t)i);
        atemi_configuration_random(model, (uint64_t)i, q);
        for (int k = 0; k < b.n; ++k) {
            a[k] = random_uniform(&stream, -1.0, 1.0);
        }
        atemi_stance_dynamics(model, q, NULL, a, NULL, b.points, b.count, &b.stance, b.tau,
                              b.forces);
        CHECK_NEAR(base_residual(&b), 0.0, 1e-7);
        bench_end(&b);
    }
}
