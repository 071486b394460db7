// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_conflict.h"

#include "strike_rig.h"

#include <math.h>

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
TEST(strike_conflict, names_momenta_that_contradict_each_other)
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
TEST(strike_conflict, names_what_keeps_the_hand_from_a_target_out_of_reach)
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
TEST(strike_conflict, names_one_constraint_of_each_family)
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

TEST(strike_conflict, is_none_where_a_search_succeeds)
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
