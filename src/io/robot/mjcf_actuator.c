// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/robot/mjcf_reader.h"

#include <math.h>
#include <string.h>

// <actuator>: how hard the joints can be driven. The force of an actuator at its joint is its gear
// times what its forcerange allows; where the force is gain times control and nothing else, times
// what its ctrlrange allows too. Several on one joint add up, within actuatorfrcrange of the joint.
// An effort limit holds in both directions: of two different ends the larger counts.
//
// Its armature and damping are felt at the joint times gear^2. So are the gains of a servo, whose
// force is k (control - x) - d dx/dt: kp and kv of <position>, kv of <velocity>, and -biasprm[1],
// -biasprm[2] of <general> with an affine bias. They are the joint's servo.

typedef struct effort_sum {
    double effort; ///< of all actuators of the joint
    double armature, damping, servo_stiffness, servo_damping;
    bool   driven;
} effort_sum;

static atemi_status read_bound(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               const char *range_name, const char *switch_name, double *bound,
                               bool *uneven)
{
    double             range[2] = {0.0, 0.0};
    bool               limited = false;
    const atemi_status status =
        atemi_mjcf_range(reader, part, range_name, switch_name, &limited, range);
    *bound = limited ? fmax(fabs(range[0]), fabs(range[1])) : (double)INFINITY;
    *uneven = limited && range[0] != -range[1];
    return status;
}

// Whether the force is a fixed gain times the control.
static bool is_motor(const atemi_mjcf_part *part)
{
    const char *gain = atemi_mjcf_value(part, "gaintype"),
               *bias = atemi_mjcf_value(part, "biastype");
    const bool general = atemi_mjcf_is_named(part->element, "general") &&
                         (!gain || strcmp(gain, "fixed") == 0) &&
                         (!bias || strcmp(bias, "none") == 0);
    return general || atemi_mjcf_is_named(part->element, "motor");
}

static atemi_status read_force(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               double *force)
{
    double       gain[10] = {1.0}, control;
    bool         uneven_force, uneven_control = false;
    atemi_status status =
        read_bound(reader, part, "forcerange", "forcelimited", force, &uneven_force);
    if (!status && is_motor(part)) {
        status = read_bound(reader, part, "ctrlrange", "ctrllimited", &control, &uneven_control);
        if (!status && atemi_mjcf_is_named(part->element, "general")) {
            status = atemi_mjcf_some_numbers(reader, part, "gainprm", 10, gain, NULL);
        }
        uneven_control = uneven_control && fabs(gain[0]) * control < *force;
        *force = gain[0] == 0.0 ? 0.0 : fmin(*force, fabs(gain[0]) * control);
    }
    if (!status && (uneven_force || uneven_control)) {
        status = atemi_mjcf_note_loss(reader, part->element,
                                      "an effort limit holds in both directions; of the two ends "
                                      "of forcerange or ctrlrange the larger counts");
    }
    return status;
}

static bool is_affine(const atemi_mjcf_part *part)
{
    const char *bias = atemi_mjcf_value(part, "biastype");
    return atemi_mjcf_is_named(part->element, "general") && bias && strcmp(bias, "affine") == 0;
}

// What the actuator's bias says, as it is at gear 1.
static atemi_status read_gains(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               double *stiffness, double *damping)
{
    const bool   position = atemi_mjcf_is_named(part->element, "position");
    const bool   velocity = atemi_mjcf_is_named(part->element, "velocity");
    double       bias[10] = {0.0};
    atemi_status status = ATEMI_OK;
    *stiffness = position ? 1.0 : 0.0;
    *damping = velocity ? 1.0 : 0.0;
    if (position) {
        status = atemi_mjcf_number(reader, part, "kp", stiffness);
    }
    if (!status && (position || velocity)) {
        status = atemi_mjcf_number(reader, part, "kv", damping);
    }
    if (!status && is_affine(part)) {
        status = atemi_mjcf_some_numbers(reader, part, "biasprm", 10, bias, NULL);
        *stiffness = -bias[1];
        *damping = -bias[2];
    }
    return status;
}

// A bias that drives the joint away from its place is no servo.
static atemi_status add_servo(atemi_mjcf_reader *reader, const atemi_mjcf_part *part, double gear,
                              effort_sum *sum)
{
    double       stiffness, damping, armature = 0.0, drag = 0.0;
    atemi_status status = read_gains(reader, part, &stiffness, &damping);
    if (!status) {
        status = atemi_mjcf_size(reader, part, "armature", &armature);
    }
    if (!status) {
        status = atemi_mjcf_size(reader, part, "damping", &drag);
    }
    if (!status && (stiffness < 0.0 || damping < 0.0)) {
        return atemi_mjcf_note_loss(reader, part->element,
                                    "an actuator whose force grows with position or velocity is no "
                                    "servo; its gains are left out");
    }
    sum->servo_stiffness += gear * gear * stiffness;
    sum->servo_damping += gear * gear * damping;
    sum->armature += gear * gear * armature;
    sum->damping += gear * gear * drag;
    return status;
}

static atemi_status read_actuator(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  effort_sum *sums)
{
    atemi_mjcf_part part;
    double          gear[6] = {1.0}, force = (double)INFINITY;
    if (atemi_mjcf_kind_in_class(element) != ATEMI_MJCF_ACTUATOR) {
        return atemi_mjcf_note_unused(reader, element, NULL);
    }
    atemi_status status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_ACTUATOR, &part);
    const char  *name = status ? NULL : atemi_mjcf_value(&part, "joint");
    name = status || name ? name : atemi_mjcf_value(&part, "jointinparent");
    if (status || !name) {
        return status ? status
                      : atemi_mjcf_note_loss(reader, element,
                                             "an actuator that drives no joint (but a tendon, a "
                                             "site or a body) sets no effort limit");
    }
    const atemi_mjcf_element *joint;
    const int                 index = atemi_mjcf_find_joint(reader, name, &joint);
    status = atemi_mjcf_some_numbers(reader, &part, "gear", 6, gear, NULL);
    if (!status) {
        status = read_force(reader, &part, &force);
    }
    if (status || index == ATEMI_NONE) {
        return status ? status
                      : atemi_mjcf_note_loss(reader, element,
                                             "an actuator names no hinge or slide of the robot; it "
                                             "sets no effort limit");
    }
    sums[index].driven = true;
    sums[index].effort += gear[0] == 0.0 ? 0.0 : fabs(gear[0]) * force;
    return add_servo(reader, &part, gear[0], &sums[index]);
}

static atemi_status read_all(atemi_mjcf_reader *reader, effort_sum *sums)
{
    atemi_status status = ATEMI_OK;
    for (const atemi_mjcf_element *section = reader->tree->root->first; section;
         section = section->next) {
        const bool                is_actuator = atemi_mjcf_is_named(section, "actuator");
        const atemi_mjcf_element *at = is_actuator ? section->first : NULL;
        for (; at && !status; at = at->next) {
            status = read_actuator(reader, at, sums);
        }
    }
    return status;
}

// An effort of 0 would mean a joint without any motor, which is not known to be one.
static void drive_joints(atemi_urdf_document *document, const effort_sum *sums)
{
    for (int i = 0; i < document->joint_count; ++i) {
        double *effort = &document->joints[i].limits.effort;
        if (sums[i].driven && sums[i].effort > 0.0) {
            *effort = fmin(*effort, sums[i].effort);
        }
        document->joints[i].armature += sums[i].armature;
        document->joints[i].damping += sums[i].damping;
        document->joints[i].servo_stiffness += sums[i].servo_stiffness;
        document->joints[i].servo_damping += sums[i].servo_damping;
    }
}

atemi_status atemi_mjcf_read_actuators(atemi_mjcf_reader *reader)
{
    const size_t size = ((size_t)reader->document->joint_count + 1) * sizeof(effort_sum);
    effort_sum  *sums = (effort_sum *)atemi_allocate(size);
    if (!sums) {
        return atemi_mjcf_no_memory(reader);
    }
    memset(sums, 0, size);
    const atemi_status status = read_all(reader, sums);
    if (!status) {
        drive_joints(reader->document, sums);
    }
    atemi_release(sums);
    return status;
}
