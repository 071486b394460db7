// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/model_builder.h"
#include "atemi/robots.h"
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static atemi_model *parse_about(const char *axis, const char *type, const char *limits)
{
    char text[2000];
    snprintf(text, sizeof text,
             "<robot name='arm'><link name='base'/>"
             "<joint name='j' type='%s'><parent link='base'/><child link='a'/>"
             "<axis xyz='%s'/>%s</joint>"
             "<link name='a'><inertial><origin xyz='0 0 0.25'/><mass value='1'/>"
             "<inertia ixx='0.01' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='0.03'/></inertial></link>"
             "<joint name='tip' type='fixed'><origin xyz='0 0 0.5'/><parent link='a'/>"
             "<child link='b'/></joint>"
             "<link name='b'><inertial><mass value='2'/>"
             "<inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial></link>"
             "</robot>",
             type, axis, limits);
    atemi_model *model = NULL;
    atemi_error  error = {0};
    CHECK_STATUS(atemi_urdf_parse(text, strlen(text), "arm.urdf", NULL, &model, &error), ATEMI_OK);
    CHECK_EQUAL_STRING(error.message, "");
    return model;
}

static atemi_model *parse(const char *type, const char *limits)
{
    return parse_about("0 1 0", type, limits);
}

// 0.02 + 1 (0.25 m)^2 + 0.1 + 2 (0.5 m)^2 about the y axis of the joint.
TEST(joint_rating, knows_the_inertia_that_the_joint_moves)
{
    atemi_model             *model = parse("continuous", "");
    const atemi_joint_rating r = atemi_joint_rating_of(model, 0);
    CHECK_NEAR(r.inertia, 0.02 + 0.0625 + 0.1 + 0.5, 1e-12);
    CHECK(!r.effort_is_stated && !r.velocity_is_stated && !r.rotor_is_stated);
    atemi_model_destroy(model);
}

// Every file gives a drive: whatever is missing, zero or infinite is estimated, and what is stated
// is kept.
TEST(joint_rating, keeps_what_is_stated_and_estimates_the_rest)
{
    atemi_model       *model = parse("revolute", "<limit lower='-1' upper='1' effort='40' "
                                                       "velocity='2.175'/>");
    atemi_joint_rating r = atemi_joint_rating_of(model, 0);
    CHECK(r.effort_is_stated && r.velocity_is_stated && !r.rotor_is_stated);
    CHECK_NEAR(r.effort, 40.0, 0.0);
    CHECK_NEAR(r.velocity, 2.175, 0.0);
    CHECK_NEAR(r.rotor, 4e-3 * 40.0 / 2.175, 1e-12); // 4 ms to its velocity limit
    atemi_model_destroy(model);

    model = parse("revolute", "<limit lower='-1' upper='1' effort='0' velocity='0'/>");
    r = atemi_joint_rating_of(model, 0);
    CHECK(!r.effort_is_stated && !r.velocity_is_stated);
    CHECK(r.effort > 0.0 && r.velocity > 0.0 && r.rotor > 0.0);
    // More than the weight of what it moves: 0.25 m of 1 kg, 0.5 m of 2 kg.
    CHECK(r.effort > 9.81 * 1.25);
    atemi_model_destroy(model);
}

// A rotor of 0.01 kg m^2 that 40 N m turn: links that are heavy for it do not make the motor slow.
TEST(joint_rating, of_a_light_rotor_is_that_of_a_fast_motor)
{
    atemi_model *model = parse("revolute", "<limit lower='-1' upper='1' effort='40' velocity='0'/>"
                                           "<dynamics armature='0.01'/>");
    atemi_joint_rating r = atemi_joint_rating_of(model, 0);
    CHECK(r.rotor_is_stated && !r.velocity_is_stated);
    CHECK_NEAR(r.velocity, 2e-3 * 40.0 / 0.01, 1e-12);
    CHECK(r.velocity > sqrt(2.0 * 40.0 * 0.5 / r.inertia));
    const atemi_joint_drive           d = atemi_joint_drive_of(model, 0);
    const atemi_joint_control_options o = atemi_joint_control_options_of(model, 0, &d);
    atemi_joint_control               control;
    CHECK_STATUS(atemi_joint_control_start(&o, &control, NULL), ATEMI_OK);
    atemi_model_destroy(model);

    model = parse("revolute",
                  "<limit lower='-1' upper='1' effort='40' velocity='0'/><dynamics armature='4'/>");
    r = atemi_joint_rating_of(model, 0);
    CHECK_NEAR(r.velocity, sqrt(2.0 * 40.0 * 0.5 / r.inertia), 1e-12);
    atemi_model_destroy(model);
}

TEST(joint_rating, names_the_joint_whose_control_cannot_be)
{
    atemi_model *model =
        parse("revolute", "<limit lower='-1' upper='1' effort='40' velocity='0'/>");
    const atemi_joint_drive     d = atemi_joint_drive_of(model, 0);
    atemi_joint_control_options o = atemi_joint_control_options_of(model, 0, &d);
    atemi_joint_control         control;
    atemi_error                 error = {0};
    CHECK_STATUS(atemi_joint_control_start_of(model, 0, &o, &control, &error), ATEMI_OK);
    o.period = -1.0;
    CHECK_STATUS(atemi_joint_control_start_of(model, 0, &o, &control, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "joint j: the period");
    atemi_model_destroy(model);
}

// About the limb itself nothing has to be lifted at q = 0, but once an elbow bends it: 0.03 + 0.1 +
// 1 (0.25 m)^2 + 2 (0.5 m)^2 at 100 rad/s^2.
TEST(joint_rating, of_a_joint_along_its_limb_bears_the_limb_across)
{
    atemi_model             *model = parse_about("0 0 1", "continuous", "");
    const atemi_joint_rating r = atemi_joint_rating_of(model, 0);
    CHECK_NEAR(r.inertia, 0.03 + 0.1, 1e-12);
    CHECK_NEAR(r.effort, 100.0 * (0.03 + 0.1 + 0.0625 + 0.5), 1e-9);
    atemi_model_destroy(model);
}

TEST(joint_rating, of_a_sliding_joint_is_that_of_a_rack_on_a_pinion)
{
    atemi_model             *model = parse("prismatic", "<limit lower='0' upper='0.1' effort='100' "
                                                                    "velocity='0.2'/>");
    const atemi_joint_rating r = atemi_joint_rating_of(model, 0);
    const atemi_joint_drive  d = atemi_joint_drive_of(model, 0);
    CHECK_NEAR(r.inertia, 3.0, 1e-12);
    CHECK_NEAR(r.rotor, 4e-3 * 100.0 / 0.2, 1e-12);
    CHECK_NEAR(d.rotor_inertia * d.gear * d.gear, r.rotor, 1e-9);
    // 100 N bend the spring by what 10 N m bend that of a joint that rotates, times 0.1 m.
    CHECK_NEAR(100.0 / d.spring, 0.1 * 330.0 / 50000.0, 1e-12);
    CHECK_STATUS(atemi_joint_drive_check(&d, NULL), ATEMI_OK);
    atemi_model_destroy(model);
}

TEST(joint_rating, of_a_link_of_a_microgram_is_one_of_a_drive_still)
{
    const char *const text =
        "<robot name='arm'><link name='base'/><joint name='j' type='continuous'>"
        "<parent link='base'/><child link='a'/></joint><link name='a'><inertial><mass "
        "value='1e-9'/>"
        "<inertia ixx='1e-15' ixy='0' ixz='0' iyy='1e-15' iyz='0' "
        "izz='1e-15'/></inertial></link></robot>";
    atemi_model *model = NULL;
    CHECK_STATUS(atemi_urdf_parse(text, strlen(text), "arm.urdf", NULL, &model, NULL), ATEMI_OK);
    const atemi_joint_drive d = atemi_joint_drive_of(model, 0);
    CHECK_STATUS(atemi_joint_drive_check(&d, NULL), ATEMI_OK);
    atemi_model_destroy(model);
}

static double inertia_of_little(const char *type)
{
    char text[600];
    snprintf(text, sizeof text,
             "<robot name='arm'><link name='base'/><joint name='j' type='%s'>"
             "<parent link='base'/><child link='a'/><axis xyz='0 1 0'/>"
             "<limit lower='0' upper='0.1' effort='100' velocity='0.2'/></joint>"
             "<link name='a'><inertial><mass value='1e-6'/><inertia ixx='1e-9' ixy='0' "
             "ixz='0' iyy='1e-9' iyz='0' izz='1e-9'/></inertial></link></robot>",
             type);
    atemi_model *model = NULL;
    CHECK_STATUS(atemi_urdf_parse(text, strlen(text), "arm.urdf", NULL, &model, NULL), ATEMI_OK);
    const double inertia = atemi_joint_rating_of(model, 0).inertia;
    atemi_model_destroy(model);
    return inertia;
}

// A joint that moves a milligram counts as one of some inertia; on a pinion of 0.1 m it is a mass
// of a hundred times as many kg.
TEST(joint_rating, of_a_joint_that_moves_next_to_nothing_has_least_inertia)
{
    const double turns = inertia_of_little("revolute");
    CHECK(turns > 0.0);
    CHECK_NEAR(inertia_of_little("prismatic"), 100.0 * turns, 1e-12 * turns);
}

// What a file states has no source; everything else says from what it comes, springs always.
TEST(joint_rating, says_what_a_figure_is_estimated_from)
{
    atemi_model       *model = parse("revolute", "<limit lower='-1' upper='1' effort='40' "
                                                       "velocity='0'/>");
    atemi_joint_rating r = atemi_joint_rating_of(model, 0);
    CHECK(!atemi_drive_figure_estimate(&r, ATEMI_DRIVE_EFFORT));
    CHECK_EQUAL_STRING(atemi_drive_figure_estimate(&r, ATEMI_DRIVE_VELOCITY), "effort and inertia");
    CHECK_EQUAL_STRING(atemi_drive_figure_estimate(&r, ATEMI_DRIVE_ROTOR), "effort and speed");
    CHECK_EQUAL_STRING(atemi_drive_figure_estimate(&r, ATEMI_DRIVE_SPRING), "effort");
    CHECK_EQUAL_STRING(atemi_drive_figure_estimate(&r, ATEMI_DRIVE_SPRING_DAMPING),
                       "spring and rotor");
    atemi_model_destroy(model);
}
