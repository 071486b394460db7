// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // mkdtemp, chmod, mkfifo
#endif

#include "atemi/robots.h"
#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MASS                                                                                       \
    "<inertial><mass value='1'/>"                                                                  \
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
#define LINK(name) "<link name='" name "'>" MASS "</link>"

// One link on line 2, what is in it from line 3 on.
#define IN_LINK(text) "<robot name='r'>\n<link name='arm'>\n" text "</link></robot>"

// A joint of some kind on line 3, what is in it from line 4 on.
#define IN_JOINT(type, text)                                                                       \
    "<robot name='r'>" LINK("a") LINK("b") "\n\n"                                                  \
                                           "<joint name='knee' type='" type                        \
                                           "'><parent link='a'/><child link='b'/>\n" text          \
                                           "</joint></robot>"

static void check_refusal(check_place place, const char *text, atemi_status status, int line,
                          int column, const char *cause, const char *cure)
{
    atemi_model       *model;
    atemi_error        error = {0};
    const atemi_status actual =
        atemi_urdf_parse(text, strlen(text), "test.urdf", NULL, &model, &error);
    check_contains(place, error.message, cause);
    check_contains(place, error.message, cure);
    check_status(place, actual, status);
    check_status(place, error.status, status);
    check_equal_string(place, error.file, "test.urdf");
    check_equal_int(place, error.line, line);
    check_equal_int(place, error.column, column);
    check_true(place, !model);
}

#define REFUSES(text, status, line, column, cause, cure)                                           \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), text, status, line, column, cause, cure)
#define SYNTAX(text, line, column, cause, cure)                                                    \
    REFUSES(text, ATEMI_ERROR_SYNTAX, line, column, cause, cure)
#define INPUT(text, line, column, cause, cure)                                                     \
    REFUSES(text, ATEMI_ERROR_INPUT, line, column, cause, cure)

// ---- Not XML, not a URDF

TEST(urdf_errors, name_the_place_where_xml_ends)
{
    SYNTAX("", 0, 0, "empty", "<robot>");
    SYNTAX("   \n", 2, 1, "no element", "<robot>");
    SYNTAX("hello", 1, 1, "not XML", "<link name=");
    SYNTAX("\x7F"
           "ELF\x02",
           1, 1, "not XML", "");
    SYNTAX("<robot name='r'>\n<link name='a'>\n", 3, 1, "ends inside <link> of line 2",
           "closing tag is missing");
    SYNTAX("<robot name='r'>\n<link name='a'>\n</robot>", 3, 3, "does not match <link> of line 2",
           "close that first");
    SYNTAX("<robot name='r'>\n  <link name='a", 2, 3, "never ends", "'>' is missing");
    SYNTAX("<robot name='r'>\n<link name=a/></robot>", 2, 12, "missing quote", "");
    SYNTAX("<robot name='r'>\n<link name='a' name='b'/></robot>", 2, 16, "twice", "remove one");
    SYNTAX("<robot name='r'/>\n<robot name='s'/>", 2, 1, "after the end of the root",
           "one <robot>");
    SYNTAX("\n<?xml version='1.0'?><robot name='r'/>", 2, 1, "must come first", "remove");
    SYNTAX("<robot name='&what;'/>", 1, 1, "entity", "&amp;");
    SYNTAX("<robot name='&#0;'/>", 1, 14, "character number", "");
    SYNTAX("<?xml version='1.0' encoding='KOI8-R'?><robot name='r'/>", 1, 31, "encoding", "UTF-8");
    SYNTAX("<?xml version='1.0' encoding='UTF-16'?><robot name='r'/>", 1, 31, "encoding", "UTF-8");
    SYNTAX("<robot name='\xFF\xFE'/>", 1, 14, "not UTF-8", "");
    SYNTAX("<robot name='r'><![CDATA[", 1, 26, "CDATA", "close it with ]]>");
}

TEST(urdf_errors, name_the_bytes_that_are_zero)
{
    const char   text[] = "<robot name='r'>\n<link\0name='a'/></robot>";
    atemi_model *model;
    atemi_error  error;
    CHECK_STATUS(atemi_urdf_parse(text, sizeof text - 1, NULL, NULL, &model, &error),
                 ATEMI_ERROR_SYNTAX);
    CHECK_EQUAL_INT(error.line, 2);
    CHECK_EQUAL_STRING(error.file, "");
}

TEST(urdf_errors, tell_other_formats_from_urdf)
{
    INPUT("<sdf version='1.6'/>", 1, 1, "<sdf>", "sdformat_urdf");
    INPUT("<!-- x -->\n <html/>", 2, 2, "not this", "<robot>");
    INPUT("<robot name='r'>\n <xacro:macro name='m'/></robot>", 2, 2, "<xacro:macro>",
          "xacro FILE > robot.urdf");
    INPUT(IN_LINK("<atemi:site name='s' xyz='${x} 0 0'/>"), 3, 1, "xacro expression",
          "xacro FILE > robot.urdf");
}

TEST(urdf_errors, refuse_declarations)
{
    INPUT("<!DOCTYPE robot [\n<!ENTITY a 'x'>]><robot name='&a;'/>", 1, 17, "<!DOCTYPE>", "remove");
}

// ---- Files

static atemi_error load_error(const char *path)
{
    atemi_model *model;
    atemi_error  error = {0};
    CHECK(atemi_urdf_load(path, NULL, &model, &error) != ATEMI_OK);
    CHECK(!model);
    CHECK_EQUAL_STRING(error.file, path);
    CHECK_EQUAL_INT(error.line, 0);
    return error;
}

TEST(urdf_errors, say_what_is_wrong_with_the_file)
{
    char folder[] = "/tmp/atemi_test_XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    CHECK_STATUS(load_error(folder).status, ATEMI_ERROR_FILE);
    CHECK_CONTAINS(load_error(folder).message, "folder");

    snprintf(path, sizeof path, "%s/robot.urdf", folder);
    CHECK_STATUS(load_error(path).status, ATEMI_ERROR_FILE);
    CHECK_CONTAINS(load_error(path).message, "no such file");

    FILE *file = fopen(path, "w");
    CHECK(file && fclose(file) == 0);
    CHECK_STATUS(load_error(path).status, ATEMI_ERROR_SYNTAX);
    CHECK_CONTAINS(load_error(path).message, "empty");

    CHECK(chmod(path, 0) == 0);
    if (geteuid() != 0) { // root may read everything
        CHECK_CONTAINS(load_error(path).message, "permission");
    }
    CHECK(truncate(path, 100L << 20) == 0 && chmod(path, 0600) == 0);
    CHECK_STATUS(load_error(path).status, ATEMI_ERROR_LIMIT);
    CHECK_CONTAINS(load_error(path).message, "64 MiB");
    CHECK_CONTAINS(load_error("/dev/zero").message, "64 MiB");
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
}

// ---- Links

TEST(urdf_errors, point_at_bad_links)
{
    INPUT("<robot name='r'>\n  <link/></robot>", 2, 3, "<link>: attribute name is missing",
          "give a name");
    INPUT("<robot name='r'>\n  <link name=''/></robot>", 2, 3, "empty", "give a name");
    INPUT("<robot name='r'>" LINK("a") "\n" LINK("a") "</robot>", 2, 1, "'a'", "own name");
}

TEST(urdf_errors, point_at_bad_inertials)
{
    INPUT(IN_LINK(" <inertial/>"), 3, 2, "<inertial> of link 'arm'", "<mass value=");
    INPUT(IN_LINK("<inertial><mass value='1'/></inertial>"), 3, 1, "no <inertia>", "ixx");
    INPUT(IN_LINK("<inertial>\n <mass/></inertial>"), 4, 2, "value is missing", "value=\"1.5\"");
    INPUT(IN_LINK("<inertial>\n <mass value='-1'/></inertial>"), 4, 2,
          "<mass> of link 'arm': value \"-1\" is negative", "give a mass of 0 or more in kg");
    INPUT(IN_LINK("<inertial>\n <mass value='heavy'/></inertial>"), 4, 2,
          "\"heavy\" is not a number", "such as 0.5");
    INPUT(IN_LINK("<inertial>\n <mass value='nan'/></inertial>"), 4, 2, "not a finite number",
          "such as 0.5");
    INPUT(IN_LINK("<inertial>\n <mass value='1e999'/></inertial>"), 4, 2, "too large", "give 1");
    INPUT(IN_LINK("<inertial>\n <mass value='1 2'/></inertial>"), 4, 2, "has 2 numbers", "give 1");
    INPUT(IN_LINK("<inertial>\n <mass value=''/></inertial>"), 4, 2, "has 0 numbers", "give 1");
    INPUT(IN_LINK("<inertial>\n <inertia ixx='1' iyy='1' izz='1'/></inertial>"), 4, 2,
          "<inertia> of link 'arm': attribute ixy is missing", "ixy=\"0\"");
    INPUT(IN_LINK("<inertial>\n\n<origin xyz='1 2'/></inertial>"), 5, 1,
          "<origin> of link 'arm': xyz \"1 2\" has 2 numbers", "give 3, separated by spaces");
    INPUT(IN_LINK("<inertial>\n\n<origin rpy='0, 0, 0'/></inertial>"), 5, 1,
          "\"0,\" is not a number", "give 3 numbers such as");
}

TEST(urdf_errors, point_at_bad_shapes_and_sites)
{
    INPUT(IN_LINK("<visual><geometry>\n<box/></geometry></visual>"), 4, 1, "size is missing",
          "size=");
    INPUT(IN_LINK("<visual><geometry>\n<box size='1 -1 1'/></geometry></visual>"), 4, 1,
          "is negative", "0 or more in m");
    INPUT(IN_LINK("<visual><geometry>\n<sphere radius='-1'/></geometry></visual>"), 4, 1,
          "radius \"-1\" is negative", "0 or more in m");
    INPUT(IN_LINK("<collision><geometry>\n<cylinder radius='1'/></geometry></collision>"), 4, 1,
          "<cylinder> of link 'arm': attribute length is missing", "length=");
    INPUT(IN_LINK("<visual><geometry>\n<mesh/></geometry></visual>"), 4, 1, "filename is missing",
          "package://");
    INPUT(IN_LINK("<visual><material>\n<color rgba='1 0 0'/></material></visual>"), 4, 1,
          "rgba \"1 0 0\" has 3 numbers", "give 4");
    INPUT(IN_LINK("<atemi:site xyz='0 0 0'/>"), 3, 1, "<atemi:site> of link 'arm'", "give a name");
    INPUT(IN_LINK("<atemi:site name='s' size='1'/>"), 3, 1, "has 1 number;", "give 2");
    INPUT(IN_LINK("<atemi:site name='s' size='1 -1'/>"), 3, 1, "negative", "0 or more");
}

// ---- Joints

TEST(urdf_errors, point_at_bad_joints)
{
    INPUT("<robot name='r'>\n <joint type='fixed'/></robot>", 2, 2, "name is missing",
          "give a name");
    INPUT("<robot name='r'>\n <joint name='knee'/></robot>", 2, 2, "type is missing", "revolute");
    INPUT("<robot name='r'>\n <joint name='knee' type='hinge'/></robot>", 2, 2,
          "<joint> of joint 'knee': type \"hinge\" is unknown", "revolute");
    INPUT("<robot name='r'>\n <joint name='knee' type='fixed'/></robot>", 2, 2,
          "joint 'knee' has no <parent>", "<parent link=");
    INPUT("<robot name='r'>\n<joint name='knee' type='fixed'><parent link='a'/></joint></robot>", 2,
          1, "joint 'knee' has no <child>", "<child link=");
    INPUT("<robot name='r'>\n<joint name='knee' type='fixed'>\n<parent/></joint></robot>", 3, 1,
          "<parent> of joint 'knee': attribute link is missing", "give a name");
}

TEST(urdf_errors, point_at_bad_children_of_joints)
{
    INPUT(IN_JOINT("continuous", " <axis xyz='0 0 0'/>"), 4, 2,
          "<axis> of joint 'knee': xyz \"0 0 0\" has no direction", "0 0 1");
    INPUT(IN_JOINT("continuous", "<axis xyz='0 0'/>"), 4, 1, "has 2 numbers", "give 3");
    INPUT(IN_JOINT("continuous", "<axis xyz='0 0 z'/>"), 4, 1, "\"z\" is not a number", "give 3");
    INPUT(IN_JOINT("revolute", "  <limit lower='1' upper='-1'/>"), 4, 3,
          "<limit> of joint 'knee': lower 1 is above upper -1", "swap them");
    INPUT(IN_JOINT("revolute", "<limit lower='a' upper='1'/>"), 4, 1, "\"a\" is not a number",
          "give 1");
    INPUT(IN_JOINT("revolute", "<limit lower='0' upper='1' effort='inf'/>"), 4, 1,
          "not a finite number", "give 1");
    INPUT(IN_JOINT("continuous", "<dynamics damping='-1'/>"), 4, 1, "damping \"-1\" is negative",
          "0 or more");
    INPUT(IN_JOINT("continuous", "<dynamics armature='-1'/>"), 4, 1, "armature \"-1\" is negative",
          "0 or more");
    INPUT(IN_JOINT("continuous", "<mimic/>"), 4, 1, "<mimic> of joint 'knee'", "give a name");
    INPUT(IN_JOINT("continuous", "<mimic joint='x' offset='1,0'/>"), 4, 1, "\"1,0\"", "give 1");
    INPUT(IN_JOINT("continuous", "<origin xyz='1 2 3 4'/>"), 4, 1, "has 4 numbers", "give 3");
}

TEST(urdf_errors, point_at_bad_transmissions_and_postures)
{
    INPUT("<robot name='r'><transmission><actuator>\n<drake:rotor_inertia value='-1'/>"
          "</actuator></transmission></robot>",
          2, 1, "<drake:rotor_inertia>: value \"-1\" is negative", "0 or more");
    INPUT("<robot name='r'>\n<atemi:posture joints='a=1'/></robot>", 2, 1, "name is missing",
          "give a name");
    INPUT("<robot name='r'>\n<atemi:posture name='p'/></robot>", 2, 1, "joints is missing",
          "knee=0.5");
    INPUT("<robot name='r'>\n<atemi:posture name='p' joints='  '/></robot>", 2, 1, "empty",
          "knee=0");
    INPUT("<robot name='r'>\n<atemi:posture name='p' joints='a=1 b'/></robot>", 2, 1,
          "\"b\" in joints is not a pair", "knee=0.5");
    INPUT("<robot name='r'>\n<atemi:posture name='p' joints='a=1 b=x'/></robot>", 2, 1,
          "value \"x\" of joint 'b'", "knee=0.5");
    INPUT("<robot name='r'>" LINK("a") "\n<atemi:posture name='p' joints='b=1'/></robot>", 2, 1,
          "'b'", "");
}

// ---- The tree. The builder's tests say more; these say that its errors point into the file.

TEST(urdf_errors, point_at_what_makes_no_tree)
{
    INPUT("<robot name='r'/>", 1, 1, "no link", "");
    INPUT("<robot name='r'>" LINK("a") "\n" LINK("b") "</robot>", 2, 1, "two roots", "'b'");
    INPUT("<robot name='r'>" LINK("a") "\n<joint name='j' type='fixed'><parent link='a'/>"
                                       "<child link='x'/></joint></robot>",
          2, 1, "'x'", "not described");
    INPUT("<robot name='r'>" LINK("a")
              LINK("b") "\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
                        "\n<joint name='k' type='fixed'><parent link='a'/><child "
                        "link='b'/></joint></robot>",
          3, 1, "two parents", "'b'");
    INPUT("<robot name='r'>" LINK("a")
              LINK("b") "\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
                        "\n<joint name='j' type='fixed'><parent link='a'/><child "
                        "link='b'/></joint></robot>",
          3, 1, "joint 'j' is described twice", "line 2");
    INPUT("<robot name='r'>" LINK("a") "<link name='b'/>\n<joint name='j' type='continuous'>"
                                       "<parent link='a'/><child link='b'/></joint></robot>",
          2, 1, "nothing behind it has a mass", "<inertial>");
}

TEST(urdf_errors, point_at_a_loop)
{
    const char *text = "<robot name='r'>" LINK("root") "\n" LINK("a") LINK(
        "b") "\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
             "\n<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>";
    atemi_model *model;
    atemi_error  error = {0};
    CHECK_STATUS(atemi_urdf_parse(text, strlen(text), "x", NULL, &model, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "loop");
    CHECK(error.line >= 2);
}

// ---- Messages

TEST(urdf_errors, show_only_the_beginning_of_long_text_and_no_line_breaks)
{
    atemi_model *model;
    atemi_error  error;
    char         text[4096];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='%s%0200d'><inertial>"
             "<mass value='%s%0500d&#10;x'/></inertial></link></robot>",
             "\xC3\xA4&#10;", 1, "&#10;", 2);
    CHECK_STATUS(atemi_urdf_parse(text, strlen(text), NULL, NULL, &model, &error),
                 ATEMI_ERROR_INPUT);
    CHECK(strlen(error.message) < 400);
    CHECK(!strchr(error.message, '\n'));
    CHECK_CONTAINS(error.message, "\xC3\xA4");
    CHECK_CONTAINS(error.message, "...");
}

TEST(urdf_errors, are_optional)
{
    atemi_model *model;
    CHECK_STATUS(atemi_urdf_parse("<x/>", 4, NULL, NULL, &model, NULL), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_urdf_parse("<x", 2, NULL, NULL, &model, NULL), ATEMI_ERROR_SYNTAX);
    CHECK_STATUS(atemi_urdf_parse("", 0, NULL, NULL, &model, NULL), ATEMI_ERROR_SYNTAX);
    CHECK_STATUS(atemi_urdf_load("/no/such/file", NULL, &model, NULL), ATEMI_ERROR_FILE);
}
