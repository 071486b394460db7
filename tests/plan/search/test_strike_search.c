// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_plan.h"
#include "strike_rig.h"

#include <math.h>
#include <stdatomic.h>

// ---- Constraints that are met

// Optima lie on bounds, and rounding on either side of them.
TEST(strike_search, has_all_values_within_their_bounds_where_it_succeeds)
{
    strike_rig rig;
    int        active = 0;
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    CHECK(atemi_strike_plan_feasible(plan));
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        CHECK(c->value >= c->lower && c->value <= c->upper);
        active += c->active;
    }
    CHECK(active > 0);
    rig_end(&rig, plan);
}

// ---- Progress

typedef struct listener {
    const atemi_strike_constraint *worst;
    int                            calls, named, patience;
    double                         objective, violation; ///< heard last
} listener;

static bool on_progress(void *context, double done, double objective, double violation)
{
    listener *l = (listener *)context;
    CHECK(done >= 0.0 && done <= 1.0);
    CHECK_EQUAL_INT(l->worst != NULL, violation > 1e-6);
    l->named += l->worst != NULL;
    l->objective = objective;
    l->violation = violation;
    return ++l->calls < l->patience;
}

static atemi_strike_options listening(listener *l)
{
    atemi_strike_options options = atemi_strike_options_default();
    options.progress = on_progress;
    options.context = l;
    options.worst = &l->worst;
    return options;
}

TEST(strike_search, reports_the_worst_constraint_with_each_gradient)
{
    strike_rig           rig;
    listener             l = {.patience = 1000};
    atemi_strike_options options = listening(&l);
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    rig.task->hits[0].place[2] = 3.0;
    options.iterations = 5;
    atemi_strike_plan *plan = rig_search(&rig, &options);
    CHECK_EQUAL_INT(l.worst->kind, ATEMI_CONSTRAIN_HAND_PLACE);
    CHECK_EQUAL_INT(l.worst->axis, 2);
    CHECK_EQUAL_INT(l.named, l.calls);
    CHECK(l.calls + 1 >= atemi_strike_plan_figures(plan).gradients); // one is for the multipliers
    rig_end(&rig, plan);
}

TEST(strike_search, that_is_stopped_keeps_the_best_so_far)
{
    strike_rig           rig;
    listener             l = {.patience = 3};
    atemi_strike_options options = listening(&l);
    options.starts = 5;
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    atemi_strike_plan *plan = rig_search(&rig, &options);
    CHECK_EQUAL_INT(l.calls, 3);
    CHECK(l.violation <= 1e-6 && l.objective > 0.0);
    CHECK(atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_figures(plan).objective >= l.objective); // what was found since counts
    CHECK(atemi_strike_plan_figures(plan).searches < 5);
    CHECK_EQUAL_INT(atemi_strike_plan_conflict_count(plan), 0);
    rig_end(&rig, plan);
}

// ---- Optima

// Version 0.1 called 13.5 N a success that no limit held back.
TEST(strike_search, that_was_cut_short_does_not_pass_for_an_optimum)
{
    strike_rig           rig;
    atemi_strike_options options = atemi_strike_options_default();
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    CHECK(atemi_strike_plan_feasible(plan) && atemi_strike_plan_optimal(plan));
    CHECK(atemi_strike_plan_figures(plan).optimality < 1e-6); // one variable, one limit
    atemi_strike_plan_destroy(plan);
    options.starts = 1;
    options.iterations = 0;
    plan = rig_search(&rig, &options);
    CHECK(atemi_strike_plan_feasible(plan) && !atemi_strike_plan_optimal(plan));
    CHECK_NEAR(atemi_strike_plan_figures(plan).optimality, 1.0, 1e-12);
    rig_end(&rig, plan);
}

// Over the rough grid from its own start and four others, over the fine one from the hardest of
// their ends, and from there to the end; with the posture given there is nowhere to hop to.
TEST(strike_search, does_not_hop_where_the_posture_is_given)
{
    strike_rig rig;
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    atemi_strike_plan         *plan = rig_search(&rig, NULL);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_EQUAL_INT(f.searches, 5 + 1 + 1);
    CHECK_EQUAL_INT(f.agreeing, 1);
    rig_end(&rig, plan);
}

// ---- Threads and a budget

// A knock-on of any kind would show: which evaluation was the last one in a workspace, who was
// first, what was under way in vain.
TEST(strike_search, finds_the_same_bits_with_any_number_of_threads)
{
    strike_rig           rig;
    double               values[VARIABLES];
    atemi_strike_figures alone = {0};
    rig_open(&rig);
    for (int threads = 1; threads <= 4; ++threads) {
        atemi_strike_options options = atemi_strike_options_default();
        options.starts = 2;
        options.patience = 1;
        options.iterations = 20;
        options.threads = threads;
        atemi_strike_plan         *plan = rig_search(&rig, &options);
        const atemi_strike_figures f = atemi_strike_plan_figures(plan);
        const double              *x = atemi_strike_plan_values(plan);
        if (threads == 1) {
            alone = f;
            memcpy(values, x, sizeof values);
        }
        CHECK(memcmp(values, x, sizeof values) == 0);
        CHECK_NEAR(f.objective, alone.objective, 0.0);
        CHECK_NEAR(f.optimality, alone.optimality, 0.0);
        CHECK_EQUAL_INT(f.searches, alone.searches);
        CHECK_EQUAL_INT(f.evaluations, alone.evaluations);
        CHECK_EQUAL_INT(f.gradients, alone.gradients);
        CHECK_EQUAL_INT(f.agreeing, alone.agreeing);
        atemi_strike_plan_destroy(plan);
    }
    rig_close(&rig);
}

// A clock that goes on by a second with each look.
static double count_looks(void)
{
    static atomic_int looks;
    return (double)++looks;
}

TEST(strike_search, whose_budget_is_spent_says_so_and_keeps_the_best)
{
    strike_rig           rig;
    atemi_strike_options options = atemi_strike_options_default();
    options.clock = count_looks;
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    atemi_strike_plan *plan = rig_search(&rig, &options);
    CHECK(!atemi_strike_plan_figures(plan).cut_off);
    atemi_strike_plan_destroy(plan);
    options.budget = 40.0; // looks: a few evaluations
    plan = rig_search(&rig, &options);
    CHECK(atemi_strike_plan_figures(plan).cut_off);
    CHECK(atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_figures(plan).searches < 5);
    rig_end(&rig, plan);
}

// Counted in their order, whichever thread does them. From their best one more goes on to the end,
// and up to five where 20 iterations do not get there.
TEST(strike_search, makes_no_more_searches_than_it_may)
{
    strike_rig           rig;
    atemi_strike_figures alone = {0};
    atemi_strike_options options = atemi_strike_options_default();
    options.searches = 3;
    options.iterations = 20;
    rig_open(&rig);
    for (options.threads = 1; options.threads <= 4; ++options.threads) {
        atemi_strike_plan         *plan = rig_search(&rig, &options);
        const atemi_strike_figures f = atemi_strike_plan_figures(plan);
        CHECK(f.cut_off);
        CHECK(f.searches >= 3 && f.searches <= 3 + 1 + 5);
        alone = options.threads == 1 ? f : alone;
        CHECK_EQUAL_INT(f.searches, alone.searches);
        CHECK_NEAR(f.objective, alone.objective, 0.0);
        atemi_strike_plan_destroy(plan);
    }
    rig_close(&rig);
}

TEST(strike_search, refuses_a_budget_without_a_clock)
{
    strike_rig           rig;
    atemi_strike_plan   *plan;
    atemi_error          error = {0};
    atemi_strike_options options = atemi_strike_options_default();
    options.budget = 1.0;
    rig_open(&rig);
    CHECK_STATUS(atemi_strike_plan_make(rig.task, &options, &plan, &error), ATEMI_ERROR_INPUT);
    rig_close(&rig);
}
