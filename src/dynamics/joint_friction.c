// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/dynamics.h"
#include "model/layout.h"

static double sign_of(double v)
{
    return (double)((v > 0.0) - (v < 0.0));
}

static double passive_torque(const atemi_joint *joint, double v)
{
    return -joint->damping * v - joint->friction * sign_of(v);
}

void atemi_joint_friction(const atemi_model *model, const double *v, double *tau)
{
    ATEMI_REQUIRE(model);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(v && tau);
    for (int i = 0; i < model->v_count; ++i) {
        tau[i] = 0.0;
    }
    for (int j = 0; j < model->joint_count; ++j) {
        const atemi_joint *joint = &model->joints[j];
        for (int i = joint->first_v; i < joint->first_v + joint->v_count; ++i) {
            tau[i] += passive_torque(joint, v[i]);
        }
        // A coupled joint works through the joint that it copies.
        if (joint->v_count == 0 && joint->mimic.joint != ATEMI_NONE) {
            const int    i = model->joints[joint->mimic.joint].first_v;
            const double scale = joint->mimic.multiplier;
            tau[i] += scale * passive_torque(joint, scale * v[i]);
        }
    }
}
