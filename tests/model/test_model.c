// SPDX-License-Identifier: Apache-2.0

#include "atemi/model.h"

#include "atemi/model_builder.h"
#include "check.h"

#include <math.h>
#include <string.h>

static const atemi_vec3 moon = {0.1, 0.2, -1.62};
static const double     unlimited = INFINITY;

static atemi_link_description make_link(const char *name, double mass)
{
    return (atemi_link_description){
        .name = name,
        .inertia = {.mass = mass,
                    .com = {0.1, 0.2, 0.3},
                    .rotational = {1.0, 1.1, 1.2, 0.01, 0.02, 0.03}},
    };
}

static atemi_joint_description make_joint(const char *name, atemi_joint_type type,
                                          const char *parent, const char *child)
{
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = name;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    return joint;
}

// A cart on a table that is bolted to the floor, an arm and a puck on the cart.
static atemi_model *make_robot(atemi_base base, bool coupled)
{
    const atemi_link_description links[] = {make_link("floor", 100.0), make_link("table", 20.0),
                                            make_link("cart", 4.0),    make_link("arm", 2.0),
                                            make_link("puck", 1.0),    make_link("bird", 0.5)};
    atemi_joint_description      joints[] = {
        make_joint("bolt", ATEMI_JOINT_FIXED, "floor", "table"),
        make_joint("rail", ATEMI_JOINT_PRISMATIC, "table", "cart"),
        make_joint("shoulder", ATEMI_JOINT_REVOLUTE, "cart", "arm"),
        make_joint("ice", ATEMI_JOINT_PLANAR, "cart", "puck"),
        make_joint("air", ATEMI_JOINT_FLOATING, "table", "bird"),
    };
    joints[1].limits = (atemi_limits){-2.0, 3.0, 4.0, 5.0};
    joints[1].damping = 0.4;
    joints[1].friction = 0.5;
    joints[1].armature = 0.6;
    joints[1].axis = (atemi_vec3){0.0, 3.0, 4.0};
    joints[1].origin.position = (atemi_vec3){7.0, 8.0, 9.0};
    joints[2].mimic = "rail";
    joints[2].mimic_multiplier = -2.0;
    joints[2].mimic_offset = 0.25;
    const atemi_site_description sites[] = {
        {.name = "sole",
         .link = "cart",
         .pose = {atemi_mat3_identity(), {1.0, 2.0, 3.0}},
         .size_x = 0.2,
         .size_y = 0.1},
        {.name = "nose", .link = "floor", .pose = atemi_transform_identity()}};
    const atemi_geometry_description shapes[] = {
        {.link = "puck",
         .collision = true,
         .shape = ATEMI_SHAPE_CYLINDER,
         .pose = {atemi_mat3_identity(), {0.0, 0.0, 0.5}},
         .size = {0.1, 0.02, 0.0},
         .color = {0.1, 0.2, 0.3, 1.0}},
        {.link = "arm",
         .shape = ATEMI_SHAPE_MESH,
         .pose = atemi_transform_identity(),
         .size = {1.0, 1.0, 1.0},
         .uri = "package://robot/arm.stl",
         .path = "/robot/arm.stl"},
    };
    const atemi_posture_description postures[] = {
        {.posture = "left", .joint = "rail", .value = -1.0},
        {.posture = "right", .joint = "rail", .value = 2.0}};
    atemi_model_builder *builder = NULL;
    atemi_model         *model = NULL;
    atemi_model_options  options = atemi_model_options_default();
    options.base = base;
    options.gravity = moon;
    options.mimic_as_coupled = coupled;
    CHECK_STATUS(atemi_model_builder_create("lab", NULL, &builder, NULL), ATEMI_OK);
    for (int i = 0; i < 6; ++i) {
        CHECK_STATUS(atemi_model_builder_add_link(builder, &links[i], NULL), ATEMI_OK);
    }
    for (int i = 0; i < 5; ++i) {
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joints[i], NULL), ATEMI_OK);
    }
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(atemi_model_builder_add_site(builder, &sites[i], NULL), ATEMI_OK);
        CHECK_STATUS(atemi_model_builder_add_geometry(builder, &shapes[i], NULL), ATEMI_OK);
        CHECK_STATUS(atemi_model_builder_add_posture(builder, &postures[i], NULL), ATEMI_OK);
    }
    CHECK_STATUS(atemi_model_builder_finish(builder, &options, &model, NULL), ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return model;
}

TEST(model, counts_its_parts_and_coordinates)
{
    static const struct {
        atemi_base base;
        bool       coupled;
        int        q, v;
    } cases[] = {{ATEMI_BASE_FIXED, true, 1 + 3 + 7, 1 + 3 + 6},
                 {ATEMI_BASE_FIXED, false, 2 + 3 + 7, 2 + 3 + 6},
                 {ATEMI_BASE_PLANAR, true, 3 + 11, 3 + 10},
                 {ATEMI_BASE_SAGITTAL, true, 3 + 11, 3 + 10},
                 {ATEMI_BASE_FLOATING, true, 7 + 11, 6 + 10}};
    for (int c = 0; c < 5; ++c) {
        atemi_model *model = make_robot(cases[c].base, cases[c].coupled);
        CHECK_EQUAL_INT(atemi_model_base(model), cases[c].base);
        CHECK_EQUAL_INT(atemi_model_q_count(model), cases[c].q);
        CHECK_EQUAL_INT(atemi_model_v_count(model), cases[c].v);
        CHECK_EQUAL_INT(atemi_model_link_count(model), 6);
        CHECK_EQUAL_INT(atemi_model_joint_count(model), 5);
        CHECK_EQUAL_INT(atemi_model_site_count(model), 2);
        CHECK_EQUAL_INT(atemi_model_geometry_count(model), 2);
        CHECK_EQUAL_INT(atemi_model_posture_count(model), 2);
        CHECK_EQUAL_STRING(atemi_model_name(model), "lab");
        CHECK_NEAR(atemi_model_gravity(model).x, moon.x, 0.0);
        CHECK_NEAR(atemi_model_gravity(model).y, moon.y, 0.0);
        CHECK_NEAR(atemi_model_gravity(model).z, moon.z, 0.0);
        atemi_model_destroy(model);
    }
}

// What is bolted to the world is not part of what moves.
TEST(model, weighs_what_moves)
{
    atemi_model *model = make_robot(ATEMI_BASE_FIXED, true);
    CHECK_NEAR(atemi_model_mass(model), 4.0 + 2.0 + 1.0 + 0.5, 0.0);
    atemi_model_destroy(model);
    model = make_robot(ATEMI_BASE_PLANAR, true);
    CHECK_NEAR(atemi_model_mass(model), 127.5, 0.0);
    atemi_model_destroy(model);
}

TEST(model, keeps_what_was_described)
{
    atemi_model       *model = make_robot(ATEMI_BASE_PLANAR, true);
    const atemi_link  *cart = atemi_model_link(model, atemi_model_find_link(model, "cart"));
    const atemi_joint *rail = atemi_model_joint(model, atemi_model_find_joint(model, "rail"));
    const atemi_joint *ice = atemi_model_joint(model, atemi_model_find_joint(model, "ice"));
    const atemi_joint *air = atemi_model_joint(model, atemi_model_find_joint(model, "air"));

    const atemi_inertia inertia = make_link("cart", 4.0).inertia;
    CHECK(memcmp(&cart->inertia, &inertia, sizeof inertia) == 0);
    CHECK_EQUAL_INT(rail->type, ATEMI_JOINT_PRISMATIC);
    CHECK_NEAR(rail->axis.x, 0.0, 0.0);
    CHECK_NEAR(rail->axis.y, 0.6, 2e-16); // made a unit vector, to a unit in the last place
    CHECK_NEAR(rail->axis.z, 0.8, 2e-16);
    CHECK_NEAR(rail->origin.position.y, 8.0, 0.0);
    CHECK_NEAR(rail->limits.lower, -2.0, 0.0);
    CHECK_NEAR(rail->limits.upper, 3.0, 0.0);
    CHECK_NEAR(rail->limits.velocity, 4.0, 0.0);
    CHECK_NEAR(rail->limits.effort, 5.0, 0.0);
    CHECK_NEAR(rail->damping, 0.4, 0.0);
    CHECK_NEAR(rail->friction, 0.5, 0.0);
    CHECK_NEAR(rail->armature, 0.6, 0.0);
    CHECK_EQUAL_INT(rail->mimic.joint, ATEMI_NONE);
    CHECK(rail->mimic.multiplier == 1.0 && rail->mimic.offset == 0.0);
    CHECK_EQUAL_INT(rail->first_q, 3);
    CHECK_EQUAL_INT(rail->first_v, 3);
    CHECK_EQUAL_INT(ice->first_q, 4);
    CHECK_EQUAL_INT(ice->q_count, 3);
    CHECK_EQUAL_INT(ice->v_count, 3);
    CHECK_EQUAL_INT(air->first_q, 7);
    CHECK_EQUAL_INT(air->first_v, 7);
    CHECK_EQUAL_INT(air->q_count, 7);
    CHECK_EQUAL_INT(air->v_count, 6);
    atemi_model_destroy(model);
}

TEST(model, couples_mimic_joints_or_gives_them_coordinates)
{
    atemi_model       *model = make_robot(ATEMI_BASE_FIXED, true);
    const atemi_joint *shoulder = atemi_model_joint(model, 2);
    CHECK_EQUAL_INT(shoulder->mimic.joint, 1);
    CHECK_NEAR(shoulder->mimic.multiplier, -2.0, 0.0);
    CHECK_NEAR(shoulder->mimic.offset, 0.25, 0.0);
    CHECK_EQUAL_INT(shoulder->first_q, ATEMI_NONE);
    CHECK_EQUAL_INT(shoulder->first_v, ATEMI_NONE);
    CHECK_EQUAL_INT(shoulder->q_count, 0);
    CHECK_EQUAL_INT(shoulder->v_count, 0);
    atemi_model_destroy(model);

    model = make_robot(ATEMI_BASE_FIXED, false);
    shoulder = atemi_model_joint(model, 2);
    CHECK_EQUAL_INT(shoulder->mimic.joint, 1);
    CHECK_EQUAL_INT(shoulder->first_q, 1);
    CHECK_EQUAL_INT(shoulder->v_count, 1);
    atemi_model_destroy(model);
}

// A continuous joint has no bounds, whatever the file says.
TEST(model, has_limits_only_where_joints_have_them)
{
    static const atemi_joint_type types[] = {ATEMI_JOINT_REVOLUTE, ATEMI_JOINT_PRISMATIC,
                                             ATEMI_JOINT_CONTINUOUS, ATEMI_JOINT_PLANAR,
                                             ATEMI_JOINT_FLOATING};
    for (int i = 0; i < 5; ++i) {
        const atemi_link_description one = make_link("a", 1.0), two = make_link("b", 1.0);
        atemi_joint_description      joint = make_joint("j", types[i], "a", "b");
        atemi_model_builder         *builder = NULL;
        atemi_model                 *model = NULL;
        joint.limits.lower = -1.0;
        joint.limits.upper = 2.0;
        CHECK_STATUS(atemi_model_builder_create(NULL, NULL, &builder, NULL), ATEMI_OK);
        CHECK_STATUS(atemi_model_builder_add_link(builder, &one, NULL), ATEMI_OK);
        CHECK_STATUS(atemi_model_builder_add_link(builder, &two, NULL), ATEMI_OK);
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
        CHECK_STATUS(atemi_model_builder_finish(builder, NULL, &model, NULL), ATEMI_OK);
        atemi_model_builder_destroy(builder);
        const atemi_limits *limits = &atemi_model_joint(model, 0)->limits;
        CHECK_NEAR(limits->lower, i < 2 ? -1.0 : -unlimited, 0.0);
        CHECK_NEAR(limits->upper, i < 2 ? 2.0 : unlimited, 0.0);
        CHECK_EQUAL_STRING(atemi_model_name(model), "");
        atemi_model_destroy(model);
    }
}

TEST(model, has_sites_geometries_and_postures)
{
    atemi_model      *model = make_robot(ATEMI_BASE_FLOATING, true);
    const atemi_site *sole = atemi_model_site(model, atemi_model_find_site(model, "sole"));
    CHECK_EQUAL_STRING(sole->name, "sole");
    CHECK_EQUAL_INT(sole->link, atemi_model_find_link(model, "cart"));
    CHECK_NEAR(sole->pose.position.z, 3.0, 0.0);
    CHECK_NEAR(sole->size_x, 0.2, 0.0);
    CHECK_NEAR(sole->size_y, 0.1, 0.0);
    CHECK_EQUAL_INT(atemi_model_find_site(model, "nose"), 1);

    const atemi_geometry *puck = atemi_model_geometry(model, 0),
                         *arm = atemi_model_geometry(model, 1);
    CHECK(puck->collision && puck->shape == ATEMI_SHAPE_CYLINDER && !puck->uri && !puck->path);
    CHECK_EQUAL_INT(puck->link, atemi_model_find_link(model, "puck"));
    CHECK_NEAR(puck->pose.position.z, 0.5, 0.0);
    CHECK_NEAR(puck->size.y, 0.02, 0.0);
    CHECK_NEAR(puck->color[2], 0.3, 0.0);
    CHECK(!arm->collision);
    CHECK_EQUAL_STRING(arm->uri, "package://robot/arm.stl");
    CHECK_EQUAL_STRING(arm->path, "/robot/arm.stl");

    CHECK_EQUAL_INT(atemi_model_find_posture(model, "left"), 0);
    CHECK_EQUAL_INT(atemi_model_find_posture(model, "right"), 1);
    CHECK_EQUAL_STRING(atemi_model_posture_name(model, 1), "right");
    const double *q = atemi_model_posture(model, 1);
    double        expected[18] = {0};
    expected[6] = 1.0;  // the base upright
    expected[7] = 2.0;  // the rail
    expected[17] = 1.0; // the bird upright
    CHECK(memcmp(q, expected, sizeof expected) == 0);
    CHECK_NEAR(atemi_model_posture(model, 0)[7], -1.0, 0.0);
    atemi_model_destroy(model);
}

TEST(model, finds_names_and_nothing_else)
{
    atemi_model *model = make_robot(ATEMI_BASE_FIXED, true);
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        CHECK_EQUAL_INT(atemi_model_find_link(model, atemi_model_link(model, i)->name), i);
    }
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        CHECK_EQUAL_INT(atemi_model_find_joint(model, atemi_model_joint(model, i)->name), i);
    }
    static const char *unknown[] = {"", "a", "cart2", "zebra", "rail", "CART"};
    for (int i = 0; i < 6; ++i) {
        CHECK_EQUAL_INT(atemi_model_find_link(model, unknown[i]), ATEMI_NONE);
        CHECK_EQUAL_INT(atemi_model_find_site(model, unknown[i]), ATEMI_NONE);
        CHECK_EQUAL_INT(atemi_model_find_posture(model, unknown[i]), ATEMI_NONE);
    }
    CHECK_EQUAL_INT(atemi_model_find_joint(model, "cart"), ATEMI_NONE);
    atemi_model_destroy(model);
}

TEST(model, has_no_parts_beyond_its_counts)
{
    atemi_model     *model = make_robot(ATEMI_BASE_FIXED, true);
    static const int beyond[] = {-1, 6};
    for (int i = 0; i < 2; ++i) {
        const int n = beyond[i];
        CHECK_BREAKS_CONTRACT(CHECK(!atemi_model_link(model, n)));
        CHECK_BREAKS_CONTRACT(CHECK(!atemi_model_joint(model, n < 0 ? n : 5)));
        CHECK_BREAKS_CONTRACT(CHECK(!atemi_model_site(model, n < 0 ? n : 2)));
        CHECK_BREAKS_CONTRACT(CHECK(!atemi_model_geometry(model, n < 0 ? n : 2)));
        CHECK_BREAKS_CONTRACT(CHECK(!atemi_model_posture(model, n < 0 ? n : 2)));
        CHECK_BREAKS_CONTRACT(CHECK(!atemi_model_posture_name(model, n < 0 ? n : 2)));
    }
    atemi_model_destroy(model);
    atemi_model_destroy(NULL);
}

TEST(model, calls_things_by_their_names)
{
    static const char *bases[] = {"fixed", "planar", "sagittal", "floating"};
    static const char *types[] = {"fixed",     "revolute", "continuous",
                                  "prismatic", "planar",   "floating"};
    static const char *shapes[] = {"box", "cylinder", "sphere", "capsule", "mesh"};
    static const int   q[] = {0, 3, 3, 7}, v[] = {0, 3, 3, 6};
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_STRING(atemi_base_text((atemi_base)i), bases[i]);
        CHECK_EQUAL_INT(atemi_base_q_count((atemi_base)i), q[i]);
        CHECK_EQUAL_INT(atemi_base_v_count((atemi_base)i), v[i]);
    }
    for (int i = 0; i < 6; ++i) {
        CHECK_EQUAL_STRING(atemi_joint_type_text((atemi_joint_type)i), types[i]);
    }
    for (int i = 0; i < 5; ++i) {
        CHECK_EQUAL_STRING(atemi_shape_text((atemi_shape)i), shapes[i]);
    }
}

TEST(model, defaults_are_those_of_the_header)
{
    const atemi_model_options     options = atemi_model_options_default();
    const atemi_joint_description joint = atemi_joint_description_default();
    CHECK_EQUAL_INT(options.base, ATEMI_BASE_FLOATING);
    CHECK(options.gravity.x == 0.0 && options.gravity.y == 0.0 && options.gravity.z == -9.81);
    CHECK(options.mimic_as_coupled);
    CHECK(joint.axis.x == 1.0 && joint.axis.y == 0.0 && joint.axis.z == 0.0);
    CHECK(joint.limits.lower == -unlimited && joint.limits.upper == unlimited);
    CHECK(joint.limits.velocity == unlimited && joint.limits.effort == unlimited);
    CHECK(joint.mimic == NULL && joint.mimic_multiplier == 1.0 && joint.mimic_offset == 0.0);
    CHECK(joint.damping == 0.0 && joint.friction == 0.0 && joint.armature == 0.0);
    CHECK(joint.origin.rotation.x.x == 1.0 && joint.origin.position.x == 0.0);
}
