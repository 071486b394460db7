// SPDX-License-Identifier: Apache-2.0

/// @file
/// Back from a robot that is rooted in its supporting foot: joints q with the base at the origin
/// give the foot's pose F_0, so the base is F F_0^-1.

#pragma once

#include "atemi/kinematics.h"
#include "papers/walk/support_foot.h"

#include <math.h>

/// Every joint has one coordinate; those of the base become zero.
static inline void free_joints(const atemi_model *rooted, const double *x, const atemi_model *robot,
                               double *robot_x)
{
    for (int i = 0; i < atemi_model_v_count(robot); ++i) {
        robot_x[i] = 0.0;
    }
    for (int j = 0; j < atemi_model_joint_count(robot); ++j) {
        const atemi_joint *joint = atemi_model_joint(robot, j);
        const int          same = atemi_model_find_joint(rooted, joint->name);
        if (joint->v_count == 1 && same != ATEMI_NONE) {
            robot_x[joint->first_v] = x[atemi_model_joint(rooted, same)->first_v];
        }
    }
}

/// The first coordinates of the rooted robot.
typedef struct foot_place {
    double slide, turn;
} foot_place;

static inline foot_place place_of_foot(const atemi_support_foot *foot, const double *x)
{
    return (foot_place){.slide = foot->slips ? x[0] : 0.0,
                        .turn = foot->rotates ? x[foot->slips] : 0.0};
}

static inline void place_base(const atemi_support_foot *foot, const atemi_transform *from_base,
                              foot_place stands, double *q)
{
    const double     turn = stands.turn - atan2(from_base->rotation.z.x, from_base->rotation.z.z);
    const atemi_mat3 R = atemi_mat3_from_rpy(0.0, turn, 0.0);
    const atemi_vec3 edge = atemi_mat3_apply(&R, atemi_transform_apply(from_base, foot->edge));
    q[0] = stands.slide - edge.x;
    q[1] = -edge.z;
    q[2] = turn;
}

/// What the edge does while the base stands is taken back by the base, in its own axes.
static inline void move_base(const atemi_support_foot *foot, const atemi_transform *from_base,
                             atemi_motion of_joints, double turn, foot_place moves, double *v)
{
    const atemi_vec3 arm = atemi_mat3_apply(&from_base->rotation, foot->edge);
    const atemi_vec3 spin = {0.0, moves.turn - of_joints.angular.y, 0.0};
    const atemi_mat3 R = atemi_mat3_from_rpy(0.0, turn, 0.0);
    const atemi_vec3 slide = atemi_mat3_apply_transposed(&R, (atemi_vec3){moves.slide, 0.0, 0.0});
    const atemi_vec3 of_edge =
        atemi_vec3_add(atemi_motion_at(of_joints, arm).linear,
                       atemi_vec3_cross(spin, atemi_transform_apply(from_base, foot->edge)));
    v[0] = slide.x - of_edge.x;
    v[1] = slide.z - of_edge.z;
    v[2] = spin.y;
}

/// The state of the robot from that of the rooted one.
/// @param kinematics of the robot; overwritten
/// @param robot_q    [q_count] result, as robot_v [v_count]
static inline void free_state(const atemi_support_foot *foot, const atemi_model *robot,
                              const atemi_model *rooted, const double *q, const double *v,
                              atemi_data *kinematics, double *robot_q, double *robot_v)
{
    free_joints(rooted, q, robot, robot_q);
    free_joints(rooted, v, robot, robot_v);
    atemi_update_kinematics(kinematics, robot_q, robot_v, NULL);
    const atemi_transform from_base = atemi_link_pose(kinematics, foot->link);
    place_base(foot, &from_base, place_of_foot(foot, q), robot_q);
    move_base(foot, &from_base, atemi_link_velocity(kinematics, foot->link), robot_q[2],
              place_of_foot(foot, v), robot_v);
}
