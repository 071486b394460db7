// SPDX-License-Identifier: Apache-2.0

#include "atemi/humanoid.h"

#include "altered_robot.h"
#include "atemi/model.h"
#include "atemi/model_builder.h"
#include "check.h"

#include <math.h>

// ---- A robot and what is found of it

typedef struct find_bench {
    atemi_model            *model;
    atemi_arena             arena;
    atemi_humanoid_scratch *scratch;
    atemi_humanoid          h;
    double                 *q;
} find_bench;

static void open_bench(find_bench *b, atemi_model *model)
{
    *b = (find_bench){.model = model, .arena = atemi_arena_measuring()};
    atemi_humanoid_scratch_take(&b->arena, model);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    b->scratch = atemi_humanoid_scratch_take(&b->arena, model);
    b->q = (double *)calloc((size_t)atemi_model_q_count(model) + 1, sizeof *b->q);
    atemi_configuration_neutral(model, b->q);
}

static void close_bench(find_bench *b)
{
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
    free(b->q);
}

static void find(find_bench *b, const atemi_humanoid_options *options)
{
    atemi_error        error = {0};
    const atemi_status status =
        atemi_humanoid_find(b->model, b->q, options, b->scratch, &b->h, &error);
    CHECK_STATUS(status, ATEMI_OK);
}

static void check_link(const find_bench *b, int link, const char *name)
{
    CHECK_EQUAL_STRING(atemi_model_link(b->model, link)->name, name);
}

static void check_vec3(atemi_vec3 a, double x, double y, double z, double tolerance)
{
    CHECK_NEAR(a.x, x, tolerance);
    CHECK_NEAR(a.y, y, tolerance);
    CHECK_NEAR(a.z, z, tolerance);
}

// ---- Feet, hands, facing

TEST(humanoid, finds_the_sites_of_hrp2_like)
{
    find_bench b;
    open_bench(&b, altered_load(altered_begin("hrp2_like")));
    find(&b, NULL);
    CHECK_EQUAL_INT(b.h.leg_count, 2);
    CHECK_EQUAL_INT(b.h.arm_count, 2);
    check_vec3(b.h.facing.x, 1.0, 0.0, 0.0, 0.0);
    CHECK_EQUAL_INT(b.h.soles[ATEMI_SIDE_RIGHT].site, atemi_model_find_site(b.model, "right_sole"));
    CHECK_EQUAL_INT(b.h.soles[ATEMI_SIDE_LEFT].site, atemi_model_find_site(b.model, "left_sole"));
    CHECK_EQUAL_INT(b.h.fists[ATEMI_SIDE_RIGHT].site, atemi_model_find_site(b.model, "right_fist"));
    CHECK_EQUAL_INT(b.h.legs[0].joint_count, 6);
    CHECK_NEAR(b.h.legs[0].length, 0.6, 1e-12); // thigh and shin of its file: 0.3 m each
    close_bench(&b);
}

// Its file has a box under each foot that ends where the site says.
TEST(humanoid, finds_the_same_soles_by_shapes_and_without_names)
{
    find_bench b;
    char      *text = altered_begin("hrp2_like");
    altered_blank(text, "<atemi:site");
    altered_replace(text, "<robot", "right", "vwxyz");
    altered_replace(text, "<robot", "left", "abcd");
    open_bench(&b, altered_load(text));
    find(&b, NULL);
    check_link(&b, b.h.legs[ATEMI_SIDE_RIGHT].end, "vwxyz_foot");
    check_link(&b, b.h.legs[ATEMI_SIDE_LEFT].end, "abcd_foot");
    for (int i = 0; i < ATEMI_SIDES; ++i) {
        CHECK_EQUAL_INT(b.h.soles[i].source, ATEMI_OUTLINE_SHAPES);
        check_vec3(b.h.soles[i].pose.position, 0.0, 0.0, -0.105, 1e-12);
        CHECK_NEAR(b.h.soles[i].size_x, 0.24, 1e-12);
        CHECK_NEAR(b.h.soles[i].size_y, 0.14, 1e-12);
    }
    check_vec3(b.h.fists[0].axis, 0.0, 0.0, -1.0, 1e-12); // its arms hang
    close_bench(&b);
}

// Without shapes, the box of the foot's inertia: with I = (5, 8, 8) g m^2 and 2.148 kg,
// a^2 = 6 (0.008 + 0.008 - 0.005) / 2.148.
TEST(humanoid, finds_soles_by_inertia_where_there_are_no_shapes)
{
    find_bench b;
    char      *text = altered_begin("hrp2_like");
    altered_blank(text, "<atemi:site");
    altered_replace(text, "<robot", "collision>", "visual>   ");
    altered_replace(text, "<robot", "sole", "heel");
    open_bench(&b, altered_load(text));
    find(&b, NULL);
    CHECK_EQUAL_INT(b.h.soles[0].source, ATEMI_OUTLINE_INERTIA);
    CHECK_NEAR(b.h.soles[0].size_x, sqrt(6.0 * 0.011 / 2.148), 1e-4); // rounded to 0.1 mm
    CHECK_NEAR(b.h.soles[0].size_y, sqrt(6.0 * 0.005 / 2.148), 1e-4);
    close_bench(&b);
}

TEST(humanoid, faces_where_its_base_is_turned_to)
{
    find_bench b;
    open_bench(&b, altered_load(altered_begin("hrp2_like")));
    b.q[5] = b.q[6] = sqrt(0.5); // by 90 degrees about z
    find(&b, NULL);
    check_vec3(b.h.facing.x, 0.0, 1.0, 0.0, 1e-12);
    check_vec3(b.h.facing.y, -1.0, 0.0, 0.0, 1e-12);
    check_link(&b, b.h.legs[ATEMI_SIDE_RIGHT].end, "right_foot");
    close_bench(&b);
}

TEST(humanoid, takes_feet_hand_and_soles_that_are_given)
{
    find_bench             b;
    atemi_humanoid_options options = atemi_humanoid_options_default();
    open_bench(&b, altered_load(altered_begin("hrp2_like")));
    options.feet[0] = atemi_model_find_link(b.model, "left_foot");
    options.feet[1] = atemi_model_find_link(b.model, "right_foot");
    options.hand = atemi_model_find_link(b.model, "left_forearm");
    options.sole_x = 0.2;
    options.sole_y = 0.1;
    find(&b, &options);
    check_link(&b, b.h.legs[ATEMI_SIDE_RIGHT].end, "right_foot");
    CHECK_EQUAL_INT(b.h.soles[0].source, ATEMI_OUTLINE_GIVEN);
    CHECK_NEAR(b.h.soles[0].size_x, 0.2, 0.0);
    CHECK_NEAR(b.h.soles[0].size_y, 0.1, 0.0);
    close_bench(&b);
}

TEST(humanoid, locks_grippers_and_knows_waist_arms_and_legs)
{
    find_bench b;
    open_bench(&b, altered_load(altered_begin("hrp2_like")));
    find(&b, NULL);
    const atemi_limb *arm = &b.h.arms[0], *leg = &b.h.legs[0];
    const int         elbow = atemi_model_find_joint(b.model, "right_elbow");
    const int         chest = atemi_model_find_joint(b.model, "chest_yaw");
    const int         knee = atemi_model_find_joint(b.model, "right_knee");
    const int         gripper = atemi_model_find_joint(b.model, "right_gripper");
    CHECK(atemi_humanoid_is_finger(b.model, &b.h, gripper));
    CHECK(!atemi_humanoid_is_finger(b.model, &b.h, elbow));
    CHECK(atemi_limb_has_joint(b.model, arm, elbow) && !atemi_limb_has_joint(b.model, arm, chest));
    CHECK(!atemi_limb_has_joint(b.model, arm, gripper));
    CHECK(atemi_limb_is_carried_by(b.model, arm, chest));
    CHECK(!atemi_limb_is_carried_by(b.model, arm, elbow));
    CHECK(atemi_limb_has_joint(b.model, leg, knee) && !atemi_limb_has_joint(b.model, leg, chest));
    CHECK_EQUAL_INT(b.h.pitches[0].knee, knee);
    CHECK_EQUAL_INT(b.h.pitches[0].hip, atemi_model_find_joint(b.model, "right_hip_pitch"));
    CHECK_EQUAL_INT(b.h.pitches[0].ankle, atemi_model_find_joint(b.model, "right_ankle_pitch"));
    close_bench(&b);
}

// ---- Robots that are none

TEST(humanoid, refuses_a_robot_without_limbs)
{
    find_bench   b;
    atemi_error  error;
    atemi_model *model;

    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_robots_load("two_link", &options, &model, NULL), ATEMI_OK);
    open_bench(&b, model);
    CHECK_STATUS(atemi_humanoid_find(b.model, b.q, NULL, b.scratch, &b.h, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "neither legs nor an arm");
    close_bench(&b);
}

// Of a robot that is bolted to the world, the longest limb is its arm.
TEST(humanoid, finds_the_arm_of_a_robot_without_legs)
{
    find_bench   b;
    atemi_model *model;

    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(atemi_robots_load("three_link", &options, &model, NULL), ATEMI_OK);
    open_bench(&b, model);
    find(&b, NULL);
    CHECK_EQUAL_INT(b.h.leg_count, 0);
    CHECK_EQUAL_INT(b.h.arm_count, 1);
    CHECK_EQUAL_INT(b.h.arms[0].joint_count, 3);
    close_bench(&b);
}

TEST(humanoid, names_what_to_give_where_feet_are_not_two)
{
    find_bench b;
    char      *text = altered_begin("hrp2_like");
    altered_replace(text, "name=\"left_hip", "xyz=\"0 0.035 -0.3\"", "xyz=\"0 0.035 -0.9\"");
    open_bench(&b, altered_load(text)); // one leg is longer by far
    atemi_error error;
    CHECK_STATUS(atemi_humanoid_find(b.model, b.q, NULL, b.scratch, &b.h, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "name the links of its feet");
    close_bench(&b);
}
