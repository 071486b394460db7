// SPDX-License-Identifier: Apache-2.0

#include "io/robot/srdf.h"

#include "allocations.h"
#include "atemi/robots.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

// What SRDF adds to a robot, by hand. The robot is a base with two arms of two balls each.

#define LINK(name)                                                                                 \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "           \
    "ixy='0' ixz='0' iyz='0'/>"                                                                    \
    "</inertial><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
#define JOINT(name, parent, child)                                                                 \
    "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child "'/>"  \
    "<origin xyz='0.5 0 0'/><axis xyz='0 1 0'/><limit lower='-3' upper='3' effort='9' "            \
    "velocity='9'/></joint>"

static const char robot[] =
    "<robot name='r'>" LINK("base") LINK("a") LINK("b") LINK("c") LINK("d") JOINT("ja", "base", "a")
        JOINT("jb", "a", "b") JOINT("jc", "base", "c") JOINT("jd", "c", "d") "</robot>";

typedef struct message_log {
    char text[4096]; ///< cut to fit
} message_log;

static void keep_message(void *context, atemi_log_level level, const char *message)
{
    message_log *log = (message_log *)context;
    const size_t length = strlen(log->text);
    (void)level;
    snprintf(log->text + length, sizeof log->text - length, "%s\n", message);
}

static void write_srdf(const char *path, const char *inside)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fprintf(file, "<robot name='r'>\n%s</robot>\n", inside);
    fclose(file);
}

static atemi_status load(const char *inside, atemi_model **model, atemi_error *error)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.srdf = "test.srdf";
    options.model.base = ATEMI_BASE_FIXED;
    write_srdf(options.srdf, inside);
    const atemi_status status =
        atemi_urdf_parse(robot, sizeof robot - 1, "r.urdf", &options, model, error);
    remove(options.srdf);
    return status;
}

static atemi_model *loaded(const char *inside)
{
    atemi_model *model = NULL;
    atemi_error  error = {0};
    CHECK_STATUS(load(inside, &model, &error), ATEMI_OK);
    CHECK_EQUAL_STRING(error.message, "");
    return model;
}

static double value_of(const atemi_model *model, const char *posture, int joint)
{
    const int index = atemi_model_find_posture(model, posture);
    CHECK(index != ATEMI_NONE);
    return atemi_model_posture(model, index)[joint];
}

TEST(srdf, group_states_are_postures)
{
    atemi_model *model = loaded("<group_state name='up' group='left'><joint name='ja' value='0.5'/>"
                                "<joint name='jb' value='-0.25'/></group_state>"
                                "<group_state name='home' group='left'><joint name='ja' "
                                "value='1'/></group_state>"
                                "<group_state name='home' group='right'><joint name='jc' "
                                "value='2'/></group_state>");
    CHECK_EQUAL_INT(atemi_model_posture_count(model), 3);
    CHECK_NEAR(value_of(model, "up", 0), 0.5, 0.0);
    CHECK_NEAR(value_of(model, "up", 1), -0.25, 0.0);
    CHECK_NEAR(value_of(model, "left/home", 0), 1.0, 0.0);
    CHECK_NEAR(value_of(model, "right/home", 2), 2.0, 0.0);
    CHECK_NEAR(value_of(model, "right/home", 0), 0.0, 0.0);
    atemi_model_destroy(model);
}

static bool has_pair(const atemi_model *model, const char *first, const char *second)
{
    const atemi_link_pair *pairs = atemi_model_apart(model);
    bool                   found = false;
    for (int i = 0; i < atemi_model_apart_count(model); ++i) {
        const char *a = atemi_model_link(model, pairs[i].first)->name;
        const char *b = atemi_model_link(model, pairs[i].second)->name;
        found = found || (strcmp(a, first) == 0 && strcmp(b, second) == 0);
    }
    return found;
}

// 'd' is apart from all but 'b'.
TEST(srdf, disabled_collisions_are_pairs_apart)
{
    atemi_model *model = loaded("<disable_collisions link1='a' link2='c' reason='Never'/>"
                                "<disable_default_collisions link='d'/>"
                                "<enable_collisions link1='b' link2='d'/>");
    CHECK_EQUAL_INT(atemi_model_apart_count(model), 4);
    CHECK(has_pair(model, "a", "c"));
    CHECK(has_pair(model, "d", "base") && has_pair(model, "d", "a") && has_pair(model, "d", "c"));
    CHECK(!has_pair(model, "d", "b"));
    atemi_model_destroy(model);
}

TEST(srdf, what_the_robot_does_not_have_is_named)
{
    message_log log = {""};
    atemi_set_log_hook(keep_message, &log);
    atemi_model *model = loaded("<group_state name='up' group='g'><joint name='jx' value='1'/>\n"
                                "<joint name='ja' value='0 0 1'/></group_state>\n"
                                "<disable_collisions link1='a' link2='tail'/>\n"
                                "<disable_collisions link1='tail' link2='a'/>\n"
                                "<passive_joint name='jb'/>");
    atemi_set_log_hook(NULL, NULL);
    CHECK(strstr(log.text, "test.srdf:2: left out of postures, as the robot has no joint"));
    CHECK(strstr(log.text, "'jx'") && strstr(log.text, "several values: joint 'ja'"));
    CHECK(strstr(log.text, "no such link: 'tail' (and 1 more like it)"));
    CHECK(strstr(log.text, "passive one to 0: joint 'jb'"));
    CHECK_EQUAL_INT(atemi_model_apart_count(model), 0);
    CHECK_EQUAL_INT(atemi_model_posture_count(model), 0);
    atemi_model_destroy(model);
}

TEST(srdf, errors_name_the_place)
{
    static const char *const wrong[][2] = {
        {"<group_state name='up'/>", "group is missing"},
        {"<disable_collisions link1='a'/>", "link2 is missing"},
        {"<group_state name='u' group='g'><joint name='ja' value='x'/></group_state>",
         "<joint>: attribute value"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        atemi_model *model = NULL;
        atemi_error  error = {0};
        CHECK_STATUS(load(wrong[i][0], &model, &error), ATEMI_ERROR_INPUT);
        CHECK(strstr(error.message, wrong[i][1]) != NULL);
        CHECK_EQUAL_STRING(error.file, "test.srdf");
        CHECK_EQUAL_INT(error.line, 2);
        CHECK(!model);
    }
}

TEST(srdf, failing_allocations_are_reported)
{
    bool failed = true;
    for (int n = 1; failed; ++n) {
        atemi_model *model = NULL;
        atemi_error  error = {0};
        failing_allocator_install(n);
        const atemi_status status =
            load("<group_state name='up' group='g'><joint name='ja' value='1'/></group_state>"
                 "<disable_default_collisions link='d'/><enable_collisions link1='b' link2='d'/>",
                 &model, &error);
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        atemi_model_destroy(model);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
}

// MJCF says the same by <exclude>.
TEST(srdf, excluded_bodies_of_mjcf_are_pairs_apart)
{
    static const char text[] =
        "<mujoco><worldbody><body name='a'><joint/><geom size='0.1'/><body name='b' pos='1 0 0'>"
        "<joint name='j'/><geom size='0.1'/></body></body></worldbody>"
        "<contact><exclude body1='b' body2='a'/></contact></mujoco>";
    atemi_model       *model = NULL;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_urdf_parse(text, sizeof text - 1, NULL, &options, &model, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_model_apart_count(model), 1);
    CHECK(has_pair(model, "b", "a"));
    atemi_model_destroy(model);
}
