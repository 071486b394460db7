// SPDX-License-Identifier: Apache-2.0

/// @file
/// The problem of scenarios/strike.yaml at a posture that stands, with the hand at 1.2 m/s and some
/// momentum in all directions.

#pragma once

#include "plan/problem/strike_problem.h"
#include "strike_rig.h"

typedef struct strike_trial {
    strike_rig       rig;
    strike_meter     meter;
    strike_problem   problem;
    strike_workspace work;
    strike_result    result;
    atemi_arena      arena; ///< of the result
    double           x[VARIABLES];
} strike_trial;

/// With the task of the scenario, which may be changed then.
static inline void trial_open(strike_trial *t)
{
    static const double momenta[] = {1.5, 0.5, -0.8, 0.01, 0.02};
    *t = (strike_trial){0};
    rig_open(&t->rig);
    rig_posture(1.2, t->x);
    memcpy(t->x + AT_SPEED + 1, momenta, sizeof momenta);
}

/// Makes its problem, on a grid.
static inline void trial_create(strike_trial *t, const strike_grid *grid)
{
    atemi_arena measuring = atemi_arena_measuring();
    CHECK_STATUS(strike_problem_create(t->rig.task, grid, &t->meter, &t->problem, NULL), ATEMI_OK);
    CHECK_STATUS(strike_workspace_create(&t->problem.setup, grid, &t->meter, &t->work, NULL),
                 ATEMI_OK);
    strike_result_take(&t->result, &measuring, &t->problem);
    CHECK_STATUS(atemi_arena_create(&t->arena, measuring.used, NULL), ATEMI_OK);
    strike_result_take(&t->result, &t->arena, &t->problem);
}

/// Evaluates it where it is.
static inline void trial_look(strike_trial *t)
{
    strike_problem_evaluate(&t->problem, t->x, &t->work, &t->result);
}

/// Both.
static inline void trial_evaluate(strike_trial *t)
{
    trial_create(t, &strike_fine_grid);
    trial_look(t);
}

/// Without its task.
static inline void trial_destroy(strike_trial *t)
{
    atemi_arena_destroy(&t->arena);
    strike_workspace_destroy(&t->work);
    strike_problem_destroy(&t->problem);
}

static inline void trial_close(strike_trial *t)
{
    trial_destroy(t);
    rig_close(&t->rig);
}

/// The value of a constraint.
static inline double trial_constraint(const strike_trial *t, const char *name)
{
    for (int i = 0; i < t->problem.constraints.count; ++i) {
        char text[ATEMI_STRIKE_NAME];
        atemi_strike_constraint_text(t->rig.task, &t->problem.constraints.list[i].about, text);
        if (strcmp(text, name) == 0) {
            return t->result.constraints[i];
        }
    }
    check_fail(CHECK_PLACE("trial_constraint"), "there is no constraint '%s'", name);
}
