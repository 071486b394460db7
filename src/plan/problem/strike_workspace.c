// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_workspace.h"

#include "plan/motion/strike_self.h"

static void take(strike_workspace *w, const strike_setup *s, const strike_grid *grid,
                 atemi_arena *arena)
{
    const int n = s->v_count, q_count = atemi_model_q_count(s->model);
    w->ik = atemi_inverse_kinematics_scratch_take(arena, s->model, ATEMI_STRIKE_MAX_FEET);
    w->velocities = strike_velocity_workspace_take(arena, s);
    w->trajectory = strike_trajectory_workspace_take(arena, s->model);
    w->feet = strike_feet_take(arena, s);
    w->base = atemi_virtual_base_take(arena, s->model);
    w->blow = atemi_blow_scratch_take(arena, s->model);
    w->kinematics = atemi_kinematics_take(arena, s->model);
    w->q = atemi_arena_array(arena, double, q_count);
    w->v = atemi_arena_array(arena, double, n);
    w->a = atemi_arena_array(arena, double, n);
    w->last_v = atemi_arena_array(arena, double, n);
    w->last_a = atemi_arena_array(arena, double, n);
    w->doubt_q = atemi_arena_array(arena, double, q_count);
    w->doubt_v = atemi_arena_array(arena, double, n);
    w->held = atemi_arena_array(arena, double, n);
    w->stiffness = atemi_arena_array(arena, double, n);
    w->damping = atemi_arena_array(arena, double, n);
    w->speeds = atemi_arena_array(arena, strike_extremes, grid->knots * n);
    w->gaps = atemi_arena_array(arena, double, strike_self_count(s, grid));
    w->distances = atemi_arena_array(arena, double, s->balls.count * grid->knots);
}

atemi_status strike_workspace_create(const strike_setup *s, const strike_grid *grid,
                                     strike_meter *meter, strike_workspace *w, atemi_error *error)
{
    *w = (strike_workspace){.meter = meter};
    atemi_arena arena = atemi_arena_measuring();
    take(w, s, grid, &arena);
    const atemi_status status = atemi_arena_create(&w->arena, arena.used, error);
    if (!status) {
        take(w, s, grid, &w->arena);
    }
    return status;
}

void strike_workspace_destroy(strike_workspace *w)
{
    atemi_arena_destroy(&w->arena);
}
