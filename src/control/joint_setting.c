// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/task_sequence.h"

#include <math.h>

static atemi_status set_dynamics(const atemi_joint_setting *s, atemi_coordination *c,
                                 atemi_command_source source, int joint, atemi_error *error)
{
    const atemi_desired_dynamics dynamics = {s->natural_frequency, s->damping_ratio};
    return isnan(s->natural_frequency)
               ? ATEMI_OK
               : atemi_coordination_set_dynamics(c, source, joint, dynamics, error);
}

static atemi_status set_joint(const atemi_joint_setting *s, atemi_coordination *c,
                              atemi_command_source source, int joint, atemi_error *error)
{
    atemi_status status = set_dynamics(s, c, source, joint, error);
    if (!status && !isnan(s->torque_limit)) {
        status = atemi_coordination_set_torque_limit(c, source, joint, s->torque_limit, error);
    }
    if (!status && !isnan(s->integral_rate)) {
        status = atemi_coordination_set_integral(c, source, joint, s->integral_rate, error);
    }
    if (!status && !isnan(s->gravity)) {
        status = atemi_coordination_set_gravity(c, source, joint, s->gravity, error);
    }
    return status;
}

atemi_status atemi_joint_setting_command(const atemi_joint_setting *setting,
                                         atemi_coordination        *coordination,
                                         atemi_command_source source, atemi_error *error)
{
    ATEMI_REQUIRE_OR(setting && setting->joints && coordination, ATEMI_ERROR_CONTRACT);
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_coordination_joint_count(coordination) && !status; ++i) {
        status = setting->joints[i] ? set_joint(setting, coordination, source, i, error) : ATEMI_OK;
    }
    return status;
}
