// SPDX-License-Identifier: Apache-2.0

#include "atemi/model_builder.h"

#include "allocations.h"
#include "atemi/base.h"
#include "check.h"
#include "data.h"
#include "dynamics/inverse_dynamics.h"
#include "instrumented.h"
#include "random_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- Parts that are in order ----------------------------------------------------------------

static const atemi_place place = {12, 34};

static atemi_link_description a_link(const char *name)
{
    return (atemi_link_description){
        .name = name,
        .inertia = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}},
        .place = {1, 2}};
}

static atemi_joint_description a_joint(const char *name, const char *parent, const char *child)
{
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = name;
    joint.type = ATEMI_JOINT_REVOLUTE;
    joint.parent = parent;
    joint.child = child;
    joint.place = (atemi_place){3, 4};
    return joint;
}

static atemi_model_builder *begin(void)
{
    atemi_model_builder *builder = NULL;
    CHECK_STATUS(atemi_model_builder_create("robot", "robot.urdf", &builder, NULL), ATEMI_OK);
    return builder;
}

static void add_link(atemi_model_builder *builder, const char *name)
{
    const atemi_link_description link = a_link(name);
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
}

static void add_joint(atemi_model_builder *builder, const char *name, const char *parent,
                      const char *child)
{
    const atemi_joint_description joint = a_joint(name, parent, child);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
}

// torso - shoulder - arm
static atemi_model_builder *begin_arm(void)
{
    atemi_model_builder *builder = begin();
    add_link(builder, "torso");
    add_link(builder, "arm");
    add_joint(builder, "shoulder", "torso", "arm");
    return builder;
}

static atemi_model *finish(atemi_model_builder *builder)
{
    atemi_model       *model = NULL;
    atemi_error        error = {0};
    const atemi_status status = atemi_model_builder_finish(builder, NULL, &model, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return model;
}

// ---- Refusals -------------------------------------------------------------------------------

static void check_error(const atemi_error *error, atemi_status expected, const char *part,
                        atemi_place where)
{
    CHECK_STATUS(error->status, expected);
    CHECK_CONTAINS(error->message, part);
    CHECK_EQUAL_STRING(error->file, "robot.urdf");
    CHECK_EQUAL_INT(error->line, where.line);
    CHECK_EQUAL_INT(error->column, where.column);
}

static void refuse_link(atemi_link_description link, atemi_status expected, const char *part)
{
    atemi_model_builder *builder = begin();
    atemi_error          error = {0};
    link.place = place;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, &error), expected);
    check_error(&error, expected, part, place);
    atemi_model_builder_destroy(builder);
}

static void refuse_joint(atemi_joint_description joint, atemi_status expected, const char *part)
{
    atemi_model_builder *builder = begin();
    atemi_error          error = {0};
    joint.place = place;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, &error), expected);
    check_error(&error, expected, part, place);
    atemi_model_builder_destroy(builder);
}

// Takes the builder and refuses to make a model of it.
static void refuse_whole(atemi_model_builder *builder, const char *part, atemi_place where)
{
    atemi_error  error = {0};
    atemi_model *model = (atemi_model *)(void *)&error; // anything but NULL
    failing_allocator_install(0);                       // which counts
    CHECK_STATUS(atemi_model_builder_finish(builder, NULL, &model, &error), ATEMI_ERROR_INPUT);
    failing_allocator_remove();
    check_error(&error, ATEMI_ERROR_INPUT, part, where);
    CHECK(!model);
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    atemi_model_builder_destroy(builder);
}

static char *long_name(void)
{
    static char name[ATEMI_MAX_NAME + 2];
    memset(name, 'n', ATEMI_MAX_NAME + 1);
    return name;
}

TEST(model_builder, refuses_links_without_a_name)
{
    atemi_link_description link = a_link(NULL);
    refuse_link(link, ATEMI_ERROR_INPUT, "a link has no name");
    link.name = "";
    refuse_link(link, ATEMI_ERROR_INPUT, "a link has no name");
    link.name = long_name();
    refuse_link(link, ATEMI_ERROR_LIMIT, "is longer than 255 bytes");
}

TEST(model_builder, takes_names_of_the_greatest_length)
{
    char *name = long_name();
    name[ATEMI_MAX_NAME] = '\0';
    atemi_model_builder *builder = begin();
    add_link(builder, name);
    atemi_model *model = finish(builder);
    CHECK_EQUAL_INT(atemi_model_find_link(model, name), 0);
    name[ATEMI_MAX_NAME] = 'n';
    atemi_model_destroy(model);
}

TEST(model_builder, refuses_inertias_that_are_not_finite_and_negative_masses)
{
    static const size_t offsets[] = {
        offsetof(atemi_inertia, mass),          offsetof(atemi_inertia, com.x),
        offsetof(atemi_inertia, com.y),         offsetof(atemi_inertia, com.z),
        offsetof(atemi_inertia, rotational.xx), offsetof(atemi_inertia, rotational.yy),
        offsetof(atemi_inertia, rotational.zz), offsetof(atemi_inertia, rotational.xy),
        offsetof(atemi_inertia, rotational.xz), offsetof(atemi_inertia, rotational.yz)};
    static const double bad[] = {NAN, INFINITY};
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; ++k) {
        for (int b = 0; b < 2; ++b) {
            atemi_link_description link = a_link("arm");
            memcpy((char *)&link.inertia + offsets[k], &bad[b], sizeof(double));
            refuse_link(link, ATEMI_ERROR_INPUT, "'arm' has a value that is not a finite number");
        }
    }
    atemi_link_description link = a_link("arm");
    link.inertia.mass = -2.5;
    refuse_link(link, ATEMI_ERROR_INPUT, "mass of link 'arm' is -2.5 kg");
}

TEST(model_builder, refuses_joints_without_name_parent_or_child)
{
    refuse_joint(a_joint(NULL, "a", "b"), ATEMI_ERROR_INPUT, "a joint has no name");
    refuse_joint(a_joint("", "a", "b"), ATEMI_ERROR_INPUT, "a joint has no name");
    refuse_joint(a_joint(long_name(), "a", "b"), ATEMI_ERROR_LIMIT, "longer than 255");
    refuse_joint(a_joint("elbow", NULL, "b"), ATEMI_ERROR_INPUT, "'elbow' has no parent link");
    refuse_joint(a_joint("elbow", "a", NULL), ATEMI_ERROR_INPUT, "'elbow' has no child link");
}

TEST(model_builder, refuses_joint_values_that_are_not_finite)
{
    static const size_t offsets[] = {offsetof(atemi_joint_description, origin.rotation.x.x),
                                     offsetof(atemi_joint_description, origin.rotation.y.y),
                                     offsetof(atemi_joint_description, origin.rotation.z.z),
                                     offsetof(atemi_joint_description, origin.position.x),
                                     offsetof(atemi_joint_description, origin.position.y),
                                     offsetof(atemi_joint_description, origin.position.z),
                                     offsetof(atemi_joint_description, axis.x),
                                     offsetof(atemi_joint_description, axis.y),
                                     offsetof(atemi_joint_description, axis.z)};
    static const double bad[] = {NAN, INFINITY};
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; ++k) {
        for (int b = 0; b < 2; ++b) {
            atemi_joint_description joint = a_joint("elbow", "a", "b");
            memcpy((char *)&joint + offsets[k], &bad[b], sizeof(double));
            refuse_joint(joint, ATEMI_ERROR_INPUT, "origin or axis of joint 'elbow' is not finite");
        }
    }
    atemi_joint_description joint = a_joint("elbow", "a", "b");
    joint.mimic = "shoulder";
    joint.mimic_multiplier = NAN;
    refuse_joint(joint, ATEMI_ERROR_INPUT, "mimic of joint 'elbow'");
    joint.mimic_multiplier = 1.0;
    joint.mimic_offset = INFINITY;
    refuse_joint(joint, ATEMI_ERROR_INPUT, "mimic of joint 'elbow'");
}

TEST(model_builder, refuses_an_axis_of_no_length_where_one_is_needed)
{
    static const atemi_joint_type with[] = {ATEMI_JOINT_REVOLUTE, ATEMI_JOINT_CONTINUOUS,
                                            ATEMI_JOINT_PRISMATIC, ATEMI_JOINT_PLANAR};
    static const atemi_joint_type without[] = {ATEMI_JOINT_FIXED, ATEMI_JOINT_FLOATING};
    atemi_joint_description       joint = a_joint("shoulder", "torso", "arm");
    joint.axis = (atemi_vec3){0.0, 0.0, 0.0};
    for (int i = 0; i < 4; ++i) {
        joint.type = with[i];
        refuse_joint(joint, ATEMI_ERROR_INPUT, "axis of joint 'shoulder' is (0, 0, 0)");
    }
    for (int i = 0; i < 2; ++i) {
        atemi_model_builder *builder = begin();
        add_link(builder, "torso");
        add_link(builder, "arm");
        joint.type = without[i];
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
        atemi_model_destroy(finish(builder));
    }
}

TEST(model_builder, refuses_limits_upside_down)
{
    atemi_joint_description joint = a_joint("elbow", "a", "b");
    joint.limits.lower = 1.0;
    joint.limits.upper = -1.0;
    refuse_joint(joint, ATEMI_ERROR_INPUT, "upside down: lower 1 is above upper -1");
    joint.limits.upper = NAN;
    refuse_joint(joint, ATEMI_ERROR_INPUT, "limits of joint 'elbow'");
    joint = a_joint("elbow", "a", "b");
    joint.limits.velocity = -1.0;
    refuse_joint(joint, ATEMI_ERROR_INPUT, "must be 0 or more");
    joint = a_joint("elbow", "a", "b");
    joint.limits.effort = NAN;
    refuse_joint(joint, ATEMI_ERROR_INPUT, "must be 0 or more");
}

TEST(model_builder, refuses_rotors_and_friction_below_zero)
{
    static const size_t offsets[] = {offsetof(atemi_joint_description, armature),
                                     offsetof(atemi_joint_description, damping),
                                     offsetof(atemi_joint_description, friction)};
    static const double bad[] = {-0.5, NAN, INFINITY};
    for (int k = 0; k < 3; ++k) {
        for (int b = 0; b < 3; ++b) {
            atemi_joint_description joint = a_joint("elbow", "a", "b");
            memcpy((char *)&joint + offsets[k], &bad[b], sizeof(double));
            refuse_joint(joint, ATEMI_ERROR_INPUT, "must be finite and 0 or more");
        }
    }
}

TEST(model_builder, refuses_what_is_not_one_tree)
{
    refuse_whole(begin(), "the robot has no link", (atemi_place){0});

    atemi_model_builder *builder = begin_arm();
    add_link(builder, "leg");
    refuse_whole(builder, "two roots: neither link 'torso' nor link 'leg'", (atemi_place){1, 2});

    builder = begin_arm();
    add_joint(builder, "back", "arm", "torso");
    refuse_whole(builder, "a loop: every link is the child of a joint", (atemi_place){1, 2});

    builder = begin_arm();
    add_link(builder, "left");
    add_link(builder, "right");
    add_joint(builder, "there", "left", "right");
    add_joint(builder, "back", "right", "left");
    refuse_whole(builder, "a loop: link 'left' cannot be reached from the root 'torso' (2 of 4",
                 (atemi_place){1, 2});

    builder = begin_arm();
    add_joint(builder, "second", "torso", "arm");
    refuse_whole(builder, "link 'arm' has two parents", (atemi_place){3, 4});

    builder = begin_arm();
    add_joint(builder, "knot", "arm", "arm");
    refuse_whole(builder, "joint 'knot' joins link 'arm' to itself", (atemi_place){3, 4});
}

TEST(model_builder, refuses_names_that_are_unknown_or_doubled)
{
    atemi_model_builder *builder = begin_arm();
    add_joint(builder, "elbow", "upper", "arm");
    refuse_whole(builder, "'elbow': its parent link 'upper' is not described", (atemi_place){3, 4});

    builder = begin_arm();
    add_joint(builder, "elbow", "arm", "lower");
    refuse_whole(builder, "'elbow': its child link 'lower' is not described", (atemi_place){3, 4});

    builder = begin_arm();
    atemi_link_description link = a_link("arm");
    link.place = place;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
    refuse_whole(builder, "link 'arm' is described twice, first in line 1", place);

    builder = begin_arm();
    add_link(builder, "hand");
    atemi_joint_description joint = a_joint("shoulder", "arm", "hand");
    joint.place = place;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    refuse_whole(builder, "joint 'shoulder' is described twice, first in line 3", place);

    builder = begin_arm(); // with others between the two
    add_link(builder, "hand");
    add_link(builder, "head");
    add_joint(builder, "neck", "torso", "head");
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    refuse_whole(builder, "joint 'shoulder' is described twice, first in line 3", place);
}

static atemi_model_builder *arm_with_hand(atemi_joint_type shoulder, atemi_joint_type wrist,
                                          const char *copied)
{
    atemi_model_builder    *builder = begin();
    atemi_joint_description joint = a_joint("shoulder", "torso", "arm");
    add_link(builder, "torso");
    add_link(builder, "arm");
    add_link(builder, "hand");
    joint.type = shoulder;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    joint = a_joint("wrist", "arm", "hand");
    joint.type = wrist;
    joint.mimic = copied;
    joint.place = place;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    return builder;
}

TEST(model_builder, refuses_mimics_of_nothing_of_themselves_and_of_joints_without_one_coordinate)
{
    const atemi_joint_type turn = ATEMI_JOINT_REVOLUTE;
    refuse_whole(arm_with_hand(turn, turn, "ankle"),
                 "joint 'wrist' mimics joint 'ankle', which is not described", place);
    refuse_whole(arm_with_hand(turn, turn, "wrist"), "joint 'wrist' mimics itself", place);
    refuse_whole(arm_with_hand(ATEMI_JOINT_FIXED, turn, "shoulder"),
                 "'wrist' (revolute) cannot mimic joint 'shoulder' (fixed)", place);
    refuse_whole(arm_with_hand(ATEMI_JOINT_FLOATING, turn, "shoulder"),
                 "cannot mimic joint 'shoulder' (floating)", place);
    refuse_whole(arm_with_hand(ATEMI_JOINT_PLANAR, turn, "shoulder"),
                 "cannot mimic joint 'shoulder' (planar)", place);
    refuse_whole(arm_with_hand(turn, ATEMI_JOINT_PLANAR, "shoulder"),
                 "'wrist' (planar) cannot mimic", place);
    refuse_whole(arm_with_hand(turn, ATEMI_JOINT_FLOATING, "shoulder"), "cannot mimic", place);
}

// thumb copies index, index copies ring, ring copies index: a ring that does not contain the thumb.
TEST(model_builder, refuses_mimics_in_a_ring)
{
    static const char *names[] = {"thumb", "index", "ring"}, *copied[] = {"index", "ring", "index"};
    atemi_model_builder *builder = begin();
    add_link(builder, "palm");
    for (int i = 0; i < 3; ++i) {
        atemi_joint_description joint = a_joint(names[i], "palm", names[i]);
        add_link(builder, names[i]);
        joint.mimic = copied[i];
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    }
    refuse_whole(builder, "mimic each other in a circle", (atemi_place){3, 4});
}

// A chain of n mimics once took n^2 / 2 steps: 20 s for 16,000 joints.
TEST(model_builder, refuses_mimics_through_too_many_joints)
{
    atemi_model_builder *builder = begin();
    char                 name[16], copied[16];
    add_link(builder, "palm");
    for (int i = 0; i < 5000; ++i) {
        snprintf(name, sizeof name, "f%d", i);
        snprintf(copied, sizeof copied, "f%d", i + 1);
        atemi_joint_description joint = a_joint(name, "palm", name);
        add_link(builder, name);
        joint.mimic = i < 4999 ? copied : NULL;
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    }
    refuse_whole(builder, "more than 100 joints", (atemi_place){3, 4});
}

// Squares of such lengths are infinite or zero.
TEST(model_builder, takes_an_axis_of_any_length_but_zero)
{
    static const double lengths[] = {1e-300, 1e-10, 3.0, 1e200};
    for (int i = 0; i < 4; ++i) {
        atemi_model_builder    *builder = begin();
        atemi_joint_description joint = a_joint("shoulder", "torso", "arm");
        add_link(builder, "torso");
        add_link(builder, "arm");
        joint.axis = (atemi_vec3){3.0 * lengths[i], 0.0, -4.0 * lengths[i]};
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
        atemi_model     *model = finish(builder);
        const atemi_vec3 axis = atemi_model_joint(model, 0)->axis;
        CHECK_NEAR(axis.x, 0.6, 1e-15);
        CHECK_NEAR(axis.z, -0.8, 1e-15);
        atemi_model_destroy(model);
    }
}

TEST(model_builder, refuses_a_posture_described_twice)
{
    static const char   *postures[] = {"stand", "sit", "stand"};
    atemi_model_builder *builder = begin_arm();
    for (int i = 0; i < 3; ++i) {
        const atemi_posture_description posture = {.posture = postures[i], .joint = "shoulder"};
        CHECK_STATUS(atemi_model_builder_add_posture(builder, &posture, NULL), ATEMI_OK);
    }
    refuse_whole(builder, "posture 'stand' is described twice", (atemi_place){0, 0});
}

// A massless link may stand anywhere but at a moving end.
TEST(model_builder, refuses_moving_ends_without_inertia)
{
    atemi_link_description ghost = a_link("ghost");
    ghost.inertia = (atemi_inertia){0};

    atemi_model_builder    *builder = begin_arm();
    atemi_joint_description joint = a_joint("haunted", "arm", "ghost");
    joint.place = place;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &ghost, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    refuse_whole(builder, "joint 'haunted' moves link 'ghost', but nothing behind it has a mass",
                 place);

    builder = begin_arm();
    joint.type = ATEMI_JOINT_FIXED;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &ghost, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    atemi_model_destroy(finish(builder));

    builder = begin_arm(); // between two bodies
    joint.type = ATEMI_JOINT_REVOLUTE;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &ghost, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    add_link(builder, "hand");
    add_joint(builder, "wrist", "ghost", "hand");
    atemi_model_destroy(finish(builder));

    builder = begin_arm(); // with a rotor
    joint.armature = 0.1;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &ghost, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    atemi_model_destroy(finish(builder));

    builder = begin_arm(); // a rotor turns one axis only
    joint.type = ATEMI_JOINT_PLANAR;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &ghost, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    refuse_whole(builder, "nothing behind it has a mass", place);

    builder = begin(); // the whole robot
    CHECK_STATUS(atemi_model_builder_add_link(builder, &ghost, NULL), ATEMI_OK);
    refuse_whole(builder, "the robot has no mass at all, so a floating base", (atemi_place){0});
}

static atemi_status finish_kept(atemi_model_builder *builder, atemi_model **model)
{
    atemi_model_options options = atemi_model_options_default();
    options.massless_as_fixed = true;
    const atemi_status status = atemi_model_builder_finish(builder, &options, model, NULL);
    atemi_model_builder_destroy(builder);
    return status;
}

static atemi_model_builder *begin_haunted(void)
{
    atemi_link_description ghost = a_link("ghost"), cold = a_link("cold");
    ghost.inertia = cold.inertia = (atemi_inertia){0};
    atemi_model_builder *builder = begin_arm();
    CHECK_STATUS(atemi_model_builder_add_link(builder, &ghost, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_link(builder, &cold, NULL), ATEMI_OK);
    add_joint(builder, "haunted", "arm", "ghost");
    add_joint(builder, "colder", "ghost", "cold");
    return builder;
}

TEST(model_builder, keeps_moving_ends_without_inertia_if_asked)
{
    atemi_model *model = NULL;
    CHECK_STATUS(finish_kept(begin_haunted(), &model), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_model_joint_count(model), 3);
    CHECK_EQUAL_INT(atemi_model_v_count(model), 7);
    CHECK_EQUAL_INT(atemi_model_joint(model, atemi_model_find_joint(model, "haunted"))->type,
                    ATEMI_JOINT_FIXED);
    CHECK_EQUAL_INT(atemi_model_joint(model, atemi_model_find_joint(model, "colder"))->type,
                    ATEMI_JOINT_FIXED);
    atemi_model_destroy(model);
}

// A finger that mimics a massless one would stay behind; a robot of which no joint is left is one
// whose masses were forgotten.
TEST(model_builder, keeps_no_end_that_others_need)
{
    atemi_model            *model = NULL;
    atemi_model_builder    *builder = begin_haunted();
    atemi_joint_description finger = a_joint("finger", "torso", "tip");
    finger.mimic = "haunted";
    add_link(builder, "tip");
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &finger, NULL), ATEMI_OK);
    CHECK_STATUS(finish_kept(builder, &model), ATEMI_ERROR_INPUT);

    const atemi_link_description ghost = {.name = "ghost"};
    builder = begin();
    add_link(builder, "torso");
    CHECK_STATUS(atemi_model_builder_add_link(builder, &ghost, NULL), ATEMI_OK);
    add_joint(builder, "haunted", "torso", "ghost");
    CHECK_STATUS(finish_kept(builder, &model), ATEMI_ERROR_INPUT);
}

TEST(model_builder, refuses_sites_geometries_and_postures_that_make_no_sense)
{
    const atemi_site_description     site = {.name = "sole",
                                             .link = "arm",
                                             .pose = atemi_transform_identity(),
                                             .size_x = 0.2,
                                             .size_y = 0.1,
                                             .place = place};
    const atemi_geometry_description box = {
        .link = "arm", .pose = atemi_transform_identity(), .size = {1.0, 1.0, 1.0}, .place = place};
    const atemi_posture_description posture = {
        .posture = "half", .joint = "shoulder", .value = 1.0, .place = place};
    atemi_error error = {0};

    atemi_model_builder   *builder = begin_arm();
    atemi_site_description bad_site = site;
    bad_site.name = "";
    CHECK_STATUS(atemi_model_builder_add_site(builder, &bad_site, &error), ATEMI_ERROR_INPUT);
    check_error(&error, ATEMI_ERROR_INPUT, "a site has no name", place);
    bad_site = site;
    bad_site.size_x = -0.1;
    CHECK_STATUS(atemi_model_builder_add_site(builder, &bad_site, &error), ATEMI_ERROR_INPUT);
    check_error(&error, ATEMI_ERROR_INPUT, "site 'sole': pose and size", place);
    bad_site = site;
    bad_site.size_y = NAN;
    CHECK_STATUS(atemi_model_builder_add_site(builder, &bad_site, &error), ATEMI_ERROR_INPUT);
    bad_site = site;
    bad_site.pose.position.y = NAN;
    CHECK_STATUS(atemi_model_builder_add_site(builder, &bad_site, &error), ATEMI_ERROR_INPUT);
    atemi_geometry_description bad_box = box;
    bad_box.size.y = INFINITY;
    CHECK_STATUS(atemi_model_builder_add_geometry(builder, &bad_box, &error), ATEMI_ERROR_INPUT);
    check_error(&error, ATEMI_ERROR_INPUT, "geometry of link 'arm' is not finite", place);
    bad_box = box;
    bad_box.pose.rotation.x.x = NAN;
    CHECK_STATUS(atemi_model_builder_add_geometry(builder, &bad_box, &error), ATEMI_ERROR_INPUT);
    atemi_posture_description bad_posture = posture;
    bad_posture.value = NAN;
    CHECK_STATUS(atemi_model_builder_add_posture(builder, &bad_posture, &error), ATEMI_ERROR_INPUT);
    check_error(&error, ATEMI_ERROR_INPUT, "posture 'half': the value of joint 'shoulder'", place);
    atemi_model_builder_destroy(builder);

    builder = begin_arm();
    bad_site = site;
    bad_site.link = "foot";
    CHECK_STATUS(atemi_model_builder_add_site(builder, &bad_site, NULL), ATEMI_OK);
    refuse_whole(builder, "site 'sole' is on link 'foot', which is not described", place);

    builder = begin_arm();
    CHECK_STATUS(atemi_model_builder_add_site(builder, &site, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_site(builder, &site, NULL), ATEMI_OK);
    refuse_whole(builder, "site 'sole' is described twice", place);

    builder = begin_arm();
    bad_box = box;
    bad_box.link = "foot";
    CHECK_STATUS(atemi_model_builder_add_geometry(builder, &bad_box, NULL), ATEMI_OK);
    refuse_whole(builder, "geometry 'box' is on link 'foot'", place);

    builder = begin_arm();
    bad_posture = posture;
    bad_posture.joint = "knee";
    CHECK_STATUS(atemi_model_builder_add_posture(builder, &bad_posture, NULL), ATEMI_OK);
    refuse_whole(builder, "posture 'half': 'knee' is no joint with one coordinate", place);

    builder = arm_with_hand(ATEMI_JOINT_PLANAR, ATEMI_JOINT_REVOLUTE, NULL);
    CHECK_STATUS(atemi_model_builder_add_posture(builder, &posture, NULL), ATEMI_OK);
    refuse_whole(builder, "'shoulder' is no joint with one coordinate", place);
}

TEST(model_builder, refuses_gravity_that_is_not_finite)
{
    for (int i = 0; i < 3; ++i) {
        atemi_model_builder *builder = begin_arm();
        atemi_model_options  options = atemi_model_options_default();
        atemi_model         *model = NULL;
        atemi_error          error = {0};
        double              *parts[] = {&options.gravity.x, &options.gravity.y, &options.gravity.z};
        *parts[i] = NAN;
        CHECK_STATUS(atemi_model_builder_finish(builder, &options, &model, &error),
                     ATEMI_ERROR_INPUT);
        CHECK_CONTAINS(error.message, "gravity is not finite");
        atemi_model_builder_destroy(builder);
    }
}

TEST(model_builder, requires_its_arguments)
{
    atemi_model_builder             *builder = begin();
    atemi_model                     *model = NULL;
    const atemi_link_description     link = a_link("arm");
    const atemi_joint_description    joint = a_joint("elbow", "a", "b");
    const atemi_site_description     site = {.name = "sole"};
    const atemi_geometry_description box = {.shape = ATEMI_SHAPE_BOX};
    const atemi_posture_description  posture = {.posture = "half"};
    CHECK_BREAKS_CONTRACT(atemi_model_builder_create("robot", NULL, NULL, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_add_link(NULL, &link, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_add_link(builder, NULL, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_add_joint(NULL, &joint, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_add_joint(builder, NULL, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_add_site(builder, &site, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_add_geometry(builder, &box, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_add_posture(builder, &posture, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_finish(NULL, NULL, &model, NULL));
    CHECK_BREAKS_CONTRACT(atemi_model_builder_finish(builder, NULL, NULL, NULL));
    atemi_model_builder_destroy(builder);
    atemi_model_builder_destroy(NULL);
}

// ---- Warnings -------------------------------------------------------------------------------

typedef struct heard {
    int             count;
    atemi_log_level level;
    char            text[2048];
} heard;

static void listen(void *context, atemi_log_level level, const char *message)
{
    heard *h = (heard *)context;
    ++h->count;
    h->level = level;
    snprintf(h->text, sizeof h->text, "%s", message);
}

TEST(model_builder, warns_of_the_triangle_inequality_with_the_amount)
{
    heard                  h = {0};
    atemi_model_builder   *builder = begin();
    atemi_link_description link = a_link("arm");
    atemi_set_log_hook(listen, &h);
    link.place = place;

    // A turned frame does not hide it: the moments 1, 1, 3 about axes between x and z.
    link.inertia.rotational = (atemi_symmetric3){.xx = 2.0, .yy = 1.0, .zz = 2.0, .xz = 1.0};
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(h.count, 1);
    CHECK_EQUAL_INT(h.level, ATEMI_LOG_WARNING);
    CHECK_CONTAINS(h.text, "robot.urdf:12:34: ");
    CHECK_CONTAINS(h.text, "inertia of link 'arm'");
    CHECK_CONTAINS(h.text, "principal moments 1, 1, 3 kg m^2");
    CHECK_CONTAINS(h.text, "by 1 (triangle inequality)");

    // A flat body is on the border, a negative moment beyond it, printed digits are forgiven.
    link.inertia.rotational = (atemi_symmetric3){.xx = 1.0, .yy = 2.0, .zz = 3.0};
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
    link.inertia.rotational.zz = 3.0 + 1e-6;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(h.count, 1);
    link.inertia.rotational.zz = 3.0 + 1e-5;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(h.count, 2);
    link.inertia.rotational = (atemi_symmetric3){.xx = -1.0, .yy = 1.0, .zz = 1.0};
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(h.count, 3);
    atemi_set_log_hook(NULL, NULL);
    atemi_model_builder_destroy(builder);
}

// ---- Order ----------------------------------------------------------------------------------

// Described from the leaves up: the order of links is depth first, children in the order in which
// their joints stand in the file.
TEST(model_builder, orders_depth_first_and_in_file_order)
{
    static const char   *joints[][2] = {{"arm", "hand"},   {"torso", "neck"},  {"torso", "arm"},
                                        {"hand", "thumb"}, {"hand", "finger"}, {"torso", "leg"}};
    static const char   *expected[] = {"torso", "neck", "arm", "hand", "thumb", "finger", "leg"};
    atemi_model_builder *builder = begin();
    for (int i = 0; i < 6; ++i) {
        add_joint(builder, joints[i][1], joints[i][0], joints[i][1]);
    }
    for (int i = 6; i >= 0; --i) {
        add_link(builder, expected[i]);
    }
    atemi_model *model = finish(builder);
    for (int i = 0; i < 7; ++i) {
        CHECK_EQUAL_STRING(atemi_model_link(model, i)->name, expected[i]);
        CHECK_EQUAL_INT(atemi_model_find_link(model, expected[i]), i);
    }
    for (int j = 0; j < 6; ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        CHECK_EQUAL_STRING(joint->name, expected[j + 1]);
        CHECK_EQUAL_INT(atemi_model_find_joint(model, expected[j + 1]), j);
        CHECK_EQUAL_INT(joint->child_link, j + 1);
        CHECK_EQUAL_INT(atemi_model_link(model, j + 1)->parent_joint, j);
        CHECK_EQUAL_INT(joint->first_q, 7 + j);
        CHECK_EQUAL_INT(joint->first_v, 6 + j);
    }
    CHECK_EQUAL_INT(atemi_model_link(model, 0)->parent_joint, ATEMI_NONE);
    CHECK_EQUAL_INT(atemi_model_joint(model, 3)->parent_link, 3);
    CHECK_EQUAL_INT(atemi_model_joint(model, 5)->parent_link, 0);
    atemi_model_destroy(model);
}

TEST(model_builder, keeps_copies_of_its_strings)
{
    char                 robot[] = "robot", name[] = "torso";
    atemi_model_builder *builder = NULL;
    CHECK_STATUS(atemi_model_builder_create(robot, NULL, &builder, NULL), ATEMI_OK);
    add_link(builder, name);
    robot[0] = name[0] = 'x';
    atemi_model *model = finish(builder);
    CHECK_EQUAL_STRING(atemi_model_name(model), "robot");
    CHECK_EQUAL_STRING(atemi_model_link(model, 0)->name, "torso");
    atemi_model_destroy(model);
}

// Names are packed back to back, in front of other things: whatever their length, none is cut and
// none is overwritten by the masses of links (of 0.1 kg, which has no zero byte).
TEST(model_builder, keeps_names_of_any_length)
{
    for (int i = 2; i < 260; ++i) {
        const bool has_site = i % 2;
        char       name[131] = {0};
        memset(name, 'n', (size_t)i / 2);
        atemi_model           *model = NULL;
        atemi_model_builder   *builder = begin();
        atemi_link_description link = a_link("a");
        link.inertia.mass = 0.1;
        CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
        link.name = "b";
        CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
        add_joint(builder, has_site ? "c" : name, "a", "b");
        if (has_site) {
            const atemi_site_description site = {
                .name = name, .link = "b", .pose = atemi_transform_identity()};
            CHECK_STATUS(atemi_model_builder_add_site(builder, &site, NULL), ATEMI_OK);
        }
        atemi_model_options options = atemi_model_options_default();
        options.base = ATEMI_BASE_FIXED;
        CHECK_STATUS(atemi_model_builder_finish(builder, &options, &model, NULL), ATEMI_OK);
        CHECK_EQUAL_STRING(atemi_model_name(model), "robot");
        CHECK_EQUAL_STRING(atemi_model_link(model, 1)->name, "b");
        CHECK_EQUAL_STRING(atemi_model_joint(model, 0)->name, has_site ? "c" : name);
        if (has_site) {
            CHECK_EQUAL_STRING(atemi_model_site(model, 0)->name, name);
        }
        atemi_model_builder_destroy(builder);
        atemi_model_destroy(model);
    }
}

// ---- Bodies ---------------------------------------------------------------------------------

// Two point masses a quarter turn and a metre apart, welded, are one body: a dumbbell of 4 kg with
// its centre 0.25 m from the first and 3 * 1 / 4 kg m^2 about it.
TEST(model_builder, merges_fixed_links_into_one_body)
{
    const double        q[] = {0.3, -0.2, 0.5, 0.1, -0.4, 0.2, 0.8, 0.7};
    const double        v[] = {0.4, 0.5, -0.6, 0.7, -0.8, 0.9, 1.0};
    const double        a[] = {-1.0, 0.9, -0.8, 0.7, 0.6, -0.5, 0.4};
    const atemi_inertia heavy = {.mass = 3.0}, light = {.mass = 1.0};
    const atemi_inertia body = {.mass = 2.0, .rotational = {.xx = 0.3, .yy = 0.4, .zz = 0.5}};
    const atemi_inertia dumbbell = {
        .mass = 4.0, .com = {0.25, 0.0, 0.0}, .rotational = {.yy = 0.75, .zz = 0.75}};
    double                  tau[2][7], M[2][49];
    const atemi_vec3        z = {0.0, 0.0, 1.0}, somewhere = {0.1, 0.2, 0.3};
    atemi_joint_description weld = a_joint("weld", "bar", "tip");
    weld.type = ATEMI_JOINT_FIXED;
    weld.origin.position = (atemi_vec3){1.0, 0.0, 0.0};
    weld.origin.rotation = atemi_mat3_from_rpy(0.0, 0.0, 1.57079632679489661923);

    for (int merged = 0; merged < 2; ++merged) {
        atemi_model_builder *builder = tree_begin();
        tree_add_link(builder, "base", &body);
        tree_add_link(builder, "bar", merged ? &dumbbell : &heavy);
        tree_add_joint(builder, "pivot", ATEMI_JOINT_REVOLUTE, "base", "bar", z, somewhere);
        if (!merged) {
            tree_add_link(builder, "tip", &light);
            CHECK_STATUS(atemi_model_builder_add_joint(builder, &weld, NULL), ATEMI_OK);
        }
        atemi_model *model = tree_finish(builder, ATEMI_BASE_FLOATING);
        atemi_data  *s = data_create(model);
        CHECK_EQUAL_INT(atemi_model_v_count(model), 7);
        CHECK_NEAR(atemi_model_mass(model), 6.0, 0.0);
        atemi_inverse_dynamics(s, q, v, a, NULL, tau[merged]);
        atemi_mass_matrix(s, q, M[merged]);
        atemi_data_destroy(s);
        atemi_model_destroy(model);
    }
    CHECK_NEAR(largest_difference(tau[0], tau[1], 7), 0.0, 1e-13); // roundings of 60 N
    CHECK_NEAR(largest_difference(M[0], M[1], 49), 0.0, 1e-14);
}

TEST(model_builder, keeps_merged_links_addressable)
{
    atemi_model_builder    *builder = begin_arm();
    atemi_joint_description weld = a_joint("weld", "arm", "tool/tip");
    weld.type = ATEMI_JOINT_FIXED;
    weld.origin.position = (atemi_vec3){0.0, 0.0, 0.4};
    add_link(builder, "tool/tip");
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &weld, NULL), ATEMI_OK);
    atemi_model *model = finish(builder);
    atemi_data  *s = data_create(model);
    const double q[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const int    tip = atemi_model_find_link(model, "tool/tip");

    CHECK_EQUAL_INT(tip, 2);
    atemi_update_kinematics(s, q, NULL, NULL);
    CHECK_NEAR(atemi_link_pose(s, tip).position.z, 0.4, 0.0);
    CHECK_NEAR(atemi_model_link(model, tip)->inertia.mass, 1.0, 0.0);
    CHECK_EQUAL_INT(atemi_model_joint(model, 1)->first_q, ATEMI_NONE);
    CHECK_EQUAL_INT(atemi_model_joint(model, 1)->first_v, ATEMI_NONE);
    CHECK_EQUAL_INT(atemi_model_joint(model, 1)->q_count, 0);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

// A mimic of a mimic copies the first of them, with what is between.
TEST(model_builder, resolves_chains_of_mimics)
{
    static const char   *names[] = {"first", "second", "third"};
    atemi_model_builder *builder = begin();
    add_link(builder, "palm");
    for (int i = 0; i < 3; ++i) {
        atemi_joint_description joint = a_joint(names[i], "palm", names[i]);
        add_link(builder, names[i]);
        joint.mimic = i ? names[i - 1] : NULL;
        joint.mimic_multiplier = i == 1 ? 2.0 : 3.0;
        joint.mimic_offset = i == 1 ? 0.5 : 0.25;
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    }
    // third = 3 second + 0.25 = 3 (2 first + 0.5) + 0.25
    atemi_model *model = finish(builder);
    CHECK_EQUAL_INT(atemi_model_v_count(model), 7);
    CHECK_EQUAL_INT(atemi_model_joint(model, 0)->mimic.joint, ATEMI_NONE);
    CHECK_EQUAL_INT(atemi_model_joint(model, 2)->mimic.joint, 0);
    CHECK_NEAR(atemi_model_joint(model, 2)->mimic.multiplier, 6.0, 0.0);
    CHECK_NEAR(atemi_model_joint(model, 2)->mimic.offset, 1.75, 0.0);
    CHECK_EQUAL_INT(atemi_model_joint(model, 2)->v_count, 0);
    atemi_model_destroy(model);
}

// ---- Size -----------------------------------------------------------------------------------

static double seconds_since(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

// A tree of `count` links that each carry `branches` others, as long as there are any.
static atemi_model *many_links(int count, int branches)
{
    atemi_model_builder *builder = begin();
    for (int i = 0; i < count; ++i) {
        char name[16], parent[16];
        snprintf(name, sizeof name, "%d", i);
        snprintf(parent, sizeof parent, "%d", (i - 1) / branches);
        add_link(builder, name);
        if (i > 0) {
            add_joint(builder, name, parent, name);
        }
    }
    return finish(builder);
}

// Processor time; a fifth of a second is usual.
static const double patience = 1.0 * SLOWED;

TEST(model_builder, builds_a_chain_of_10000_links_within_a_second)
{
    const clock_t start = clock();
    atemi_model  *model = many_links(10000, 1);
    atemi_arena   arena = atemi_arena_measuring();
    double       *x = (double *)calloc(3 * 10100, sizeof *x);
    CHECK_EQUAL_INT(atemi_model_v_count(model), 6 + 9999);

    atemi_inverse_dynamics_scratch_take(&arena, model);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    atemi_inverse_dynamics_scratch s = atemi_inverse_dynamics_scratch_take(&arena, model);
    atemi_configuration_neutral(model, x);
    atemi_inverse_dynamics_in(model, x, NULL, NULL, NULL, &s, x + 10100);
    CHECK_NEAR(x[10100 + 2], 10000 * 9.81, 1e-6); // the sum of 10^4 weights
    CHECK(seconds_since(start) < patience);
    atemi_arena_destroy(&arena);
    free(x);
    atemi_model_destroy(model);
}

TEST(model_builder, builds_100000_links_within_a_second)
{
    const clock_t start = clock();
    atemi_model  *model = many_links(100000, 3);
    CHECK_EQUAL_INT(atemi_model_link_count(model), 100000);
    CHECK(atemi_model_find_link(model, "99999") != ATEMI_NONE);
    CHECK(seconds_since(start) < patience);
    atemi_model_destroy(model);

    const clock_t again = clock();
    model = many_links(100000, 100000); // a hedgehog
    CHECK(seconds_since(again) < patience);
    atemi_model_destroy(model);
}

TEST(model_builder, refuses_more_links_than_it_can_handle)
{
    atemi_model_builder *builder = begin();
    atemi_error          error = {0};
    for (int i = 0; i < ATEMI_MAX_LINKS; ++i) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        const atemi_link_description  link = {.name = name};
        const atemi_joint_description joint = a_joint(name, "a", name);
        CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    }
    atemi_link_description  link = a_link("more");
    atemi_joint_description joint = a_joint("more", "a", "b");
    link.place = joint.place = place;
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, &error), ATEMI_ERROR_LIMIT);
    check_error(&error, ATEMI_ERROR_LIMIT, "more than 200000 links", place);
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, &error), ATEMI_ERROR_LIMIT);
    check_error(&error, ATEMI_ERROR_LIMIT, "more than 200000 joints", place);
    atemi_model_builder_destroy(builder);
}

// ---- Memory ---------------------------------------------------------------------------------

// Every kind of part, several of each, names long enough for a second chunk of strings.
static atemi_status build_everything(atemi_model **model, atemi_error *error)
{
    static char          names[40][201];
    atemi_model_builder *builder = NULL;
    *model = NULL;
    atemi_status status = atemi_model_builder_create("robot", "robot.urdf", &builder, error);
    for (int i = 0; i < 40 && !status; ++i) {
        memset(names[i], 'a', 200);
        snprintf(names[i] + 195, 6, "%05d", i);
        const atemi_link_description link = a_link(names[i]);
        status = atemi_model_builder_add_link(builder, &link, error);
        if (!status && i > 0) {
            atemi_joint_description joint = a_joint(names[i], names[(i - 1) / 2], names[i]);
            joint.mimic = i == 3 ? names[1] : NULL;
            status = atemi_model_builder_add_joint(builder, &joint, error);
        }
    }
    for (int i = 0; i < 20 && !status; ++i) {
        const atemi_site_description site = {
            .name = names[i], .link = names[i], .pose = atemi_transform_identity()};
        const atemi_geometry_description mesh = {.link = names[i],
                                                 .shape = ATEMI_SHAPE_MESH,
                                                 .pose = atemi_transform_identity(),
                                                 .uri = names[i],
                                                 .path = names[i + 1]};
        const atemi_posture_description  posture = {.posture = names[i / 2],
                                                    .joint = names[i % 2 + 1]};
        status = atemi_model_builder_add_site(builder, &site, error);
        if (!status) {
            status = atemi_model_builder_add_geometry(builder, &mesh, error);
        }
        if (!status) {
            status = atemi_model_builder_add_posture(builder, &posture, error);
        }
    }
    if (!status) {
        status = atemi_model_builder_finish(builder, NULL, model, error);
    }
    atemi_model_builder_destroy(builder);
    return status;
}

TEST(model_builder, yields_nothing_without_memory)
{
    atemi_model_builder       *builder = begin();
    atemi_model_builder *const kept = builder;
    failing_allocator_install(1);
    CHECK_STATUS(atemi_model_builder_create("robot", NULL, &builder, NULL), ATEMI_ERROR_MEMORY);
    failing_allocator_remove();
    CHECK(!builder);
    atemi_model_builder_destroy(kept);
}

TEST(model_builder, leaks_nothing_wherever_memory_runs_out)
{
    bool failed = true;
    int  calls = 0;
    for (int n = 1; failed && n < 1000; ++n) {
        atemi_model *model = NULL;
        atemi_error  error = {0};
        failing_allocator_install(n);
        const atemi_status status = build_everything(&model, &error);
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        CHECK_STATUS(error.status, status);
        CHECK(failed == !model);
        atemi_model_destroy(model);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
        failing_allocator_remove();
        calls = n;
    }
    CHECK(!failed && calls > 10);
}
