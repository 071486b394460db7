// SPDX-License-Identifier: Apache-2.0

#include "model/copying.h"

#include "model/layout.h"

#include <stddef.h>
#include <string.h>

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

static atemi_status copy_joints(const atemi_model *model, atemi_model_builder *builder,
                                atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int j = 0; j < model->joint_count && !status; ++j) {
        const atemi_joint_description joint = atemi_joint_describe(model, j);
        status = atemi_model_builder_add_joint(builder, &joint, error);
    }
    return status;
}

static atemi_status copy_sites(const atemi_model *model, atemi_model_builder *builder,
                               atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < model->site_count && !status; ++i) {
        const atemi_site            *from = &model->sites[i];
        const atemi_site_description site = {.name = from->name,
                                             .link = model->links[from->link].name,
                                             .pose = from->pose,
                                             .size_x = from->size_x,
                                             .size_y = from->size_y};
        status = atemi_model_builder_add_site(builder, &site, error);
    }
    return status;
}

atemi_status atemi_geometry_copy(const atemi_geometry *from, const char *link,
                                 atemi_model_builder *builder, atemi_error *error)
{
    atemi_geometry_description shape = {.link = link,
                                        .collision = from->collision,
                                        .shape = from->shape,
                                        .pose = from->pose,
                                        .size = from->size,
                                        .uri = from->uri,
                                        .path = from->path};
    memcpy(shape.color, from->color, sizeof shape.color);
    return atemi_model_builder_add_geometry(builder, &shape, error);
}

static atemi_status copy_geometries(const atemi_model *model, atemi_model_builder *builder,
                                    atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < model->geometry_count && !status; ++i) {
        const atemi_geometry *from = &model->geometries[i];
        status = atemi_geometry_copy(from, model->links[from->link].name, builder, error);
    }
    return status;
}

static const char *link_name(const atemi_model *model, int link)
{
    return link == ATEMI_NONE ? NULL : model->links[link].name;
}

atemi_loop_description atemi_loop_describe(const atemi_model *model, const atemi_loop *loop)
{
    return (atemi_loop_description){.name = loop->name,
                                    .kind = loop->kind,
                                    .first = link_name(model, loop->first),
                                    .second = link_name(model, loop->second),
                                    .on_first = loop->on_first,
                                    .on_second = loop->on_second};
}

static atemi_status copy_pairs(const atemi_model *model, atemi_model_builder *builder,
                               atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < model->loop_count && !status; ++i) {
        const atemi_loop_description loop = atemi_loop_describe(model, &model->loops[i]);
        status = atemi_model_builder_add_loop(builder, &loop, error);
    }
    for (int i = 0; i < model->apart_count && !status; ++i) {
        const atemi_apart_description pair = {.first = link_name(model, model->aparts[i].first),
                                              .second = link_name(model, model->aparts[i].second)};
        status = atemi_model_builder_add_apart(builder, &pair, error);
    }
    return status;
}

static atemi_status copy_posture(const atemi_model *model, int index, atemi_model_builder *builder,
                                 atemi_error *error)
{
    const double *q = atemi_model_posture(model, index);
    atemi_status  status = ATEMI_OK;
    for (int j = 0; j < model->joint_count && !status; ++j) {
        const atemi_joint *joint = &model->joints[j];
        if (joint->q_count == 1) {
            const atemi_posture_description posture = {.posture = model->posture_names[index],
                                                       .joint = joint->name,
                                                       .value = q[joint->first_q]};
            status = atemi_model_builder_add_posture(builder, &posture, error);
        }
    }
    return status;
}

atemi_status atemi_parts_copy(const atemi_model *model, atemi_model_builder *builder,
                              atemi_error *error)
{
    atemi_status status = atemi_links_copy(model, builder, error);
    status = status ? status : copy_joints(model, builder, error);
    status = status ? status : copy_sites(model, builder, error);
    status = status ? status : copy_geometries(model, builder, error);
    status = status ? status : copy_pairs(model, builder, error);
    for (int i = 0; i < model->posture_count && !status; ++i) {
        status = copy_posture(model, i, builder, error);
    }
    return status;
}

bool atemi_model_is_coupled(const atemi_model *model)
{
    return model->coupled;
}
