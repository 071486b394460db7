// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "strike_rig.h"

#include <math.h>
#include <string.h>

static atemi_strike_plan *plan_near(const strike_rig *rig, const double *start)
{
    atemi_strike_options options = atemi_strike_options_default();
    atemi_strike_plan   *plan;
    options.start = start;
    options.starts = 1;
    options.patience = 0;
    CHECK_STATUS(atemi_strike_plan_make(rig->task, &options, &plan, NULL), ATEMI_OK);
    return plan;
}

static double gain_of(const strike_rig *rig, const atemi_strike_plan *plan, const char *limit)
{
    atemi_strike_reason reasons[ATEMI_STRIKE_MAX_REASONS];
    const int           count = atemi_strike_limits_explain(rig->task, plan, reasons);
    double              sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += strstr(reasons[i].limit, limit) ? reasons[i].gain : 0.0;
    }
    return sum;
}

// A tenth of the step, 1 mm of both margins, brings a tenth of what was said, to first order: what
// is left is of second order, and of the search, which ends within 1e-3 of it.
TEST(strike_reasons, say_what_loosening_brings)
{
    strike_rig rig;
    rig_open(&rig);
    atemi_strike_plan *plan = plan_near(&rig, NULL);
    CHECK(atemi_strike_plan_feasible(plan));
    const double told = gain_of(&rig, plan, "the ZMP");
    rig.task->impact_margin -= 1e-3;
    rig.task->motion_margin -= 1e-3;
    atemi_strike_plan *looser = plan_near(&rig, atemi_strike_plan_values(plan));
    const double       gained =
        atemi_strike_plan_figures(looser).objective - atemi_strike_plan_figures(plan).objective;
    CHECK(told > 1.0);
    CHECK_NEAR(gained, 0.1 * told, 0.02 * told);
    atemi_strike_plan_destroy(looser);
    atemi_strike_plan_destroy(plan);
    rig_close(&rig);
}

TEST(strike_reasons, come_with_the_one_that_brings_most_first)
{
    strike_rig          rig;
    atemi_strike_reason reasons[ATEMI_STRIKE_MAX_REASONS];
    rig_open(&rig);
    atemi_strike_plan *plan = plan_near(&rig, NULL);
    const int          count = atemi_strike_limits_explain(rig.task, plan, reasons);
    CHECK(count > 2);
    for (int i = 0; i < count; ++i) {
        CHECK(reasons[i].gain > 0.0 && strlen(reasons[i].remedy) > 0);
        CHECK(i == 0 || reasons[i].gain <= reasons[i - 1].gain);
        for (int k = 0; k < i; ++k) {
            CHECK(strcmp(reasons[i].limit, reasons[k].limit) != 0);
        }
    }
    CHECK_EQUAL_STRING(atemi_strike_objective_unit(rig.task), "N");
    atemi_strike_plan_destroy(plan);
    rig_close(&rig);
}

// A target 3 m ahead is out of reach, and nothing else is to blame.
TEST(strike_reasons, name_once_what_cannot_be_met_and_by_how_much)
{
    strike_rig          rig;
    atemi_strike_reason reasons[ATEMI_STRIKE_MAX_REASONS];
    rig_open(&rig);
    rig.task->hits[0].place[0] = 3.0;
    rig.task->hits[0].tolerance[0] = 0.01;
    atemi_strike_plan *plan = plan_near(&rig, NULL);
    CHECK(!atemi_strike_plan_feasible(plan));
    const int count = atemi_strike_conflicts_explain(rig.task, plan, reasons);
    int       place = 0;
    CHECK(count > 1);
    for (int i = 0; i < count; ++i) {
        if (strncmp(reasons[i].limit, "where the hand hits along x: ", 29) == 0) {
            ++place;
            CHECK(reasons[i].violation > 1.0 && strstr(reasons[i].limit, " m are missing"));
        }
        CHECK(i == 0 || !(reasons[i].violation > 0.0 && reasons[i - 1].violation == 0.0));
    }
    CHECK_EQUAL_INT(place, 1);
    atemi_strike_plan_destroy(plan);
    rig_close(&rig);
}
