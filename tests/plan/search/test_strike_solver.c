// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_solver.h"

#include "strike_rig.h"

#include <math.h>

typedef struct trial {
    strike_rig           rig;
    strike_meter         meter;
    strike_problem       problem;
    atemi_strike_options options;
    strike_solver        solver;
} trial;

// At one posture: only the speed is decided.
static void begin(trial *t, double fastest)
{
    *t = (trial){.options = atemi_strike_options_default()};
    rig_open(&t->rig);
    rig_fix_posture(&t->rig, fastest);
    CHECK_STATUS(
        strike_problem_create(t->rig.task, &strike_fine_grid, &t->meter, &t->problem, NULL),
        ATEMI_OK);
    CHECK_STATUS(strike_solver_create(&t->problem, &t->meter, &t->options, &t->solver, NULL),
                 ATEMI_OK);
}

static void end(trial *t)
{
    strike_solver_destroy(&t->solver);
    strike_problem_destroy(&t->problem);
    rig_close(&t->rig);
}

// The peak force of the task is damping times speed, 300 N s/m.
TEST(strike_solver, goes_to_the_bound_of_its_only_variable)
{
    trial        t;
    const double start = 0.1;
    begin(&t, 0.5);
    strike_solver_run(&t.solver, &start, 0.0, NULL, NULL);
    CHECK_NEAR(t.solver.scaled.best[0], 0.5, 1e-9);
    CHECK_NEAR(t.solver.scaled.score.objective, 150.0, 1e-3);
    CHECK(t.solver.scaled.score.violation <= t.options.tolerance);
    end(&t);
}

TEST(strike_solver, gives_up_far_behind_what_is_known)
{
    trial                  t;
    const double           start = 0.1;
    const strike_candidate known = {.score = {.objective = 1e6}, .x = {0.5}};
    begin(&t, 0.5);
    strike_solver_run(&t.solver, &start, 0.0, &known, NULL);
    CHECK_EQUAL_INT(t.solver.last.end, SQP_BEHIND);
    end(&t);
}

TEST(strike_solver, explains_nothing_where_all_can_be_met)
{
    trial                 t;
    atemi_strike_conflict conflicts[STRIKE_MAX_CONFLICTS];
    begin(&t, 0.5);
    CHECK_EQUAL_INT(strike_solver_explain(&t.solver, conflicts), 0);
    CHECK(t.solver.scaled.score.violation <= t.options.tolerance);
    end(&t);
}

TEST(strike_solver, gives_up_where_it_comes_near_to_what_is_known)
{
    trial        t;
    const double start = 0.1;
    begin(&t, 0.5);
    strike_solver_run(&t.solver, &start, 0.0, NULL, NULL);
    const strike_candidate known = {
        .score = t.solver.scaled.score, .x = {t.solver.scaled.best[0]}, .is_optimum = true};
    strike_solver_run(&t.solver, &start, 0.0, &known, NULL);
    CHECK_EQUAL_INT(t.solver.last.end, SQP_KNOWN);
    end(&t);
}
