// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_plan.h"
#include "strike_rig.h"

static void check_name(const strike_rig *rig, atemi_strike_constraint constraint, const char *name)
{
    char text[ATEMI_STRIKE_NAME];
    atemi_strike_constraint_text(rig->task, &constraint, text);
    CHECK_EQUAL_STRING(text, name);
}

TEST(strike_text, names_hands_by_their_link_if_there_are_two)
{
    strike_rig                    rig;
    const atemi_strike_constraint aim = {.kind = ATEMI_CONSTRAIN_HAND_AIM, .index = 0};
    rig_open(&rig);
    check_name(&rig, aim, "aim of the hand");
    rig_add_hand(&rig);
    check_name(&rig, aim, "aim of right_hand");
    rig_close(&rig);
}

TEST(strike_text, names_instants_and_what_is_in_doubt)
{
    strike_rig              rig;
    atemi_strike_constraint zmp = {.kind = ATEMI_CONSTRAIN_BLOW_ZMP, .time = 0.0468};
    rig_open(&rig);
    check_name(&rig, zmp, "ZMP in the blow at 46.8 ms");
    zmp.deviation.mass = -0.1;
    check_name(&rig, zmp, "ZMP in the blow at 46.8 ms, target 10 % lighter");
    zmp.deviation.distance = 0.02;
    check_name(&rig, zmp, "ZMP in the blow at 46.8 ms, target 2 cm farther and 10 % lighter");
    zmp.deviation = (atemi_strike_deviation){0.0, -0.3, -0.01, 0.01, 0.2};
    check_name(&rig, zmp,
               "ZMP in the blow at 46.8 ms, target 1 cm nearer and held 30 % less, touched 10 ms "
               "later, gains 20 % higher");
    check_name(&rig,
               (atemi_strike_constraint){.kind = ATEMI_CONSTRAIN_MOTION_EDGE,
                                         .index = 1,
                                         .phase = ATEMI_PHASE_AFTER,
                                         .sample = 3,
                                         .last_sample = 9},
               "edge of left_sole slowing down (3/9)");
    rig_close(&rig);
}

static void check_variable(const strike_rig *rig, atemi_strike_variable variable, const char *name)
{
    char text[ATEMI_STRIKE_NAME];
    atemi_strike_variable_text(rig->task, &variable, text);
    CHECK_EQUAL_STRING(text, name);
}

TEST(strike_text, names_variables)
{
    strike_rig rig;
    rig_open(&rig);
    check_variable(&rig, (atemi_strike_variable){.kind = ATEMI_DECIDE_FOOT_ROTATION, .axis = 2},
                   "foot about z");
    check_variable(
        &rig, (atemi_strike_variable){.kind = ATEMI_DECIDE_FOOT_POSITION, .index = 1, .axis = 1},
        "second foot y");
    check_variable(&rig, (atemi_strike_variable){.kind = ATEMI_DECIDE_MOMENTUM, .axis = 2}, "P_z");
    check_variable(&rig, (atemi_strike_variable){.kind = ATEMI_DECIDE_BODY_FALL},
                   "time of the body after");
    rig_close(&rig);
}

// No two rows of a plan have the same name: a reader of the tables can tell them apart.
TEST(strike_text, names_each_constraint_of_a_plan_differently)
{
    strike_rig         rig;
    double             x[VARIABLES];
    atemi_strike_plan *plan = rig_evaluate_start(&rig, x);
    const int          count = atemi_strike_plan_constraint_count(plan);
    for (int i = 0; i < count; ++i) {
        char name[ATEMI_STRIKE_NAME];
        int  same = 0;
        atemi_strike_constraint_text(rig.task, atemi_strike_plan_constraint(plan, i), name);
        for (int k = 0; k < count; ++k) {
            char other[ATEMI_STRIKE_NAME];
            atemi_strike_constraint_text(rig.task, atemi_strike_plan_constraint(plan, k), other);
            same += strcmp(name, other) == 0;
        }
        CHECK_EQUAL_INT(same, 1);
    }
    rig_end(&rig, plan);
}
