// SPDX-License-Identifier: Apache-2.0

#include "atemi/joint_control.h"

#include "check.h"
#include "joint_rig.h"

#include <math.h>

// A joint of a chain: what its link hangs on, and what hangs on its link, is not known to it. It
// must not give energy to whatever that is: for a link that swings, q' = v cos(w t), the damping
// that the link feels, -2/v^2 mean of torque q', must not be negative at any frequency.

static const double pi = 3.14159265358979323846;
static const double spring = 50000.0, loop = 100.0;

static joint_rig joint_of(bool in_chain)
{
    atemi_joint_plant_options   plant = quiet(atemi_joint_plant_options_default());
    atemi_joint_control_options control = atemi_joint_control_options_default();
    plant.drive.spring = spring;
    plant.drive.spring_damping = 20.0;
    plant.drive.coulomb = 0.0;
    control.drive = plant.drive;
    control.torque_bandwidth = loop;
    control.torque_rate = (double)INFINITY;
    control.in_chain = in_chain;
    return rig_create(&plant, &control);
}

// The damping that a link feels which swings with w: over four swings, after six to settle.
static double damping_felt(joint_rig *rig, const atemi_joint_command *command, double w)
{
    const double T = rig->control.options.period, v = 0.01;
    const int    swing = (int)lround(2.0 * pi / (w * T));
    double       work = 0.0;
    for (int k = 0; k < 10 * swing; ++k) {
        const double phase = 2.0 * pi * k / swing;
        const double angle = v * swing * T / (2.0 * pi) * sin(phase), speed = v * cos(phase);
        atemi_joint_plant_measure(&rig->plant, &rig->measurement);
        atemi_joint_control_step(&rig->control, &rig->measurement, command, &rig->output);
        atemi_joint_plant_apply(&rig->plant, rig->output.voltage);
        atemi_joint_plant_follow(&rig->plant, T, angle, speed);
        work += k < 6 * swing ? 0.0 : atemi_joint_plant_torque(&rig->plant) * speed;
    }
    return -2.0 * work / (4.0 * swing * v * v);
}

static double least_damping_felt(bool in_chain, double inertia)
{
    double least = (double)INFINITY;
    for (int k = 0; k < 20; ++k) {
        const double              w = 20.0 * pow(1.25, k);
        joint_rig                 rig = joint_of(in_chain);
        const atemi_joint_command command = command_impedance(inertia, 20.0, 1.2);
        const double              felt = damping_felt(&rig, &command, w);
        least = fmin(least, felt);
    }
    return least;
}

// 30 kg m^2 at 20 rad/s and 1.2 take 1440 N m s/rad; spring / bandwidth is 500. A loop that is not
// slowed then gives energy to links that swing with 250 to 900 rad/s.
TEST(joint_in_chain, gives_no_energy_to_a_link_that_swings)
{
    CHECK(least_damping_felt(true, 3.0) > 0.0);
    CHECK(least_damping_felt(true, 10.0) > 0.0);
    CHECK(least_damping_felt(true, 30.0) > 0.0);
    CHECK(least_damping_felt(false, 10.0) > 0.0);
    CHECK(least_damping_felt(false, 30.0) < -100.0);
}

// By itself, with its own link alone, it is stable and ends where it should, also where it is asked
// to be stiffer than its spring; and it goes on as asked where damping is low.
TEST(joint_in_chain, moves_its_own_link_to_where_it_shall_be)
{
    const double inertias[] = {1.0, 10.0, 50.0, 200.0};
    for (int i = 0; i < 4; ++i) {
        atemi_joint_plant_options plant = joint_of(true).plant.options;
        plant.link_inertia = inertias[i];
        const atemi_joint_control_options control = joint_of(true).control.options;
        joint_rig                         rig = rig_create(&plant, &control);
        atemi_joint_command               command = command_impedance(inertias[i], 20.0, 1.2);
        command.position = 1e-3;
        for (int k = 0; k < 15000; ++k) {
            rig_tick(&rig, &command);
            const double designed = 1e-3 * second_order(20.0, 1.2, k * 2e-4);
            CHECK(inertias[i] > 10.0 || fabs(rig.plant.joint_position - designed) < 0.1e-3);
        }
        CHECK_NEAR(rig.plant.joint_position, 1e-3, 2e-5);
        CHECK_NEAR(rig.plant.joint_velocity, 0.0, 1e-4);
    }
}

// ---- Limits of torque and of its rate -------------------------------------------------------

// Stiffness and damping are made for what a joint moves alone, 16 kg m^2; the other joints give
// way, and what swings is lighter: for a robot that is held by both feet, 0.8. Its feedback has a
// limit F, and its demand may change by less than two thirds of F times the torque loop's
// bandwidth, with which a blow of 1 rad/s left it shaking between both limits for ever.
TEST(joint_in_chain, does_not_shake_between_the_limits_of_its_feedback)
{
    const double links[] = {0.05, 0.2, 0.8, 3.0}, rates[] = {0.1, 0.42, 0.5, 0.66};
    for (int i = 0; i < 16; ++i) {
        joint_rig           rig = joint_of(true);
        atemi_joint_command command = command_impedance(16.0, 20.0, 1.2);
        command.feedback_limit = 100.0;
        rig.plant.options.link_inertia = links[i / 4];
        rig.plant.options.drive.spring = rig.control.options.drive.spring = 25500.0;
        rig.control.options.torque_rate = rates[i % 4] * command.feedback_limit * loop;
        rig.control.options.speed_limit = 4.0;
        rig_run(&rig, &command, 0.1);
        rig.plant.joint_velocity = 1.0;
        rig_run(&rig, &command, 1.0);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
        CHECK_NEAR(rig.plant.joint_velocity, 0.0, 1e-3); // the slow pole of 8 rad/s leaves 3e-4
    }
}
