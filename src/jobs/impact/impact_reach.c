// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_reach.h"

#include "atemi/kinematics.h"

#include <string.h>

// The hand is led to its place in PIECES straight pieces, in 1 where that is enough: a place does
// not depend on those that were looked at before it.

enum { PIECES = 8 };

static void take(atemi_impact_reach *reach, atemi_arena *arena)
{
    const atemi_model *model = reach->trial->model;
    const int          most = reach->trial->scenario->contacts.count + 2;
    reach->goals = atemi_arena_array(arena, atemi_posture_goal, most);
    reach->moving = atemi_arena_array(arena, bool, atemi_model_v_count(model));
    reach->q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    reach->scratch = atemi_inverse_kinematics_scratch_take(arena, model, most);
}

atemi_status atemi_impact_reach_create(const atemi_impact_trial *trial, atemi_impact_reach *reach,
                                       atemi_error *error)
{
    *reach = (atemi_impact_reach){.trial = trial};
    atemi_arena arena = atemi_arena_measuring();
    take(reach, &arena);
    const atemi_status status = atemi_arena_create(&reach->arena, arena.used, error);
    if (!status) {
        take(reach, &reach->arena);
    }
    return status;
}

void atemi_impact_reach_destroy(atemi_impact_reach *reach)
{
    atemi_arena_destroy(&reach->arena);
}

// ---- Goals

static atemi_posture_goal hand_goal(const atemi_impact_trial *trial)
{
    const atemi_striking_point *point = &trial->now.point;
    atemi_posture_goal          goal = atemi_posture_goal_default();
    goal.link = point->link;
    goal.frame.position = point->point;
    goal.target.position = atemi_striking_point_place(trial->data, point, 0);
    goal.weight[3] = goal.weight[4] = goal.weight[5] = 0.0;
    return goal;
}

static atemi_posture_goal foot_goal(const atemi_impact_trial *trial, int link)
{
    atemi_posture_goal goal = atemi_posture_goal_default();
    goal.link = link;
    goal.target = atemi_link_pose(trial->data, link);
    return goal;
}

// Above the same place of what it stands on: along the normal it may rise and sink.
static atemi_posture_goal balance_goal(const atemi_impact_trial *trial)
{
    atemi_posture_goal goal = atemi_posture_goal_default();
    goal.kind = ATEMI_GOAL_CENTER_OF_MASS;
    goal.target.rotation = atemi_mat3_with_z(trial->touching.support.plane.normal);
    goal.target.position = atemi_center_of_mass(trial->data);
    goal.weight[2] = 0.0;
    return goal;
}

void atemi_impact_reach_begin(atemi_impact_reach *reach)
{
    const atemi_impact_trial *trial = reach->trial;
    const atemi_model        *model = trial->model;
    const int                 n = atemi_model_v_count(model);
    const bool                held = trial->ground.count > 0;
    atemi_update_kinematics(trial->data, trial->now.q, NULL, NULL);
    reach->count = 0;
    reach->goals[reach->count++] = hand_goal(trial);
    for (int i = 0; i < trial->ground.count; ++i) {
        reach->goals[reach->count++] = foot_goal(trial, trial->ground.links[i]);
    }
    if (trial->touching.support.count > 0) {
        reach->goals[reach->count++] = balance_goal(trial);
    }
    for (int i = 0; i < n; ++i) {
        reach->moving[i] = held || i >= atemi_base_v_count(atemi_model_base(model));
    }
}

// ---- Postures

static bool lead(atemi_impact_reach *reach, const double *from, atemi_vec3 place, int pieces)
{
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    const atemi_model               *model = reach->trial->model;
    const atemi_vec3                 start = reach->goals[0].target.position;
    const atemi_vec3                 way = atemi_vec3_sub(place, start);
    atemi_posture_report             report = {.outcome = ATEMI_POSTURE_REACHED};
    options.moving = reach->moving;
    memcpy(reach->q, from, (size_t)atemi_model_q_count(model) * sizeof *reach->q);
    for (int i = 1; i <= pieces && report.outcome == ATEMI_POSTURE_REACHED; ++i) {
        reach->goals[0].target.position =
            atemi_vec3_add(start, atemi_vec3_scale((double)i / pieces, way));
        if (atemi_inverse_kinematics(model, reach->goals, reach->count, &options, reach->scratch,
                                     reach->q, &report, NULL)) {
            report.outcome = ATEMI_POSTURE_NEAREST;
        }
    }
    reach->goals[0].target.position = start;
    return report.outcome == ATEMI_POSTURE_REACHED;
}

bool atemi_impact_reach_find(atemi_impact_reach *reach, const double *from, atemi_vec3 place)
{
    return lead(reach, from, place, 1) || lead(reach, from, place, PIECES);
}
