// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_evaluation.h"

#include "allocations.h"
#include "strike_trial.h"

TEST(strike_evaluation, is_evaluated_without_memory)
{
    strike_trial t;
    trial_open(&t);
    t.rig.task->effort_fraction = 1.0;
    t.rig.task->travel_friction = 0.7;
    t.rig.task->cases[0] = (atemi_strike_deviation){0.1, 0.0, 0.01, 0.001, 0.1};
    t.rig.task->case_count = 1;
    trial_evaluate(&t);
    allocations_begin();
    for (int i = 0; i < VARIABLES; ++i) {
        t.x[i] += 1e-3;
        trial_look(&t);
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    trial_close(&t);
}

// What an evaluation takes over from the one before changes nothing: one that knows nothing agrees,
// up to rounding in forces of 1e3.
static void check_change(strike_trial *t, strike_trial *fresh, int variable, double change)
{
    t->x[variable] += change;
    trial_look(t);
    memcpy(fresh->x, t->x, sizeof t->x);
    fresh->result.at.is_done = false;
    trial_look(fresh);
    CHECK_NEAR(largest_difference(fresh->result.constraints, t->result.constraints,
                                  t->problem.constraints.count),
               0.0, 1e-9);
    CHECK_NEAR(fresh->result.at.objective, t->result.at.objective, 1e-9);
}

TEST(strike_evaluation, is_the_same_whatever_was_looked_at_before)
{
    strike_trial t, fresh;
    trial_open(&t);
    trial_open(&fresh);
    trial_evaluate(&t);
    trial_create(&fresh, &strike_fine_grid);
    CHECK_EQUAL_INT(fresh.problem.constraints.count, t.problem.constraints.count);
    for (int i = 0; i < VARIABLES; ++i) {
        check_change(&t, &fresh, i, 1e-2);
        check_change(&t, &fresh, i, 0.0);
    }
    trial_close(&fresh);
    trial_close(&t);
}

// Nothing is kept in the workspace: the same values give the same bits, whatever it was used for.
TEST(strike_evaluation, is_evaluated_to_the_same_bits_in_a_used_workspace)
{
    strike_trial t, used;
    trial_open(&t);
    trial_open(&used);
    trial_evaluate(&t);
    trial_create(&used, &strike_fine_grid);
    for (int i = 0; i < VARIABLES; ++i) {
        used.x[i] += 1e-2;
        trial_look(&used);
    }
    memcpy(used.x, t.x, sizeof t.x);
    used.result.at.is_done = false;
    trial_look(&used);
    const size_t size = (size_t)t.problem.constraints.count * sizeof(double);
    CHECK(memcmp(used.result.constraints, t.result.constraints, size) == 0);
    CHECK_NEAR(used.result.at.objective, t.result.at.objective, 0.0);
    trial_close(&used);
    trial_close(&t);
}
