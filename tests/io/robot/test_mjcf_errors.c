// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"
#include "check.h"

#include <string.h>

// A body on line 2, what is in it from line 3 on, and what follows the world.
#define FILE_WITH(before, inside, after)                                                           \
    "<mujoco>" before "<worldbody>\n<body name='arm'>\n" inside "</body></worldbody>" after        \
    "</mujoco>"
#define IN_BODY(inside) FILE_WITH("", inside, "")
#define MASS "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"

static void check_refusal(check_place place, const char *text, atemi_status status, int line,
                          int column, const char *cause, const char *cure)
{
    atemi_model       *model;
    atemi_error        error = {0};
    const atemi_status actual =
        atemi_urdf_parse(text, strlen(text), "test.xml", NULL, &model, &error);
    check_contains(place, error.message, cause);
    check_contains(place, error.message, cure);
    check_status(place, actual, status);
    check_status(place, error.status, status);
    check_equal_string(place, error.file, "test.xml");
    check_equal_int(place, error.line, line);
    check_equal_int(place, error.column, column);
    check_true(place, !model);
}

#define REFUSES(text, status, line, column, cause, cure)                                           \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), text, status, line, column, cause, cure)
#define INPUT(text, line, column, cause, cure)                                                     \
    REFUSES(text, ATEMI_ERROR_INPUT, line, column, cause, cure)

TEST(mjcf_errors, name_what_is_no_robot)
{
    INPUT("<mujoco/>", 1, 1, "no <body>", "give the one that does");
    INPUT("<mujoco><worldbody/></mujoco>", 1, 1, "no <body>", "");
    REFUSES("<mujoco><worldbody>\n<body></mujoco>", ATEMI_ERROR_SYNTAX, 2, 9, "does not match",
            "close that first");
    INPUT("<!DOCTYPE m [\n<!ENTITY a 'x'>]><mujoco/>", 1, 13, "<!DOCTYPE>", "remove");
}

TEST(mjcf_errors, name_what_no_loop_can_join)
{
    INPUT(FILE_WITH("", MASS, "\n<equality><connect body1='arm' body2='leg'/></equality>"), 4, 11,
          "body2 'leg' is no body", "name one");
    INPUT(FILE_WITH("", MASS, "\n<equality><weld/></equality>"), 4, 11, "body1 is missing",
          "name a body");
    INPUT(FILE_WITH("", MASS, "\n<equality><weld body1='arm' relpose='1'/></equality>"), 4, 11,
          "relpose", "give 7");
    INPUT(FILE_WITH("", MASS, "\n<equality><weld site1='a'/></equality>"), 4, 11,
          "site1 'a' is no site", "name a site");
}

TEST(mjcf_errors, name_numbers_that_are_none)
{
    INPUT(IN_BODY("<joint axis='0 1'/>" MASS), 3, 1, "axis \"0 1\" has 2 numbers", "give 3");
    INPUT(IN_BODY("<joint axis='0 1 x'/>" MASS), 3, 1, "\"x\" is not a number", "0 0.5");
    INPUT(IN_BODY("<joint axis='0 1 nan'/>" MASS), 3, 1, "not a finite number", "");
    INPUT(IN_BODY("<joint axis='0 0 1e999'/>" MASS), 3, 1, "too large", "");
    INPUT(IN_BODY("<joint axis='0 0 0'/>" MASS), 3, 1, "no direction", "0 0 1");
    INPUT(IN_BODY("<joint damping='-1'/>" MASS), 3, 1, "negative", "0 or more");
    INPUT(IN_BODY("<joint range='2 1'/>" MASS), 3, 1, "not a range", "lower number first");
    INPUT(IN_BODY("<geom size='1 2 3 4'/>"), 3, 1, "more than 3 numbers", "remove");
    INPUT(IN_BODY("<geom type='box' size='1'/>"), 3, 1, "too few numbers", "3 above 0");
    INPUT(IN_BODY("<geom size='1' mass='-1'/>"), 3, 1, "negative", "0 or more");
    INPUT(IN_BODY("<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"), 3, 1, "same point", "");
    INPUT(IN_BODY("<inertial pos='0 0 0'/>"), 3, 1, "mass is missing", "kg");
    INPUT(IN_BODY("<inertial mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>"), 3, 1,
          "both diaginertia and fullinertia", "remove one");
}

TEST(mjcf_errors, name_rotations_that_are_none)
{
    INPUT(IN_BODY("<geom size='1' quat='0 0 0 0'/>"), 3, 1, "quat has no direction", "");
    INPUT(IN_BODY("<geom size='1' axisangle='0 0 0 1'/>"), 3, 1, "axisangle has no direction", "");
    INPUT(IN_BODY("<geom size='1' xyaxes='1 0 0 2 0 0'/>"), 3, 1, "parallel", "");
    INPUT(IN_BODY("<geom size='1' zaxis='0 0 0'/>"), 3, 1, "zaxis has no direction", "");
    INPUT(IN_BODY("<geom size='1' quat='1 0 0 0' euler='0 0 0'/>"), 3, 1, "both quat and euler",
          "remove one");
}

TEST(mjcf_errors, name_words_and_names_that_are_unknown)
{
    INPUT(IN_BODY("<joint type='screw'/>" MASS), 3, 1, "type \"screw\" is unknown", "hinge");
    INPUT(IN_BODY("<joint class='c'/>" MASS), 3, 1, "no class 'c'", "<default class=");
    INPUT(IN_BODY("<geom type='mesh' mesh='m'/>"), 3, 1, "no mesh 'm'", "<asset>");
    INPUT(IN_BODY("<geom type='mesh'/>"), 3, 1, "mesh is missing", "<asset>");
    INPUT(IN_BODY("<joint limited='maybe'/>" MASS), 3, 1, "\"maybe\" is unknown", "auto");
    INPUT("<mujoco>\n<compiler eulerseq='xy'/></mujoco>", 2, 1, "eulerseq", "three of");
    INPUT("<mujoco>\n<compiler coordinate='global'/></mujoco>", 2, 1, "coordinate", "convert");
    INPUT("<mujoco><default>\n<default/></default></mujoco>", 2, 1, "class is missing", "name");
    INPUT(FILE_WITH("", "<joint name='j'/>" MASS,
                    "\n<equality><joint joint1='j' joint2='k'/></equality>"),
          4, 11, "'k' is no joint", "one coordinate");
    INPUT(FILE_WITH("", "<joint name='j'/>" MASS, "\n<keyframe><key qpos='1 2'/></keyframe>"), 4,
          11, "qpos has 2 numbers", "the model 1");
}

TEST(mjcf_errors, name_what_would_make_bodies)
{
    INPUT(IN_BODY("<replicate count='3'/>" MASS), 3, 1, "<replicate>", "mj_saveLastXML");
    INPUT(IN_BODY("<composite type='cable'/>" MASS), 3, 1, "<composite>", "mj_saveLastXML");
    INPUT(IN_BODY("<attach model='m'/>" MASS), 3, 1, "<attach>", "mj_saveLastXML");
}

TEST(mjcf_errors, name_free_joints_that_are_not_alone)
{
    INPUT(IN_BODY("<freejoint/><joint/>" MASS), 3, 1, "only joint", "remove one");
    INPUT(IN_BODY(MASS "<body name='x'>\n<freejoint/>" MASS "</body>"), 4, 1, "only joint", "");
}

TEST(mjcf_errors, name_mass_that_cannot_be_found)
{
    INPUT(FILE_WITH("<asset><mesh name='m' file='m.stl'/></asset>", "<geom type='mesh' mesh='m'/>",
                    ""),
          3, 1, "'m.stl'", "not found");
    INPUT(FILE_WITH("<asset><mesh name='m' vertex='0 0 0'/></asset>",
                    "<geom type='mesh' mesh='m'/>", ""),
          1, 16, "no file", "<inertial>");
    INPUT(IN_BODY("<geom size='1' shellinertia='true'/>"), 3, 1, "shellinertia", "<inertial>");
}

// ---- Included files

TEST(mjcf_errors, name_files_that_cannot_be_included)
{
    static const char loop[] = ATEMI_SOURCE_DIR "/tests/io/robot/mjcf/loop.xml";
    atemi_model      *model;
    atemi_error       error;
    CHECK_STATUS(atemi_urdf_load(loop, NULL, &model, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "included once");
    CHECK_EQUAL_INT(error.line, 2);
    CHECK(!model);
    REFUSES("<mujoco>\n<include file='defaults.xml'/></mujoco>", ATEMI_ERROR_FILE, 2, 1,
            "without a folder", "path of the file");
    INPUT("<mujoco>\n<include/></mujoco>", 2, 1, "file is missing", "other.xml");
}
