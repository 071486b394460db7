// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_servo.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_joint_list.h"

#include <math.h>

// The robot's own limits and friction, where the scenario says nothing else.
static void fill(const atemi_model *model, const atemi_scenario_servo *servo)
{
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        servo->limits[i] = INFINITY;
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count == 1) {
            servo->limits[joint->first_v] = joint->limits.effort;
            servo->viscous[joint->first_v] = joint->damping;
            servo->coulomb[joint->first_v] = joint->friction;
        }
    }
}

static void read_gains(atemi_scenario_reader *reader, const atemi_model *model,
                       const atemi_scenario_servo *servo)
{
    const atemi_number_key gain = {
        .lower = 0.0, .upper = INFINITY, .help = "K_p of revolute joints"};
    atemi_number_key key = gain;
    key.unit = "N m/rad";
    atemi_scenario_read_joint_rates(reader, "stiffness", key, false, model, servo->stiffness);
    key.unit = "N m s/rad";
    key.help = "K_d of revolute joints";
    atemi_scenario_read_joint_rates(reader, "damping", key, false, model, servo->damping);
    key.unit = "N/m";
    key.help = "K_p of prismatic joints";
    atemi_scenario_read_joint_rates(reader, "slide_stiffness", key, true, model, servo->stiffness);
    key.unit = "N s/m";
    key.help = "K_d of prismatic joints";
    atemi_scenario_read_joint_rates(reader, "slide_damping", key, true, model, servo->damping);
}

static void read_limits(atemi_scenario_reader *reader, const atemi_model *model,
                        const atemi_scenario_servo *servo)
{
    atemi_number_key key = {.unit = "N m",
                            .lower = 0.0,
                            .upper = INFINITY,
                            .infinite = true,
                            .help = "of the torques; without it, the robot's"};
    atemi_scenario_read_joint_rates(reader, "torque_limits", key, false, model, servo->limits);
    key.unit = "N";
    key.help = "of the forces of prismatic joints; without it, the robot's";
    atemi_scenario_read_joint_rates(reader, "force_limits", key, true, model, servo->limits);
}

void atemi_scenario_read_servo(atemi_scenario_reader *reader, const atemi_model *model,
                               atemi_scenario_servo *servo)
{
    double **const lists[] = {&servo->stiffness, &servo->damping, &servo->limits, &servo->viscous,
                              &servo->coulomb};
    bool           ready = model != NULL;
    *servo = (atemi_scenario_servo){0};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && model; ++i) {
        *lists[i] = (double *)atemi_scenario_allocate(reader, sizeof **lists[i],
                                                      atemi_model_v_count(model));
        ready = ready && *lists[i];
    }
    if (ready) {
        fill(model, servo);
    }
    if (atemi_scenario_enter(reader, "servo", ATEMI_DEFAULTED,
                             "of every joint, on its reference")) {
        read_gains(reader, model, servo);
        read_limits(reader, model, servo);
        atemi_scenario_leave(reader);
    }
    servo->has_friction = atemi_scenario_boolean(
        reader, "joint_friction",
        (atemi_boolean_key){.fallback = true, .help = "the robot's own friction and damping act"});
}

// Lists of zeros only are left out: without them a blow is faster.
static const double *unless_zero(const double *list, int count)
{
    bool any = false;
    for (int i = 0; i < count; ++i) {
        any = any || list[i] > 0.0;
    }
    return any ? list : NULL;
}

atemi_blow_servo atemi_scenario_blow_servo(const atemi_scenario_servo *servo,
                                           const atemi_model          *model)
{
    const int n = atemi_model_v_count(model);
    return (atemi_blow_servo){
        .stiffness = servo->stiffness,
        .damping = servo->damping,
        .limits = servo->limits,
        .viscous = servo->has_friction ? unless_zero(servo->viscous, n) : NULL,
        .coulomb = servo->has_friction ? unless_zero(servo->coulomb, n) : NULL};
}

void atemi_scenario_servo_destroy(atemi_scenario_servo *servo)
{
    atemi_release(servo->stiffness);
    atemi_release(servo->damping);
    atemi_release(servo->limits);
    atemi_release(servo->viscous);
    atemi_release(servo->coulomb);
    *servo = (atemi_scenario_servo){0};
}
