// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "random.h"
#include "trial.h"

#include <math.h>

// Balls and points on tables of heights.

enum { COLUMNS = 31, ROWS = 31 };

static const double g = 9.81, pi = 3.14159265358979323846;
static const double spacing = 0.1, middle = 1.5;
static const double m = 0.7, r = 0.2, R = 1.1;

static double heights[ROWS * COLUMNS];

static const atemi_surface ground = {.kind = ATEMI_SURFACE_HEIGHTS,
                                     .position = {-1.5, -1.5, 0.0},
                                     .table = {COLUMNS, ROWS, 0.1, 0.1, heights}};

// z = s^2 / (2 R) at s from the axis: of second degree, and therefore exact. The edge is far away.
static void fill_bowl(void)
{
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < COLUMNS; ++j) {
            const double x = spacing * j - middle, y = spacing * i - middle;
            heights[i * COLUMNS + j] = (x * x + y * y) / (2.0 * R);
        }
    }
}

static void fill_at_random(uint64_t seed, double highest)
{
    random_stream stream = random_seeded(seed);
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
        heights[i] = random_uniform(&stream, 0.0, highest);
    }
}

static void begin(trial *t, double radius, double friction, double step)
{
    const body             ball = body_ball(m, r, 0.4);
    atemi_simulation_point point = rough_point((atemi_vec3){0.0, 0.0, 0.0}, friction);
    point.radius = radius;
    const trial_setting setting = {
        .model = body_model(&ball), .surface = ground, .points = &point, .count = 1, .step = step};
    trial_begin(t, &setting);
}

static void release(trial *t, atemi_vec3 center, atemi_vec3 u)
{
    const double q[7] = {center.x, center.y, center.z, 0, 0, 0, 1};
    const double v[6] = {u.x, u.y, u.z, 0, 0, 0};
    trial_start(t, q, v);
}

// Of a ball that touches the bowl at s from the axis, along x.
static atemi_vec3 center_at(double s, double radius)
{
    const double c = sqrt(1.0 + s * s / (R * R));
    return (atemi_vec3){s - radius * s / R / c, 0.0, s * s / (2.0 * R) + radius / c};
}

TEST(heights, hold_a_ball_at_rest_in_a_valley)
{
    trial t;
    fill_bowl();
    begin(&t, r, 0.5, 1e-3);
    release(&t, center_at(0.0, r), (atemi_vec3){0.0, 0.0, 0.0});
    trial_run(&t, 1.0);
    const double *q = atemi_simulation_q(t.simulation);
    CHECK_NEAR(q[0], 0.0, 1e-13);
    CHECK_NEAR(q[1], 0.0, 1e-13);
    CHECK_NEAR(q[2], r, 1e-13);
    CHECK_NEAR(atemi_simulation_force(t.simulation, 0).z, m * g, 1e-10);
    CHECK_EQUAL_INT(t.count, 0);
    trial_end(&t);
}

// Without friction the ball is a pendulum of the length R - r, with friction of 7/5 of it: after a
// quarter of a period of small swings it is at the bottom. Swings of 1 mm change the period by
// their square: 1e-6 of 1 mm.
TEST(heights, let_a_ball_swing_in_a_valley_as_a_pendulum)
{
    fill_bowl();
    for (int rolls = 0; rolls < 2; ++rolls) {
        trial        t;
        const double length = (rolls ? 1.4 : 1.0) * (R - r);
        begin(&t, r, rolls ? 1.0 : 0.0, 1e-3);
        release(&t, center_at(1e-3, r), (atemi_vec3){0.0, 0.0, 0.0});
        trial_run(&t, 0.5 * pi * sqrt(length / g));
        CHECK_NEAR(atemi_simulation_q(t.simulation)[0], 0.0, 1e-8);
        const double *v = atemi_simulation_v(t.simulation);
        CHECK_NEAR(hypot(v[0], v[2]), 1e-3 * (R - r) / R * sqrt(g / length), 1e-8);
        trial_end(&t);
    }
}

// Swings of 0.6 m, in all directions: the integrator's fourth order leaves about 1e-9 of the
// energy.
TEST(heights, keep_the_energy_of_a_ball_that_swings_or_rolls_in_a_valley)
{
    fill_bowl();
    for (int rolls = 0; rolls < 2; ++rolls) {
        trial t;
        begin(&t, r, rolls ? 5.0 : 0.0, 1e-3);
        release(&t, center_at(0.6, r), (atemi_vec3){0.0, rolls ? 0.0 : 0.8, 0.0});
        const double energy = trial_energy(&t), depth = m * g * (center_at(0.6, r).z - r);
        for (int i = 1; i <= 30; ++i) {
            trial_run(&t, 0.1 * i);
            CHECK_NEAR(trial_energy(&t), energy, 1e-8 * depth);
            CHECK_NEAR(atemi_simulation_gap(t.simulation, 0), 0.0, 1e-11);
        }
        CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_LIFT_OFF), 0);
        trial_end(&t);
    }
}

// Hills of 10 mm and 0.1 m apart, and slow enough never to leave them. The third derivatives jump
// at the borders of cells, where the integrator is of third order only: 1e-6 of the energy.
TEST(heights, keep_the_energy_of_a_ball_and_of_a_point_that_slide_over_hills)
{
    fill_at_random(2, 0.01);
    for (int round = 0; round < 2; ++round) {
        trial        t;
        const double radius = round ? 0.05 : 0.0;
        begin(&t, radius, 0.0, 2.5e-4);
        const atemi_vec3         above = {0.013, 0.021, 0.05};
        const atemi_surface_view view = atemi_surface_look(&ground, above);
        const atemi_vec3         place =
            atemi_vec3_add(above, atemi_vec3_scale(radius - view.gap, view.normal));
        const atemi_vec3 along = atemi_vec3_cross(view.normal, (atemi_vec3){0.28, 0.0, 0.0});
        release(&t, place, along);
        const double energy = trial_energy(&t);
        for (int i = 1; i <= 20; ++i) {
            trial_run(&t, 0.1 * i);
            CHECK_NEAR(trial_energy(&t), energy, 1e-6 * m * 0.28 * 0.28);
        }
        CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_TOUCHDOWN), 0);
        trial_end(&t);
    }
}

// A brick with balls at its corners tumbles on hills of 50 mm, at random: no run may end early, no
// ball be deep inside, no energy come from nowhere.
TEST(heights, carry_tumbling_bodies_with_balls_to_the_end)
{
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        trial                  t;
        random_stream          stream = random_seeded(seed);
        atemi_simulation_point corners[8];
        double                 q[7] = {0.0, 0.0, 0.5, 0.3, 0.5, 0.1, sqrt(0.65)}, v[6];
        fill_at_random(seed, 0.05);
        for (int i = 0; i < 8; ++i) {
            corners[i] = rough_point(box_corner(brick_size, i), random_uniform(&stream, 0.1, 0.8));
            corners[i].radius = 0.02;
        }
        for (int i = 0; i < 6; ++i) {
            v[i] = random_uniform(&stream, -1.0, 1.0);
        }
        const trial_setting setting = {
            .model = brick_model(), .surface = ground, .points = corners, .count = 8, .step = 1e-3};
        trial_begin(&t, &setting);
        trial_start(&t, q, v);
        double energy = trial_energy(&t);
        for (int i = 1; i <= 20; ++i) {
            trial_run(&t, 0.1 * i);
            CHECK(trial_energy(&t) < energy + 1e-5);
            energy = trial_energy(&t);
        }
        CHECK(atemi_simulation_statistics_get(t.simulation).deepest < 1e-8);
        trial_end(&t);
    }
}

TEST(heights, refuse_a_ball_that_is_larger_than_a_valley)
{
    fill_bowl();
    const body             ball = body_ball(m, r, 0.4);
    atemi_simulation_point point = rough_point((atemi_vec3){0.0, 0.0, 0.0}, 0.5);
    atemi_model           *model = body_model(&ball);
    atemi_simulation      *simulation = NULL;
    atemi_error            error;
    point.radius = 1.2;
    CHECK_STATUS(
        atemi_simulation_create(model, &ground, 1, &point, 1, NULL, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "two places at once");
    atemi_model_destroy(model);
}
