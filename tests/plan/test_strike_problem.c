// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_problem.h"

#include "allocations.h"
#include "strike_trial.h"

enum { MOST = 64 };

TEST(strike_problem, is_evaluated_without_memory)
{
    strike_trial t;
    trial_open(&t);
    t.rig.task->torque_part = 1.0;
    t.rig.task->travel_friction = 0.7;
    t.rig.task->doubt = (atemi_strike_doubt){0.01, 0.1, 0.1};
    trial_evaluate(&t);
    allocations_begin();
    for (int i = 0; i < VARIABLES; ++i) {
        t.x[i] += 1e-3;
        strike_problem_evaluate(&t.problem, t.x);
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    trial_close(&t);
}

// What an evaluation keeps of the one before changes nothing: a problem that knows nothing agrees,
// up to what inverse kinematics leaves, 1e-12, in forces of 1e3.
static void check_change(strike_trial *t, int variable, double change)
{
    strike_problem fresh;
    t->x[variable] += change;
    strike_problem_evaluate(&t->problem, t->x);
    CHECK_STATUS(strike_problem_create(t->rig.task, &strike_fine_grid, &fresh, NULL), ATEMI_OK);
    strike_problem_evaluate(&fresh, t->x);
    CHECK_EQUAL_INT(fresh.constraint_count, t->problem.constraint_count);
    CHECK_NEAR(largest_difference(fresh.found, t->problem.found, fresh.constraint_count), 0.0,
               1e-7);
    CHECK_NEAR(fresh.objective, t->problem.objective, 1e-9);
    strike_problem_destroy(&fresh);
}

TEST(strike_problem, is_the_same_whatever_was_looked_at_before)
{
    strike_trial t;
    trial_open(&t);
    trial_evaluate(&t);
    for (int i = 0; i < VARIABLES; ++i) {
        check_change(&t, i, 1e-2);
        check_change(&t, i, 0.0);
    }
    trial_close(&t);
}

// Without the base and by Cholesky's factor, or by the weighted pseudoinverse of all rows.
TEST(strike_problem, has_the_same_rates_in_two_ways)
{
    strike_trial t;
    double       v[MOST];
    trial_open(&t);
    trial_evaluate(&t);
    strike_rates_at(&t.problem, t.problem.q, 0.0, 0.0, v);
    CHECK_NEAR(largest_difference(v, t.problem.v, atemi_model_v_count(t.rig.task->model)), 0.0,
               1e-10);
    trial_close(&t);
}

// Stretched to its end, a leg has no rates for all goals: rows depend on each other.
TEST(strike_problem, has_rates_where_goals_depend_on_each_other)
{
    strike_trial t;
    double       v[MOST];
    trial_open(&t);
    t.x[2] = -0.80;
    trial_evaluate(&t);
    strike_rates_at(&t.problem, t.problem.q, 0.0, 0.0, v);
    CHECK_NEAR(largest_difference(v, t.problem.v, atemi_model_v_count(t.rig.task->model)), 0.0,
               1e-6 * (1.0 + largest_size(v, atemi_model_v_count(t.rig.task->model))));
    trial_close(&t);
}
