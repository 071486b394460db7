// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_task.h"

#include "atemi/robots.h"
#include "strike_rig.h"

#include <math.h>

static void check_refusal(check_place place, const strike_rig *rig, const char *cause)
{
    atemi_strike_plan *plan;
    atemi_error        error = {0};
    const atemi_status status = atemi_strike_plan_make(rig->task, NULL, &plan, &error);
    check_contains(place, error.message, cause);
    check_status(place, status, ATEMI_ERROR_INPUT);
    check_true(place, !plan);
}

// Each begins with the task of the scenario.
#define REFUSES(change, cause)                                                                     \
    do {                                                                                           \
        strike_rig rig;                                                                            \
        rig_open(&rig);                                                                            \
        change;                                                                                    \
        check_refusal(CHECK_PLACE("REFUSES(" #change ")"), &rig, cause);                           \
        rig_close(&rig);                                                                           \
    } while (0)

TEST(strike_task, refuses_a_range_that_is_empty)
{
    REFUSES(rig.task->speed.lower = 3.0; rig.task->speed.upper = 2.0, "the range of speed");
    REFUSES(rig.task->foot_rotation[1].start = NAN, "the range of foot_rotation y");
    REFUSES(rig.task->com_x.upper = NAN, "the range of com x");
    REFUSES(rig.task->stance[0][1].lower = 1.0, "the range of stance y");
    REFUSES(rig.scenario.joint_ranges[5].upper = -9.0, "the range of right_elbow");
    REFUSES(rig.task->roll.start = INFINITY, "with the start inf, is empty");
}

TEST(strike_task, refuses_to_stand_on_nothing)
{
    REFUSES(rig.task->foot_count = 0, "0 feet are given: give 1 to 4");
    REFUSES(rig.task->foot_count = 5, "5 feet are given: give 1 to 4");
    REFUSES(rig.scenario.feet[1] = atemi_model_find_site(rig.task->model, "right_fist"),
            "the site 'right_fist' has no area");
}

TEST(strike_task, refuses_feet_that_cannot_be)
{
    REFUSES(rig.scenario.feet[1] = rig.scenario.feet[0],
            "the feet 'right_sole' and 'right_sole' are of the same link");
    REFUSES(rig.task->point.link = atemi_model_site(rig.task->model, rig.task->feet[0])->link,
            "the robot stands on 'right_sole' and strikes with the same link");
}

static void add_hand_of(strike_rig *rig, int link)
{
    rig_add_hand(rig);
    rig->task->point.others[0].link = link;
}

TEST(strike_task, refuses_hands_that_cannot_be)
{
    REFUSES(rig.task->point.link = -1, "link -1 strikes, but there is no such link");
    REFUSES(rig.task->point.more = 2, "3 hands strike: give 1 to 2");
    REFUSES(add_hand_of(&rig, rig.task->point.link), "both hands are of the link 'right_hand'");
    REFUSES(add_hand_of(&rig, atemi_model_site(rig.task->model, rig.task->feet[1])->link),
            "the robot stands on 'left_sole' and strikes with the same link");
    REFUSES(rig.task->lead = -1e-3, "the lead is -0.001: it must not be negative");
}

static void decide(strike_rig *rig, int index, const char *joint)
{
    rig->scenario.joints[index] = atemi_model_find_joint(rig->task->model, joint);
}

TEST(strike_task, refuses_joints_that_cannot_be_decided)
{
    REFUSES(decide(&rig, 3, "chest_yaw"), "the joint 'chest_yaw' is decided twice");
    REFUSES(decide(&rig, 3, "left_knee"),
            "the joint 'left_knee' is decided, but it belongs to the leg of 'left_sole'");
}

TEST(strike_task, refuses_numbers_that_leave_nothing)
{
    REFUSES(rig.task->target.mass = 0.0, "the mass of the target is 0: it must be positive");
    REFUSES(rig.task->effort_fraction = 0.0, "the effort_fraction is 0: it must be positive");
    REFUSES(rig.task->travel_friction = -1.0, "the travel_friction is -1");
    REFUSES(rig.task->friction = NAN, "the friction is nan");
    REFUSES(rig.task->doubt.distance = -0.01, "the distance in doubt is -0.01: it must not be");
    REFUSES(rig.task->doubt.mass = 1.0, "in doubt are 1 of the target's mass");
    REFUSES(rig.task->doubt.friction = 1.5, "1.5 of the friction");
    REFUSES(rig.task->doubt.gains = 1.0, "1 of the gains");
    REFUSES(rig.task->case_count = ATEMI_STRIKE_MAX_CASES + 1, "25 cases are given: give 0 to 24");
    REFUSES(rig.task->case_count = 1; rig.task->cases[0].mass = -1.0, "case 0 is off by the whole");
}

TEST(strike_task, refuses_an_objective_without_weight)
{
    REFUSES(rig.task->peak_weight = 0.0, "the objective has no weight");
    REFUSES(rig.task->peak_weight = -1.0, "the objective has no weight");
    REFUSES(rig.task->impulse_weight = NAN, "the objective has no weight");
}

TEST(strike_task, refuses_phases_without_time)
{
    REFUSES(rig.task->hand_rise.lower = 0.0, "must be positive");
    REFUSES(rig.task->body_fall.lower = -1.0, "must be positive");
    REFUSES(rig_fix(&rig.task->hand_rise, 0.8), "body_rise ends at 0.7 s, before hand_rise");
    REFUSES(rig_fix(&rig.task->body_fall, 0.1), "the body must not take less time than the hand");
}

TEST(strike_task, refuses_a_robot_that_is_fixed_to_the_world)
{
    strike_rig         rig;
    atemi_model       *statue;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    rig_open(&rig);
    CHECK_STATUS(atemi_robots_load("hrp2_like", &options, &statue, NULL), ATEMI_OK);
    rig.task->model = statue;
    check_refusal(CHECK_PLACE("fixed"), &rig, "the base of the robot is fixed");
    atemi_model_destroy(statue);
    rig_close(&rig);
}

TEST(strike_task, refuses_more_joints_than_can_be_decided)
{
    strike_rig         rig;
    atemi_strike_plan *plan;
    rig_open(&rig);
    rig.task->joint_count = ATEMI_STRIKE_MAX_VARIABLES;
    CHECK_STATUS(atemi_strike_plan_make(rig.task, NULL, &plan, NULL), ATEMI_ERROR_LIMIT);
    CHECK(!plan);
    rig_close(&rig);
}
