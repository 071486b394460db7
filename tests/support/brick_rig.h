// SPDX-License-Identifier: Apache-2.0

/// @file
/// A brick over the floor, on its four lower corners, for tests of a simulation's parts.

#pragma once

#include "bodies.h"
#include "check.h"
#include "simulate/simulation.h"
#include "trial.h"

static const double brick_step = 1e-3;   // s
static const double brick_height = 0.05; // m, of its centre where it stands

static inline void brick_give_pull(void *context, double time, atemi_force *forces)
{
    (void)time;
    forces[0].linear = atemi_vec3_add(forces[0].linear, *(const atemi_vec3 *)context);
}

/// Starts with its lower side `gap` above the floor and the velocities v [6], in its own axes.
/// @param pull at its centre, or NULL
static inline void brick_begin_with(trial *t, double friction, double gap, const double *v,
                                    atemi_vec3 *pull)
{
    atemi_simulation_point corners[4];
    const double           q[7] = {0, 0, brick_height + gap, 0, 0, 0, 1};
    rough_bottom(brick_size, friction, corners);
    const trial_setting setting = {
        .model = brick_model(),
        .surface = atemi_surface_floor(),
        .points = corners,
        .count = 4,
        .step = brick_step,
        .hooks = {.external_forces = pull ? brick_give_pull : NULL, .context = pull}};
    trial_begin(t, &setting);
    trial_start(t, q, v);
}

static inline void brick_begin(trial *t, double friction, double gap, const double *v)
{
    brick_begin_with(t, friction, gap, v, NULL);
}

/// Starts standing, and then pulls: evaluated with the modes of standing.
/// @param pull kept
static inline void brick_begin_pulled(trial *t, double friction, atemi_vec3 *pull)
{
    const double     v[6] = {0};
    const atemi_vec3 force = *pull;
    *pull = (atemi_vec3){0.0, 0.0, 0.0};
    brick_begin_with(t, friction, 0.0, v, pull);
    *pull = force;
    atemi_simulation *s = t->simulation;
    CHECK_STATUS(atemi_evaluate_state(&s->step.evaluation, &s->set, &s->state), ATEMI_OK);
}
