// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

#include "atemi/model.h"
#include "atemi/robots.h"
#include "atemi/support.h"
#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>

enum { MOST_POINTS = 16 };

typedef struct bench {
    atemi_model        *model;
    atemi_data         *data;
    atemi_contact_point points[MOST_POINTS];
    atemi_vec3          forces[MOST_POINTS];
    double              tau[TREE_MAX_V], a[TREE_MAX_V];
    int                 count, n;
} bench;

static void bench_begin(bench *b, atemi_model *model)
{
    *b = (bench){.model = model, .data = data_create(model), .n = atemi_model_v_count(model)};
}

static void bench_end(bench *b)
{
    atemi_data_destroy(b->data);
    atemi_model_destroy(b->model);
}

static void add_sole(bench *b, const char *name)
{
    const int site = atemi_model_find_site(b->model, name);
    b->count += atemi_site_points(b->model, &site, 1, b->points + b->count);
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
    atemi_stance_dynamics(b.data, q, NULL, NULL, NULL, b.points, b.count, b.tau, b.forces);
    const double weight = 9.81 * atemi_model_mass(b.model);
    CHECK_NEAR(sum_of_forces(&b).z, weight, 1e-9 * weight);
    CHECK_NEAR(sum_of_forces(&b).x, 0.0, 1e-9 * weight);
    CHECK_NEAR(base_residual(&b), 0.0, 1e-9 * weight);

    atemi_contact contacts[2] = {{.link = b.points[0].link, .normal = {0.0, 0.0, 1.0}},
                                 {.link = b.points[4].link, .normal = {0.0, 0.0, 1.0}}};
    atemi_force   forces[2];
    contacts[0].mode = contacts[1].mode = ATEMI_CONTACT_SURFACE;
    double v[TREE_MAX_V] = {0};
    CHECK_STATUS(atemi_constrained_dynamics(b.data, q, v, b.tau, NULL,
                                            &(atemi_contact_set){.contacts = contacts, .count = 2},
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
    atemi_stance_dynamics(b.data, q, v, a, push, b.points, b.count, b.tau, b.forces);
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
    const atemi_stance_support support =
        atemi_stance_dynamics(b.data, q, NULL, NULL, NULL, b.points, b.count, b.tau, b.forces);
    const double weight = 9.81 * atemi_model_mass(b.model);
    CHECK_NEAR(sum_of_forces(&b).z, weight, 1e-9 * weight);
    CHECK(isfinite(base_residual(&b)));
    CHECK(base_residual(&b) > 1.0);
    CHECK_EQUAL_INT(support, ATEMI_STANCE_LACKS);
    bench_end(&b);
}

TEST(stance, a_fixed_base_needs_no_points)
{
    atemi_model *model;
    bench        b;
    CHECK_STATUS(atemi_robots_load("three_link", NULL, &model, NULL), ATEMI_OK);
    bench_begin(&b, model);
    double q[TREE_MAX_V] = {0.3, -0.2, 0.5}, expected[TREE_MAX_V];
    atemi_inverse_dynamics(b.data, q, NULL, NULL, NULL, expected);
    atemi_stance_dynamics(b.data, q, NULL, NULL, NULL, NULL, 0, b.tau, NULL);
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
        atemi_stance_dynamics(b.data, q, NULL, a, NULL, b.points, b.count, b.tau, b.forces);
        CHECK_NEAR(base_residual(&b), 0.0, 1e-7);
        bench_end(&b);
    }
}

// ---- Feet at different heights

// The moment of the points' forces about the centre of mass.
static atemi_vec3 moment_about_center(bench *b, const double *q)
{
    atemi_data *k = b->data;
    atemi_update_kinematics(k, q, NULL, NULL);
    const atemi_vec3 center = atemi_center_of_mass(k);
    atemi_vec3       sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < b->count; ++i) {
        const atemi_transform pose = atemi_link_pose(k, b->points[i].link);
        const atemi_vec3      at = atemi_transform_apply(&pose, b->points[i].point);
        sum = atemi_vec3_add(sum, atemi_vec3_cross(atemi_vec3_sub(at, center), b->forces[i]));
    }
    return sum;
}

static double lowest_push(const bench *b)
{
    double least = INFINITY;
    for (int i = 0; i < b->count; ++i) {
        least = fmin(least, b->forces[i].z);
    }
    return least;
}

// Legs bent at random, with the feet tilted and a few centimetres apart in height, hands that pull
// sideways. Whatever the points do, the base has nothing left to carry, and at rest their forces
// are the weight and the pull, without a moment about the centre of mass but the pull's.
TEST(stance, carries_a_robot_whose_feet_are_not_level)
{
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream stream = random_seeded(seed);
        bench         b;
        const double *posture = hrp2_begin(&b);
        double        q[TREE_MAX_Q];
        atemi_force   push[64] = {0};
        for (int i = 0; i < atemi_model_q_count(b.model); ++i) {
            q[i] = posture[i] + (i >= 7 ? random_uniform(&stream, -0.1, 0.1) : 0.0);
        }
        add_sole(&b, "right_sole");
        add_sole(&b, "left_sole");
        push[0].linear = (atemi_vec3){random_uniform(&stream, -60.0, 60.0),
                                      random_uniform(&stream, -60.0, 60.0), 0.0};
        const atemi_stance_support support =
            atemi_stance_dynamics(b.data, q, NULL, NULL, push, b.points, b.count, b.tau, b.forces);
        const double     weight = 9.81 * atemi_model_mass(b.model);
        const atemi_vec3 sum = sum_of_forces(&b);
        CHECK_NEAR(base_residual(&b), 0.0, 1e-9 * weight);
        CHECK_NEAR(sum.x, -push[0].linear.x, 1e-9 * weight);
        CHECK_NEAR(sum.y, -push[0].linear.y, 1e-9 * weight);
        CHECK_NEAR(sum.z, weight, 1e-9 * weight);
        const atemi_vec3 moment = moment_about_center(&b, q);
        const atemi_vec3 root = atemi_link_pose(b.data, 0).position;
        const atemi_vec3 arm = atemi_vec3_sub(root, atemi_center_of_mass(b.data));
        const atemi_vec3 rest = atemi_vec3_add(moment, atemi_vec3_cross(arm, push[0].linear));
        CHECK_NEAR(atemi_vec3_norm(rest), 0.0, 1e-9 * weight);
        CHECK_EQUAL_INT(support, ATEMI_STANCE_PUSHES);
        CHECK(lowest_push(&b) >= 0.0);
        bench_end(&b);
    }
}

// A pull at the hips that would turn it over takes points that pull: the base has all it needs.
TEST(stance, tells_where_points_would_have_to_pull)
{
    bench         b;
    const double *q = hrp2_begin(&b);
    atemi_force   push[64] = {0};
    add_sole(&b, "right_sole");
    add_sole(&b, "left_sole");
    push[0].linear.x = 500.0;
    CHECK_EQUAL_INT(
        atemi_stance_dynamics(b.data, q, NULL, NULL, push, b.points, b.count, b.tau, b.forces),
        ATEMI_STANCE_PULLS);
    CHECK_NEAR(base_residual(&b), 0.0, 1e-7);
    CHECK(lowest_push(&b) < 0.0);
    bench_end(&b);
}

// More points than any sole has: the same sum, and as even.
TEST(stance, takes_any_number_of_points)
{
    enum { MANY = 1000 };
    bench                      b;
    const double              *q = hrp2_begin(&b);
    static atemi_contact_point points[MANY];
    static atemi_vec3          forces[MANY];
    add_sole(&b, "right_sole");
    add_sole(&b, "left_sole");
    for (int i = 0; i < MANY; ++i) {
        points[i] = b.points[i % b.count];
    }
    CHECK_EQUAL_INT(
        atemi_stance_dynamics(b.data, q, NULL, NULL, NULL, b.points, b.count, b.tau, b.forces),
        ATEMI_STANCE_PUSHES);
    CHECK_EQUAL_INT(atemi_stance_dynamics(b.data, q, NULL, NULL, NULL, points, MANY, b.tau, forces),
                    ATEMI_STANCE_PUSHES);
    const double weight = 9.81 * atemi_model_mass(b.model);
    CHECK_NEAR(base_residual(&b), 0.0, 1e-9 * weight);
    for (int i = 0; i < MANY; ++i) { // 125 times each of the eight
        CHECK_NEAR(MANY / b.count * forces[i].z, b.forces[i % b.count].z, 1e-9 * weight);
    }
    bench_end(&b);
}
