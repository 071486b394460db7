// SPDX-License-Identifier: Apache-2.0

#include "model/copying.h"

#include "model/layout.h"

#include <stddef.h>

atemi_status atemi_links_copy(const atemi_model *model, atemi_model_builder *builder,
                              atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < model->link_count && !status; ++i) {
        const atemi_link            *from = &model->links[i];
        const atemi_link_description link = {.name = from->name, .inertia = from->inertia};
        status = atemi_model_builder_add_link(builder, &link, error);
    }
    return status;
}

atemi_joint_description atemi_joint_describe(const atemi_model *model, int joint)
{
    const atemi_joint *from = &model->joints[joint];
    const atemi_mimic  mimic = from->mimic;
    return (atemi_joint_description){
        .name = from->name,
        .type = from->type,
        .parent = model->links[from->parent_link].name,
        .child = model->links[from->child_link].name,
        .origin = from->origin,
        .axis = from->axis,
        .limits = from->limits,
        .mimic = mimic.joint == ATEMI_NONE ? NULL : model->joints[mimic.joint].name,
        .mimic_multiplier = mimic.multiplier,
        .mimic_offset = mimic.offset,
        .armature = from->armature,
        .servo_stiffness = from->servo_stiffness,
        .servo_damping = from->servo_damping,
        .damping = from->damping,
        .friction = from->friction};
}

bool atemi_model_is_coupled(const atemi_model *model)
{
    return model->coupled;
}
