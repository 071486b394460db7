// SPDX-License-Identifier: Apache-2.0

#include "io/robot/default_base.h"

#include "atemi/robots.h"
#include "check.h"

#include <string.h>

#define MASS                                                                                       \
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"        \
    "</inertial>"

// A root, what is fixed to it, and an arm on a hinge.
#define ROBOT(root, of_root, of_fixed)                                                             \
    "<robot name='r'><link name='" root "'>" of_root "</link><link name='f'>" of_fixed             \
    "</link><link name='a'>" MASS "</link>"                                                        \
    "<joint name='w' type='fixed'><parent link='" root "'/><child link='f'/></joint>"              \
    "<joint name='h' type='continuous'><parent link='f'/><child link='a'/></joint></robot>"

static void check_base(const char *text, atemi_base expected, const char *why)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *model;
    atemi_base         base;
    const char        *reason;
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_urdf_parse(text, strlen(text), NULL, &options, &model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_default_base(model, &base, &reason, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(base, expected);
    CHECK_CONTAINS(reason, why);
    atemi_model_destroy(model);
}

TEST(default_base, floats_where_the_root_or_what_is_fixed_to_it_has_mass)
{
    check_base(ROBOT("base", MASS, ""), ATEMI_BASE_FLOATING, "has mass");
    check_base(ROBOT("base", "", MASS), ATEMI_BASE_FLOATING, "has mass");
}

TEST(default_base, is_fixed_without_mass_or_by_the_name_world)
{
    check_base(ROBOT("base", "", ""), ATEMI_BASE_FIXED, "no mass");
    check_base(ROBOT("world", "", MASS), ATEMI_BASE_FIXED, "named 'world'");
}

TEST(default_base, moves_links_behind_a_joint_that_is_not_fixed)
{
    const char  *text = ROBOT("base", MASS, "");
    atemi_model *model;
    bool         moving[3];
    CHECK_STATUS(atemi_urdf_parse(text, strlen(text), NULL, NULL, &model, NULL), ATEMI_OK);
    atemi_default_base_mark_moving(model, moving);
    CHECK(!moving[atemi_model_find_link(model, "base")]);
    CHECK(!moving[atemi_model_find_link(model, "f")]);
    CHECK(moving[atemi_model_find_link(model, "a")]);
    atemi_model_destroy(model);
}
