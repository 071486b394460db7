// SPDX-License-Identifier: Apache-2.0

#include "simulate/joint_modes.h"

#include "simulate/touching.h"

#include <math.h>
#include <string.h>

// With F the dry friction of a joint and f the force of its row, the modes are
//
//   moves                  -F sign(v) acts
//   held by friction       v = 0,   -F <= f <= F
//   held at its lower stop v = 0,   -F <= f
//   held at its upper stop v = 0,         f <= F

// ---- Creation -------------------------------------------------------------------------------

atemi_joint_modes atemi_joint_modes_take(atemi_arena *arena, const atemi_model *model)
{
    const int n = atemi_model_v_count(model);
    return (atemi_joint_modes){.rates = atemi_arena_array(arena, int, n),
                               .states = atemi_arena_array(arena, atemi_joint_mode, n),
                               .kept = atemi_arena_array(arena, atemi_joint_mode, n),
                               .flight = atemi_arena_array(arena, atemi_joint_mode, n),
                               .q = atemi_arena_array(arena, double, n),
                               .v = atemi_arena_array(arena, double, n),
                               .holds = atemi_arena_array(arena, atemi_joint_hold, n),
                               .holders = atemi_arena_array(arena, int, n)};
}

void atemi_joint_modes_fill(atemi_joint_modes *modes, const atemi_joint_bounds *bounds)
{
    modes->bounds = bounds;
    modes->count = 0;
    for (int i = 0; i < bounds->count; ++i) {
        if (bounds->coordinates[i] != ATEMI_NONE || bounds->coulomb[i] > 0.0) {
            modes->rates[modes->count++] = i;
        }
    }
}

void atemi_joint_modes_open(atemi_joint_modes *modes)
{
    modes->hold_count = 0;
    for (int k = 0; k < modes->count; ++k) {
        modes->states[k] = (atemi_joint_mode){.bounced = -(double)INFINITY};
    }
}

void atemi_joint_modes_observe(atemi_joint_modes *modes, const double *q, const double *v)
{
    for (int k = 0; k < modes->count; ++k) {
        const int at = modes->bounds->coordinates[modes->rates[k]];
        modes->q[k] = at == ATEMI_NONE ? 0.0 : q[at];
        modes->v[k] = v[modes->rates[k]];
    }
}

void atemi_joint_modes_observe_velocities(atemi_joint_modes *modes, const double *v)
{
    for (int k = 0; k < modes->count; ++k) {
        modes->v[k] = v[modes->rates[k]];
    }
}

// ---- One joint ------------------------------------------------------------------------------

double atemi_joint_gap(const atemi_joint_modes *modes, int joint, int side)
{
    const int i = modes->rates[joint];
    return side > 0 ? modes->q[joint] - modes->bounds->lower[i]
                    : modes->bounds->upper[i] - modes->q[joint];
}

bool atemi_joint_touches(const atemi_joint_modes *modes, int joint, int side)
{
    return atemi_joint_gap(modes, joint, side) < atemi_touching;
}

double atemi_joint_friction_of(const atemi_joint_modes *modes, int joint)
{
    return modes->bounds->coulomb[modes->rates[joint]];
}

atemi_interval atemi_joint_interval(bool at_lower, bool at_upper, double most)
{
    return (atemi_interval){at_upper ? -(double)INFINITY : -most,
                            at_lower ? (double)INFINITY : most};
}

static atemi_interval interval_of(const atemi_joint_modes *modes, int joint)
{
    const atemi_joint_mode *state = &modes->states[joint];
    return atemi_joint_interval(state->at_lower, state->at_upper,
                                atemi_joint_friction_of(modes, joint));
}

double atemi_joint_hold_margin(const atemi_joint_modes *modes, int joint)
{
    const atemi_interval may = interval_of(modes, joint);
    const double         f = modes->states[joint].force;
    return fmin(f - may.lower, may.upper - f);
}

void atemi_joint_hold_at(atemi_joint_modes *modes, int joint, bool lower, bool upper)
{
    atemi_joint_mode *state = &modes->states[joint];
    state->held = true;
    state->leaving = false;
    state->direction = 0;
    state->at_lower = lower;
    state->at_upper = upper;
    state->anchor = modes->q[joint];
}

void atemi_joint_hold_on(atemi_joint_modes *modes, int joint)
{
    atemi_joint_hold_at(modes, joint, atemi_joint_touches(modes, joint, 1),
                        atemi_joint_touches(modes, joint, -1));
}

void atemi_joint_let_go(atemi_joint_modes *modes, int joint, int direction)
{
    atemi_joint_mode *state = &modes->states[joint];
    state->leaving = atemi_joint_touches(modes, joint, 1) || atemi_joint_touches(modes, joint, -1);
    state->held = state->at_lower = state->at_upper = false;
    state->direction = atemi_joint_friction_of(modes, joint) > 0.0 ? direction : 0;
    state->force = 0.0;
}

void atemi_joint_give_way(atemi_joint_modes *modes, int joint)
{
    const bool pulls = modes->states[joint].force < interval_of(modes, joint).lower;
    atemi_joint_let_go(modes, joint, pulls ? 1 : -1);
}

// ---- All of them ----------------------------------------------------------------------------

void atemi_joint_modes_rub(const atemi_joint_modes *modes, double *tau)
{
    for (int k = 0; k < modes->count; ++k) {
        if (!modes->states[k].held) {
            tau[modes->rates[k]] -= modes->states[k].direction * atemi_joint_friction_of(modes, k);
        }
    }
}

void atemi_joint_modes_list(atemi_joint_modes *modes, bool used)
{
    modes->hold_count = 0;
    for (int k = 0; k < modes->count; ++k) {
        if (modes->states[k].held) {
            modes->holders[modes->hold_count] = k;
            modes->holds[modes->hold_count++] = (atemi_joint_hold){
                .rate = modes->rates[k], .preferred = used ? modes->states[k].preferred : 0.0};
        }
    }
}

void atemi_joint_modes_take_forces(atemi_joint_modes *modes)
{
    for (int i = 0; i < modes->hold_count; ++i) {
        modes->states[modes->holders[i]].force = modes->holds[i].force;
    }
}

void atemi_joint_modes_follow(atemi_joint_modes *modes)
{
    for (int k = 0; k < modes->count; ++k) {
        modes->states[k].leaving = modes->states[k].leaving && (atemi_joint_touches(modes, k, 1) ||
                                                                atemi_joint_touches(modes, k, -1));
    }
}

void atemi_joint_modes_split(const atemi_joint_modes *modes, double *stops, double *friction)
{
    const size_t size = (size_t)modes->bounds->count * sizeof *stops;
    memset(stops, 0, size);
    memset(friction, 0, size);
    for (int k = 0; k < modes->count; ++k) {
        const atemi_joint_mode *state = &modes->states[k];
        const int               i = modes->rates[k];
        const double            f = state->force;
        const bool pushes = (state->at_lower && f > 0.0) || (state->at_upper && f < 0.0);
        stops[i] = state->held && pushes ? f : 0.0;
        friction[i] =
            state->held ? f - stops[i] : -state->direction * atemi_joint_friction_of(modes, k);
    }
}
