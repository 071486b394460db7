// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_trajectory_derivatives.h"

#include "atemi/model.h"
#include "check.h"
#include "strike_trial.h"

#include <math.h>
#include <string.h>

// Central differences: their error is of order h^2 and of rounding over h.
static const double h = 1e-5;

typedef struct bench {
    strike_trial                            trial, other; ///< where it is, and near by
    strike_directions                       directions;
    strike_trajectory_derivatives_workspace work;
    strike_components                       components;
    strike_trajectory                       derivatives[2];
    double                                 *dq, *dv;
    double                                 *from, *change; ///< [v_count]
    atemi_arena                             arena;
} bench;

static void take(bench *b, atemi_arena *arena)
{
    const strike_setup *setup = &b->trial.problem.setup;
    const int           size = setup->v_count * b->directions.stride;
    b->work = strike_trajectory_derivatives_workspace_take(arena, setup, &b->directions);
    b->dq = atemi_arena_array(arena, double, size);
    b->dv = atemi_arena_array(arena, double, size);
    b->components.hand = atemi_arena_array(arena, double, size);
    b->components.body = atemi_arena_array(arena, double, size);
    for (int i = 0; i < 2; ++i) {
        b->derivatives[i] = strike_trajectory_derivatives_take(
            arena, setup, &b->directions, &strike_fine_grid, b->dq, b->dv, b->components);
    }
    b->from = atemi_arena_array(arena, double, setup->v_count);
    b->change = atemi_arena_array(arena, double, setup->v_count);
}

// With everything of the strike varied.
static void begin(bench *b)
{
    atemi_arena measuring = atemi_arena_measuring();
    memset(b, 0, sizeof *b);
    trial_open(&b->trial);
    trial_evaluate(&b->trial);
    trial_open(&b->other);
    trial_evaluate(&b->other);
    b->directions = strike_directions_of(&b->trial.problem.variables);
    take(b, &measuring);
    CHECK_STATUS(atemi_arena_create(&b->arena, measuring.used, NULL), ATEMI_OK);
    take(b, &b->arena);
    strike_trial       *t = &b->trial;
    const strike_setup *setup = &t->problem.setup;
    strike_evaluation  *at = &t->result.at;
    strike_posture_vary(setup, &t->problem.variables, &b->directions, &at->values, at->q,
                        &at->kinematics, t->work.ik, &b->work, b->dq);
    strike_components_find(setup, &at->values, at->q, &t->work.velocities, &at->components);
    strike_components_vary(setup, &b->directions, at->q, &at->components, &t->work.velocities,
                           b->dq, &b->work.components, &b->components);
    for (int i = 0; i < setup->v_count * b->directions.stride; ++i) {
        b->dv[i] = b->components.hand[i] + b->components.body[i];
    }
    strike_trajectories_vary(setup, &b->directions, &at->values, &t->work.velocities,
                             &t->work.trajectory, &b->work, at->trajectories, b->derivatives);
}

static void end(bench *b)
{
    atemi_arena_destroy(&b->arena);
    trial_close(&b->other);
    trial_close(&b->trial);
}

static void move_other(bench *b, int variable, double by)
{
    memcpy(b->other.x, b->trial.x, sizeof b->other.x);
    b->other.x[variable] += by;
    trial_look(&b->other);
}

static const strike_knot *knot_of(const strike_trial *t, int phase, int k)
{
    return &t->result.at.trajectories[phase].knots[k];
}

// From here to there in the tangent space, less what it is the other way, over 2 h.
static void find_change(bench *b, int variable, int phase, int k)
{
    const atemi_model *model = b->trial.problem.setup.model;
    const double      *q = knot_of(&b->trial, phase, k)->q;
    move_other(b, variable, -h);
    atemi_configuration_difference(model, q, knot_of(&b->other, phase, k)->q, b->from);
    move_other(b, variable, h);
    atemi_configuration_difference(model, q, knot_of(&b->other, phase, k)->q, b->change);
    for (int i = 0; i < b->trial.problem.setup.v_count; ++i) {
        b->change[i] = (b->change[i] - b->from[i]) / (2.0 * h);
    }
}

static void check_posture(bench *b, int variable, int phase, int k)
{
    find_change(b, variable, phase, k);
    for (int i = 0; i < b->trial.problem.setup.v_count; ++i) {
        const double found = b->derivatives[phase].knots[k].q[i * b->directions.stride + variable];
        CHECK_NEAR(found, b->change[i], 1e-6 * (1.0 + fabs(b->change[i])));
    }
}

static void check_velocities(bench *b, int variable, int phase, int k)
{
    const int n = b->trial.problem.setup.v_count;
    move_other(b, variable, -h);
    memcpy(b->from, knot_of(&b->other, phase, k)->v, (size_t)n * sizeof *b->from);
    move_other(b, variable, h);
    for (int i = 0; i < n; ++i) {
        const double slope = (knot_of(&b->other, phase, k)->v[i] - b->from[i]) / (2.0 * h);
        const double found = b->derivatives[phase].knots[k].v[i * b->directions.stride + variable];
        CHECK_NEAR(found, slope, 1e-6 * (1.0 + fabs(slope)));
    }
}

TEST(strike_trajectory_derivatives, of_postures_are_those_of_differences)
{
    bench b;
    begin(&b);
    for (int variable = 0; variable < b.directions.count; ++variable) {
        for (int k = 0; k <= strike_fine_grid.knots; k += 3) {
            check_posture(&b, variable, 0, k);
            check_posture(&b, variable, 1, k);
        }
    }
    end(&b);
}

TEST(strike_trajectory_derivatives, of_velocities_are_those_of_differences)
{
    bench b;
    begin(&b);
    for (int variable = 0; variable < b.directions.count; ++variable) {
        for (int k = 0; k <= strike_fine_grid.knots; k += 3) {
            check_velocities(&b, variable, 0, k);
            check_velocities(&b, variable, 1, k);
        }
    }
    end(&b);
}
