// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/robots.h"
#include "check.h"
#include "failing_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const every_element = ATEMI_SOURCE_DIR "/tests/io/robot/urdf/every_element.urdf";

#define MASS                                                                                       \
    "<inertial><mass value='1'/>"                                                                  \
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
#define LINK(name) "<link name='" name "'>" MASS "</link>"
#define TREE(joint) "<robot name='r'>" LINK("a") LINK("b") joint "</robot>"

static atemi_model *load(const char *path)
{
    atemi_model       *model;
    atemi_error        error = {0};
    const atemi_status status = atemi_urdf_load(path, NULL, &model, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return model;
}

static atemi_model *parse(const char *text)
{
    atemi_model       *model;
    atemi_error        error = {0};
    const atemi_status status =
        atemi_urdf_parse(text, strlen(text), "test.urdf", NULL, &model, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return model;
}

static const atemi_joint *joint(const atemi_model *model, const char *name)
{
    const int index = atemi_model_find_joint(model, name);
    CHECK(index != ATEMI_NONE);
    return atemi_model_joint(model, index);
}

static const atemi_link *link_named(const atemi_model *model, const char *name)
{
    const int index = atemi_model_find_link(model, name);
    CHECK(index != ATEMI_NONE);
    return atemi_model_link(model, index);
}

static void check_vec3(atemi_vec3 actual, double x, double y, double z)
{
    CHECK_NEAR(actual.x, x, 1e-15);
    CHECK_NEAR(actual.y, y, 1e-15);
    CHECK_NEAR(actual.z, z, 1e-15);
}

TEST(urdf, gives_the_robot_its_name_links_and_joints)
{
    atemi_model *model = load(every_element);
    CHECK_EQUAL_STRING(atemi_model_name(model), "every_element");
    CHECK_EQUAL_INT(atemi_model_link_count(model), 6);
    CHECK_EQUAL_INT(atemi_model_joint_count(model), 5);
    CHECK_EQUAL_INT(joint(model, "arm/shoulder")->type, ATEMI_JOINT_REVOLUTE);
    CHECK_EQUAL_INT(joint(model, "slide")->type, ATEMI_JOINT_PRISMATIC);
    CHECK_EQUAL_INT(joint(model, "wheel")->type, ATEMI_JOINT_CONTINUOUS);
    CHECK_EQUAL_INT(joint(model, "bolt")->type, ATEMI_JOINT_FIXED);
    atemi_model_destroy(model);
}

TEST(urdf, knows_floating_and_planar_joints)
{
    atemi_model *model =
        parse("<robot name='r'>" LINK("a") LINK("b")
                  LINK("c") "<joint name='f' type='floating'><parent link='a'/>"
                            "<child link='b'/><axis xyz='0 0 0'/></joint>"
                            "<joint name='p' type='planar'><parent link='b'/>"
                            "<child link='c'/><axis xyz='0 0 1'/></joint></robot>");
    CHECK_EQUAL_INT(joint(model, "f")->type, ATEMI_JOINT_FLOATING);
    CHECK_EQUAL_INT(joint(model, "p")->type, ATEMI_JOINT_PLANAR);
    atemi_model_destroy(model);
}

// The inertial frame is turned by 90 degrees about z: its x axis is the link's y axis.
TEST(urdf, turns_inertia_into_the_axes_of_the_link)
{
    atemi_model        *model = load(every_element);
    const atemi_inertia inertia = link_named(model, "base")->inertia;
    CHECK_NEAR(inertia.mass, 4.5, 0.0);
    check_vec3(inertia.com, 0.1, 0.2, 0.3);
    CHECK_NEAR(inertia.rotational.xx, 2.0, 1e-15);
    CHECK_NEAR(inertia.rotational.yy, 1.0, 1e-15);
    CHECK_NEAR(inertia.rotational.zz, 2.5, 1e-15);
    CHECK_NEAR(inertia.rotational.xy, -0.1, 1e-15);
    CHECK_NEAR(inertia.rotational.xz, -0.3, 1e-15);
    CHECK_NEAR(inertia.rotational.yz, 0.2, 1e-15);
    atemi_model_destroy(model);
}

TEST(urdf, gives_a_link_without_inertial_no_mass)
{
    atemi_model *model = load(every_element);
    CHECK_NEAR(link_named(model, "tip")->inertia.mass, 0.0, 0.0);
    atemi_model_destroy(model);
}

// rpy turns about the fixed axes x, y, z in that order: R = Rz(yaw) Ry(pitch) Rx(roll).
TEST(urdf, reads_rpy_about_fixed_axes)
{
    atemi_model          *model = load(every_element);
    const atemi_transform origin = joint(model, "arm/shoulder")->origin;
    check_vec3(origin.position, 1.0, 2.0, 3.0);

    const double r = 0.1, p = 0.2, y = 0.3;
    check_vec3(origin.rotation.x, cos(y) * cos(p), sin(y) * cos(p), -sin(p));
    check_vec3(origin.rotation.z, cos(y) * sin(p) * cos(r) + sin(y) * sin(r),
               sin(y) * sin(p) * cos(r) - cos(y) * sin(r), cos(p) * cos(r));
    atemi_model_destroy(model);
}

TEST(urdf, makes_the_axis_a_unit_vector_and_x_where_none_is_given)
{
    atemi_model *model = load(every_element);
    check_vec3(joint(model, "arm/shoulder")->axis, 0.0, 0.0, 1.0);
    check_vec3(joint(model, "slide")->axis, 1.0, 0.0, 0.0);
    atemi_model_destroy(model);
}

TEST(urdf, reads_limits_and_takes_zero_effort_and_velocity_for_unknown)
{
    atemi_model       *model = load(every_element);
    const atemi_limits shoulder = joint(model, "arm/shoulder")->limits;
    CHECK_NEAR(shoulder.lower, -1.0, 0.0);
    CHECK_NEAR(shoulder.upper, 2.0, 0.0);
    CHECK_NEAR(shoulder.effort, 30.0, 0.0);
    CHECK_NEAR(shoulder.velocity, 4.0, 0.0);

    const atemi_limits slide = joint(model, "slide")->limits;
    CHECK_NEAR(slide.upper, 0.5, 0.0);
    CHECK(isinf(slide.effort) && isinf(slide.velocity));
    atemi_model_destroy(model);
}

TEST(urdf, ignores_the_range_of_a_continuous_joint)
{
    atemi_model       *model = load(every_element);
    const atemi_limits wheel = joint(model, "wheel")->limits;
    CHECK(isinf(wheel.lower) && isinf(wheel.upper));
    CHECK_NEAR(wheel.effort, 5.0, 0.0);
    CHECK_NEAR(wheel.velocity, 6.0, 0.0);
    atemi_model_destroy(model);
}

TEST(urdf, reads_friction_damping_and_armature)
{
    atemi_model       *model = load(every_element);
    const atemi_joint *shoulder = joint(model, "arm/shoulder");
    CHECK_NEAR(shoulder->damping, 0.7, 0.0);
    CHECK_NEAR(shoulder->friction, 0.2, 0.0);
    CHECK_NEAR(shoulder->armature, 0.05, 0.0);
    atemi_model_destroy(model);
}

TEST(urdf, reflects_rotor_inertia_by_the_square_of_the_gear_ratio)
{
    atemi_model *model = load(every_element);
    CHECK_NEAR(joint(model, "wheel")->armature, 1e-4 * 100.0 * 100.0, 1e-15);
    atemi_model_destroy(model);
}

TEST(urdf, reads_mimic_and_passes_it_by_in_fixed_joints)
{
    atemi_model      *model = load(every_element);
    const atemi_mimic follower = joint(model, "follower")->mimic;
    CHECK_EQUAL_INT(follower.joint, atemi_model_find_joint(model, "arm/shoulder"));
    CHECK_NEAR(follower.multiplier, -0.5, 0.0);
    CHECK_NEAR(follower.offset, 0.25, 0.0);
    CHECK_EQUAL_INT(joint(model, "bolt")->mimic.joint, ATEMI_NONE);
    atemi_model_destroy(model);
}

TEST(urdf, reads_every_shape)
{
    atemi_model *model = load(every_element);
    CHECK_EQUAL_INT(atemi_model_geometry_count(model), 5);
    const atemi_shape shapes[] = {ATEMI_SHAPE_BOX, ATEMI_SHAPE_CYLINDER, ATEMI_SHAPE_CAPSULE,
                                  ATEMI_SHAPE_SPHERE, ATEMI_SHAPE_MESH};
    for (int i = 0; i < 5; ++i) {
        const atemi_geometry *geometry = atemi_model_geometry(model, i);
        CHECK_EQUAL_INT(geometry->shape, shapes[i]);
        CHECK_EQUAL_INT(geometry->collision, i == 2 || i == 3);
    }
    check_vec3(atemi_model_geometry(model, 0)->size, 1.0, 2.0, 3.0);
    check_vec3(atemi_model_geometry(model, 0)->pose.position, 0.0, 0.0, 1.0);
    check_vec3(atemi_model_geometry(model, 1)->size, 0.1, 0.2, 0.0);
    check_vec3(atemi_model_geometry(model, 2)->size, 0.3, 0.4, 0.0);
    check_vec3(atemi_model_geometry(model, 3)->size, 0.5, 0.0, 0.0);
    check_vec3(atemi_model_geometry(model, 4)->size, 0.001, 0.001, -0.001);
    CHECK_EQUAL_STRING(atemi_model_geometry(model, 4)->uri, "package://no_such_package/arm.stl");
    CHECK(!atemi_model_geometry(model, 4)->path);
    atemi_model_destroy(model);
}

TEST(urdf, finds_the_colour_of_a_material_above_below_and_inside)
{
    atemi_model *model = load(every_element);
    CHECK_NEAR(atemi_model_geometry(model, 0)->color[0], 0.5, 0.0);
    CHECK_NEAR(atemi_model_geometry(model, 1)->color[1], 0.2, 0.0);
    CHECK_NEAR(atemi_model_geometry(model, 2)->color[3], 0.0, 0.0);
    CHECK_NEAR(atemi_model_geometry(model, 4)->color[3], 0.4, 0.0);
    atemi_model_destroy(model);
}

TEST(urdf, reads_contact_sites)
{
    atemi_model *model = load(every_element);
    CHECK_EQUAL_INT(atemi_model_site_count(model), 2);
    const atemi_site *sole = atemi_model_site(model, atemi_model_find_site(model, "sole"));
    const atemi_site *toe = atemi_model_site(model, atemi_model_find_site(model, "toe"));
    CHECK_EQUAL_INT(sole->link, atemi_model_find_link(model, "base"));
    check_vec3(sole->pose.position, 0.0, 0.0, -0.1);
    CHECK_NEAR(sole->size_x, 0.2, 0.0);
    CHECK_NEAR(sole->size_y, 0.1, 0.0);
    CHECK_NEAR(toe->size_x, 0.0, 0.0);
    atemi_model_destroy(model);
}

TEST(urdf, reads_postures)
{
    atemi_model *model = load(every_element);
    CHECK_EQUAL_INT(atemi_model_posture_count(model), 1);
    CHECK_EQUAL_STRING(atemi_model_posture_name(model, 0), "bent");
    const double *q = atemi_model_posture(model, 0);
    CHECK_NEAR(q[joint(model, "arm/shoulder")->first_q], 0.5, 0.0);
    CHECK_NEAR(q[joint(model, "slide")->first_q], 0.25, 0.0);
    CHECK_NEAR(q[joint(model, "wheel")->first_q], -0.1, 0.0);
    atemi_model_destroy(model);
}

TEST(urdf, keeps_joints_depth_first_in_file_order)
{
    atemi_model *model = parse("<robot name='r'>" LINK("d") LINK("c") LINK("b")
                                   LINK("a") "<joint name='3' type='continuous'><parent link='a'/>"
                                             "<child link='d'/></joint>"
                                             "<joint name='2' type='continuous'><parent link='b'/>"
                                             "<child link='c'/></joint>"
                                             "<joint name='1' type='continuous'><parent link='a'/>"
                                             "<child link='b'/></joint></robot>");
    CHECK_EQUAL_STRING(atemi_model_joint(model, 0)->name, "3");
    CHECK_EQUAL_STRING(atemi_model_joint(model, 1)->name, "1");
    CHECK_EQUAL_STRING(atemi_model_joint(model, 2)->name, "2");
    atemi_model_destroy(model);
}

TEST(urdf, takes_the_first_of_elements_that_are_repeated)
{
    atemi_model *model = parse(TREE("<joint name='j' type='continuous'><parent link='a'/>"
                                    "<child link='b'/><axis xyz='0 0 1'/><axis xyz='junk'/>"
                                    "</joint>"));
    check_vec3(joint(model, "j")->axis, 0.0, 0.0, 1.0);
    atemi_model_destroy(model);
}

TEST(urdf, reads_other_encodings)
{
    const char   text[] = "<robot name='r'><link name='a'>" MASS "</link></robot>";
    char         wide[2 * sizeof text] = {'\xFF', '\xFE'};
    atemi_model *model;
    for (size_t i = 0; i < sizeof text - 1; ++i) {
        wide[2 * i + 2] = text[i];
    }
    CHECK_STATUS(atemi_urdf_parse(wide, 2 * sizeof text, NULL, NULL, &model, NULL), ATEMI_OK);
    CHECK_EQUAL_STRING(atemi_model_link(model, 0)->name, "a");
    atemi_model_destroy(model);

    model = parse("<?xml version='1.0' encoding='ISO-8859-1'?>"
                  "<robot name='Gel\xE4nk'>" LINK("a") "</robot>");
    CHECK_EQUAL_STRING(atemi_model_name(model), "Gel\xC3\xA4nk");
    atemi_model_destroy(model);
}

// ---- Warnings

typedef struct warnings {
    int  count;
    char last[2048];
} warnings;

static void collect(void *context, atemi_log_level level, const char *message)
{
    warnings *seen = (warnings *)context;
    CHECK_EQUAL_INT(level, ATEMI_LOG_WARNING);
    ++seen->count;
    snprintf(seen->last, sizeof seen->last, "%s", message);
}

static void check_warning(const char *text, const char *place, const char *part)
{
    warnings seen = {0};
    atemi_set_log_hook(collect, &seen);
    atemi_model *model = parse(text);
    atemi_set_log_hook(NULL, NULL);
    CHECK_EQUAL_INT(seen.count, 1);
    CHECK_CONTAINS(seen.last, place);
    CHECK_CONTAINS(seen.last, part);
    atemi_model_destroy(model);
}

TEST(urdf, warns_once_of_what_is_odd)
{
    check_warning("<robot>" LINK("a") "</robot>", "test.urdf:1:1: ", "no name");
    check_warning(TREE("\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
                       "</joint>"),
                  "test.urdf:2:1: ", "'j': the joint has no <limit>");
    check_warning(TREE("\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
                       "<limit effort='1' velocity='1'/></joint>"),
                  "test.urdf:2:", "without lower and upper");
    check_warning(TREE("\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
                       "<limit lower='0' upper='1' effort='-1' velocity='-1'/></joint>"),
                  "test.urdf:2:", "and 1 more");
    check_warning("<robot name='r'>\n<link name='a'>" MASS "<visual/></link></robot>",
                  "test.urdf:2:", "left out");
    check_warning("<robot name='r'>" LINK(
                      "a") "<transmission><joint name='x'/><actuator>"
                           "<drake:rotor_inertia value='1'/></actuator></transmission></robot>",
                  "test.urdf:1:", "'x': a transmission");
}

TEST(urdf, without_limit_is_unlimited)
{
    atemi_model       *model = parse(TREE("<joint name='j' type='revolute'><parent link='a'/>"
                                                "<child link='b'/></joint>"));
    const atemi_limits limits = joint(model, "j")->limits;
    CHECK(isinf(limits.lower) && isinf(limits.upper));
    CHECK(isinf(limits.velocity) && isinf(limits.effort));
    atemi_model_destroy(model);
}

TEST(urdf, gives_a_bound_that_is_absent_the_standards_zero)
{
    atemi_model       *model = parse(TREE("<joint name='j' type='revolute'><parent link='a'/>"
                                                "<child link='b'/><limit upper='2'/></joint>"));
    const atemi_limits limits = joint(model, "j")->limits;
    CHECK_NEAR(limits.lower, 0.0, 0.0);
    CHECK_NEAR(limits.upper, 2.0, 0.0);
    atemi_model_destroy(model);
}

TEST(urdf, lets_the_armature_of_a_joint_overrule_its_transmission_and_adds_motors)
{
#define MOTOR(joint)                                                                               \
    "<transmission><joint name='" joint "'/><actuator><drake:rotor_inertia value='2'/>"            \
    "</actuator></transmission>"
    atemi_model *model = parse("<robot name='r'>" LINK("a") LINK("b")
                                   LINK("c") "<joint name='j' type='continuous'><parent link='a'/>"
                                             "<child link='b'/><dynamics armature='3'/></joint>"
                                             "<joint name='k' type='continuous'><parent link='b'/>"
                                             "<child link='c'/></joint>" MOTOR("j") MOTOR("k")
                                                 MOTOR("k") "</robot>");
    CHECK_NEAR(joint(model, "j")->armature, 3.0, 0.0);
    CHECK_NEAR(joint(model, "k")->armature, 4.0, 0.0);
    atemi_model_destroy(model);
}

// ---- Memory

TEST(urdf, survives_the_failure_of_every_allocation)
{
    CHECK(check_failing_loads(every_element) > 20);
}

TEST(urdf, requires_a_path_and_a_place_for_the_model)
{
    atemi_model *model;
    CHECK_BREAKS_CONTRACT(atemi_urdf_load(NULL, NULL, &model, NULL));
    CHECK_BREAKS_CONTRACT(atemi_urdf_load(every_element, NULL, NULL, NULL));
    CHECK_BREAKS_CONTRACT(atemi_urdf_parse(NULL, 5, NULL, NULL, &model, NULL));
}
