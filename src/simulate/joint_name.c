// SPDX-License-Identifier: Apache-2.0

#include "simulate/joint_name.h"

const char *atemi_simulation_joint_name(const atemi_simulation *s, int coordinate)
{
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (coordinate >= joint->first_v && coordinate < joint->first_v + joint->v_count) {
            return joint->name;
        }
    }
    return "base";
}
