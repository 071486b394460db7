// SPDX-License-Identifier: Apache-2.0

#include "model/joint_name.h"

#include <stddef.h>

static const atemi_joint *joint_at(const atemi_model *model, int coordinate)
{
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (coordinate >= joint->first_v && coordinate < joint->first_v + joint->v_count) {
            return joint;
        }
    }
    return NULL;
}

const char *atemi_joint_name_at(const atemi_model *model, int coordinate)
{
    const atemi_joint *joint = joint_at(model, coordinate);
    return joint ? joint->name : "base";
}

atemi_joint_units atemi_joint_units_at(const atemi_model *model, int coordinate)
{
    static const atemi_joint_units turns = {"rad/s", "N m", "N m s/rad"};
    static const atemi_joint_units slides = {"m/s", "N", "N s/m"};
    const atemi_joint             *joint = joint_at(model, coordinate);
    return joint && joint->type == ATEMI_JOINT_PRISMATIC ? slides : turns;
}
