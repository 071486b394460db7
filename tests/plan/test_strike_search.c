// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_plan.h"
#include "strike_rig.h"

#include <math.h>

// ---- Conflicts

static const atemi_strike_conflict *conflict(const strike_rig *rig, const atemi_strike_plan *plan,
                                             const char *name)
{
    for (int i = 0; i < atemi_strike_plan_conflict_count(plan); ++i) {
        const atemi_strike_conflict *c = atemi_strike_plan_conflict(plan, i);
        char                         text[ATEMI_STRIKE_NAME];
        atemi_strike_conflict_text(rig->task, plan, c, text);
        if (strcmp(text, name) == 0) {
            return c;
        }
    }
    check_fail(CHECK_PLACE("conflict"), "'%s' is in no conflict", name);
}

static bool is_of_blow_zmp(const atemi_strike_plan *plan, int index)
{
    const atemi_strike_conflict *c = atemi_strike_plan_conflict(plan, index);
    return !c->is_variable &&
           atemi_strike_plan_constraint(plan, c->index)->kind == ATEMI_CONSTRAIN_BLOW_ZMP;
}

// What is not met comes first, and misses its bound by what it says.
static void check_order(const atemi_strike_plan *plan)
{
    double before = INFINITY;
    for (int i = 0; i < atemi_strike_plan_conflict_count(plan); ++i) {
        const atemi_strike_conflict *c = atemi_strike_plan_conflict(plan, i);
        CHECK(c->weight > 0.0);
        CHECK_NEAR(c->is_upper ? c->value - c->bound : c->bound - c->value, c->violation, 1e-2);
        CHECK(c->violation >= 0.0 && !(before <= 0.0 && c->violation > 0.0));
        before = c->violation;
    }
}

// P_x = M v_x: where only 0.5 N s are allowed, the centre of mass can go at 0.5 N s / M.
TEST(strike_search, names_momenta_that_contradict_each_other)
{
    strike_rig rig;
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    rig.task->momentum_side = 0.5;
    rig.task->com_x = (atemi_strike_range){0.1, 0.1, 0.2};
    const double       allowed = 0.5 / atemi_model_mass(rig.task->model);
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    CHECK(!atemi_strike_plan_feasible(plan));
    CHECK_EQUAL_INT(atemi_strike_plan_conflict_count(plan), 2);
    const atemi_strike_conflict *com = conflict(&rig, plan, "centre of mass x");
    const atemi_strike_conflict *momentum = conflict(&rig, plan, "P_x");
    CHECK(com == atemi_strike_plan_conflict(plan, 0));
    CHECK_NEAR(com->value, allowed, 2e-4); // P_x is met to a hundredth of its scale, 1 N s
    CHECK_NEAR(com->bound, 0.1, 0.0);
    CHECK_NEAR(com->violation, 0.1 - allowed, 2e-4);
    CHECK_NEAR(momentum->bound, 0.5, 0.0);
    CHECK_NEAR(momentum->violation, 0.0, 0.0);
    CHECK(momentum->is_upper && !com->is_upper);
    check_order(plan);
    rig_end(&rig, plan);
}

static void fix_momenta(atemi_strike_task *task)
{
    rig_fix(&task->lift, 0.0);
    rig_fix(&task->roll, 0.0);
    rig_fix(&task->pitch, 0.0);
    rig_fix(&task->com_x, 0.0);
    rig_fix(&task->com_y, 0.0);
}

// Stretched legs and a raised arm end below 2 m.
TEST(strike_search, names_what_keeps_the_hand_from_a_target_out_of_reach)
{
    strike_rig           rig;
    atemi_strike_options options = atemi_strike_options_default();
    rig_open(&rig);
    fix_momenta(rig.task);
    rig.task->hits[0].place[2] = 3.0;
    options.iterations = 2;
    atemi_strike_plan           *plan = rig_search(&rig, &options);
    const atemi_strike_conflict *first = atemi_strike_plan_conflict(plan, 0);
    CHECK(!atemi_strike_plan_feasible(plan));
    CHECK(first == conflict(&rig, plan, "place of the hand, z"));
    CHECK_EQUAL_STRING(atemi_strike_conflict_unit(plan, first), "m");
    CHECK_NEAR(first->bound, 2.99, 1e-12);
    CHECK_NEAR(first->value, 1.6, 0.4);
    const atemi_strike_conflict *legs = conflict(&rig, plan, "foot z");
    CHECK_NEAR(legs->value, -0.6, 1e-12);
    CHECK_NEAR(legs->violation, 0.0, 0.0);
    CHECK(!legs->is_upper);
    check_order(plan);
    rig_end(&rig, plan);
}

// One constraint is looked at at many instants of the blow.
TEST(strike_search, names_one_constraint_of_each_family)
{
    strike_rig rig;
    int        margins = 0;
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    rig.task->impact_margin = 0.3;
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    for (int i = 0; i < atemi_strike_plan_conflict_count(plan); ++i) {
        margins += is_of_blow_zmp(plan, i);
    }
    CHECK_EQUAL_INT(margins, 1);
    CHECK(is_of_blow_zmp(plan, 0));
    check_order(plan);
    rig_end(&rig, plan);
}

TEST(strike_search, that_succeeds_has_no_conflict)
{
    strike_rig rig;
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    CHECK(atemi_strike_plan_feasible(plan));
    CHECK_EQUAL_INT(atemi_strike_plan_conflict_count(plan), 0);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_strike_plan_conflict(plan, 0)));
    rig_end(&rig, plan);
}

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
    CHECK_NEAR(atemi_strike_plan_figures(plan).objective, l.objective, 1e-9);
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

// From its own start and from others the same speed is found; with the posture given there is
// nowhere to hop to. The one that was found first is looked for again on the rough grid, and from
// there on the fine one.
TEST(strike_search, does_not_hop_where_the_posture_is_given)
{
    strike_rig rig;
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    atemi_strike_plan         *plan = rig_search(&rig, NULL);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_EQUAL_INT(f.searches, 1 + 5 + 1);
    CHECK_EQUAL_INT(f.agreeing, 2);
    rig_end(&rig, plan);
}
