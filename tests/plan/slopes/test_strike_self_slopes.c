// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_self_slopes.h"

#include "slopes_bench.h"

#include <math.h>

// Central differences: their error is of order h^2 and of rounding over h.
static const double h = 1e-6;

static void add_pair(atemi_strike_task *task, const char *first, const char *second)
{
    const int a = atemi_model_find_link(task->model, first);
    const int b = atemi_model_find_link(task->model, second);
    CHECK(a >= 0 && b >= 0);
    task->pairs[task->pair_count][0] = a < b ? a : b;
    task->pairs[task->pair_count++][1] = a < b ? b : a;
}

static void add_pairs(atemi_strike_task *task)
{
    add_pair(task, "right_thigh", "left_thigh");
    add_pair(task, "right_forearm", "waist");
    add_pair(task, "left_forearm", "left_thigh");
}

TEST(strike_self_slopes, are_those_of_differences)
{
    slopes_bench b;
    bench_open_with(&b, add_pairs);
    strike_problem           *p = &b.trial.problem;
    const strike_constraints *constraints = &p->constraints;
    strike_evaluation        *at = &b.trial.result.at;
    int                       first = 0, checked = 0;
    while (constraints->list[first].about.kind != ATEMI_CONSTRAIN_SELF) {
        ++first;
    }
    b.slopes.next = first;
    b.slopes.next_part = constraints->list[first].first_part;
    strike_derivatives_find(&p->setup, &p->variables, at, &b.trial.work, &b.derivatives);
    strike_self_slopes(&p->setup, at, &b.trial.work, &b.derivatives, &b.slopes);
    CHECK_EQUAL_INT(b.slopes.next, first + 6);
    for (int variable = 0; variable < p->variables.count; ++variable) {
        bench_difference(&b, variable, h);
        for (int i = first; i < first + 6; ++i) {
            const strike_constraint *c = &constraints->list[i];
            for (int k = c->first_part; k < c->first_part + c->part_count; ++k) {
                const double slope =
                    (b.ahead.result.parts[k] - b.behind.result.parts[k]) / (2.0 * h);
                if (b.trial.result.parts[k] < 0.5) { // farther ones do not count
                    CHECK_NEAR(row_in(b.slopes.parts, b.slopes.stride, k)[variable], slope,
                               1e-5 * (0.1 + fabs(slope)));
                    ++checked;
                }
            }
        }
    }
    CHECK(checked > 1000);
    bench_close(&b);
}
