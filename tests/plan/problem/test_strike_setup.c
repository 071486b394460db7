// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_setup.h"

#include "strike_rig.h"

#include <math.h>

typedef struct trial {
    strike_rig   rig;
    strike_setup setup;
} trial;

static void begin(trial *t)
{
    rig_open(&t->rig);
    CHECK_STATUS(strike_setup_create(t->rig.task, &t->setup, NULL), ATEMI_OK);
}

static void end(trial *t)
{
    strike_setup_destroy(&t->setup);
    rig_close(&t->rig);
}

static const atemi_joint *joint_of(const trial *t, const char *name)
{
    const atemi_model *model = t->rig.task->model;
    return atemi_model_joint(model, atemi_model_find_joint(model, name));
}

// hrp2_like has six joints a leg.
TEST(strike_setup, moves_the_legs_it_stands_on)
{
    trial t;
    begin(&t);
    CHECK_EQUAL_INT(t.setup.leg_joint_count, 12);
    CHECK(t.setup.moving[joint_of(&t, "right_knee")->first_v]);
    CHECK(t.setup.moving[joint_of(&t, "left_ankle_roll")->first_v]);
    CHECK(!t.setup.moving[joint_of(&t, "chest_yaw")->first_v]);
    end(&t);
}

// The left gripper is given at 0, where its range ends, and nothing decides on it.
TEST(strike_setup, locks_joints_that_are_given_at_a_limit)
{
    trial t;
    begin(&t);
    CHECK(strike_setup_is_locked(&t.setup, joint_of(&t, "left_gripper")));
    CHECK(!strike_setup_is_locked(&t.setup, joint_of(&t, "right_elbow"))); // is decided
    CHECK(!strike_setup_is_locked(&t.setup, joint_of(&t, "right_knee")));  // of a leg
    end(&t);
}

TEST(strike_setup, limits_speeds_of_legs_and_of_all_others)
{
    trial t;
    begin(&t);
    const atemi_joint *knee = joint_of(&t, "right_knee"), *elbow = joint_of(&t, "right_elbow");
    CHECK_NEAR(strike_setup_speed_limit(&t.setup, knee), 0.8 * knee->limits.velocity, 1e-12);
    CHECK_NEAR(strike_setup_speed_limit(&t.setup, elbow), 0.98 * elbow->limits.velocity, 1e-12);
    end(&t);
}

TEST(strike_setup, stands_on_the_corners_of_both_soles)
{
    trial               t;
    atemi_contact_point points[STRIKE_MAX_CORNERS];
    begin(&t);
    CHECK_EQUAL_INT(strike_setup_corners(&t.setup, points), 8);
    const atemi_ground ground = strike_setup_ground(&t.setup);
    CHECK_EQUAL_INT(ground.count, 2);
    for (int i = 0; i < 8; ++i) {
        CHECK_EQUAL_INT(points[i].link, ground.links[i / 4]);
    }
    end(&t);
}

// The distance of hip and ankle, with the knee at an angle.
static double leg_length(const strike_rig *rig, int knee, double angle)
{
    const atemi_model *model = rig->task->model;
    double             q[64];
    memcpy(q, rig->task->q, (size_t)atemi_model_q_count(model) * sizeof *q);
    q[atemi_model_joint(model, knee)->first_q] = angle;
    atemi_update_kinematics(rig->rest, q, NULL, NULL);
    const int hip =
        atemi_model_joint(model, atemi_model_find_joint(model, "right_hip_yaw"))->child_link;
    const int ankle =
        atemi_model_joint(model, atemi_model_find_joint(model, "right_ankle_roll"))->child_link;
    return atemi_vec3_norm(atemi_vec3_sub(atemi_link_pose(rig->rest, hip).position,
                                          atemi_link_pose(rig->rest, ankle).position));
}

// Where the leg is longest, the knee ends, whatever the joint's limits are.
TEST(strike_setup, ends_a_knee_where_its_leg_is_straight)
{
    strike_rig   rig;
    strike_setup setup;
    rig_open(&rig);
    double             q[64];
    const int          knee = atemi_model_find_joint(rig.task->model, "right_knee");
    const atemi_joint *joint = atemi_model_joint(rig.task->model, knee);
    memcpy(q, rig.task->q, (size_t)atemi_model_q_count(rig.task->model) * sizeof *q);
    q[joint->first_q] = 1.0;
    rig.task->q = q;
    CHECK_STATUS(strike_setup_create(rig.task, &setup, NULL), ATEMI_OK);
    const double straight = setup.bent_lower[joint->first_v];
    CHECK(isfinite(straight) && isinf(setup.bent_upper[joint->first_v]));
    CHECK(leg_length(&rig, knee, straight) > leg_length(&rig, knee, straight + 0.01));
    CHECK(leg_length(&rig, knee, straight) > leg_length(&rig, knee, straight - 0.01));
    CHECK_NEAR(strike_setup_lower(&setup, joint), fmax(straight, joint->limits.lower), 0.0);
    strike_setup_destroy(&setup);
    rig_close(&rig);
}
