// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_posture.h"

#include "atemi/math.h"

#include <string.h>

// With the first foot at p and rotated by R as the base sees it, and at the world's origin, the
// base is at
//
//   R_0 = R^T,   p_0 = -R^T p                                                   [STRIKE] eq. 2
//
// Then the legs follow by inverse kinematics, always from the task's posture: the same values give
// the same posture, whatever was looked at before.

static const double foot_off = 1e-9; // m, rad: rounding of a foot that is at its place

static atemi_quaternion rotation_zyx(const double angles[3])
{
    const atemi_quaternion x = atemi_quaternion_exp((atemi_vec3){angles[0], 0.0, 0.0});
    const atemi_quaternion y = atemi_quaternion_exp((atemi_vec3){0.0, angles[1], 0.0});
    const atemi_quaternion z = atemi_quaternion_exp((atemi_vec3){0.0, 0.0, angles[2]});
    return atemi_quaternion_multiply(atemi_quaternion_multiply(z, y), x);
}

static void place_base(const strike_values *x, double *q)
{
    const atemi_quaternion rotation = rotation_zyx(x->foot_rotation);
    const atemi_quaternion back = {-rotation.x, -rotation.y, -rotation.z, rotation.w};
    const atemi_mat3       R = atemi_quaternion_matrix(back);
    const double          *at = x->foot_position;
    const atemi_vec3       place = atemi_mat3_apply(&R, (atemi_vec3){-at[0], -at[1], -at[2]});
    const double           base[] = {place.x, place.y, place.z, back.x, back.y, back.z, back.w};
    memcpy(q, base, sizeof base);
}

atemi_transform strike_foot_target(const strike_values *x, int foot)
{
    atemi_transform target = atemi_transform_identity();
    if (foot > 0) {
        target.position = (atemi_vec3){x->stance[foot - 1][0], x->stance[foot - 1][1], 0.0};
    }
    return target;
}

void strike_posture_goals(const strike_setup *s, const strike_values *x, atemi_posture_goal *goals)
{
    for (int i = 0; i < s->task.foot_count; ++i) {
        goals[i] = atemi_posture_goal_default();
        goals[i].link = s->foot_links[i];
        goals[i].frame = strike_setup_foot(s, i)->pose;
        goals[i].target = strike_foot_target(x, i);
    }
}

static void find_legs(const strike_setup *s, const strike_values *x,
                      atemi_inverse_kinematics_scratch *ik, double *q)
{
    atemi_posture_goal   goals[ATEMI_STRIKE_MAX_FEET];
    atemi_posture_report report;
    strike_posture_goals(s, x, goals);
    atemi_inverse_kinematics(s->model, goals, s->task.foot_count, &s->ik_options, ik, q, &report,
                             NULL);
}

void strike_posture_find(const strike_setup *s, const strike_values *x,
                         atemi_inverse_kinematics_scratch *ik, double *q, atemi_motion *errors)
{
    memcpy(q, s->task.q, (size_t)atemi_model_q_count(s->model) * sizeof *q);
    place_base(x, q);
    for (int i = 0; i < s->task.joint_count; ++i) {
        q[atemi_model_joint(s->model, s->task.joints[i])->first_q] = x->joints[i];
    }
    find_legs(s, x, ik, q);
    memcpy(errors, atemi_inverse_kinematics_errors(ik),
           (size_t)s->task.foot_count * sizeof *errors);
}

bool strike_feet_stand(const strike_setup *s, const atemi_motion *errors)
{
    bool stand = true;
    for (int i = 0; i < s->task.foot_count; ++i) {
        stand = stand && atemi_vec3_norm(errors[i].linear) < foot_off &&
                atemi_vec3_norm(errors[i].angular) < foot_off;
    }
    return stand;
}
