// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_problem.h"

#include "plan/touch/strike_posture.h"

void strike_problem_evaluate(const strike_problem *p, const double *x, strike_workspace *work,
                             strike_result *result)
{
    const strike_values values = strike_variables_at(&p->variables, x);
    strike_rows         rows = {.values = result->constraints, .parts = result->parts};
    strike_evaluate(&p->setup, &values, &result->at, work, &rows, &result->at);
}

void strike_problem_evaluate_touch(const strike_problem *p, const double *x, strike_workspace *work,
                                   strike_result *result)
{
    const strike_values values = strike_variables_at(&p->variables, x);
    strike_rows         rows = {
                .values = result->constraints, .parts = result->parts, .motion = p->constraints.motion};
    strike_evaluate_touch(&p->setup, &values, &result->at, work, &rows, &result->at);
}

double strike_problem_violation(const strike_problem *p, const strike_result *result)
{
    return strike_constraints_violation(&p->constraints, result->constraints);
}

void strike_result_take(strike_result *result, atemi_arena *arena, const strike_problem *p)
{
    strike_evaluation_take(&result->at, arena, &p->setup, p->grid);
    result->constraints = atemi_arena_array(arena, double, p->constraints.count);
    result->parts = atemi_arena_array(arena, double, p->constraints.part_count);
}

// ---- Creation

// Constraints are counted in a first evaluation at the start, and declared in a second one.
static atemi_status declare(strike_problem *p, strike_workspace *work, strike_evaluation *at,
                            atemi_error *error)
{
    strike_constraints *c = &p->constraints;
    atemi_arena         arena = atemi_arena_measuring();
    strike_rows         rows = {0};
    strike_evaluate(&p->setup, &p->variables.start, NULL, work, &rows, at);
    c->count = rows.next;
    c->part_count = rows.next_part;
    p->start_objective = at->objective;
    atemi_arena_array(&arena, strike_constraint, c->count);
    const atemi_status status = atemi_arena_create(&p->arena, arena.used, error);
    if (!status) {
        c->list = atemi_arena_array(&p->arena, strike_constraint, c->count);
        rows = (strike_rows){.declared = c->list};
        strike_evaluate(&p->setup, &p->variables.start, at, work, &rows, at);
        c->motion = rows.motion;
    }
    return status;
}

static atemi_status declare_constraints(strike_problem *p, strike_workspace *work,
                                        atemi_error *error)
{
    strike_evaluation at;
    atemi_arena       arena = atemi_arena_measuring();
    strike_evaluation_take(&at, &arena, &p->setup, p->grid);
    atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (!status) {
        strike_evaluation_take(&at, &arena, &p->setup, p->grid);
        status = declare(p, work, &at, error);
        atemi_arena_destroy(&arena);
    }
    return status;
}

atemi_status strike_problem_create(const atemi_strike_task *task, const strike_grid *grid,
                                   strike_meter *meter, strike_problem *p, atemi_error *error)
{
    strike_workspace work = {0};
    *p = (strike_problem){.grid = grid};
    atemi_status status = strike_setup_create(task, &p->setup, error);
    strike_variables_fill(&p->variables, task);
    if (!status) {
        status = strike_workspace_create(&p->setup, grid, meter, &work, error);
    }
    if (!status) {
        status = declare_constraints(p, &work, error);
    }
    strike_workspace_destroy(&work);
    return status;
}

void strike_problem_destroy(strike_problem *p)
{
    atemi_arena_destroy(&p->arena);
    strike_setup_destroy(&p->setup);
}

bool strike_problem_stands(const strike_problem *p, const double *x, strike_workspace *work)
{
    const strike_values values = strike_variables_at(&p->variables, x);
    atemi_motion        off[ATEMI_STRIKE_MAX_FEET];
    strike_posture_find(&p->setup, &values, work->ik, work->q, off);
    return strike_feet_stand(&p->setup, off);
}
