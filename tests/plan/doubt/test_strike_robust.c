// SPDX-License-Identifier: Apache-2.0

#include "plan/doubt/strike_robust.h"

#include "atemi/strike_doubt.h"
#include "strike_rig.h"

#include <math.h>

static const atemi_strike_deviation doubt = {0.2, 0.2, 0.01, 0.005, 0.2};

// The punch from its own start, which takes least time.
static atemi_strike_plan *plan_for(const strike_rig *rig)
{
    atemi_strike_options options = atemi_strike_options_default();
    atemi_strike_plan   *plan;
    options.starts = 1;
    options.patience = 0;
    CHECK_STATUS(atemi_strike_plan_make(rig->task, &options, &plan, NULL), ATEMI_OK);
    CHECK(atemi_strike_plan_feasible(plan));
    return plan;
}

// What is planned without doubt exceeds limits within it; what is planned with it does not.
TEST(strike_robust, plans_for_the_cases_that_a_plan_does_not_stand)
{
    strike_rig             rig;
    atemi_strike_deviation found[ATEMI_STRIKE_MAX_CASES];
    rig_open(&rig);
    atemi_strike_plan *sure = plan_for(&rig);
    rig.task->doubt = doubt;
    atemi_strike_plan *careful = plan_for(&rig);
    CHECK(atemi_strike_plan_case_count(careful) > 0);
    CHECK_EQUAL_INT(
        strike_robust_find(strike_plan_inside(careful), 1e-4, ATEMI_STRIKE_MAX_CASES, found), 0);
    CHECK(atemi_strike_plan_figures(careful).peak_force <
          atemi_strike_plan_figures(sure).peak_force);
    atemi_strike_plan_destroy(careful);
    atemi_strike_plan_destroy(sure);
    rig_close(&rig);
}

// Cases within the doubt, drawn by other numbers than those that were looked at: none is exceeded
// by more than the corners are, to 2 % of the scales, which is 0.2 mm of the ZMP.
TEST(strike_robust, stands_cases_that_were_not_looked_at)
{
    strike_rig rig;
    rig_open(&rig);
    rig.task->doubt = doubt;
    atemi_strike_plan *plan = plan_for(&rig);
    const double      *x = atemi_strike_plan_values(plan);
    strike_rig         other;
    double             values[ATEMI_STRIKE_MAX_VARIABLES];
    for (int i = 0; i < atemi_strike_plan_variable_count(plan); ++i) {
        values[i] = x[i];
    }
    rig_open(&other);
    other.task->friction *= 1.0 - doubt.friction;
    other.task->travel_friction *= 1.0 - doubt.friction;
    for (int i = 0; i < ATEMI_STRIKE_MAX_CASES; ++i) {
        const double a = 7.0 * i, part[] = {cos(a), sin(2.0 * a), cos(3.0 * a + 1.0)};
        other.task->cases[other.task->case_count++] =
            (atemi_strike_deviation){doubt.mass * part[0], 0.0, doubt.distance * part[1],
                                     doubt.timing * part[2], doubt.gains * sin(5.0 * a)};
    }
    atemi_strike_plan *looked;
    CHECK_STATUS(atemi_strike_plan_evaluate(other.task, values, &looked, NULL), ATEMI_OK);
    CHECK(atemi_strike_plan_violation(looked) < 0.02);
    atemi_strike_plan_destroy(looked);
    atemi_strike_plan_destroy(plan);
    rig_close(&other);
    rig_close(&rig);
}
