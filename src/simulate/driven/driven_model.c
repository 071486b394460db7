// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven/driven_model.h"

#include "model/copying.h"

#include <stddef.h>

static atemi_status add_joints(const atemi_model *model, const double *rotors,
                               atemi_model_builder *builder, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int j = 0; j < atemi_model_joint_count(model) && !status; ++j) {
        const atemi_joint      *from = atemi_model_joint(model, j);
        atemi_joint_description joint = atemi_joint_describe(model, j);
        joint.armature = from->v_count > 0 ? rotors[from->first_v] : 0.0;
        status = atemi_model_builder_add_joint(builder, &joint, error);
    }
    return status;
}

atemi_status atemi_driven_model_create(const atemi_model *model, const double *rotors,
                                       atemi_model **driven, atemi_error *error)
{
    const atemi_model_options options = {.base = atemi_model_base(model),
                                         .gravity = atemi_model_gravity(model),
                                         .mimic_as_coupled = atemi_model_is_coupled(model)};
    atemi_model_builder      *builder;
    atemi_status              status =
        atemi_model_builder_create(atemi_model_name(model), NULL, &builder, error);
    *driven = NULL;
    if (status) {
        return status;
    }
    status = atemi_links_copy(model, builder, error);
    status = status ? status : add_joints(model, rotors, builder, error);
    status = status ? status : atemi_model_builder_finish(builder, &options, driven, error);
    atemi_model_builder_destroy(builder);
    return status;
}
