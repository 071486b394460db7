// SPDX-License-Identifier: Apache-2.0

/// @file
/// A coordination of r2_like with the left foot as base, and joints that do what they are told.

#pragma once

#include "atemi/coordination.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"

#include <math.h>
#include <string.h>

enum { RIG_JOINTS = 32, RIG_GOALS = 16 };

typedef struct coordination_rig {
    atemi_model        *model;
    atemi_coordination *coordination;
    atemi_goal_record   goals[RIG_GOALS];
    double              positions[RIG_JOINTS], velocities[RIG_JOINTS], torques[RIG_JOINTS];
    double              pushed[RIG_JOINTS]; ///< rad by which a joint is kept from its command
    double              stuck[RIG_JOINTS];  ///< where a joint is held; NAN for not at all
    const bool         *held;               ///< [links] NULL for none
    atemi_joint_command commands[RIG_JOINTS];
} coordination_rig;

static inline int rig_link(const coordination_rig *rig, const char *name)
{
    const int link = atemi_model_find_link(rig->model, name);
    CHECK(link != ATEMI_NONE);
    return link;
}

static inline int rig_joint(const coordination_rig *rig, const char *name)
{
    const int joint = atemi_coordination_find_joint(rig->coordination, name);
    CHECK(joint != ATEMI_NONE);
    return joint;
}

/// Joint i in the model: r2_like has fixed ones between them.
static inline const atemi_joint *rig_model_joint(const coordination_rig *rig, int i)
{
    int j = 0;
    while (atemi_model_joint(rig->model, j)->first_v != 6 + i) {
        ++j;
    }
    return atemi_model_joint(rig->model, j);
}

// Joints follow their commands exactly, but for what is pushed or stuck; springs show the torque
// that the impedance makes of it.
static inline void rig_follow(coordination_rig *rig)
{
    for (int i = 0; i < RIG_JOINTS; ++i) {
        const atemi_joint_command *c = &rig->commands[i];
        const bool                 stuck = !isnan(rig->stuck[i]);
        const double ahead = c->position + 0.02 * (c->velocity + 0.01 * c->acceleration);
        rig->positions[i] = stuck ? rig->stuck[i] : ahead + rig->pushed[i];
        rig->velocities[i] = stuck ? 0.0 : c->velocity + 0.02 * c->acceleration;
        const double feedback = c->stiffness * (ahead - rig->positions[i]);
        rig->torques[i] = fmin(fmax(feedback, -c->feedback_limit), c->feedback_limit) +
                          c->inertia_torque + c->gravity_torque;
    }
}

static inline void rig_measure(coordination_rig *rig)
{
    const atemi_coordination_measurement m = {.positions = rig->positions,
                                              .velocities = rig->velocities,
                                              .torques = rig->torques,
                                              .held = rig->held};
    atemi_coordination_step(rig->coordination, &m, rig->commands);
}

static inline void rig_step(coordination_rig *rig)
{
    rig_measure(rig);
    rig_follow(rig);
}

static inline void rig_steps(coordination_rig *rig, int count)
{
    for (int k = 0; k < count; ++k) {
        rig_step(rig);
    }
}

static inline unsigned rig_faults(const coordination_rig *rig)
{
    return atemi_coordination_report_get(rig->coordination).faults;
}

static inline bool rig_moves(const coordination_rig *rig)
{
    return atemi_coordination_report_get(rig->coordination).moving;
}

static inline const atemi_goal_record *rig_last_goal(const coordination_rig *rig)
{
    const atemi_goal_log *log = atemi_coordination_goals(rig->coordination);
    return atemi_goal_log_find(log, log->last);
}

/// Steps until nothing moves any more, at most `most`.
/// @return the steps
static inline int rig_run(coordination_rig *rig, int most)
{
    int steps = 0;
    do {
        rig_step(rig);
        ++steps;
    } while (steps < most && rig_moves(rig));
    return steps;
}

/// Where a link is in a posture.
static inline atemi_transform rig_pose(const coordination_rig *rig, const double *q, int link)
{
    atemi_data *s = data_create(rig->model);
    atemi_update_kinematics(s, q, NULL, NULL);
    const atemi_transform pose = atemi_link_pose(s, link);
    atemi_data_destroy(s);
    return pose;
}

/// Where a link is commanded to be.
static inline atemi_transform rig_commanded(const coordination_rig *rig, int link)
{
    return rig_pose(rig, atemi_coordination_posture(rig->coordination), link);
}

/// With options of one's own; their base and log are set, so that the robot is upright.
static inline void rig_begin_with(coordination_rig *rig, atemi_coordination_options options)
{
    *rig = (coordination_rig){0};
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &rig->model, NULL), ATEMI_OK);
    const double *q =
        atemi_model_posture(rig->model, atemi_model_find_posture(rig->model, "ready"));
    options.base_link = rig_link(rig, "left_foot");
    options.base_pose = rig_pose(rig, q, options.base_link);
    options.goals = rig->goals;
    options.goal_capacity = RIG_GOALS;
    CHECK_STATUS(atemi_coordination_create(rig->model, &options, &rig->coordination, NULL),
                 ATEMI_OK);
    CHECK_EQUAL_INT(atemi_coordination_joint_count(rig->coordination), RIG_JOINTS);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        rig->positions[i] = q[7 + i];
        rig->stuck[i] = NAN;
    }
}

/// Steps until stiffness has come: two seconds.
static inline void rig_begin(coordination_rig *rig)
{
    rig_begin_with(rig, atemi_coordination_options_default());
    rig_steps(rig, 150);
    CHECK(!rig_moves(rig));
}

static inline void rig_end(coordination_rig *rig)
{
    atemi_coordination_destroy(rig->coordination);
    atemi_model_destroy(rig->model);
}
