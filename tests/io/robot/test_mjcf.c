// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/robots.h"
#include "check.h"
#include "failing_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What MJCF means, by hand. That its robots move as MuJoCo's do is proved against MuJoCo itself, in
// python/tests/test_mjcf_against_mujoco.py.

static const char *const every_element = ATEMI_SOURCE_DIR "/tests/io/robot/mjcf/every_element.xml";

// A body 'b' of the world with a hinge 'j' and 1 kg, and what stands before and in it.
#define ARM(before, joint, inside)                                                                 \
    "<mujoco model='r'>" before "<worldbody><body name='b'>" joint inside                          \
    "</body></worldbody></mujoco>"
#define MASS "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"

typedef struct message_log {
    char text[8192]; ///< cut to fit
} message_log;

static void keep_message(void *context, atemi_log_level level, const char *message)
{
    message_log *log = (message_log *)context;
    const size_t length = strlen(log->text);
    (void)level;
    snprintf(log->text + length, sizeof log->text - length, "%s\n", message);
}

static atemi_model *finish(atemi_status status, const atemi_error *error, atemi_model *model)
{
    CHECK_EQUAL_STRING(error->message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return model;
}

static atemi_model *load(const char *path)
{
    atemi_model       *model;
    atemi_error        error = {0};
    const atemi_status status = atemi_urdf_load(path, NULL, &model, &error);
    return finish(status, &error, model);
}

static atemi_model *parse(const char *text)
{
    atemi_model       *model;
    atemi_error        error = {0};
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    const atemi_status status =
        atemi_urdf_parse(text, strlen(text), "test.xml", &options, &model, &error);
    return finish(status, &error, model);
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
    CHECK_NEAR(actual.x, x, 1e-14);
    CHECK_NEAR(actual.y, y, 1e-14);
    CHECK_NEAR(actual.z, z, 1e-14);
}

// ---- The file with everything

TEST(mjcf, free_body_is_the_root_and_the_order_is_that_of_the_file)
{
    static const char *const links[] = {"pelvis",       "thigh/hip_x", "thigh/hip_y",
                                        "thigh",        "shin",        "foot/ankle_z",
                                        "foot/ankle_y", "foot",        "toe"};
    atemi_model             *model = load(every_element);
    CHECK_EQUAL_STRING(atemi_model_name(model), "every_element");
    CHECK_EQUAL_INT(atemi_model_link_count(model), 9);
    for (int i = 0; i < 9; ++i) {
        CHECK_EQUAL_STRING(atemi_model_link(model, i)->name, links[i]);
    }
    CHECK_EQUAL_INT(atemi_model_q_count(model), 7 + 3 + 3); // the toe follows the knee
    atemi_model_destroy(model);
}

TEST(mjcf, classes_give_what_a_joint_does_not_say)
{
    atemi_model       *model = load(every_element);
    const atemi_joint *plain = joint(model, "hip_x"), *stiff = joint(model, "hip_y");
    CHECK_NEAR(plain->damping, 0.5, 0.0);
    CHECK_NEAR(plain->armature, 0.02, 0.0);
    CHECK_NEAR(plain->friction, 0.1, 0.0);
    CHECK(plain->type == ATEMI_JOINT_CONTINUOUS);
    CHECK_NEAR(stiff->damping, 2.0, 0.0);
    CHECK_NEAR(stiff->armature, 0.02, 0.0);
    CHECK_NEAR(stiff->limits.upper, 1.0, 0.0);
    atemi_model_destroy(model);
}

TEST(mjcf, actuators_set_effort_limits)
{
    atemi_model *model = load(every_element);
    CHECK_NEAR(joint(model, "hip_x")->limits.effort, 100.0, 0.0); // 50 of gear, 2 of control
    CHECK_NEAR(joint(model, "hip_y")->limits.effort, 80.0, 0.0);
    CHECK_NEAR(joint(model, "knee")->limits.effort, 40.0, 0.0); // two of them
    CHECK(isinf(joint(model, "toe")->limits.effort));
    atemi_model_destroy(model);
}

TEST(mjcf, linear_equalities_are_mimic_joints)
{
    atemi_model       *model = load(every_element);
    const atemi_joint *toe = joint(model, "toe");
    CHECK_EQUAL_INT(toe->mimic.joint, atemi_model_find_joint(model, "knee"));
    CHECK_NEAR(toe->mimic.multiplier, -0.005, 0.0);
    CHECK_NEAR(toe->mimic.offset, 0.01, 0.0);
    atemi_model_destroy(model);
}

// Where the file draws them, the elbow is 0.4 below the shoulder; the fist hangs on it.
TEST(mjcf, connected_and_welded_bodies_are_loops)
{
    atemi_model *model = parse(
        "<mujoco><worldbody><body name='a' pos='0 0 1'><joint/><geom size='0.1'/>"
        "<site name='tip' pos='0 0.5 0'/>"
        "<body name='b' pos='0 0 -0.4' quat='0 1 0 0'><joint/><geom size='0.1'/></body></body>"
        "<body name='c' pos='1 0 0'><joint/><geom size='0.1'/><site name='end' pos='0.2 0 0'/>"
        "</body></worldbody><equality>"
        "<connect name='rod' body1='b' body2='c' anchor='0.1 0 0.2'/>"
        "<weld body1='a' body2='c' relpose='0 0 -0.3 1 0 0 0' anchor='0 0 0.1'/>"
        "<connect site1='tip' site2='end'/><weld body1='c'/>"
        "<connect body1='a' body2='b' anchor='0 0 0' active='false'/></equality></mujoco>");
    CHECK_EQUAL_INT(atemi_model_loop_count(model), 4);
    const atemi_loop *rod = atemi_model_loop(model, 0), *weld = atemi_model_loop(model, 1);
    CHECK_EQUAL_STRING(rod->name, "rod");
    CHECK_EQUAL_INT(rod->kind, ATEMI_LOOP_POINT);
    CHECK_EQUAL_INT(rod->first, atemi_model_find_link(model, "b"));
    CHECK_EQUAL_INT(rod->second, atemi_model_find_link(model, "c"));
    CHECK_NEAR(rod->on_first.position.z, 0.2, 0.0);
    CHECK_NEAR(rod->on_second.position.x, -0.9, 1e-15); // b is turned by pi about x
    CHECK_NEAR(rod->on_second.position.z, 0.4, 1e-15);
    CHECK_EQUAL_INT(weld->kind, ATEMI_LOOP_WELD);
    CHECK_NEAR(weld->on_first.position.z, -0.2, 1e-15);
    CHECK_NEAR(weld->on_second.position.z, 0.1, 0.0);
    CHECK_NEAR(atemi_model_loop(model, 2)->on_first.position.y, 0.5, 0.0);
    CHECK_NEAR(atemi_model_loop(model, 2)->on_second.position.x, 0.2, 0.0);
    CHECK_EQUAL_INT(atemi_model_loop(model, 3)->second, ATEMI_NONE);
    CHECK_NEAR(atemi_model_loop(model, 3)->on_first.position.x, -1.0, 0.0);
    atemi_model_destroy(model);
}

TEST(mjcf, keys_are_postures_and_quaternions_of_balls_become_angles)
{
    atemi_model  *model = load(every_element);
    const double *q = atemi_model_posture(model, atemi_model_find_posture(model, "bent"));
    CHECK_NEAR(q[joint(model, "hip_x")->first_q], 0.1, 0.0);
    CHECK_NEAR(q[joint(model, "hip_y")->first_q], 0.2, 0.0);
    CHECK_NEAR(q[joint(model, "knee")->first_q], -0.5, 0.0);
    CHECK_NEAR(q[joint(model, "ankle_y")->first_q], 1.5707963267948966, 1e-7); // atan2 near 90 deg
    CHECK(atemi_model_find_posture(model, "straight") != ATEMI_NONE);
    atemi_model_destroy(model);
}

TEST(mjcf, sites_geoms_and_gravity_are_kept)
{
    atemi_model *model = load(every_element);
    int          meshes = 0, collisions = 0;
    for (int i = 0; i < atemi_model_geometry_count(model); ++i) {
        const atemi_geometry *geometry = atemi_model_geometry(model, i);
        meshes += geometry->shape == ATEMI_SHAPE_MESH;
        collisions += geometry->collision;
    }
    CHECK_EQUAL_INT(meshes, 2);     // one to look at, one of group 3 to touch with
    CHECK_EQUAL_INT(collisions, 6); // box, capsule, cylinder, sphere, box of the toe, mesh
    const atemi_site *sole = atemi_model_site(model, atemi_model_find_site(model, "sole"));
    CHECK_NEAR(sole->size_x, 0.24, 0.0);
    CHECK_NEAR(sole->size_y, 0.1, 0.0);
    CHECK_NEAR(atemi_model_mass(model), 20.0, 1e-12);
    check_vec3(atemi_model_gravity(model), 0.0, 0.0, -1.62);
    atemi_model_destroy(model);
}

TEST(mjcf, gravity_that_is_asked_for_overrules_the_file)
{
    atemi_model       *model;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.gravity = (atemi_vec3){0.0, 0.0, -9.8};
    CHECK_STATUS(atemi_urdf_load(every_element, &options, &model, NULL), ATEMI_OK);
    check_vec3(atemi_model_gravity(model), 0.0, 0.0, -9.8);
    atemi_model_destroy(model);
}

TEST(mjcf, what_is_not_used_is_named_with_its_line)
{
    message_log log = {{0}};
    atemi_set_log_hook(keep_message, &log);
    atemi_model_destroy(load(every_element));
    atemi_set_log_hook(NULL, NULL);
    CHECK_CONTAINS(log.text, "every_element.xml:16:5: geoms and sites of the world");
    CHECK_CONTAINS(log.text, "friction of <geom> (defaults.xml line 4)");
    CHECK_CONTAINS(log.text, "no springs");
    CHECK_CONTAINS(log.text, "three hinges");
    CHECK_CONTAINS(log.text, "an ellipsoid is no shape");
    CHECK_CONTAINS(log.text, "<sensor> (line 61)");
    CHECK_CONTAINS(log.text, "timestep of <option> (line 6)");
    CHECK_CONTAINS(log.text, "<light> (line 15)");
    CHECK_CONTAINS(log.text, "<texture> (line 12)");
}

// ---- One thing at a time

TEST(mjcf, bodies_hang_on_the_world_where_none_is_free)
{
    atemi_model *model = parse(ARM("", "<joint name='j'/>", MASS));
    CHECK_EQUAL_STRING(atemi_model_link(model, 0)->name, "world");
    CHECK_EQUAL_INT(joint(model, "j")->parent_link, 0);
    check_vec3(joint(model, "j")->axis, 0.0, 0.0, 1.0);
    atemi_model_destroy(model);
}

TEST(mjcf, several_free_bodies_float_in_the_world)
{
    atemi_model *model = parse("<mujoco><worldbody>"
                               "<body name='a' pos='1 2 3'><freejoint name='f'/>" MASS "</body>"
                               "<body name='b'><joint type='free' name='g'/>" MASS "</body>"
                               "</worldbody></mujoco>");
    CHECK_EQUAL_INT(atemi_model_q_count(model), 14);
    CHECK(joint(model, "f")->type == ATEMI_JOINT_FLOATING);
    check_vec3(joint(model, "f")->origin.position, 0.0, 0.0, 0.0); // q is the pose in the world
    atemi_model_destroy(model);
}

TEST(mjcf, angles_are_degrees_unless_the_compiler_says_radian)
{
    atemi_model *model = parse(ARM("", "<joint name='j' range='-90 180'/>", MASS));
    CHECK_NEAR(joint(model, "j")->limits.lower, -1.5707963267948966, 1e-15);
    CHECK_NEAR(joint(model, "j")->limits.upper, 3.1415926535897932, 1e-15);
    atemi_model_destroy(model);
    model = parse(ARM("<compiler angle='radian'/>", "<joint name='j' range='-1 2'/>", MASS));
    CHECK_NEAR(joint(model, "j")->limits.lower, -1.0, 0.0);
    atemi_model_destroy(model);
}

TEST(mjcf, sections_may_come_in_any_order)
{
    atemi_model *model = parse("<mujoco><worldbody><body name='b'><joint name='j' class='c'/>" MASS
                               "</body></worldbody><default><default class='c'>"
                               "<joint range='-1 2'/></default></default>"
                               "<compiler angle='radian'/></mujoco>");
    CHECK_NEAR(joint(model, "j")->limits.upper, 2.0, 0.0);
    atemi_model_destroy(model);
}

// 1/12 m (b^2 + c^2) of a box, and 2/5 m r^2 of a sphere, both of density 1000.
TEST(mjcf, geoms_weigh_where_there_is_no_inertial)
{
    atemi_model *model =
        parse(ARM("", "<joint/>", "<geom type='box' size='.05 .1 .15' pos='1 0 0'/>"));
    const atemi_inertia *box = &link_named(model, "b")->inertia;
    CHECK_NEAR(box->mass, 6.0, 1e-12);
    check_vec3(box->com, 1.0, 0.0, 0.0);
    CHECK_NEAR(box->rotational.xx, 6.0 * (0.04 + 0.09) / 12.0, 1e-14);
    atemi_model_destroy(model);
    model = parse(ARM("", "<joint/>", "<geom size='.1' mass='2'/>"));
    CHECK_NEAR(link_named(model, "b")->inertia.rotational.zz, 0.4 * 2.0 * 0.01, 1e-15);
    atemi_model_destroy(model);
}

// The hinge's anchor is 1 m along x: at q the body's origin is at (1 - cos q, -sin q, 0).
TEST(mjcf, anchors_outside_the_origin_keep_the_frame_of_the_body)
{
    atemi_model       *model = parse(ARM("", "<joint name='j' pos='1 0 0'/>", MASS));
    const atemi_joint *hinge = joint(model, "j"), *back = joint(model, "b/fixed");
    check_vec3(hinge->origin.position, 1.0, 0.0, 0.0);
    check_vec3(back->origin.position, -1.0, 0.0, 0.0);
    CHECK_EQUAL_STRING(atemi_model_link(model, back->child_link)->name, "b");
    atemi_model_destroy(model);
}

TEST(mjcf, ref_is_the_coordinate_where_the_file_shows_the_joint)
{
    atemi_model *model =
        parse(ARM("", "<joint name='j' type='slide' axis='0 0 2' ref='0.3'/>", MASS));
    check_vec3(joint(model, "j")->origin.position, 0.0, 0.0, -0.3);
    atemi_model_destroy(model);
}

TEST(mjcf, white_space_in_names_becomes_an_underscore)
{
    atemi_model *model = parse(ARM("", "<joint name='left  hip'/>", MASS));
    CHECK(atemi_model_find_joint(model, "left__hip") != ATEMI_NONE);
    atemi_model_destroy(model);
}

// ---- Memory

TEST(mjcf, survives_the_failure_of_every_allocation)
{
    CHECK(check_failing_loads(every_element) > 100);
}
