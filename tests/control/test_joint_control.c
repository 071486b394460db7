// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/joint_control.h"
#include "check.h"
#include "joint_rig.h"
#include "system_calls.h"

#include <math.h>
#include <stddef.h>

// What a step shows: times from 10 % to 90 %, the excess over the goal, and the mean and the
// largest error of the last quarter, as parts of the step.
typedef struct step_response {
    double rise, overshoot, steady, ripple;
} step_response;

static step_response step_of(const double *samples, int count, double period, double goal)
{
    step_response r = {0};
    int           first = -1, last = -1;
    double        sum = 0.0;
    for (int k = 0; k < count; ++k) {
        const double part = samples[k] / goal;
        first = first < 0 && part >= 0.1 ? k : first;
        last = last < 0 && part >= 0.9 ? k : last;
        r.overshoot = fmax(r.overshoot, part - 1.0);
        if (4 * k >= 3 * count) {
            sum += part - 1.0;
            r.ripple = fmax(r.ripple, fabs(part - 1.0));
        }
    }
    CHECK(first >= 0 && last >= first);
    r.rise = (last - first) * period;
    r.steady = sum / (count - (3 * count + 3) / 4);
    return r;
}

// ---- Current --------------------------------------------------------------------------------

// A motor that is blocked, so that the winding is alone.
static joint_rig blocked(double resistance_error, bool senses)
{
    atemi_joint_plant_options   plant = quiet(atemi_joint_plant_options_default());
    atemi_joint_control_options control = atemi_joint_control_options_default();
    plant.drive.rotor_inertia = control.drive.rotor_inertia = 1e9;
    plant.drive.resistance *= 1.0 + resistance_error;
    control.senses_current = senses;
    return rig_create(&plant, &control);
}

// i = i_r (1 - exp(-W_c t)) from when the first voltage acts, at every tick.
TEST(joint_current_loop, steps_as_a_first_order_system_with_and_without_sensing)
{
    for (int senses = 0; senses < 2; ++senses) {
        joint_rig           rig = blocked(0.0, senses);
        atemi_joint_command command = command_at(ATEMI_JOINT_CURRENT);
        command.current = 10.0;
        for (int k = 0; k < 100; ++k) {
            rig_tick(&rig, &command);
            const double t = k * rig.control.options.period;
            CHECK_NEAR(rig.plant.current, 10.0 * -expm1(-3000.0 * t), 1e-9);
        }
    }
}

// 10 % to 90 % takes ln 9 / W_c = 0.73 ms.
TEST(joint_current_loop, has_no_steady_error_with_a_wrong_resistance_but_without_sensing)
{
    for (int hot = 0; hot < 2; ++hot) {
        const double        error = hot ? 0.3 : -0.3;
        atemi_joint_command command = command_at(ATEMI_JOINT_CURRENT);
        command.current = 10.0;
        joint_rig rig = blocked(error, true), guess = blocked(error, false);
        double    samples[400];
        for (int k = 0; k < 400; ++k) {
            rig_tick(&rig, &command);
            rig_tick(&guess, &command);
            samples[k] = rig.plant.current;
        }
        const step_response r = step_of(samples, 400, 2e-4, 10.0);
        CHECK(r.rise <= 1.3e-3 && r.overshoot < 0.1);
        CHECK_NEAR(r.steady, 0.0, 1e-6);
        CHECK_NEAR(guess.plant.current, 10.0 / (1.0 + error), 1e-6);
    }
}

// The bus carries 10 A where 20 are asked for. When 8 are asked for, the current goes there as if
// nothing had been: an integral that had wound up would hold it.
TEST(joint_current_loop, leaves_a_saturated_bridge_without_windup)
{
    atemi_joint_plant_options   plant = quiet(atemi_joint_plant_options_default());
    atemi_joint_control_options control = atemi_joint_control_options_default();
    plant.drive.rotor_inertia = control.drive.rotor_inertia = 1e9;
    plant.drive.bus_voltage = control.drive.bus_voltage = 5.0;
    joint_rig           rig = rig_create(&plant, &control);
    atemi_joint_command command = command_at(ATEMI_JOINT_CURRENT);
    command.current = 20.0;
    rig_run(&rig, &command, 0.1);
    CHECK_NEAR(rig.plant.current, 10.0, 1e-6);
    CHECK_NEAR(rig.output.duty, 1.0, 0.0);
    command.current = 8.0;
    for (int k = 0; k < 20; ++k) {
        rig_tick(&rig, &command);
        CHECK_NEAR(rig.plant.current, 8.0 + 2.0 * exp(-3000.0 * k * 2e-4), 1e-6);
    }
}

// At every level, and with the motor running.
TEST(joint_current_loop, never_lets_more_through_than_its_limit)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_VOLTAGE);
    double              most = 0.0;
    for (int k = 0; k < 200; ++k) {
        command.voltage = k / 20 % 2 ? 96.0 : -96.0;
        rig_tick(&rig, &command);
        most = fmax(most, fabs(rig.plant.current));
    }
    CHECK(most > 25.0);
    CHECK(most < 1.05 * rig.control.options.current_limit); // the speed changes within a tick
}

// ---- Velocity -------------------------------------------------------------------------------

// A motor whose spring is too weak to load it.
static joint_rig unloaded(void)
{
    atemi_joint_plant_options   plant = quiet(atemi_joint_plant_options_default());
    atemi_joint_control_options control = atemi_joint_control_options_default();
    plant.drive.spring = control.drive.spring = 1e-3;
    plant.drive.spring_damping = control.drive.spring_damping = 0.0;
    return rig_create(&plant, &control);
}

// Design: W_v W_c / (s^2 + W_c s + W_v W_c), 800 and 3000 rad/s, from when the first voltage acts.
TEST(joint_velocity_loop, steps_as_designed)
{
    joint_rig           rig = unloaded();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    const double        frequency = sqrt(800.0 * 3000.0), ratio = 0.5 * 3000.0 / frequency;
    double              samples[500];
    command.velocity = 0.3;
    for (int k = 0; k < 500; ++k) {
        rig_tick(&rig, &command);
        samples[k] = rig.plant.motor_velocity;
        CHECK_NEAR(samples[k] / 30.0, second_order(frequency, ratio, k * 2e-4), 0.025);
    }
    const step_response r = step_of(samples, 500, 2e-4, 30.0);
    CHECK_NEAR(r.rise, 2.2e-3, 0.3e-3); // a tick and a half
    CHECK(r.overshoot < 1e-3);
    CHECK_NEAR(r.steady, 0.0, 1e-4);
}

// The current while it runs is that of friction. Without feed-forward the integral finds it, later.
TEST(joint_velocity_loop, needs_no_integral_where_friction_is_known)
{
    joint_rig           known = unloaded(), unknown = unloaded();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    unknown.control.options.drive.coulomb = unknown.control.options.drive.viscous = 0.0;
    command.velocity = 0.3;
    double lag = 0.0, lag_without = 0.0;
    for (int k = 0; k < 500; ++k) {
        rig_tick(&known, &command);
        rig_tick(&unknown, &command);
        if (k >= 40) {
            lag = fmax(lag, fabs(known.plant.motor_velocity - 30.0));
            lag_without = fmax(lag_without, fabs(unknown.plant.motor_velocity - 30.0));
        }
    }
    const atemi_joint_drive *d = &known.plant.options.drive;
    const double             friction = d->coulomb + d->viscous * 30.0;
    CHECK_NEAR(known.plant.current, friction / d->torque_constant, 1e-3);
    CHECK_NEAR(unknown.plant.current, friction / d->torque_constant, 1e-3);
    CHECK(lag < 0.2);
    CHECK(lag_without > 2.0 * lag);
    CHECK(fabs(known.control.motor.excess) < 0.05 * fabs(unknown.control.motor.excess));
}

TEST(joint_velocity_loop, keeps_to_the_lower_of_both_speed_limits)
{
    joint_rig           rig = unloaded();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    command.velocity = 5.0;
    rig_run(&rig, &command, 0.1);
    CHECK_NEAR(rig.plant.motor_velocity, 100.0, 0.1);
    CHECK_EQUAL_INT(rig.output.faults, ATEMI_JOINT_COMMAND_LIMITED);
    command.speed_limit = 0.2;
    rig_run(&rig, &command, 0.1);
    CHECK_NEAR(rig.plant.motor_velocity, 20.0, 0.1);
}

// From where stop_rate times the distance is less than the speed, the distance dies out as
// exp(-stop_rate t), but for the lag of the loop. The motor never gets there.
TEST(joint_velocity_loop, comes_to_a_virtual_stop_without_hitting_it)
{
    joint_rig           rig = unloaded();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    rig.control.options.highest = 0.3;
    command.velocity = 1.0;
    const atemi_joint_drive *d = &rig.plant.options.drive;
    rig_run(&rig, &command, 0.3);
    const double before = 0.3 - rig.plant.motor_position / d->gear;
    rig_run(&rig, &command, 0.2);
    const double after = 0.3 - rig.plant.motor_position / d->gear;
    CHECK(before > 0.0 && before < 0.1);
    CHECK_NEAR(after / before, exp(-2.0), 0.04 * exp(-2.0));
    rig_run(&rig, &command, 2.0);
    CHECK(rig.plant.motor_position / d->gear < 0.3 + 1e-6);
    command.velocity = -1.0;
    rig_run(&rig, &command, 0.05);
    CHECK(rig.plant.motor_position / d->gear < 0.27);
}

// A current that the load takes all of, for half a second; then the load goes. An integral that had
// wound up would make the motor race.
TEST(joint_velocity_loop, leaves_a_saturated_current_without_windup)
{
    joint_rig           rig = unloaded();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    rig.control.options.current_limit = 0.08; // less than friction takes
    command.velocity = 0.3;
    rig_run(&rig, &command, 0.5);
    CHECK_NEAR(rig.plant.motor_velocity, 0.0, 1e-3);
    rig.control.options.current_limit = 30.0;
    double most = 0.0;
    for (int k = 0; k < 500; ++k) {
        rig_tick(&rig, &command);
        most = fmax(most, rig.plant.motor_velocity);
    }
    CHECK(most < 1.1 * 30.0);
    CHECK_NEAR(rig.plant.motor_velocity, 30.0, 0.05);
}

// ---- Torque ---------------------------------------------------------------------------------

// Design: W_v = 4 W_t puts two poles at 400 rad/s; 10 % to 90 % takes 3.36 / 400 = 8.4 ms. The
// spring has no damping here: with it the torque is ahead.
TEST(joint_torque_loop, steps_as_designed)
{
    joint_rig rig = rig_quiet();
    rig.plant.options.drive.spring_damping = rig.control.options.drive.spring_damping = 0.0;
    atemi_joint_command command = command_at(ATEMI_JOINT_TORQUE);
    double              samples[1000];
    rig.is_held = true;
    rig.control.options.torque_rate = INFINITY;
    command.torque = 20.0;
    for (int k = 0; k < 1000; ++k) {
        rig_tick(&rig, &command);
        samples[k] = atemi_joint_plant_torque(&rig.plant);
        CHECK_NEAR(samples[k] / 20.0, second_order(400.0, 1.0, k * 2e-4), 0.05);
    }
    const step_response r = step_of(samples, 1000, 2e-4, 20.0);
    CHECK_NEAR(r.rise, 8.4e-3, 1.0e-3);
    CHECK(r.overshoot < 0.005);
    CHECK_NEAR(r.steady, 0.0, 1e-3);
}

// Half of it is the damper's here.
TEST(joint_torque_loop, senses_the_damping_of_the_spring)
{
    atemi_joint_plant_options   plant = quiet(atemi_joint_plant_options_default());
    atemi_joint_control_options control = atemi_joint_control_options_default();
    plant.drive.spring_damping = control.drive.spring_damping = 100.0;
    joint_rig           rig = rig_create(&plant, &control);
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    rig.is_held = true;
    command.velocity = 0.1;
    rig_run(&rig, &command, 0.02);
    const double torque = atemi_joint_plant_torque(&rig.plant);
    rig_tick(&rig, &command);
    CHECK(torque > 18.0);
    CHECK_NEAR(rig.output.torque, torque, 0.05);
}

// Somebody swings the link by hand, 0.1 rad at 1 Hz, and should feel 0 N m. A motor with its gear
// but without control would give him J N^2 0.1 (2 pi)^2 = 3 N m, and friction of 3 N m besides.
static double torque_while_swung(bool feeds_forward)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_TORQUE);
    const double        w = 6.283185307179586, period = rig.control.options.period;
    double              most = 0.0;
    rig.plant.joint_position = -0.1;
    rig.plant.motor_position = -10.0;
    for (int k = 0; k < 10000; ++k) {
        const double t = k * period;
        command.acceleration = feeds_forward ? 0.1 * w * w * cos(w * t) : 0.0;
        atemi_joint_plant_measure(&rig.plant, &rig.measurement);
        atemi_joint_control_step(&rig.control, &rig.measurement, &command, &rig.output);
        atemi_joint_plant_apply(&rig.plant, rig.output.voltage);
        const double q = -0.1 * cos(w * t), next = -0.1 * cos(w * (t + period));
        atemi_joint_plant_follow(&rig.plant, period, q, (next - q) / period);
        most = k < 5000 ? most : fmax(most, fabs(atemi_joint_plant_torque(&rig.plant)));
    }
    return most;
}

TEST(joint_torque_loop, hides_rotor_and_friction_from_who_moves_the_link)
{
    CHECK(torque_while_swung(false) < 1.0);
    CHECK(torque_while_swung(true) < torque_while_swung(false));
}

// ---- Impedance ------------------------------------------------------------------------------

// k = m w^2 and d = 2 z sqrt(k m) make a link of any inertia the same second-order system.
TEST(joint_impedance_loop, gives_links_of_all_inertias_the_motion_asked_for)
{
    const double inertias[] = {0.5, 2.0, 10.0, 50.0}, ratios[] = {0.7, 1.2};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 2; ++j) {
            atemi_joint_plant_options plant = quiet(atemi_joint_plant_options_default());
            plant.link_inertia = inertias[i];
            const atemi_joint_control_options control = atemi_joint_control_options_default();
            joint_rig                         rig = rig_create(&plant, &control);
            atemi_joint_command command = command_impedance(inertias[i], 20.0, ratios[j]);
            const double        step = fmin(0.02, 20.0 / command.stiffness);
            double              samples[5000];
            command.position = step;
            for (int k = 0; k < 5000; ++k) {
                rig_tick(&rig, &command);
                samples[k] = rig.plant.joint_position / step;
                CHECK_NEAR(samples[k], second_order(20.0, ratios[j], k * 2e-4), 0.045);
            }
            const step_response r = step_of(samples, 5000, 2e-4, 1.0);
            CHECK_NEAR(r.overshoot, j == 0 ? 0.046 : 0.0, 0.016);
            CHECK_NEAR(r.steady, 0.0, 2e-3);
        }
    }
}

// A load bends the joint by load / stiffness; with integral it comes back.
TEST(joint_impedance_loop, gives_way_to_a_load_by_its_stiffness_unless_it_integrates)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
    rig.load = -40.0;
    rig_run(&rig, &command, 2.0);
    CHECK_NEAR(rig.plant.joint_position, -40.0 / command.stiffness, 1e-4);
    command.integral = 8000.0;
    command.windup_limit = 60.0;
    rig_run(&rig, &command, 6.0);
    CHECK_NEAR(rig.plant.joint_position, 0.0, 1e-5);
}

// A person holds the joint 0.05 rad off for five seconds and lets go. Feedback and integral were at
// their limits; the joint comes back without racing past its goal.
TEST(joint_impedance_loop, leaves_its_limits_without_windup)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
    command.integral = 8000.0;
    command.windup_limit = 10.0;
    command.feedback_limit = 20.0;
    command.position = 0.05;
    rig.is_held = true;
    for (int k = 0; k < 25000; ++k) {
        rig_tick(&rig, &command);
        CHECK(fabs(rig.control.integral) <= 10.0 && fabs(rig.output.feedback_torque) <= 20.0);
    }
    CHECK_NEAR(atemi_joint_plant_torque(&rig.plant), 20.0, 0.05);
    rig.is_held = false;
    double most = 0.0;
    for (int k = 0; k < 15000; ++k) {
        rig_tick(&rig, &command);
        most = fmax(most, rig.plant.joint_position);
    }
    CHECK(most < 1.1 * 0.05);
    CHECK_NEAR(rig.plant.joint_position, 0.05, 1e-3);
}

// Where feedback is at its limit anyway, the integral does not move; else it stops at its own.
TEST(joint_impedance_loop, integrates_up_to_its_limit_and_not_behind_another)
{
    const double limits[] = {20.0, INFINITY}, integrals[] = {0.0, 10.0};
    for (int i = 0; i < 2; ++i) {
        joint_rig           rig = rig_quiet();
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        command.position = 0.05;
        command.integral = 8000.0;
        command.windup_limit = 10.0;
        command.feedback_limit = limits[i];
        rig.is_held = true;
        rig_run(&rig, &command, 1.0);
        CHECK_NEAR(rig.control.integral, integrals[i], 0.0);
    }
}

// On either side, and where the limit holds it only together with the integral: 4000 N m/rad times
// 0.05 rad are 200 N m, which leaves it 5 N m, but for a step of 8000 x 0.05 x 0.2 ms.
TEST(joint_impedance_loop, integrates_no_farther_than_feedback_has_room)
{
    const double limits[] = {20.0, 20.0, 205.0, 205.0}, sides[] = {1.0, -1.0, 1.0, -1.0};
    const double integrals[] = {0.0, 0.0, 5.0, -5.0};
    for (int i = 0; i < 4; ++i) {
        joint_rig           rig = rig_quiet();
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        command.position = 0.05 * sides[i];
        command.integral = 8000.0;
        command.windup_limit = 10.0;
        command.feedback_limit = limits[i];
        rig.is_held = true;
        rig_run(&rig, &command, 1.0);
        CHECK_NEAR(rig.control.integral, integrals[i], 8000.0 * 0.05 * 2e-4);
    }
}

// Where damping acts against it, the integral goes on until both together are at the limit: -5 + 25
// N m, but for a step of 8000 x 0.05 x 0.2 ms.
TEST(joint_impedance_loop, integrates_against_the_damping_up_to_the_limit_of_both)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_IMPEDANCE);
    command.position = 0.05;
    command.velocity = -0.5;
    command.damping = 10.0;
    command.integral = 8000.0;
    command.windup_limit = 100.0;
    command.feedback_limit = 20.0;
    rig.is_held = true;
    rig_run(&rig, &command, 1.0);
    CHECK_NEAR(rig.control.integral, 25.0, 8000.0 * 0.05 * 2e-4);
}

// q_r = q + v t + a t^2 / 2 and q_r' = v + a t, for a command period.
TEST(joint_impedance_loop, goes_on_between_commands_as_the_last_one_says)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_IMPEDANCE);
    command.stiffness = 100.0;
    command.damping = 3.0;
    command.position = 0.01;
    command.velocity = 0.1;
    command.acceleration = 2.0;
    rig.is_held = true;
    rig_tick(&rig, &command);
    for (int k = 1; k < 200; ++k) {
        rig_tick(&rig, NULL);
        const double t = fmin(k * 2e-4, 0.02);
        const double position = 0.01 + 0.1 * t + t * t, velocity = 0.1 + 2.0 * t;
        CHECK_NEAR(rig.output.feedback_torque, 100.0 * position + 3.0 * velocity, 1e-9);
    }
}

TEST(joint_impedance_loop, asks_for_no_more_than_the_joint_can_bear)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_IMPEDANCE);
    command.gravity_torque = command.inertia_torque = 300.0;
    rig.is_held = true;
    rig_run(&rig, &command, 0.5);
    CHECK_NEAR(rig.output.torque_demand, 330.0, 0.0);
}

// [R2] III-B, and its notes: limits clip the feedback only.
TEST(joint_impedance_loop, limits_feedback_and_leaves_feed_forward_in_full)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        joint_rig           rig = rig_quiet();
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        command.position = 0.5;
        command.feedback_limit = 20.0;
        command.gravity_torque = sign * 80.0;
        command.inertia_torque = sign * 30.0;
        rig.is_held = true;
        rig_run(&rig, &command, 0.5);
        CHECK_NEAR(rig.output.feedback_torque, 20.0, 0.0);
        CHECK_NEAR(rig.output.torque_demand, 20.0 + sign * 110.0, 1e-12);
        CHECK_NEAR(atemi_joint_plant_torque(&rig.plant), 20.0 + sign * 110.0, 0.1);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    }
}

TEST(joint_impedance_loop, asks_for_torques_that_change_no_faster_than_allowed)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
    double              before = 0.0;
    for (int k = 0; k < 2000; ++k) {
        command.position = k / 300 % 2 ? 0.1 : -0.1;
        command.gravity_torque = k / 500 % 2 ? 50.0 : -50.0;
        rig_tick(&rig, &command);
        CHECK(fabs(rig.output.torque_demand - before) <= 5000.0 * 2e-4 + 1e-9);
        before = rig.output.torque_demand;
    }
}

// Another level hands over the torque that there is.
TEST(joint_impedance_loop, takes_over_from_another_level_without_a_jump)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_POSITION);
    rig.is_held = true;
    command.position = 0.01;
    rig_run(&rig, &command, 0.5);
    const double torque = rig.output.torque;
    CHECK_NEAR(torque, 50.0, 0.5);
    command = command_impedance(10.0, 20.0, 1.2);
    rig_tick(&rig, &command);
    CHECK_NEAR(rig.output.torque_demand, torque, 5000.0 * 2e-4 + 0.01);
}

// Commands of 50 Hz go on by their own velocity and acceleration in between: [R2] II-A finds no
// noticeable degradation.
static double tracking_error(int ticks_per_command)
{
    joint_rig rig = rig_quiet();
    double    worst = 0.0;
    for (int k = 0; k < 10000; ++k) {
        const double        t = k * 2e-4, w = 3.0;
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        command.position = 0.2 * (1.0 - cos(w * t));
        command.velocity = 0.2 * w * sin(w * t);
        command.acceleration = 0.2 * w * w * cos(w * t);
        command.inertia_torque = 10.0 * command.acceleration;
        rig_tick(&rig, k % ticks_per_command == 0 ? &command : NULL);
        worst = k < 5000 ? worst : fmax(worst, fabs(rig.plant.joint_position - command.position));
    }
    return worst;
}

TEST(joint_impedance_loop, tracks_commands_of_50_hz_as_well_as_those_of_every_tick)
{
    const double slow = tracking_error(100), fast = tracking_error(1);
    CHECK(fast < 1e-3 * 0.2);
    CHECK(slow - fast < 1e-3 * 0.2); // of the way
}

// ---- Levels ---------------------------------------------------------------------------------

TEST(joint_control, takes_a_command_at_every_level_and_leaves_out_the_loops_outside_of_it)
{
    const atemi_joint_level levels[] = {ATEMI_JOINT_VOLTAGE,   ATEMI_JOINT_CURRENT,
                                        ATEMI_JOINT_VELOCITY,  ATEMI_JOINT_TORQUE,
                                        ATEMI_JOINT_IMPEDANCE, ATEMI_JOINT_POSITION};
    for (int i = 0; i < 6; ++i) {
        joint_rig           rig = rig_quiet();
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.0);
        rig.is_held = true;
        command.level = levels[i];
        command.voltage = 0.4;
        command.current = 0.8;
        command.velocity = levels[i] == ATEMI_JOINT_VELOCITY ? 0.1 : 0.0;
        command.torque = 10.0;
        command.position = 0.002;
        rig_run(&rig, &command, 0.01);
        const bool torques = levels[i] == ATEMI_JOINT_TORQUE || levels[i] == ATEMI_JOINT_IMPEDANCE;
        const bool velocities = torques || i == 2 || i == 5;
        CHECK((rig.output.torque_demand != 0.0) == torques);
        CHECK((rig.output.feedback_torque != 0.0) == (levels[i] == ATEMI_JOINT_IMPEDANCE));
        CHECK((rig.output.velocity_demand != 0.0) == velocities);
        CHECK((rig.output.current_demand != 0.0) == (levels[i] != ATEMI_JOINT_VOLTAGE));
        CHECK(rig.output.voltage > 0.0);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
        if (levels[i] == ATEMI_JOINT_VOLTAGE) {
            CHECK_NEAR(rig.output.voltage, 0.4, 1e-12);
        }
    }
}

// The current is that of torque and friction, and the spring need not be measured well.
TEST(joint_control, gives_a_direct_torque_past_torque_and_velocity_loop)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_TORQUE);
    rig.is_held = true;
    command.direct_torque = true;
    command.torque = 20.0;
    rig_run(&rig, &command, 0.5);
    const atemi_joint_drive *d = &rig.plant.options.drive;
    CHECK_NEAR(rig.output.velocity_demand, 0.0, 0.0);
    CHECK_NEAR(rig.output.current_demand, 20.0 / d->gear / d->torque_constant, 0.02);
    CHECK_NEAR(atemi_joint_plant_torque(&rig.plant), 20.0, d->coulomb * d->gear + 0.1);
    command.acceleration = 2.0;
    rig_tick(&rig, &command);
    const double rotor = d->rotor_inertia * d->gear * 2.0;
    CHECK_NEAR(rig.output.current_demand, (0.2 + rotor) / d->torque_constant, 1e-9);
}

TEST(joint_control, gives_no_voltage_before_the_first_command)
{
    joint_rig rig = rig_quiet();
    rig_run(&rig, NULL, 1.0);
    CHECK_NEAR(rig.output.voltage, 0.0, 1e-12);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
}

// ---- Without spring -------------------------------------------------------------------------

// Design at 500 Hz: W_v = 4 W_p puts two poles at 40 rad/s; 10 % to 90 % takes 3.36 / 40 = 84 ms.
// The current loop and the ticks add some 10 ms of delay.
TEST(joint_without_spring, steps_as_designed_with_noise_and_any_link)
{
    const double links[] = {0.02, 1.0};
    for (int i = 0; i < 2; ++i) {
        joint_rig rig = rig_rigid();
        rig.plant.options.link_inertia = rig.control.options.link_inertia = links[i];
        atemi_joint_control_restart(&rig.control);
        atemi_joint_command command = command_at(ATEMI_JOINT_POSITION);
        double              samples[500];
        command.position = 0.05;
        for (int k = 0; k < 500; ++k) {
            rig_tick(&rig, &command);
            samples[k] = rig.plant.joint_position;
        }
        const step_response r = step_of(samples, 500, 2e-3, 0.05);
        CHECK_NEAR(r.rise, 84e-3, 12e-3);
        CHECK(r.overshoot < 0.02);
        CHECK_NEAR(r.steady, 0.0, 2e-3);
        CHECK(r.ripple < 4e-3);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    }
}

TEST(joint_without_spring, tracks_a_moving_goal)
{
    joint_rig rig = rig_rigid();
    double    worst = 0.0;
    for (int k = 0; k < 2000; ++k) {
        const double        t = k * 2e-3, w = 3.0;
        atemi_joint_command command = command_at(ATEMI_JOINT_POSITION);
        command.position = 0.2 * (1.0 - cos(w * t));
        command.velocity = 0.2 * w * sin(w * t);
        command.acceleration = 0.2 * w * w * cos(w * t);
        rig_tick(&rig, &command);
        worst = k < 500 ? worst : fmax(worst, fabs(rig.plant.joint_position - command.position));
    }
    CHECK(worst < 0.005);
}

TEST(joint_without_spring, takes_an_impedance_as_direct_torque_only)
{
    joint_rig           rig = rig_rigid();
    atemi_joint_command command = command_impedance(0.168, 15.0, 1.0);
    command.position = 0.05;
    rig_tick(&rig, &command);
    CHECK_EQUAL_INT(rig.output.faults, ATEMI_JOINT_COMMAND_UNFIT);
    command.direct_torque = true;
    rig_run(&rig, &command, 2.0);
    const atemi_joint_drive *d = &rig.plant.options.drive;
    CHECK_NEAR(rig.plant.joint_position, 0.05, d->coulomb * d->gear / command.stiffness);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
}

// ---- Stability ------------------------------------------------------------------------------

// Noise of a count, a tick of delay, and a model that is wrong by a third in everything.
TEST(joint_control, is_stable_with_noise_delay_and_a_wrong_model)
{
    for (int i = 0; i < 32; ++i) {
        const double                off[2] = {0.7, 1.3};
        atemi_joint_plant_options   plant = atemi_joint_plant_options_default();
        atemi_joint_control_options control = atemi_joint_control_options_default();
        plant.seed = (uint64_t)i;
        plant.drive.resistance *= off[i & 1];
        plant.drive.inductance *= off[i >> 1 & 1];
        plant.drive.coulomb *= off[i >> 2 & 1];
        plant.drive.rotor_inertia *= off[i >> 3 & 1];
        plant.drive.spring *= off[i >> 4 & 1];
        check_note_seed(plant.seed);
        joint_rig           rig = rig_create(&plant, &control);
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        command.position = 0.02;
        rig_run(&rig, &command, 1.0);
        double ripple = 0.0;
        for (int k = 0; k < 5000; ++k) {
            rig_tick(&rig, &command);
            ripple = fmax(ripple, fabs(atemi_joint_plant_torque(&rig.plant)));
        }
        CHECK(ripple < 3.0);
        CHECK_NEAR(rig.plant.joint_position, 0.02, 5e-4);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    }
}

TEST(joint_control, works_without_delay_and_without_current_sensing)
{
    for (int i = 0; i < 4; ++i) {
        atemi_joint_plant_options   plant = atemi_joint_plant_options_default();
        atemi_joint_control_options control = atemi_joint_control_options_default();
        plant.acts_next_tick = control.acts_next_tick = i & 1;
        control.senses_current = i >> 1;
        joint_rig           rig = rig_create(&plant, &control);
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        command.position = 0.02;
        rig_run(&rig, &command, 2.0);
        CHECK_NEAR(rig.plant.joint_position, 0.02, 2e-4);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    }
}

// ---- Options --------------------------------------------------------------------------------

static void check_refused(const atemi_joint_control_options *options, const char *part)
{
    atemi_joint_control control;
    atemi_error         error;
    CHECK_STATUS(atemi_joint_control_start(options, &control, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, part);
}

// 5000 N m/rad / 200 rad/s x (1/800 + 1/3000 + 1/10000) s. tests/control/test_workspace_dynamics.c
// has links of a third of it, which swing as they shall if it is counted.
TEST(joint_control, leaves_little_of_its_rotor_and_without_spring_none_apart)
{
    const atemi_joint_control_options leg = atemi_joint_control_options_default();
    const atemi_joint_control_options wrist = atemi_joint_control_options_rigid();
    CHECK_NEAR(atemi_joint_control_loop_inertia(&leg), 0.0420833333, 1e-9);
    CHECK_NEAR(atemi_joint_control_loop_inertia(&wrist), 0.0, 0.0);
}

TEST(joint_control, refuses_options_that_cannot_be)
{
    const atemi_joint_control_options fine = atemi_joint_control_options_default();
    atemi_joint_control_options       o = fine;
    o.period = NAN;
    check_refused(&o, "the period of the joint control is nan s");
    o = fine;
    o.drive.gear = -100.0;
    check_refused(&o, "the gear of the drive is -100");
    o = fine;
    o.velocity_bandwidth = 2000.0;
    check_refused(&o,
                  "velocity bandwidth of the joint control is 2000 rad/s: the period allows 1250");
    o = fine;
    o.torque_bandwidth = 500.0;
    check_refused(&o, "half the velocity bandwidth allows 400");
    o = fine;
    o.lowest = 1.0;
    o.highest = -1.0;
    check_refused(&o, "give the lower first");
    atemi_joint_control control;
    CHECK_BREAKS_CONTRACT(atemi_joint_control_start(NULL, &control, NULL));
    CHECK_BREAKS_CONTRACT(atemi_joint_control_step(&control, NULL, NULL, NULL));
}

// ---- Real time ------------------------------------------------------------------------------

// A second of all levels, in which faults come and go.
static unsigned run_everything(joint_rig *rig)
{
    for (int k = 0; k < 5000; ++k) {
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        command.level = (atemi_joint_level)(k / 100 % 6);
        command.velocity = 2.0;
        command.position = 0.01;
        command.integral = 100.0;
        command.stiffness = k % 7 ? 4000.0 : (double)NAN;
        atemi_joint_plant_measure(&rig->plant, &rig->measurement);
        if (k % 50 == 0) {
            rig->measurement.joint_position = NAN;
        }
        rig_answer(rig, k % 3 ? &command : NULL);
        if (k % 1000 == 999) {
            atemi_joint_control_restart(&rig->control);
        }
    }
    return atemi_joint_control_history(&rig->control);
}

TEST(joint_control, does_not_allocate)
{
    joint_rig rig = rig_quiet();
    allocations_begin();
    const unsigned faults = run_everything(&rig);
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK(faults & ATEMI_JOINT_JOINT_READING);
}

static void run_without_system(void *context)
{
    run_everything((joint_rig *)context);
}

TEST(joint_control, does_not_call_the_system)
{
    joint_rig rig = rig_quiet();
    check_no_system_calls(run_without_system, &rig);
}
