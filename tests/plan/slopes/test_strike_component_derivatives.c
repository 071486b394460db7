// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_component_derivatives.h"

#include "atemi/model.h"
#include "check.h"
#include "math/random.h"
#include "strike_trial.h"

#include <math.h>
#include <string.h>

// Central differences with two steps, extrapolated: their error is of order h^4, and of rounding.
static const double h = 2e-5;

typedef struct bench {
    strike_trial               trial;
    strike_directions          directions;
    strike_component_workspace work;
    strike_velocity_workspace  velocities;
    strike_components          here, there, varied;
    double                    *dq, *step, *q;
    atemi_arena                arena;
} bench;

static void take(bench *b, atemi_arena *arena)
{
    const strike_setup *setup = &b->trial.problem.setup;
    const size_t        size = (size_t)setup->v_count * (size_t)b->directions.stride;
    b->work = strike_component_workspace_take(arena, setup, &b->directions);
    b->velocities = strike_velocity_workspace_take(arena, setup);
    b->here = strike_components_take(arena, setup->model);
    b->there = strike_components_take(arena, setup->model);
    b->varied.hand = atemi_arena_array(arena, double, size);
    b->varied.body = atemi_arena_array(arena, double, size);
    b->dq = atemi_arena_array(arena, double, size);
    b->step = atemi_arena_array(arena, double, setup->v_count);
    b->q = atemi_arena_array(arena, double, atemi_model_q_count(setup->model));
}

static void begin(bench *b, double angular_speed)
{
    atemi_arena measuring = atemi_arena_measuring();
    uint64_t    seed = 5;
    memset(b, 0, sizeof *b);
    trial_open(&b->trial);
    b->trial.rig.task->angular_speed = angular_speed;
    trial_evaluate(&b->trial);
    b->directions = strike_directions_of(&b->trial.problem.variables);
    take(b, &measuring);
    CHECK_STATUS(atemi_arena_create(&b->arena, measuring.used, NULL), ATEMI_OK);
    take(b, &b->arena);
    for (int i = 0; i < b->trial.problem.setup.v_count; ++i) {
        const double size = b->trial.problem.setup.locked[i] ? 0.0 : 1.0;
        for (int c = 0; c < b->directions.count; ++c) {
            b->dq[i * b->directions.stride + c] = size * (2.0 * random_unit_next(&seed) - 1.0);
        }
    }
}

static void end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    trial_close(&b->trial);
}

// The components at `by` along a direction.
static void look(bench *b, const double *q, int direction, double by)
{
    const strike_setup *setup = &b->trial.problem.setup;
    double              x[VARIABLES];
    memcpy(x, b->trial.x, sizeof x);
    x[direction] += by;
    const strike_values values = strike_variables_at(&b->trial.problem.variables, x);
    for (int i = 0; i < setup->v_count; ++i) {
        b->step[i] = b->dq[i * b->directions.stride + direction];
    }
    atemi_configuration_integrate(setup->model, q, b->step, by, b->q);
    strike_components_find(setup, &values, b->q, &b->velocities, &b->there);
}

static double slope_of(bench *b, const double *q, int direction, bool hand, int i, double by)
{
    const double *w = hand ? b->there.hand : b->there.body;
    look(b, q, direction, by);
    const double more = w[i];
    look(b, q, direction, -by);
    return (more - w[i]) / (2.0 * by);
}

// Directions change the posture at random, but for joints that never move, and each its own
// variable, of which those of the motion count.
static void check_differences(double angular_speed)
{
    bench b;
    begin(&b, angular_speed);
    const strike_setup *setup = &b.trial.problem.setup;
    const double       *q = b.trial.result.at.q;
    strike_components_find(setup, &b.trial.result.at.values, q, &b.velocities, &b.here);
    strike_components_vary(setup, &b.directions, q, &b.here, &b.velocities, b.dq, &b.work,
                           &b.varied);
    for (int c = 0; c < b.directions.count; ++c) {
        for (int i = 0; i < setup->v_count; i += 3) {
            const size_t at = (size_t)(i * b.directions.stride + c);
            for (int hand = 0; hand < 2; ++hand) {
                const double rough = slope_of(&b, q, c, hand, i, 2.0 * h);
                const double fine = slope_of(&b, q, c, hand, i, h);
                const double slope = (4.0 * fine - rough) / 3.0;
                const double found = hand ? b.varied.hand[at] : b.varied.body[at];
                CHECK_NEAR(found, slope, 1e-7 * (1.0 + fabs(slope)));
            }
        }
    }
    end(&b);
}

TEST(strike_component_derivatives, are_those_of_differences)
{
    check_differences(0.1);
}

TEST(strike_component_derivatives, are_those_of_differences_where_the_hand_may_rotate)
{
    check_differences(INFINITY);
}
