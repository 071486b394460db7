// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_proposal.h"

#include "altered_robot.h"
#include "atemi/kinematics.h"
#include "check.h"
#include "data.h"
#include "plan/problem/strike_setup.h"

#include <math.h>

// hrp2_like as others would write it; with `joints` of each leg, 5 or 6.
static atemi_model *load(int joints)
{
    char *text = altered_begin("hrp2_like");
    if (joints == 5) {
        altered_fix(text, "\"right_ankle_roll\"");
        altered_fix(text, "\"left_ankle_roll\"");
    }
    return altered_load(text);
}

static atemi_strike_proposal propose(const atemi_model *model, const atemi_strike_wish *wish)
{
    atemi_strike_proposal p;
    CHECK_STATUS(atemi_strike_proposal_create(model, wish, &p, NULL), ATEMI_OK);
    return p;
}

static void check_range(const atemi_strike_range *r)
{
    CHECK(r->lower <= r->start && r->start <= r->upper);
}

// ---- What is decided

TEST(strike_proposal, decides_waist_and_arm_within_their_limits)
{
    atemi_model          *model = load(6);
    atemi_strike_proposal p = propose(model, NULL);
    CHECK_EQUAL_INT(p.task.joint_count, 8); // chest 2, shoulder 3, elbow, wrist 2
    for (int i = 0; i < p.task.joint_count; ++i) {
        const atemi_joint *joint = atemi_model_joint(model, p.joints[i]);
        check_range(&p.ranges[i]);
        CHECK(p.ranges[i].lower > joint->limits.lower && p.ranges[i].upper < joint->limits.upper);
    }
    for (int k = 0; k < 3; ++k) {
        check_range(&p.task.foot_position[k]);
    }
    check_range(&p.task.stance[0][0]);
    check_range(&p.task.stance[0][1]);
    atemi_strike_proposal_destroy(&p);
    atemi_model_destroy(model);
}

// The robot of [STRIKE] is the measure.
TEST(strike_proposal, has_the_sizes_of_the_paper_for_its_robot)
{
    atemi_model          *model = load(6);
    atemi_strike_proposal p = propose(model, NULL);
    CHECK_NEAR(p.task.impact_margin, 0.05, 1e-12);
    CHECK_NEAR(p.task.edge_margin, 0.02, 0.0015); // 0.15 of 0.14 m, two digits
    CHECK_NEAR(p.task.lift.upper, 3.0, 0.2);      // 58.5 kg of 56 kg
    CHECK_NEAR(p.task.target.mass, 5.0, 0.3);
    CHECK_NEAR(p.stiffness, 8000.0, 500.0);
    CHECK_NEAR(p.damping / p.stiffness, 400.0 / 8000.0, 1e-12);
    CHECK(p.effort_known && p.rotors_known);
    atemi_strike_proposal_destroy(&p);
    atemi_model_destroy(model);
}

// The fist is at the height that is wanted, and points forwards.
TEST(strike_proposal, aims_at_the_height_that_is_wanted)
{
    atemi_model      *model = load(6);
    atemi_data       *data = data_create(model);
    atemi_strike_wish wish = atemi_strike_wish_default();
    wish.height = 0.9;
    wish.mass = 2.0;
    atemi_strike_proposal p = propose(model, &wish);
    atemi_update_kinematics(data, p.q, NULL, NULL);
    const atemi_transform hand = atemi_link_pose(data, p.task.point.link);
    const atemi_vec3      axis = atemi_mat3_apply(&hand.rotation, p.task.axes[0]);
    const atemi_vec3      fist = atemi_transform_apply(&hand, p.task.point.point);
    const atemi_transform sole = atemi_site_pose(data, atemi_model_find_site(model, "right_sole"));
    CHECK_NEAR(p.task.hits[0].place[2], 0.9, 0.0);
    CHECK_NEAR(p.task.target.mass, 2.0, 0.0);
    CHECK_NEAR(fist.z - sole.position.z, 0.9, 0.05); // the arm comes near, the search does the rest
    CHECK(axis.x > p.task.aim);
    atemi_strike_proposal_destroy(&p);
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}

// ---- Legs of few joints

TEST(strike_proposal, keeps_feet_of_short_legs_apart_as_they_are)
{
    atemi_model          *model = load(5);
    atemi_strike_proposal p = propose(model, NULL);
    CHECK_NEAR(p.task.stance[0][1].lower, p.task.stance[0][1].upper, 0.0);
    CHECK_NEAR(p.task.foot_position[1].lower, p.task.foot_position[1].upper, 0.0);
    CHECK(p.task.foot_position[2].lower < p.task.foot_position[2].upper);
    atemi_strike_proposal_destroy(&p);
    atemi_model_destroy(model);
}

// At the start no foot moves while the hand has its speed, whatever the legs.
static void check_velocities(int joints)
{
    atemi_model          *model = load(joints);
    atemi_data           *data = data_create(model);
    atemi_strike_proposal p = propose(model, NULL);
    atemi_strike_plan    *plan = NULL;
    const int             feet[] = {atemi_model_find_site(model, "right_sole"),
                                    atemi_model_find_site(model, "left_sole")};
    double                x[ATEMI_STRIKE_MAX_VARIABLES];
    double *gains = (double *)calloc(2 * (size_t)atemi_model_v_count(model), sizeof *gains);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        gains[2 * i] = i < 6 ? 0.0 : p.stiffness;
    }
    p.task.feet = feet;
    p.task.servo = (atemi_blow_servo){.stiffness = gains, .damping = gains};
    p.task.speed = (atemi_strike_range){0.5, 0.5, 0.5};
    p.task.joint_count = 0; // nothing is searched for but feet
    int                       count = 0;
    const atemi_strike_range *ranges[] = {&p.task.foot_position[0],
                                          &p.task.foot_position[1],
                                          &p.task.foot_position[2],
                                          &p.task.foot_rotation[1],
                                          &p.task.stance[0][0],
                                          &p.task.stance[0][1],
                                          &p.task.lift,
                                          &p.task.roll,
                                          &p.task.pitch,
                                          &p.task.com_x,
                                          &p.task.com_y};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        if (ranges[i]->lower < ranges[i]->upper) {
            x[count++] = ranges[i]->start;
        }
    }
    CHECK_STATUS(atemi_strike_plan_evaluate(&p.task, x, &plan, NULL), ATEMI_OK);
    atemi_update_kinematics(data, atemi_strike_plan_q(plan), atemi_strike_plan_v(plan), NULL);
    for (int i = 0; i < 2; ++i) {
        const atemi_motion v = atemi_link_velocity(data, atemi_model_site(model, feet[i])->link);
        CHECK_NEAR(atemi_vec3_norm(v.linear), 0.0, 1e-9);
        CHECK_NEAR(atemi_vec3_norm(v.angular), 0.0, 1e-9);
    }
    const atemi_transform hand = atemi_link_pose(data, p.task.point.link);
    const atemi_vec3      arm = atemi_mat3_apply(&hand.rotation, p.task.point.point);
    const atemi_motion    v = atemi_motion_at(atemi_link_velocity(data, p.task.point.link), arm);
    CHECK_NEAR(v.linear.x, 0.5, 1e-9);
    CHECK_NEAR(hypot(v.linear.y, v.linear.z), 0.0, 1e-9);
    atemi_strike_plan_destroy(plan);
    atemi_strike_proposal_destroy(&p);
    atemi_data_destroy(data);
    atemi_model_destroy(model);
    free(gains);
}

TEST(strike_proposal, has_velocities_for_legs_of_six_joints)
{
    check_velocities(6);
}

TEST(strike_proposal, has_velocities_for_legs_of_five_joints)
{
    check_velocities(5);
}

// ---- Robots without legs

TEST(strike_proposal, lets_an_arm_without_legs_stand_on_a_plate)
{
    atemi_model       *model;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_robots_load("three_link", &options, &model, NULL), ATEMI_OK);
    atemi_strike_proposal p = propose(model, NULL);
    CHECK(p.bolted);
    CHECK_EQUAL_INT(p.task.foot_count, 1);
    CHECK_EQUAL_INT(p.task.joint_count, 3);
    atemi_strike_proposal_destroy(&p);
    atemi_model_destroy(model);
}

TEST(strike_proposal, refuses_a_robot_without_limbs)
{
    atemi_model          *model;
    atemi_error           error;
    atemi_strike_proposal p;
    atemi_urdf_options    options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_robots_load("two_link", &options, &model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_strike_proposal_create(model, NULL, &p, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "neither legs nor an arm");
    atemi_model_destroy(model);
}
