// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/coordination.h"
#include "control/coordination_options.h"

#include <math.h>
#include <stddef.h>

// The one place that says how a joint of a robot is driven and controlled unless its user says
// otherwise. A joint alone on a test bench (atemi_joint_drive_default(): 5,000 N m/rad, a torque
// loop of 200 rad/s) is stable with any stiffness. In a robot, light links between two springs
// carry heavy ones, and it is not (docs/theory/control_plant.md, "Springs and loops in a chain").
// So a joint of a robot has
//
//   a stiffer spring k            a softer one cannot bear the stiffness that goes with the weight
//   a slower torque loop          damping up to k / loop is passive
//   in_chain                      and beyond that the loop slows down
//   K <= k / 4                    a quarter of the spring can be had well damped
//   D >= 3 N m s/rad              links with little inertia swing below it
static const double chain_spring = 50000.0;    // k, N m/rad
static const double chain_damping = 20.0;      // of the spring, N m s/rad
static const double chain_bandwidth = 100.0;   // of the torque loop, rad/s
static const double stiffness_fraction = 0.25; // of the spring
static const double least_damping = 3.0;       // N m s/rad

const atemi_joint *atemi_coordination_model_joint(const atemi_model *model, int i)
{
    const int first = atemi_base_v_count(atemi_model_base(model));
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count > 0 && joint->first_v == first + i) {
            return joint;
        }
    }
    return NULL;
}

// ---- The drive ------------------------------------------------------------------------------

// A motor of r2_like: K_t and rotor are published, friction is ours.
typedef struct motor {
    double rotor_inertia, torque_constant, coulomb, viscous;
} motor;

static const motor motors[] = {
    {7.46e-5, 0.305, 0.03, 2e-4}, {3.6e-5, 0.159, 0.015, 1e-4}, {1.48e-5, 0.056, 0.005, 2e-5}};

// The smallest that has at least such a rotor; the largest for larger ones.
static const motor *motor_for(double rotor_inertia)
{
    int i = (int)(sizeof motors / sizeof *motors) - 1;
    while (i > 0 && motors[i].rotor_inertia < 0.999 * rotor_inertia) {
        --i;
    }
    return &motors[i];
}

static void fit_motor(double rotor_inertia, atemi_joint_drive *drive)
{
    const motor *fit = motor_for(rotor_inertia);
    drive->rotor_inertia = rotor_inertia;
    drive->torque_constant = drive->back_emf = fit->torque_constant;
    drive->coulomb = fit->coulomb;
    drive->viscous = fit->viscous;
}

static bool is_elastic(const atemi_joint *joint)
{
    return joint->armature > 0.0;
}

atemi_joint_drive atemi_joint_drive_of(const atemi_model *model, int i)
{
    atemi_joint_drive drive = atemi_joint_drive_rigid();
    ATEMI_REQUIRE_OR(model, drive);
    const atemi_joint *joint = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE_OR(joint, drive);
    if (is_elastic(joint)) {
        drive = atemi_joint_drive_default();
        fit_motor(joint->armature / (drive.gear * drive.gear), &drive);
        drive.spring = chain_spring;
        drive.spring_damping = chain_damping;
    }
    return drive;
}

// ---- Its control ----------------------------------------------------------------------------

static bool is_limit(double limit)
{
    return limit > 0.0 && isfinite(limit);
}

atemi_joint_control_options atemi_joint_control_options_of(const atemi_model *model, int i,
                                                           const atemi_joint_drive *drive)
{
    atemi_joint_control_options o = atemi_joint_control_options_rigid();
    ATEMI_REQUIRE_OR(model && drive, o);
    const atemi_joint *joint = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE_OR(joint, o);
    if (atemi_joint_drive_is_elastic(drive)) {
        o = atemi_joint_control_options_default();
    }
    o.drive = *drive;
    o.torque_bandwidth = fmin(o.torque_bandwidth, chain_bandwidth);
    o.in_chain = true;
    o.current_limit = fmin(o.current_limit, drive->peak_current);
    o.lowest = joint->limits.lower;
    o.highest = joint->limits.upper;
    o.speed_limit = is_limit(joint->limits.velocity) ? joint->limits.velocity : o.speed_limit;
    o.torque_limit = is_limit(joint->limits.effort) ? joint->limits.effort : o.torque_limit;
    return o;
}

// ---- Its coordination -----------------------------------------------------------------------

atemi_coordinated_joint atemi_coordinated_joint_default(const atemi_model *model, int i)
{
    const atemi_coordinated_joint none = {0};
    ATEMI_REQUIRE_OR(model, none);
    const atemi_joint *joint = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE_OR(joint, none);
    const double velocity = is_limit(joint->limits.velocity) ? joint->limits.velocity : 1.0;
    return (atemi_coordinated_joint){
        .elastic = is_elastic(joint),
        .velocity = velocity,
        .acceleration = 2.0,
        .retreat_velocity = velocity,
        .retreat_acceleration = 1.0,
        .torque_limit = fmin(100.0, joint->limits.effort),
        .dynamics = {20.0, 1.2},
        .windup_limit = 20.0,
        .impedance = {stiffness_fraction * chain_spring, least_damping, 5000.0},
        .gravity = 1.0,
    };
}

void atemi_coordinated_joint_fit(const atemi_model *model, int i,
                                 const atemi_joint_control_options *control, bool joint_friction,
                                 atemi_coordinated_joint *joint)
{
    ATEMI_REQUIRE(model && control && joint);
    const atemi_joint *of_model = atemi_coordination_model_joint(model, i);
    ATEMI_REQUIRE(of_model);
    joint->elastic = atemi_joint_drive_is_elastic(&control->drive);
    joint->loop_inertia = atemi_joint_control_loop_inertia(control);
    joint->own_damping = joint_friction ? of_model->damping : 0.0;
}
