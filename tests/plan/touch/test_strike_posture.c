// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_posture.h"

#include "strike_rig.h"

#include <math.h>

TEST(strike_posture, has_the_feet_where_they_are_decided)
{
    strike_rig            rig;
    double                x[VARIABLES];
    atemi_strike_plan    *plan = rig_evaluate_start(&rig, x);
    atemi_transform       expected = atemi_transform_identity();
    const atemi_transform first = rig_foot(&rig, 0), second = rig_foot(&rig, 1);
    CHECK_NEAR(largest_pose_difference(&first, &expected), 0.0, 1e-9);
    expected.position = (atemi_vec3){x[AT_STANCE], x[AT_STANCE + 1], 0.0};
    CHECK_NEAR(largest_pose_difference(&second, &expected), 0.0, 1e-9);
    rig_end(&rig, plan);
}

TEST(strike_posture, tells_by_how_much_a_foot_is_out_of_reach)
{
    strike_rig rig;
    double     x[VARIABLES];
    rig_open(&rig);
    rig_paper_start(&rig, x);
    atemi_strike_plan *plan = rig_evaluate(&rig, x);
    atemi_update_kinematics(rig.rest, atemi_strike_plan_q(plan), NULL, NULL);
    CHECK_NEAR(rig_constraint(&rig, plan, "place of right_sole"),
               atemi_vec3_norm(rig_foot(&rig, 0).position), 1e-9);
    CHECK(rig_constraint(&rig, plan, "place of right_sole") > 1e-3);
    CHECK(!atemi_strike_plan_feasible(plan));
    rig_end(&rig, plan);
}

// A foot that is turned as well.
TEST(strike_posture, has_the_base_where_the_first_foot_is_seen_from)
{
    strike_rig rig;
    double     x[VARIABLES];
    rig_open(&rig);
    rig_posture(1.0, x);
    atemi_strike_plan *plan = rig_evaluate(&rig, x);
    atemi_update_kinematics(rig.rest, atemi_strike_plan_q(plan), NULL, NULL);
    const atemi_transform base = atemi_link_pose(rig.rest, 0);
    const atemi_transform foot = rig_foot(&rig, 0);
    const atemi_mat3      back = atemi_mat3_transposed(&base.rotation);
    const atemi_vec3 seen = atemi_mat3_apply(&back, atemi_vec3_sub(foot.position, base.position));
    const atemi_mat3 turn = atemi_mat3_multiply(&back, &foot.rotation);
    const atemi_vec3 ahead = atemi_mat3_apply(&turn, (atemi_vec3){1.0, 0.0, 0.0});
    CHECK_NEAR(seen.x, x[0], 1e-9);
    CHECK_NEAR(seen.y, x[1], 1e-9);
    CHECK_NEAR(seen.z, x[2], 1e-9);
    CHECK_NEAR(ahead.x, cos(x[4]), 1e-9);
    CHECK_NEAR(ahead.z, -sin(x[4]), 1e-9);
    rig_end(&rig, plan);
}

TEST(strike_posture, has_the_joints_that_are_decided_and_those_that_are_given)
{
    strike_rig               rig;
    double                   x[VARIABLES];
    atemi_strike_plan       *plan = rig_evaluate_start(&rig, x);
    const atemi_strike_task *task = rig.task;
    const double            *q = atemi_strike_plan_q(plan);
    for (int i = 0; i < task->joint_count; ++i) {
        const atemi_joint *joint = atemi_model_joint(task->model, task->joints[i]);
        CHECK_NEAR(q[joint->first_q], x[AT_JOINTS + i], 0.0);
        char name[ATEMI_STRIKE_NAME];
        atemi_strike_variable_text(task, atemi_strike_plan_variable(plan, AT_JOINTS + i), name);
        CHECK_EQUAL_STRING(name, joint->name);
    }
    const int elbow = atemi_model_find_joint(task->model, "left_elbow");
    const int first = atemi_model_joint(task->model, elbow)->first_q;
    CHECK_NEAR(q[first], task->q[first], 0.0);
    rig_end(&rig, plan);
}
