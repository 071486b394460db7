// SPDX-License-Identifier: Apache-2.0

#include "impact/servo_rotors.h"

#include "check.h"
#include "dynamics/data_parts.h"
#include "light_wrist.h"

#include <math.h>

enum { MOST = 4 };

typedef struct bench {
    atemi_model       *model;
    atemi_arena        arena;
    atemi_virtual_base base;
    atemi_blow_scratch scratch;
    double             stiffness[MOST], damping[MOST], rotors[MOST];
} bench;

static void take(bench *b)
{
    b->base = atemi_virtual_base_take(&b->arena, b->model);
    b->scratch = atemi_blow_scratch_take(&b->arena, b->model);
}

static void bench_begin(bench *b)
{
    *b = (bench){.model = light_wrist(),
                 .arena = atemi_arena_measuring(),
                 .stiffness = {8000.0, 8000.0},
                 .damping = {400.0, 400.0}};
    take(b);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    take(b);
}

static void bench_end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static bool find_rotors(bench *b, double lag)
{
    const double           q[MOST] = {0};
    double                 work[MOST];
    const atemi_blow_servo servo = {.stiffness = b->stiffness, .damping = b->damping};
    atemi_update_kinematics(b->base.data, q, NULL, NULL);
    atemi_update_factor(b->base.data, NULL);
    return atemi_servo_rotors(b->model, &servo, lag, &b->base.data->factor, work, b->rotors);
}

static void update(bench *b)
{
    const double               q[MOST] = {0};
    const atemi_striking_point point = light_wrist_point();
    atemi_ground               ground = atemi_ground_default();
    ground.rotors = b->rotors;
    CHECK_STATUS(atemi_virtual_base_update(b->model, q, &ground, &point, &b->base, NULL), ATEMI_OK);
}

TEST(servo_rotors, make_a_light_joint_as_slow_as_asked_for)
{
    bench b;
    bench_begin(&b);
    CHECK(find_rotors(&b, 4e-5));
    update(&b);
    const double mobility = b.base.mobility[LIGHT_WRIST * b.base.stride + LIGHT_WRIST];
    CHECK_NEAR(1.0 / (mobility * b.damping[LIGHT_WRIST]), 4e-5, 1e-12);
    CHECK_NEAR(b.rotors[LIGHT_RAIL], 0.0, 0.0);
    bench_end(&b);
}

TEST(servo_rotors, slow_down_springs_without_dampers)
{
    bench b;
    bench_begin(&b);
    b.damping[LIGHT_WRIST] = 0.0;
    b.stiffness[LIGHT_WRIST] = 1e7;
    CHECK(find_rotors(&b, 4e-5));
    update(&b);
    const double mobility = b.base.mobility[LIGHT_WRIST * b.base.stride + LIGHT_WRIST];
    CHECK_NEAR(1.0 / sqrt(mobility * b.stiffness[LIGHT_WRIST]), 4e-5, 1e-12);
    bench_end(&b);
}

TEST(servo_rotors, are_not_needed_by_slower_servos)
{
    bench b;
    bench_begin(&b);
    b.damping[LIGHT_WRIST] = 1.0;
    b.stiffness[LIGHT_WRIST] = 20.0;
    CHECK(!find_rotors(&b, 4e-5));
    CHECK(!find_rotors(&b, 0.0));
    CHECK_NEAR(b.rotors[LIGHT_WRIST], 0.0, 0.0);
    bench_end(&b);
}

static double impulse_with(bench *b, double lag, atemi_blow_method method)
{
    const double       rates[MOST] = {1.0, 0.0};
    atemi_blow_setting setting = atemi_blow_setting_default();
    atemi_blow_options options = atemi_blow_options_default();
    atemi_blow_result  result;
    find_rotors(b, lag);
    update(b);
    setting.rates = rates;
    setting.servo = (atemi_blow_servo){.stiffness = b->stiffness, .damping = b->damping};
    options.duration = 0.02;
    options.method = method;
    CHECK_STATUS(atemi_blow(&b->base, &setting, &options, NULL, &b->scratch, &result, NULL),
                 ATEMI_OK);
    return result.impulse;
}

// The exact way needs none: it is the oracle.
TEST(servo_rotors, leave_the_blow_as_it_is)
{
    bench b;
    bench_begin(&b);
    const double exact = impulse_with(&b, 0.0, ATEMI_BLOW_EXACT);
    double       before = INFINITY;
    for (double lag = 1.6e-4; lag > 2e-5; lag *= 0.5) {
        const double error = fabs(impulse_with(&b, lag, ATEMI_BLOW_EXACT) - exact);
        CHECK(error < 0.6 * before);
        CHECK(error < 1e-4 * exact);
        before = error;
    }
    bench_end(&b);
}

// Steps of 1e-4 s would be stable to 36 us; the wrist takes 0.25 us.
TEST(servo_rotors, are_not_needed_by_rk4_either)
{
    bench b;
    bench_begin(&b);
    const double exact = impulse_with(&b, 0.0, ATEMI_BLOW_EXACT);
    CHECK_NEAR(impulse_with(&b, 0.0, ATEMI_BLOW_RK4), exact, 1e-6 * exact);
    CHECK_NEAR(impulse_with(&b, 4e-5, ATEMI_BLOW_RK4), exact, 1e-4 * exact);
    bench_end(&b);
}
