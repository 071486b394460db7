// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_torques.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_joint_list.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>

enum { MAX_ITEMS = 1000 };

static const double two_pi = 6.283185307179586;

// Units where a joint turns, and where it slides.
static const char *const torque_units[2] = {"N m", "N"};
static const char *const angle_units[2] = {"rad", "m"};
static const char *const stiffness_units[2] = {"N m/rad", "N/m"};
static const char *const damping_units[2] = {"N m s/rad", "N s/m"};
static const char *const frequency_units[2] = {"Hz", "Hz"};
static const char *const phase_units[2] = {"rad", "rad"};

// An item under way: the actuators that it makes, one for each of its joints.
typedef struct torque_item {
    atemi_scenario_reader    *reader;
    atemi_scenario_joint_list joints;
    atemi_actuator           *actuators; ///< [joints.count]
} torque_item;

// Reads one of an actuator's numbers for all joints of the item. It holds its default beforehand.
static void read_number(torque_item *item, const char *key, const char *const units[2],
                        size_t field, atemi_number_key declaration)
{
    const int count = item->joints.count;
    double   *values = (double *)atemi_scenario_allocate(item->reader, sizeof *values, count);
    for (int i = 0; i < count && values && item->actuators; ++i) {
        values[i] = *(const double *)((const char *)&item->actuators[i] + field);
    }
    atemi_scenario_read_by_joint(item->reader, key, declaration, units, units == angle_units,
                                 &item->joints, values);
    for (int i = 0; i < count && values && item->actuators; ++i) {
        *(double *)((char *)&item->actuators[i] + field) = values[i];
    }
    atemi_release(values);
}

static void read_sinusoid(torque_item *item)
{
    read_number(item, "amplitude", torque_units, offsetof(atemi_actuator, amplitude),
                (atemi_number_key){.required = true, .help = "of a sinusoid"});
    read_number(item, "frequency", frequency_units, offsetof(atemi_actuator, frequency),
                (atemi_number_key){
                    .lower = 0.0, .upper = INFINITY, .required = true, .help = "of a sinusoid"});
    read_number(item, "phase", phase_units, offsetof(atemi_actuator, phase),
                (atemi_number_key){.help = "of a sinusoid at t = 0"});
    read_number(item, "offset", torque_units, offsetof(atemi_actuator, offset),
                (atemi_number_key){.help = "about which a sinusoid swings"});
}

static void read_servo(torque_item *item)
{
    read_number(item, "stiffness", stiffness_units, offsetof(atemi_actuator, stiffness),
                (atemi_number_key){
                    .lower = 0.0, .upper = INFINITY, .required = true, .help = "of a servo"});
    read_number(item, "damping", damping_units, offsetof(atemi_actuator, damping),
                (atemi_number_key){.lower = 0.0, .upper = INFINITY, .help = "of a servo"});
    read_number(item, "target", angle_units, offsetof(atemi_actuator, target),
                (atemi_number_key){.help = "of a servo; without it, where the joint starts"});
}

static void read_kind(torque_item *item, int kind)
{
    if (atemi_scenario_wants(item->reader, kind, ATEMI_ACTUATOR_CONSTANT)) {
        read_number(item, "torque", torque_units, offsetof(atemi_actuator, torque),
                    (atemi_number_key){.required = true, .help = "of kind constant"});
    }
    if (atemi_scenario_wants(item->reader, kind, ATEMI_ACTUATOR_SINUSOID)) {
        read_sinusoid(item);
    }
    if (atemi_scenario_wants(item->reader, kind, ATEMI_ACTUATOR_SERVO)) {
        read_servo(item);
    }
}

static void keep(torque_item *item, atemi_scenario_torques *torques)
{
    for (int i = 0; i < item->joints.count && item->actuators; ++i) {
        void *actuators = torques->actuators;
        if (!atemi_scenario_grow(item->reader, sizeof *torques->actuators, torques->count,
                                 &actuators)) {
            return;
        }
        torques->actuators = (atemi_actuator *)actuators;
        torques->actuators[torques->count++] = item->actuators[i];
    }
}

static void read_item(atemi_scenario_reader *reader, const atemi_model *model, const double *q,
                      atemi_scenario_torques *torques)
{
    static const char *const kinds[] = {"constant", "sinusoid", "servo", NULL};
    torque_item              item = {.reader = reader};
    atemi_scenario_choose_joints(reader, "joints", model, &item.joints);
    const int kind = atemi_scenario_choice(
        reader, "kind",
        (atemi_choice_key){
            .words = kinds, .required = true, .help = "servo: towards a target, with damping"});
    item.actuators = (atemi_actuator *)atemi_scenario_allocate(reader, sizeof *item.actuators,
                                                               item.joints.count);
    for (int i = 0; i < item.joints.count && item.actuators; ++i) {
        const int joint = item.joints.joints[i];
        item.actuators[i] = (atemi_actuator){.kind = (atemi_actuator_kind)kind,
                                             .joint = joint,
                                             .target = q[atemi_model_joint(model, joint)->first_q]};
    }
    read_kind(&item, kind);
    keep(&item, torques);
    atemi_release(item.actuators);
    atemi_scenario_joint_list_destroy(&item.joints);
}

void atemi_scenario_read_torques(atemi_scenario_reader *reader, const atemi_model *model,
                                 const double *q, atemi_scenario_torques *torques)
{
    *torques = (atemi_scenario_torques){.model = model};
    atemi_scenario_enter_list(reader, "torques", 0, MAX_ITEMS,
                              "in the joints; several on one joint add up");
    while (atemi_scenario_next(reader)) {
        read_item(reader, model, q, torques);
    }
    torques->limited = atemi_scenario_boolean(
        reader, "limit_torques",
        (atemi_boolean_key){.help = "the sum in a joint stays within the robot's limits"});
}

// ---- Acting

static double torque_of(const atemi_actuator *actuator, double time, double q, double v)
{
    switch (actuator->kind) {
    case ATEMI_ACTUATOR_CONSTANT:
        return actuator->torque;
    case ATEMI_ACTUATOR_SINUSOID:
        return actuator->offset +
               actuator->amplitude * sin(two_pi * actuator->frequency * time + actuator->phase);
    case ATEMI_ACTUATOR_SERVO:
        return actuator->stiffness * (actuator->target - q) - actuator->damping * v;
    }
    return 0.0;
}

void atemi_scenario_torques_add(const atemi_scenario_torques *torques, double time, const double *q,
                                const double *v, double *tau)
{
    for (int i = 0; i < torques->count; ++i) {
        const atemi_actuator *actuator = &torques->actuators[i];
        const atemi_joint    *joint = atemi_model_joint(torques->model, actuator->joint);
        tau[joint->first_v] += torque_of(actuator, time, q[joint->first_q], v[joint->first_v]);
    }
}

void atemi_scenario_torques_add_stiffness(const atemi_scenario_torques *torques, double *stiffness)
{
    for (int i = 0; i < torques->count; ++i) {
        const atemi_actuator *actuator = &torques->actuators[i];
        if (actuator->kind == ATEMI_ACTUATOR_SERVO) {
            stiffness[atemi_model_joint(torques->model, actuator->joint)->first_v] +=
                actuator->stiffness;
        }
    }
}

void atemi_scenario_torques_add_damping(const atemi_scenario_torques *torques, double *damping)
{
    for (int i = 0; i < torques->count; ++i) {
        const atemi_actuator *actuator = &torques->actuators[i];
        if (actuator->kind == ATEMI_ACTUATOR_SERVO) {
            damping[atemi_model_joint(torques->model, actuator->joint)->first_v] +=
                actuator->damping;
        }
    }
}

void atemi_scenario_torques_destroy(atemi_scenario_torques *torques)
{
    atemi_release(torques->actuators);
    *torques = (atemi_scenario_torques){0};
}
