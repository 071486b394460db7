// SPDX-License-Identifier: Apache-2.0

/// @file
/// The trial of strike_trial.h with its slopes, and two more of it to difference.

#pragma once

#include "check.h"
#include "math/matrix.h"
#include "plan/slopes/strike_slopes.h"
#include "strike_trial.h"

#include <string.h>

typedef struct slopes_bench {
    strike_trial       trial, ahead, behind;
    strike_derivatives derivatives;
    strike_slopes      slopes;
    atemi_arena        arena;
} slopes_bench;

static inline void bench_take(slopes_bench *b, atemi_arena *arena)
{
    const strike_problem *p = &b->trial.problem;
    b->derivatives = strike_derivatives_take(arena, &p->setup, &p->variables, &strike_fine_grid);
    b->slopes.stride = b->derivatives.directions.stride;
    b->slopes.values = atemi_arena_array(arena, double, p->constraints.count * b->slopes.stride);
    b->slopes.parts =
        atemi_arena_array(arena, double, p->constraints.part_count * b->slopes.stride);
}

/// The three trials, whose tasks may be changed, are evaluated; nothing is differentiated yet.
/// @param change or NULL
static inline void bench_open_with(slopes_bench *b, void (*change)(atemi_strike_task *task))
{
    atemi_arena   measuring = atemi_arena_measuring();
    strike_trial *trials[] = {&b->trial, &b->ahead, &b->behind};
    memset(b, 0, sizeof *b);
    for (int i = 0; i < 3; ++i) {
        trial_open(trials[i]);
        if (change) {
            change(trials[i]->rig.task);
        }
        trial_evaluate(trials[i]);
    }
    bench_take(b, &measuring);
    CHECK_STATUS(atemi_arena_create(&b->arena, measuring.used, NULL), ATEMI_OK);
    bench_take(b, &b->arena);
}

static inline void bench_open(slopes_bench *b)
{
    bench_open_with(b, NULL);
}

static inline void bench_close(slopes_bench *b)
{
    atemi_arena_destroy(&b->arena);
    trial_close(&b->behind);
    trial_close(&b->ahead);
    trial_close(&b->trial);
}

/// Evaluates the two others with a variable h more and less than the trial has.
static inline void bench_difference(slopes_bench *b, int variable, double h)
{
    memcpy(b->ahead.x, b->trial.x, sizeof b->trial.x);
    memcpy(b->behind.x, b->trial.x, sizeof b->trial.x);
    b->ahead.x[variable] += h;
    b->behind.x[variable] -= h;
    trial_look(&b->ahead);
    trial_look(&b->behind);
}
