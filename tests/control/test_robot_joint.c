// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "atemi/robots.h"
#include "check.h"

#include <math.h>

static atemi_model *load(const char *name)
{
    atemi_model *model = NULL;
    CHECK_STATUS(atemi_robots_load(name, NULL, &model, NULL), ATEMI_OK);
    return model;
}

static int joint_count(const atemi_model *model)
{
    return atemi_model_v_count(model) - atemi_base_v_count(atemi_model_base(model));
}

// The rule of docs/theory/control_plant.md: every joint has a spring, and K <= k / 4.
TEST(robot_joint, has_a_spring_and_may_have_a_quarter_of_it_as_stiffness)
{
    static const char *const robots[] = {"r2_like", "hrp2_like", "two_link"};
    for (int k = 0; k < 3; ++k) {
        atemi_model *model = load(robots[k]);
        for (int i = 0; i < joint_count(model); ++i) {
            const atemi_joint_drive       drive = atemi_joint_drive_of(model, i);
            const atemi_coordinated_joint joint = atemi_coordinated_joint_default(model, i);
            CHECK(joint.elastic && atemi_joint_drive_is_elastic(&drive));
            CHECK_STATUS(atemi_joint_drive_check(&drive, NULL), ATEMI_OK);
            CHECK_NEAR(joint.impedance.stiffness, 0.25 * drive.spring, 0.0);
        }
        atemi_model_destroy(model);
    }
}

// Its effort limit is what the drive can make, however large its bridge is: N K_t i.
TEST(robot_joint, is_driven_with_its_effort_limit_and_no_more)
{
    atemi_model *model = load("hrp2_like");
    for (int i = 0; i < joint_count(model); ++i) {
        const atemi_joint_drive           d = atemi_joint_drive_of(model, i);
        const atemi_joint_control_options o = atemi_joint_control_options_of(model, i, &d);
        const double                      effort = atemi_joint_rating_of(model, i).effort;
        CHECK_NEAR(d.gear * d.torque_constant * o.current_limit, effort, 1e-9 * effort);
        CHECK(d.peak_current > o.current_limit);
    }
    atemi_model_destroy(model);
}

// Twice the torque constant and half the gear are the same joint: rotor, torque limit and speed
// at the joint, the part of E V that the winding loses, and its time constant.
TEST(robot_joint, with_another_winding_or_gear_is_the_same_joint)
{
    atemi_model            *model = load("hrp2_like");
    const int               i = 3;
    const atemi_joint_drive usual = atemi_joint_drive_of(model, i);
    atemi_joint_drive       other = atemi_joint_drive_unknown();
    other.gear = 0.5 * usual.gear;
    other.torque_constant = 4.0 * usual.torque_constant;
    atemi_joint_drive_complete(model, i, &other);
    CHECK_NEAR(other.rotor_inertia, 4.0 * usual.rotor_inertia, 1e-15);
    CHECK_NEAR(other.bus_voltage, 2.0 * usual.bus_voltage, 1e-9);
    CHECK_NEAR(other.resistance, 4.0 * usual.resistance, 1e-12);
    CHECK_NEAR(other.inductance / other.resistance, usual.inductance / usual.resistance, 1e-15);
    CHECK_NEAR(other.inductance / other.resistance, 1e-3, 1e-15); // 0.5 mH / 0.5 Ohm, of a leg's
    CHECK_NEAR(other.spring, usual.spring, 1e-9);
    CHECK_NEAR(other.spring_damping, usual.spring_damping, 1e-12);
    CHECK_NEAR(other.coulomb, 2.0 * usual.coulomb, 1e-15);
    CHECK_NEAR(other.viscous, 4.0 * usual.viscous, 1e-18);
    atemi_model_destroy(model);
}

// Published rotors of r2_like's legs: 0.746 kg m^2 at the joint behind a gear of 100.
TEST(robot_joint, has_the_rotor_of_its_model)
{
    atemi_model *model = load("r2_like");
    CHECK_NEAR(atemi_joint_drive_of(model, 0).rotor_inertia, 7.46e-5, 1e-18);
    CHECK_NEAR(atemi_joint_drive_of(model, 0).torque_constant, 0.305, 1e-15);
    CHECK_NEAR(atemi_joint_drive_of(model, 0).spring, 50000.0, 1e-9);
    CHECK_NEAR(atemi_joint_drive_of(model, 0).spring_damping, 20.0, 1e-12);
    for (int i = 0; i < joint_count(model);
         ++i) { // 3 N m at a leg of 330 N m, others in proportion
        const atemi_joint_drive drive = atemi_joint_drive_of(model, i);
        const double            effort = atemi_joint_rating_of(model, i).effort;
        CHECK_NEAR(drive.coulomb * drive.gear, 3.0 * effort / 330.0, 1e-9);
    }
    atemi_model_destroy(model);
}

TEST(robot_joint, is_controlled_as_one_of_a_chain_within_its_limits)
{
    atemi_model *model = load("r2_like");
    for (int i = 0; i < joint_count(model); ++i) {
        const atemi_joint_drive           drive = atemi_joint_drive_of(model, i);
        const atemi_joint_control_options o = atemi_joint_control_options_of(model, i, &drive);
        atemi_joint_control               control;
        CHECK(o.in_chain && o.torque_bandwidth <= 100.0 && o.lowest < o.highest);
        CHECK(isfinite(o.torque_limit) && o.current_limit <= drive.peak_current);
        CHECK_STATUS(atemi_joint_control_start(&o, &control, NULL), ATEMI_OK);
    }
    atemi_model_destroy(model);
}

// 50,000 N m/rad / 100 rad/s x (1/800 + 1/3000 + 1/10000) s.
TEST(robot_joint, knows_what_its_loops_leave_of_the_rotor)
{
    atemi_model                      *model = load("r2_like");
    atemi_coordinated_joint           joint = atemi_coordinated_joint_default(model, 0);
    const atemi_joint_drive           drive = atemi_joint_drive_of(model, 0);
    const atemi_joint_control_options o = atemi_joint_control_options_of(model, 0, &drive);
    atemi_coordinated_joint_fit(model, 0, &o, false, &joint);
    CHECK_NEAR(joint.loop_inertia, 500.0 * (1.0 / 800.0 + 1.0 / 3000.0 + 1e-4), 1e-12);
    CHECK_NEAR(joint.own_damping, 0.0, 0.0);
    atemi_coordinated_joint_fit(model, 0, &o, true, &joint);
    CHECK(joint.own_damping > 0.0);
    atemi_model_destroy(model);
}
