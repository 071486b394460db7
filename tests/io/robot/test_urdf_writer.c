// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"
#include "check.h"
#include "io/robot/urdf_writer.h"

#include <math.h>
#include <string.h>

// A model that is written and read again is the same to rounding of its angles.
static const double rounding = 1e-14;

static void check_vec3(atemi_vec3 a, atemi_vec3 b)
{
    CHECK_NEAR(a.x, b.x, rounding);
    CHECK_NEAR(a.y, b.y, rounding);
    CHECK_NEAR(a.z, b.z, rounding);
}

static void check_pose(const atemi_transform *a, const atemi_transform *b)
{
    check_vec3(a->rotation.x, b->rotation.x);
    check_vec3(a->rotation.y, b->rotation.y);
    check_vec3(a->rotation.z, b->rotation.z);
    check_vec3(a->position, b->position);
}

static void check_value(double a, double b)
{
    CHECK(a == b || fabs(a - b) < rounding);
}

static void check_joint(const atemi_joint *a, const atemi_joint *b)
{
    CHECK_EQUAL_STRING(a->name, b->name);
    CHECK(a->type == b->type);
    CHECK_EQUAL_INT(a->parent_link, b->parent_link);
    CHECK_EQUAL_INT(a->child_link, b->child_link);
    CHECK_EQUAL_INT(a->first_q, b->first_q);
    CHECK_EQUAL_INT(a->mimic.joint, b->mimic.joint);
    check_pose(&a->origin, &b->origin);
    check_vec3(a->axis, b->axis);
    check_value(a->limits.lower, b->limits.lower);
    check_value(a->limits.upper, b->limits.upper);
    check_value(a->limits.velocity, b->limits.velocity);
    check_value(a->limits.effort, b->limits.effort);
    check_value(a->armature, b->armature);
    check_value(a->damping, b->damping);
    check_value(a->friction, b->friction);
    check_value(a->servo_stiffness, b->servo_stiffness);
    check_value(a->servo_damping, b->servo_damping);
    check_value(a->mimic.multiplier, b->mimic.multiplier);
    check_value(a->mimic.offset, b->mimic.offset);
}

static void check_link(const atemi_link *a, const atemi_link *b)
{
    CHECK_EQUAL_STRING(a->name, b->name);
    check_value(a->inertia.mass, b->inertia.mass);
    check_vec3(a->inertia.com, b->inertia.com);
    check_value(a->inertia.rotational.xx, b->inertia.rotational.xx);
    check_value(a->inertia.rotational.yy, b->inertia.rotational.yy);
    check_value(a->inertia.rotational.zz, b->inertia.rotational.zz);
    check_value(a->inertia.rotational.xy, b->inertia.rotational.xy);
    check_value(a->inertia.rotational.xz, b->inertia.rotational.xz);
    check_value(a->inertia.rotational.yz, b->inertia.rotational.yz);
}

static void check_geometry(const atemi_geometry *a, const atemi_geometry *b)
{
    CHECK_EQUAL_INT(a->link, b->link);
    CHECK(a->collision == b->collision && a->shape == b->shape);
    check_pose(&a->pose, &b->pose);
    check_vec3(a->size, b->size);
    check_value(a->color[0], b->color[0]);
    check_value(a->color[3], b->color[3]);
}

static void check_site(const atemi_site *a, const atemi_site *b)
{
    CHECK_EQUAL_STRING(a->name, b->name);
    CHECK_EQUAL_INT(a->link, b->link);
    check_pose(&a->pose, &b->pose);
    check_value(a->size_x, b->size_x);
    check_value(a->size_y, b->size_y);
}

static void check_postures(const atemi_model *a, const atemi_model *b)
{
    CHECK_EQUAL_INT(atemi_model_posture_count(a), atemi_model_posture_count(b));
    for (int i = 0; i < atemi_model_posture_count(a); ++i) {
        CHECK_EQUAL_STRING(atemi_model_posture_name(a, i), atemi_model_posture_name(b, i));
        for (int k = 0; k < atemi_model_q_count(a); ++k) {
            check_value(atemi_model_posture(a, i)[k], atemi_model_posture(b, i)[k]);
        }
    }
}

static void check_same(const atemi_model *a, const atemi_model *b)
{
    CHECK_EQUAL_STRING(atemi_model_name(a), atemi_model_name(b));
    CHECK_EQUAL_INT(atemi_model_link_count(a), atemi_model_link_count(b));
    CHECK_EQUAL_INT(atemi_model_joint_count(a), atemi_model_joint_count(b));
    CHECK_EQUAL_INT(atemi_model_geometry_count(a), atemi_model_geometry_count(b));
    CHECK_EQUAL_INT(atemi_model_site_count(a), atemi_model_site_count(b));
    check_vec3(atemi_model_gravity(a), atemi_model_gravity(b));
    for (int i = 0; i < atemi_model_link_count(a); ++i) {
        check_link(atemi_model_link(a, i), atemi_model_link(b, i));
    }
    for (int i = 0; i < atemi_model_joint_count(a); ++i) {
        check_joint(atemi_model_joint(a, i), atemi_model_joint(b, i));
    }
    for (int i = 0; i < atemi_model_geometry_count(a); ++i) {
        check_geometry(atemi_model_geometry(a, i), atemi_model_geometry(b, i));
    }
    for (int i = 0; i < atemi_model_site_count(a); ++i) {
        check_site(atemi_model_site(a, i), atemi_model_site(b, i));
    }
    check_postures(a, b);
    CHECK_EQUAL_INT(atemi_model_apart_count(a), atemi_model_apart_count(b));
    for (int i = 0; i < atemi_model_apart_count(a); ++i) {
        CHECK_EQUAL_INT(atemi_model_apart(a)[i].first, atemi_model_apart(b)[i].first);
        CHECK_EQUAL_INT(atemi_model_apart(a)[i].second, atemi_model_apart(b)[i].second);
    }
}

// Destroys the model.
static void check_round_trip(atemi_model *model)
{
    atemi_text   text = {0};
    atemi_model *again;
    atemi_error  error = {0};
    atemi_urdf_write(model, &text);
    CHECK(!text.failed);
    CHECK_STATUS(atemi_urdf_parse(text.bytes, text.size, "again.urdf", NULL, &again, &error),
                 ATEMI_OK);
    check_same(model, again);
    atemi_text_destroy(&text);
    atemi_model_destroy(again);
    atemi_model_destroy(model);
}

TEST(urdf_writer, shipped_robots_come_back_as_they_were)
{
    for (int i = 0; i < atemi_robots_count(); ++i) {
        atemi_model *model;
        CHECK_STATUS(atemi_robots_load(atemi_robots_name(i), NULL, &model, NULL), ATEMI_OK);
        check_round_trip(model);
    }
}

TEST(urdf_writer, robots_of_mjcf_come_back_as_they_were)
{
    static const char path[] = ATEMI_SOURCE_DIR "/tests/io/robot/mjcf/every_element.xml";
    atemi_model      *model;
    CHECK_STATUS(atemi_urdf_load(path, NULL, &model, NULL), ATEMI_OK);
    check_round_trip(model);
}

// At a pitch of 90 degrees roll and yaw turn about one axis; names need escapes.
TEST(urdf_writer, right_angles_and_odd_names_come_back_too)
{
    static const char urdf[] =
        "<robot name='a &lt;b&gt; &amp; c'><link name='&quot;x&quot;'>"
        "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
        "</inertial></link><link name='y'><inertial><mass value='1'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
        "<joint name='j' type='continuous'><parent link='&quot;x&quot;'/><child link='y'/>"
        "<origin rpy='0.3 1.5707963267948966 -0.7'/></joint></robot>";
    atemi_model *model;
    CHECK_STATUS(atemi_urdf_parse(urdf, strlen(urdf), NULL, NULL, &model, NULL), ATEMI_OK);
    check_round_trip(model);
}
