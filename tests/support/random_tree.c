// SPDX-License-Identifier: Apache-2.0

#include "random_tree.h"

#include "check.h"
#include "random.h"

#include <math.h>
#include <stdio.h>

static atemi_vec3 random_vec3(random_stream *stream, double size)
{
    const double x = random_uniform(stream, -size, size);
    const double y = random_uniform(stream, -size, size);
    const double z = random_uniform(stream, -size, size);
    return (atemi_vec3){x, y, z};
}

static atemi_transform random_pose(random_stream *stream)
{
    const atemi_vec3 rpy = random_vec3(stream, 3.0);
    return (atemi_transform){atemi_mat3_from_rpy(rpy.x, rpy.y, rpy.z), random_vec3(stream, 0.5)};
}

// A solid ellipsoid somewhere in the link, turned at random: an inertia that a body can have.
static atemi_inertia random_inertia(random_stream *stream, const tree_options *options)
{
    const double spread = log(options->heaviest / options->lightest);
    const double mass = options->lightest * exp(spread * random_uniform(stream, 0.0, 1.0));
    const double a = random_uniform(stream, 0.05, 0.2), b = random_uniform(stream, 0.05, 0.2);
    const double c = random_uniform(stream, 0.05, 0.2);
    const atemi_symmetric3 principal = {.xx = mass / 5.0 * (b * b + c * c),
                                        .yy = mass / 5.0 * (a * a + c * c),
                                        .zz = mass / 5.0 * (a * a + b * b)};
    const atemi_mat3       turn = random_pose(stream).rotation;
    return (atemi_inertia){.mass = mass,
                           .com = random_vec3(stream, 0.2),
                           .rotational = atemi_symmetric3_rotated(&principal, &turn)};
}

static atemi_joint_type random_type(random_stream *stream, const tree_options *options)
{
    static const atemi_joint_type types[] = {
        ATEMI_JOINT_REVOLUTE, ATEMI_JOINT_REVOLUTE,  ATEMI_JOINT_CONTINUOUS, ATEMI_JOINT_PRISMATIC,
        ATEMI_JOINT_REVOLUTE, ATEMI_JOINT_PRISMATIC, ATEMI_JOINT_FIXED,      ATEMI_JOINT_REVOLUTE,
        ATEMI_JOINT_PLANAR,   ATEMI_JOINT_FLOATING};
    return types[random_index(stream, options->multi ? 10 : 8)];
}

static bool has_one_coordinate(atemi_joint_type type)
{
    return type == ATEMI_JOINT_REVOLUTE || type == ATEMI_JOINT_CONTINUOUS ||
           type == ATEMI_JOINT_PRISMATIC;
}

static void add_link(atemi_model_builder *builder, const tree_options *options, int index,
                     random_stream *stream)
{
    char name[16];
    snprintf(name, sizeof name, "link%d", index);
    const atemi_link_description link = {.name = name, .inertia = random_inertia(stream, options)};
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
}

// Adds joint `index` to the link of the same number. `source` is the latest joint that others may
// copy, or zero.
static void add_joint(atemi_model_builder *builder, const tree_options *options, int index,
                      int *source, random_stream *stream)
{
    char      name[16], parent[16], child[16], copied[16];
    const int on = options->chain ? index - 1 : random_index(stream, index);
    snprintf(name, sizeof name, "joint%d", index);
    snprintf(parent, sizeof parent, "link%d", on);
    snprintf(child, sizeof child, "link%d", index);
    snprintf(copied, sizeof copied, "joint%d", *source);

    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = name;
    joint.parent = parent;
    joint.child = child;
    joint.type = random_type(stream, options);
    joint.origin = random_pose(stream);
    joint.axis = random_vec3(stream, 1.0);
    joint.limits.lower = -2.5;
    joint.limits.upper = 2.5;
    joint.damping = random_uniform(stream, 0.0, 1.0);
    joint.friction = random_uniform(stream, 0.0, 1.0);
    const double rotor = random_uniform(stream, 0.0, 0.2);
    joint.armature = options->armature ? rotor : 0.0;
    if (has_one_coordinate(joint.type)) {
        if (options->mimic && *source && random_index(stream, 4) == 0) {
            joint.mimic = copied;
            joint.mimic_multiplier = random_uniform(stream, -2.0, 2.0);
            joint.mimic_offset = random_uniform(stream, -1.0, 1.0);
        } else {
            *source = index;
        }
    }
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
}

tree_options tree_options_default(void)
{
    return (tree_options){.joints = 12,
                          .base = ATEMI_BASE_FLOATING,
                          .armature = true,
                          .lightest = 0.1,
                          .heaviest = 10.0};
}

tree_options tree_case(int index)
{
    static const struct {
        int        joints;
        atemi_base base;
        bool       multi, mimic, chain;
    } cases[TREE_CASES] = {
        {0, ATEMI_BASE_FLOATING, false, false, false},
        {1, ATEMI_BASE_FIXED, false, false, false},
        {7, ATEMI_BASE_FIXED, false, false, false},
        {12, ATEMI_BASE_FLOATING, false, false, false},
        {12, ATEMI_BASE_PLANAR, false, false, false},
        {12, ATEMI_BASE_SAGITTAL, false, false, false},
        {12, ATEMI_BASE_FIXED, true, false, false},
        {20, ATEMI_BASE_FLOATING, true, false, false},
        {20, ATEMI_BASE_FIXED, false, true, false},
        {20, ATEMI_BASE_SAGITTAL, true, true, false},
        {20, ATEMI_BASE_FLOATING, true, true, true},
        {30, ATEMI_BASE_PLANAR, true, false, true},
        {64, ATEMI_BASE_FLOATING, true, false, false},
        {64, ATEMI_BASE_FIXED, true, true, false},
    };
    tree_options options = tree_options_default();
    options.joints = cases[index].joints;
    options.base = cases[index].base;
    options.multi = cases[index].multi;
    options.mimic = cases[index].mimic;
    options.chain = cases[index].chain;
    return options;
}

atemi_model *random_tree(const tree_options *options, uint64_t seed)
{
    random_stream        stream = random_seeded(seed);
    atemi_model_builder *builder = NULL;
    atemi_model         *model = NULL;
    int                  source = 0;
    CHECK(options->joints <= TREE_MAX_JOINTS);

    CHECK_STATUS(atemi_model_builder_create("tree", NULL, &builder, NULL), ATEMI_OK);
    add_link(builder, options, 0, &stream);
    for (int i = 1; i <= options->joints; ++i) {
        add_link(builder, options, i, &stream);
        add_joint(builder, options, i, &source, &stream);
    }
    atemi_model_options how = atemi_model_options_default();
    atemi_error         error = {0};
    how.base = options->base;
    how.mimic_as_coupled = !options->uncoupled;
    how.gravity = random_vec3(&stream, 10.0);
    const atemi_status status = atemi_model_builder_finish(builder, &how, &model, &error);
    atemi_model_builder_destroy(builder);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return model;
}

atemi_model_builder *tree_begin(void)
{
    atemi_model_builder *builder = NULL;
    CHECK_STATUS(atemi_model_builder_create("tree", NULL, &builder, NULL), ATEMI_OK);
    return builder;
}

void tree_add_link(atemi_model_builder *builder, const char *name, const atemi_inertia *inertia)
{
    const atemi_link_description link = {.name = name, .inertia = *inertia};
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
}

void tree_add_joint(atemi_model_builder *builder, const char *name, atemi_joint_type type,
                    const char *parent, const char *child, atemi_vec3 axis, atemi_vec3 origin)
{
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = name;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.axis = axis;
    joint.origin.position = origin;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
}

atemi_model *tree_finish(atemi_model_builder *builder, atemi_base base)
{
    atemi_model        *model = NULL;
    atemi_model_options options = atemi_model_options_default();
    options.base = base;
    const atemi_status status = atemi_model_builder_finish(builder, &options, &model, NULL);
    atemi_model_builder_destroy(builder);
    CHECK_STATUS(status, ATEMI_OK);
    return model;
}

atemi_model *uneven_chain(int count, double inner, double outer)
{
    const atemi_inertia  wall = {0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "link0", &wall);
    for (int i = 1; i <= count; ++i) {
        const double        mass = i <= count / 2 ? inner : outer, I = mass * 0.3 * 0.3 / 12.0;
        const atemi_inertia rod = {.mass = mass,
                                   .com = {0.15, 0.0, 0.0},
                                   .rotational = {.xx = 0.01 * I, .yy = I, .zz = I}};
        const atemi_vec3    axes[] = {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {0.3, 0.8, 0.5}};
        char                name[16], parent[16], child[16];
        snprintf(name, sizeof name, "joint%d", i);
        snprintf(parent, sizeof parent, "link%d", i - 1);
        snprintf(child, sizeof child, "link%d", i);
        tree_add_link(builder, child, &rod);
        tree_add_joint(builder, name, ATEMI_JOINT_CONTINUOUS, parent, child, axes[i % 3],
                       (atemi_vec3){i > 1 ? 0.3 : 0.0, 0.0, 0.0});
    }
    return tree_finish(builder, ATEMI_BASE_FIXED);
}

void random_forces(const atemi_model *model, uint64_t seed, atemi_force *forces)
{
    random_stream stream = random_seeded(seed);
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        forces[i] = (atemi_force){random_vec3(&stream, 5.0), random_vec3(&stream, 5.0)};
    }
}

void random_state_fill(const atemi_model *model, uint64_t seed, random_state *state)
{
    random_stream stream = random_seeded(seed);
    atemi_configuration_random(model, seed, state->q);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        state->v[i] = random_uniform(&stream, -2.0, 2.0);
        state->a[i] = random_uniform(&stream, -2.0, 2.0);
        state->tau[i] = random_uniform(&stream, -2.0, 2.0);
    }
}
