// SPDX-License-Identifier: Apache-2.0

#include "atemi/quaternion.h"
#include "plan/strike_problem.h"

#include <string.h>

// With the first foot at p and turned by R as the base sees it, and at the world's origin, the base
// is at
//
//   R_0 = R^T,   p_0 = -R^T p                                                   [STRIKE] eq. 2
//
// Then the legs follow by inverse kinematics, always from the task's posture: the same values give
// the same posture, whatever was looked at before.

static atemi_quaternion turn_zyx(const double angles[3])
{
    const atemi_quaternion x = atemi_quaternion_exp((atemi_vec3){angles[0], 0.0, 0.0});
    const atemi_quaternion y = atemi_quaternion_exp((atemi_vec3){0.0, angles[1], 0.0});
    const atemi_quaternion z = atemi_quaternion_exp((atemi_vec3){0.0, 0.0, angles[2]});
    return atemi_quaternion_multiply(atemi_quaternion_multiply(z, y), x);
}

static void place_base(strike_problem *p)
{
    const atemi_quaternion turn = turn_zyx(p->values.foot_turn);
    const atemi_quaternion back = {-turn.x, -turn.y, -turn.z, turn.w};
    const atemi_mat3       R = atemi_quaternion_matrix(back);
    const double          *at = p->values.foot_position;
    const atemi_vec3       place = atemi_mat3_apply(&R, (atemi_vec3){-at[0], -at[1], -at[2]});
    const double           base[] = {place.x, place.y, place.z, back.x, back.y, back.z, back.w};
    memcpy(p->q, base, sizeof base);
}

static void place_joints(strike_problem *p)
{
    for (int i = 0; i < p->task.joint_count; ++i) {
        p->q[atemi_model_joint(p->model, p->task.joints[i])->first_q] = p->values.joints[i];
    }
}

void strike_find_posture(strike_problem *p)
{
    atemi_posture_report report;
    memcpy(p->q, p->task.q, (size_t)atemi_model_q_count(p->model) * sizeof *p->q);
    place_base(p);
    place_joints(p);
    for (int i = 1; i < p->task.foot_count; ++i) {
        p->goals[i].target.position =
            (atemi_vec3){p->values.stance[i - 1][0], p->values.stance[i - 1][1], 0.0};
    }
    atemi_inverse_kinematics(p->model, p->goals, p->task.foot_count, &p->ik_options, &p->ik, p->q,
                             &report, NULL);
}
