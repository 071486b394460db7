// SPDX-License-Identifier: Apache-2.0

/// @file
/// Robots that look for postures, on a test bench.

#pragma once

#include "atemi/inverse_kinematics.h"
#include "atemi/math.h"
#include "atemi/model.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

enum { MAX_GOALS = 6 };

/// A robot, and what looks for its postures.
typedef struct bench {
    atemi_model                      *model;
    atemi_arena                       arena;
    atemi_inverse_kinematics_scratch *scratch;
    atemi_data                       *oracle;
    int                               n;
} bench;

static inline void bench_begin(bench *b, atemi_model *model)
{
    *b = (bench){.model = model, .arena = atemi_arena_measuring()};
    atemi_inverse_kinematics_scratch_take(&b->arena, model, MAX_GOALS);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    b->scratch = atemi_inverse_kinematics_scratch_take(&b->arena, model, MAX_GOALS);
    b->oracle = data_create(model);
    b->n = atemi_model_v_count(model);
}

static inline void bench_end(bench *b)
{
    atemi_data_destroy(b->oracle);
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static inline void bench_begin_hrp2(bench *b)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    bench_begin(b, model);
}

static inline void half_sitting(const bench *b, double *q)
{
    const int index = atemi_model_find_posture(b->model, "half_sitting");
    memcpy(q, atemi_model_posture(b->model, index),
           (size_t)atemi_model_q_count(b->model) * sizeof *q);
}

static inline int coordinate(const bench *b, const char *joint)
{
    return atemi_model_joint(b->model, atemi_model_find_joint(b->model, joint))->first_q;
}

static inline int velocity(const bench *b, const char *joint)
{
    return atemi_model_joint(b->model, atemi_model_find_joint(b->model, joint))->first_v;
}

static inline atemi_posture_report solve(bench *b, const atemi_posture_goal *goals, int count,
                                         const atemi_inverse_kinematics_options *options, double *q)
{
    atemi_posture_report report;
    CHECK_STATUS(
        atemi_inverse_kinematics(b->model, goals, count, options, b->scratch, q, &report, NULL),
        ATEMI_OK);
    return report;
}

/// A goal that the posture q meets.
static inline atemi_posture_goal goal_at(bench *b, const double *q, int link)
{
    atemi_posture_goal goal = atemi_posture_goal_default();
    goal.link = link;
    atemi_update_kinematics(b->oracle, q, NULL, NULL);
    goal.target = atemi_link_pose(b->oracle, link);
    return goal;
}

static inline atemi_posture_goal named_goal_at(bench *b, const double *q, const char *link)
{
    return goal_at(b, q, atemi_model_find_link(b->model, link));
}

/// The largest difference of poses between goals and where their links are.
static inline double pose_error(bench *b, const double *q, const atemi_posture_goal *goals,
                                int count)
{
    double largest = 0.0;
    atemi_update_kinematics(b->oracle, q, NULL, NULL);
    for (int g = 0; g < count; ++g) {
        const atemi_transform link = atemi_link_pose(b->oracle, goals[g].link);
        const atemi_transform pose = atemi_transform_compose(&link, &goals[g].frame);
        const double          d = largest_pose_difference(&pose, &goals[g].target);
        largest = d > largest || d != d ? d : largest;
    }
    return largest;
}

static inline bool within_limits(const bench *b, const double *q)
{
    for (int j = 0; j < atemi_model_joint_count(b->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(b->model, j);
        if (joint->v_count == 1 && !(q[joint->first_q] >= joint->limits.lower &&
                                     q[joint->first_q] <= joint->limits.upper)) {
            return false;
        }
    }
    return true;
}

/// A goal somewhere, up to 2.9 rad away, and the centre of mass.
static inline void random_goals(const bench *b, random_stream *random, atemi_posture_goal goals[2])
{
    goals[0] = goals[1] = atemi_posture_goal_default();
    goals[0].link = atemi_model_link_count(b->model) - 1;
    goals[0].frame.position = (atemi_vec3){0.1, -0.2, 0.3};
    goals[0].target.position = (atemi_vec3){random_uniform(random, -1.0, 1.0), 0.5, -0.2};
    goals[0].target.rotation = atemi_mat3_from_rpy(random_uniform(random, -3.0, 3.0), 0.4, 1.0);
    goals[0].weight[1] = 0.5;
    goals[0].weight[4] = 0.0;
    goals[1].kind = ATEMI_GOAL_CENTER_OF_MASS;
}
