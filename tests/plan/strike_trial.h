// SPDX-License-Identifier: Apache-2.0

/// @file
/// The problem of scenarios/strike.yaml at a posture that stands, with the hand at 1.2 m/s and some
/// momentum in all directions.

#pragma once

#include "plan/strike_problem.h"
#include "strike_rig.h"

typedef struct strike_trial {
    strike_rig     rig;
    strike_problem problem;
    double         x[VARIABLES];
} strike_trial;

/// With the task of the scenario, which may be changed then.
static inline void trial_open(strike_trial *t)
{
    static const double momenta[] = {1.5, 0.5, -0.8, 0.01, 0.02};
    rig_open(&t->rig);
    rig_posture(1.2, t->x);
    memcpy(t->x + AT_SPEED + 1, momenta, sizeof momenta);
}

/// Evaluates it.
static inline void trial_evaluate(strike_trial *t)
{
    CHECK_STATUS(strike_problem_create(t->rig.task, &strike_fine_grid, &t->problem, NULL),
                 ATEMI_OK);
    strike_problem_evaluate(&t->problem, t->x);
}

static inline void trial_close(strike_trial *t)
{
    strike_problem_destroy(&t->problem);
    rig_close(&t->rig);
}

/// The value of a constraint.
static inline double trial_constraint(const strike_problem *p, const char *name)
{
    for (int i = 0; i < p->constraint_count; ++i) {
        if (strcmp(p->constraints[i].about.name, name) == 0) {
            return p->found[i];
        }
    }
    check_fail(CHECK_PLACE("trial_constraint"), "there is no constraint '%s'", name);
}
