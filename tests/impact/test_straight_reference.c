// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"

#include "atemi/model.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"

#include <math.h>

enum { MOST = 64 };

static const double speed = 1.2, duration = 0.02; // m/s, s

// A robot on both feet that hits with its right fist.
typedef struct bench {
    atemi_model             *model;
    atemi_data              *data;
    atemi_arena              arena;
    atemi_straight_reference reference;
    atemi_striking_point     point;
    int                      feet[2];
    atemi_ground             ground;
    const double            *q;
} bench;

static void bench_begin(bench *b)
{
    *b = (bench){.arena = atemi_arena_measuring()};
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &b->model, NULL), ATEMI_OK);
    b->data = data_create(b->model);
    atemi_straight_reference_take(&b->arena, b->model, duration);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    b->reference = atemi_straight_reference_take(&b->arena, b->model, duration);
    b->point = (atemi_striking_point){.link = atemi_model_find_link(b->model, "right_fist"),
                                      .direction = {1.0, 0.0, 0.0}};
    b->feet[0] = atemi_model_find_link(b->model, "right_sole");
    b->feet[1] = atemi_model_find_link(b->model, "left_sole");
    b->ground = atemi_ground_default();
    b->ground.links = b->feet;
    b->ground.count = 2;
    b->q = atemi_model_posture(b->model, atemi_model_find_posture(b->model, "half_sitting"));
}

static void bench_end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_data_destroy(b->data);
    atemi_model_destroy(b->model);
}

static void find(bench *b)
{
    CHECK_STATUS(
        atemi_straight_reference_find(&b->reference, b->q, speed, &b->ground, &b->point, NULL),
        ATEMI_OK);
}

static atemi_vec3 place(bench *b, const double *q, int link)
{
    atemi_update_kinematics(b->data, q, NULL, NULL);
    return atemi_link_pose(b->data, link).position;
}

// The trapezoidal rule with steps of 1 ms is off by about (v / r) h^2 t, 1e-8 m for a fist at 1.2
// m/s on an arm of 0.5 m; three repetitions leave less than that.
TEST(straight_reference, keeps_the_speed_of_the_hand_and_the_feet_where_they_are)
{
    bench  b;
    double q[MOST], v[MOST], a[MOST];
    bench_begin(&b);
    find(&b);
    const double     begin = place(&b, b.q, b.point.link).x;
    const atemi_vec3 foot = place(&b, b.q, b.feet[1]);
    for (double t = 0.0; t <= duration; t += 0.7e-3) {
        atemi_straight_reference_at(&b.reference, t, q, v, a);
        CHECK_NEAR(place(&b, q, b.point.link).x - begin, speed * t, 2e-7);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(place(&b, q, b.feet[1]), foot)), 0.0, 2e-7);
        atemi_update_kinematics(b.data, q, v, NULL);
        CHECK_NEAR(atemi_striking_point_speed(b.data, &b.point, 0), speed, 1e-5);
    }
    bench_end(&b);
}

// Between two nodes; the difference over 0.1 ms is exact for accelerations that are constant.
TEST(straight_reference, has_the_velocities_and_accelerations_of_its_configurations)
{
    const double t = 7.5e-3, h = 1e-4;
    bench        b;
    double       q[3][MOST], v[3][MOST], a[MOST], mean[MOST];
    bench_begin(&b);
    find(&b);
    for (int k = 0; k < 3; ++k) {
        atemi_straight_reference_at(&b.reference, t + (k - 1) * h, q[k], v[k], a);
    }
    atemi_configuration_difference(b.model, q[0], q[2], mean);
    for (int i = 0; i < atemi_model_v_count(b.model); ++i) {
        CHECK_NEAR(mean[i] / (2.0 * h), v[1][i], 1e-6);
        CHECK_NEAR((v[2][i] - v[0][i]) / (2.0 * h), a[i], 1e-9);
    }
    bench_end(&b);
}

// A hand that keeps its velocity does not accelerate, and feet that stay do not. Differences over
// 0.2 ms are exact to about (v / r)^3 h^2 = 1e-7 m/s^2.
TEST(straight_reference, starts_with_accelerations_that_change_neither_hand_nor_feet)
{
    bench  b;
    double q[MOST], v[MOST], a[MOST], start[MOST];
    bench_begin(&b);
    find(&b);
    atemi_straight_reference_at(&b.reference, 0.0, q, v, a);
    CHECK_STATUS(atemi_straight_reference_start(&b.reference, b.q, v, speed, &b.ground, &b.point,
                                                start, NULL),
                 ATEMI_OK);
    atemi_update_kinematics(b.data, b.q, v, start);
    CHECK_NEAR(atemi_striking_point_acceleration(b.data, &b.point), 0.0, 1e-5);
    for (int k = 0; k < 2; ++k) {
        CHECK_NEAR(atemi_vec3_norm(atemi_link_acceleration(b.data, b.feet[k]).linear), 0.0, 1e-5);
    }
    bench_end(&b);
}

TEST(straight_reference, reports_a_hand_without_freedom)
{
    bench       b;
    atemi_error error;
    bench_begin(&b);
    b.point.link = b.feet[0];
    CHECK_STATUS(
        atemi_straight_reference_find(&b.reference, b.q, speed, &b.ground, &b.point, &error),
        ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "cannot move along the direction");
    bench_end(&b);
}
