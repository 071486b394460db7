// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_problem.h"

#include "strike_trial.h"

#include <math.h>

TEST(strike_problem, has_a_bound_and_a_scale_for_each_constraint)
{
    strike_trial t;
    trial_open(&t);
    t.rig.task->effort_fraction = 1.0;
    t.rig.task->cases[0] = (atemi_strike_deviation){0.1, 0.0, 0.01, 0.001, 0.1};
    t.rig.task->case_count = 1;
    trial_create(&t, &strike_fine_grid);
    CHECK(t.problem.constraints.count > 500); // 9 instants of each joint, 13 of each foot, ...
    for (int i = 0; i < t.problem.constraints.count; ++i) {
        const strike_constraint *c = &t.problem.constraints.list[i];
        CHECK(isfinite(c->about.lower) || isfinite(c->about.upper));
        CHECK(c->about.lower < c->about.upper && c->scale > 0.0);
    }
    trial_close(&t);
}

// Each part has one constraint, in the order of both.
TEST(strike_problem, has_parts_for_constraints_that_are_extremes)
{
    strike_trial t;
    int          next = 0;
    trial_open(&t);
    trial_evaluate(&t);
    for (int i = 0; i < t.problem.constraints.count; ++i) {
        const strike_constraint *c = &t.problem.constraints.list[i];
        const bool               has_upper = isfinite(c->about.upper);
        double                   extreme = has_upper ? -INFINITY : INFINITY;
        for (int k = 0; k < c->part_count; ++k) {
            const double part = t.result.parts[c->first_part + k];
            extreme = has_upper ? fmax(extreme, part) : fmin(extreme, part);
        }
        if (c->part_count > 0) {
            CHECK_EQUAL_INT(c->first_part, next);
            CHECK_NEAR(t.result.constraints[i], extreme, 0.0);
        }
        next += c->part_count;
    }
    CHECK_EQUAL_INT(next, t.problem.constraints.part_count);
    trial_close(&t);
}
