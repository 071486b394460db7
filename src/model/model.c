// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "model/assembly.h"
#include "model/layout.h"

void atemi_model_destroy(atemi_model *model)
{
    if (model) {
        atemi_release(model->memory);
    }
}

const char *atemi_model_name(const atemi_model *model)
{
    return model->name;
}
atemi_base atemi_model_base(const atemi_model *model)
{
    return model->base;
}
atemi_vec3 atemi_model_gravity(const atemi_model *model)
{
    return model->gravity;
}
double atemi_model_mass(const atemi_model *model)
{
    return model->mass;
}
int atemi_model_q_count(const atemi_model *model)
{
    return model->q_count;
}
int atemi_model_v_count(const atemi_model *model)
{
    return model->v_count;
}
int atemi_model_link_count(const atemi_model *model)
{
    return model->link_count;
}
int atemi_model_joint_count(const atemi_model *model)
{
    return model->joint_count;
}
int atemi_model_site_count(const atemi_model *model)
{
    return model->site_count;
}
int atemi_model_geometry_count(const atemi_model *model)
{
    return model->geometry_count;
}
int atemi_model_posture_count(const atemi_model *model)
{
    return model->posture_count;
}
int atemi_model_loop_count(const atemi_model *model)
{
    return model->loop_count;
}

int atemi_model_apart_count(const atemi_model *model)
{
    return model->apart_count;
}

const atemi_link_pair *atemi_model_apart(const atemi_model *model)
{
    return model->aparts;
}

const atemi_loop *atemi_model_loops(const atemi_model *model)
{
    return model->loops;
}

const atemi_loop *atemi_model_loop(const atemi_model *model, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < model->loop_count, NULL);
    return &model->loops[index];
}

const atemi_link *atemi_model_link(const atemi_model *model, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < model->link_count, NULL);
    return &model->links[index];
}

const atemi_joint *atemi_model_joint(const atemi_model *model, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < model->joint_count, NULL);
    return &model->joints[index];
}

const atemi_site *atemi_model_site(const atemi_model *model, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < model->site_count, NULL);
    return &model->sites[index];
}

const atemi_geometry *atemi_model_geometry(const atemi_model *model, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < model->geometry_count, NULL);
    return &model->geometries[index];
}

const char *atemi_model_posture_name(const atemi_model *model, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < model->posture_count, NULL);
    return model->posture_names[index];
}

const double *atemi_model_posture(const atemi_model *model, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < model->posture_count, NULL);
    return model->postures + (size_t)index * (size_t)model->q_count;
}

int atemi_model_find_link(const atemi_model *model, const char *name)
{
    return atemi_names_find(model->link_names, model->link_count, name);
}

int atemi_model_find_joint(const atemi_model *model, const char *name)
{
    return atemi_names_find(model->joint_names, model->joint_count, name);
}

int atemi_model_find_site(const atemi_model *model, const char *name)
{
    return atemi_names_find(model->site_names, model->site_count, name);
}

int atemi_model_find_posture(const atemi_model *model, const char *name)
{
    return atemi_names_find(model->posture_index, model->posture_count, name);
}

int atemi_base_q_count(atemi_base base)
{
    switch (base) {
    case ATEMI_BASE_PLANAR:
    case ATEMI_BASE_SAGITTAL:
        return 3;
    case ATEMI_BASE_FLOATING:
        return 7;
    case ATEMI_BASE_FIXED:
        break;
    }
    return 0;
}

int atemi_base_v_count(atemi_base base)
{
    return base == ATEMI_BASE_FLOATING ? 6 : atemi_base_q_count(base);
}

const char *atemi_base_text(atemi_base base)
{
    switch (base) {
    case ATEMI_BASE_FIXED:
        return "fixed";
    case ATEMI_BASE_PLANAR:
        return "planar";
    case ATEMI_BASE_SAGITTAL:
        return "sagittal";
    case ATEMI_BASE_FLOATING:
        return "floating";
    }
    return "unknown";
}

const char *atemi_joint_type_text(atemi_joint_type type)
{
    switch (type) {
    case ATEMI_JOINT_FIXED:
        return "fixed";
    case ATEMI_JOINT_REVOLUTE:
        return "revolute";
    case ATEMI_JOINT_CONTINUOUS:
        return "continuous";
    case ATEMI_JOINT_PRISMATIC:
        return "prismatic";
    case ATEMI_JOINT_PLANAR:
        return "planar";
    case ATEMI_JOINT_FLOATING:
        return "floating";
    }
    return "unknown";
}

const char *atemi_loop_kind_text(atemi_loop_kind kind)
{
    switch (kind) {
    case ATEMI_LOOP_POINT:
        return "point";
    case ATEMI_LOOP_HINGE:
        return "hinge";
    case ATEMI_LOOP_WELD:
        return "weld";
    }
    return "unknown";
}

int atemi_loop_rows(atemi_loop_kind kind)
{
    return kind == ATEMI_LOOP_POINT ? 3 : kind == ATEMI_LOOP_HINGE ? 5 : 6;
}

const char *atemi_shape_text(atemi_shape shape)
{
    switch (shape) {
    case ATEMI_SHAPE_BOX:
        return "box";
    case ATEMI_SHAPE_CYLINDER:
        return "cylinder";
    case ATEMI_SHAPE_SPHERE:
        return "sphere";
    case ATEMI_SHAPE_CAPSULE:
        return "capsule";
    case ATEMI_SHAPE_MESH:
        return "mesh";
    }
    return "unknown";
}
