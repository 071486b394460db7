// SPDX-License-Identifier: Apache-2.0

/// @file
/// The task of scenarios/strike.yaml, and values of its variables.

#pragma once

#include "atemi/strike_plan.h"
#include "check.h"
#include "data.h"
#include "jobs/job_choice.h"
#include "jobs/strike/strike_scenario.h"

#include <string.h>

#define STRIKE_SCENARIO ATEMI_SOURCE_DIR "/scenarios/strike.yaml"

/// Where each variable stands in the values: that of the first foot, the second foot, the joints
/// and the motion.
enum { AT_FOOT = 0, AT_STANCE = 6, AT_JOINTS = 8, AT_SPEED = 16, VARIABLES = 22 };

typedef struct strike_rig {
    atemi_strike_scenario scenario;
    atemi_strike_task    *task; ///< of the scenario
    atemi_data           *rest;
} strike_rig;

static inline void rig_open(strike_rig *rig)
{
    atemi_scenario_reader *reader;
    atemi_error            error = {0};
    CHECK_STATUS(atemi_scenario_open(STRIKE_SCENARIO, &reader, &error), ATEMI_OK);
    atemi_job_choice_read(reader, "strike");
    const atemi_status status =
        atemi_strike_scenario_read(reader, STRIKE_SCENARIO, &rig->scenario, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    atemi_scenario_close(reader);
    rig->task = &rig->scenario.task;
    rig->rest = data_create(rig->task->model);
}

static inline void rig_close(strike_rig *rig)
{
    atemi_data_destroy(rig->rest);
    atemi_strike_scenario_destroy(&rig->scenario);
}

/// Lets the left fist strike with the right one.
static inline void rig_add_hand(strike_rig *rig)
{
    atemi_strike_task *task = rig->task;
    const atemi_site  *fist =
        atemi_model_site(task->model, atemi_model_find_site(task->model, "left_fist"));
    task->point.more = 1;
    task->point.others[0] = (atemi_striking_hand){fist->link, fist->pose.position};
}

/// A posture that stands, strikes at 0.7 m and has room on all sides; the hand at `speed`, all else
/// at rest.
static inline void rig_posture(double speed, double x[VARIABLES])
{
    const double values[VARIABLES] = {-0.0156, -0.095, -0.433, 0.0,   -0.0186, 0.0,
                                      0.103,   0.201,  0.161,  0.697, -1.387,  -0.218,
                                      0.9975,  -1.249, 0.9075, 0.89,  speed};
    memcpy(x, values, sizeof values);
}

/// A range that is a number.
static inline void rig_fix(atemi_strike_range *range, double value)
{
    *range = (atemi_strike_range){value, value, value};
}

/// The task at one posture: only the speed is decided.
static inline void rig_fix_posture(strike_rig *rig, double most)
{
    atemi_strike_task *task = rig->task;
    double             x[VARIABLES];
    rig_posture(0.0, x);
    for (int i = 0; i < 3; ++i) {
        rig_fix(&task->foot_position[i], x[AT_FOOT + i]);
        rig_fix(&task->foot_rotation[i], x[AT_FOOT + 3 + i]);
    }
    rig_fix(&task->stance[0][0], x[AT_STANCE]);
    rig_fix(&task->stance[0][1], x[AT_STANCE + 1]);
    for (int i = 0; i < task->joint_count; ++i) {
        rig_fix(&rig->scenario.joint_ranges[i], x[AT_JOINTS + i]);
    }
    task->speed = (atemi_strike_range){0.2, 0.0, most};
    rig_fix(&task->lift, 0.0);
    rig_fix(&task->roll, 0.0);
    rig_fix(&task->pitch, 0.0);
    rig_fix(&task->com_x, 0.0);
    rig_fix(&task->com_y, 0.0);
}

static inline atemi_strike_plan *rig_evaluate(const strike_rig *rig, const double *x)
{
    atemi_strike_plan *plan;
    atemi_error        error = {0};
    const atemi_status status = atemi_strike_plan_evaluate(rig->task, x, &plan, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    CHECK_EQUAL_INT(atemi_strike_plan_variable_count(plan), VARIABLES);
    return plan;
}

/// The pose of a foot where `rest` was updated last.
static inline atemi_transform rig_foot(const strike_rig *rig, int foot)
{
    const atemi_site     *site = atemi_model_site(rig->task->model, rig->task->feet[foot]);
    const atemi_transform link = atemi_link_pose(rig->rest, site->link);
    return atemi_transform_compose(&link, &site->pose);
}

/// The velocity of a hand's point there.
static inline atemi_motion rig_hand(const strike_rig *rig, int hand)
{
    const atemi_striking_hand at = atemi_striking_point_hand(&rig->task->point, hand);
    const atemi_transform     pose = atemi_link_pose(rig->rest, at.link);
    return atemi_motion_at(atemi_link_velocity(rig->rest, at.link),
                           atemi_mat3_apply(&pose.rotation, at.point));
}

/// The momentum about the world's origin there.
static inline atemi_force rig_momentum(const strike_rig *rig)
{
    const atemi_vec3 com = atemi_center_of_mass(rig->rest);
    atemi_force      momentum = atemi_momentum(rig->rest);
    momentum.angular = atemi_vec3_add(momentum.angular, atemi_vec3_cross(com, momentum.linear));
    return momentum;
}

static inline atemi_strike_plan *rig_search(const strike_rig           *rig,
                                            const atemi_strike_options *options)
{
    atemi_strike_plan *plan;
    atemi_error        error = {0};
    const atemi_status status = atemi_strike_plan_make(rig->task, options, &plan, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return plan;
}

static inline void rig_end(strike_rig *rig, atemi_strike_plan *plan)
{
    atemi_strike_plan_destroy(plan);
    rig_close(rig);
}

/// [STRIKE] Tables I and II, column "init.", with the momenta of the column "result".
static inline void rig_paper_start(const strike_rig *rig, double x[VARIABLES])
{
    const atemi_strike_task *task = rig->task;
    const double             motion[VARIABLES - AT_SPEED] = {2.0, 2.68, 3.0, 3.0, 0.09, -0.06};
    for (int i = 0; i < 3; ++i) {
        x[AT_FOOT + i] = task->foot_position[i].start;
        x[AT_FOOT + 3 + i] = task->foot_rotation[i].start;
    }
    x[AT_STANCE] = task->stance[0][0].start;
    x[AT_STANCE + 1] = task->stance[0][1].start;
    for (int i = 0; i < task->joint_count; ++i) {
        x[AT_JOINTS + i] = task->joint_ranges[i].start;
    }
    memcpy(x + AT_SPEED, motion, sizeof motion);
}

/// The same, less deep: the ankles of hrp2_like end 3 mm before the paper's squat.
static inline void rig_near_start(const strike_rig *rig, double x[VARIABLES])
{
    rig_paper_start(rig, x);
    x[2] -= 0.02;
}

/// The plan there, with its kinematics in `rest`.
static inline atemi_strike_plan *rig_evaluate_start(strike_rig *rig, double x[VARIABLES])
{
    rig_open(rig);
    rig_near_start(rig, x);
    atemi_strike_plan *plan = rig_evaluate(rig, x);
    atemi_update_kinematics(rig->rest, atemi_strike_plan_q(plan), atemi_strike_plan_v(plan), NULL);
    return plan;
}

/// The value of a constraint.
static inline double rig_constraint(const strike_rig *rig, const atemi_strike_plan *plan,
                                    const char *name)
{
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        char                           text[ATEMI_STRIKE_NAME];
        atemi_strike_constraint_text(rig->task, c, text);
        if (strcmp(text, name) == 0) {
            return c->value;
        }
    }
    check_fail(CHECK_PLACE("rig_constraint"), "there is no constraint '%s'", name);
}

/// A gentle strike from a given posture: one variable, so that a plan takes no time.
static inline void rig_open_gently(strike_rig *rig)
{
    rig_open(rig);
    rig_fix_posture(rig, 0.3);
}
