// SPDX-License-Identifier: Apache-2.0

#include "simulate/joint_name.h"

#include <stddef.h>

static const atemi_joint *joint_at(const atemi_simulation *s, int coordinate)
{
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (coordinate >= joint->first_v && coordinate < joint->first_v + joint->v_count) {
            return joint;
        }
    }
    return NULL;
}

const char *atemi_simulation_joint_name(const atemi_simulation *s, int coordinate)
{
    const atemi_joint *joint = joint_at(s, coordinate);
    return joint ? joint->name : "base";
}

atemi_joint_units atemi_simulation_joint_units(const atemi_simulation *s, int coordinate)
{
    static const atemi_joint_units turns = {"rad/s", "N m", "N m s/rad"};
    static const atemi_joint_units slides = {"m/s", "N", "N s/m"};
    const atemi_joint             *joint = joint_at(s, coordinate);
    return joint && joint->type == ATEMI_JOINT_PRISMATIC ? slides : turns;
}
