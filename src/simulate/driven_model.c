// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven_model.h"

#include "atemi/model_builder.h"

#include <stddef.h>

static atemi_status add_links(const atemi_model *model, atemi_model_builder *builder,
                              atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_model_link_count(model) && !status; ++i) {
        const atemi_link            *link = atemi_model_link(model, i);
        const atemi_link_description like = {.name = link->name, .inertia = link->inertia};
        status = atemi_model_builder_add_link(builder, &like, error);
    }
    return status;
}

// A mimic joint that has a coordinate of its own is a joint as any other.
static atemi_joint_description describe(const atemi_model *model, const atemi_joint *joint,
                                        const double *rotors)
{
    const bool         is_coupled = joint->mimic.joint != ATEMI_NONE && joint->v_count == 0;
    const atemi_joint *leader = is_coupled ? atemi_model_joint(model, joint->mimic.joint) : NULL;
    return (atemi_joint_description){.name = joint->name,
                                     .type = joint->type,
                                     .parent = atemi_model_link(model, joint->parent_link)->name,
                                     .child = atemi_model_link(model, joint->child_link)->name,
                                     .origin = joint->origin,
                                     .axis = joint->axis,
                                     .limits = joint->limits,
                                     .mimic = leader ? leader->name : NULL,
                                     .mimic_multiplier = joint->mimic.multiplier,
                                     .mimic_offset = joint->mimic.offset,
                                     .armature = joint->v_count > 0 ? rotors[joint->first_v] : 0.0,
                                     .damping = joint->damping,
                                     .friction = joint->friction};
}

static atemi_status add_joints(const atemi_model *model, const double *rotors,
                               atemi_model_builder *builder, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int j = 0; j < atemi_model_joint_count(model) && !status; ++j) {
        const atemi_joint_description like = describe(model, atemi_model_joint(model, j), rotors);
        status = atemi_model_builder_add_joint(builder, &like, error);
    }
    return status;
}

atemi_status atemi_driven_model_create(const atemi_model *model, const double *rotors,
                                       atemi_model **driven, atemi_error *error)
{
    const atemi_model_options options = {.base = atemi_model_base(model),
                                         .gravity = atemi_model_gravity(model),
                                         .mimic_as_coupled = true};
    atemi_model_builder      *builder;
    atemi_status              status =
        atemi_model_builder_create(atemi_model_name(model), NULL, &builder, error);
    *driven = NULL;
    if (status) {
        return status;
    }
    status = add_links(model, builder, error);
    status = status ? status : add_joints(model, rotors, builder, error);
    status = status ? status : atemi_model_builder_finish(builder, &options, driven, error);
    atemi_model_builder_destroy(builder);
    return status;
}
