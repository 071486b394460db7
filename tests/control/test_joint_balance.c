// SPDX-License-Identifier: Apache-2.0

#include "atemi/joint_control.h"
#include "check.h"
#include "joint_rig.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// The spring's torque, that two encoders show, against the motor's current. In the letters of
// src/control/joint_balance.c; E, F and m are the uncertainties that docs/theory/joint_control.md
// states, typed here anew.
static const double m = 0.3, F = 2.0;

static atemi_joint_control_options options(void)
{
    return atemi_joint_control_options_default();
}

// What a joint whose spring bears nothing leaves to a slip, N m at the joint: all that is seen of
// its torque is wrong, and the model may be wrong by m of that.
static double least_seen(double motor_speed)
{
    const atemi_joint_control_options o = options();
    const atemi_joint_drive          *d = &o.drive;
    const double                      friction = F * (d->coulomb + d->viscous * fabs(motor_speed));
    return d->gear * (o.stuck_torque + friction) / (1.0 - m);
}

// What a low-pass lags behind a ramp, and what lasts.
static double lag(void)
{
    return 2.0 / options().torque_bandwidth;
}

// Noise and steps of the joint's encoder alone, which is not to look stuck where the link is held.
static joint_rig rig_lively(void)
{
    atemi_joint_plant_options         plant = quiet(atemi_joint_plant_options_default());
    const atemi_joint_control_options control = options();
    plant.joint_deviation = atemi_joint_plant_options_default().joint_deviation;
    return rig_create(&plant, &control);
}

// Goes on until the joint stops, with a reading that loses part of what its encoder moves by, and
// drifts. s, infinite where it does not stop.
typedef struct slip {
    bool   of_joint;
    double fraction, drift; ///< of the motion; rad/s
} slip;

static double time_to_stop(joint_rig *rig, const atemi_joint_command *command, slip slips,
                           double patience)
{
    const double period = rig->control.options.period;
    const int    ticks = (int)lround(patience / period);
    double       begun = 0.0;
    for (int k = 0; k < ticks; ++k) {
        atemi_joint_plant_measure(&rig->plant, &rig->measurement);
        double *reading =
            slips.of_joint ? &rig->measurement.joint_position : &rig->measurement.motor_position;
        begun = k == 0 ? *reading : begun;
        *reading += slips.drift * k * period - slips.fraction * (*reading - begun);
        rig_answer(rig, command);
        if (rig->output.state == ATEMI_JOINT_SAFE_STOP) {
            return k * period;
        }
    }
    return (double)INFINITY;
}

// A drive at rest without current, its link held. The coupling of the motor's encoder creeps by v:
// after t the spring seems to bear k v t / N, and nothing has moved. The friction that the
// controller believes in at that speed adds to what it does not understand. The noise of the
// joint's encoder, a step of 1.2e-5 rad, is allowed 0.05 N m of 23.
TEST(joint_balance, a_creeping_encoder_is_found_when_the_closed_form_says)
{
    const double speeds[] = {0.02, 0.1, 0.3}; // rad/s of the motor
    for (int i = 0; i < 3; ++i) {
        joint_rig                 rig = rig_lively();
        const atemi_joint_command command = command_at(ATEMI_JOINT_CURRENT);
        const atemi_joint_drive   d = options().drive;
        const double              v = speeds[i], creep = d.spring * v / d.gear;
        const double              seen = d.gear * (d.coulomb + d.viscous) * v;
        const double              expected = (least_seen(v) - seen) / creep + lag();
        rig.is_held = true;
        rig_run(&rig, &command, 0.1);
        const slip   slips = {false, 0.0, v};
        const double found = time_to_stop(&rig, &command, slips, 2.0 * expected);
        CHECK_NEAR(found, expected, 2.0 * options().period + 4e-3 * expected);
        CHECK_EQUAL_INT(rig.control.stop.faults, ATEMI_JOINT_TORQUE_CONTRADICTED);
    }
}

// A link that is led at a steady speed, by a joint that is to bear nothing. Each rad that the
// coupling loses is k at the joint. A sudden loss of speed is seen as such, and before that.
TEST(joint_balance, a_coupling_that_slips_is_found_no_later_than_the_closed_form_says)
{
    const double fractions[] = {0.01, 0.05, 0.2, 0.5, 0.9};
    for (int of_joint = 0; of_joint < 2; ++of_joint) {
        for (int i = 0; i < 5; ++i) {
            joint_rig                 rig = rig_lively();
            const atemi_joint_command command = command_at(ATEMI_JOINT_TORQUE);
            const atemi_joint_drive   d = options().drive;
            const double              s = fractions[i], speed = 0.3;
            const double              turns = of_joint ? 1.0 - s : 1.0 / (1.0 - s);
            const double              expected =
                least_seen(d.gear * speed * turns) / (d.spring * s * speed) + lag();
            rig.is_held = true;
            rig.speed = speed;
            rig_run(&rig, &command, 0.5);
            const slip   slips = {of_joint, s, 0.0};
            const double found = time_to_stop(&rig, &command, slips, 2.0 * expected);
            CHECK(found <= 1.01 * expected + 2.0 * options().period);
            CHECK(s > 0.05 || found > 0.9 * expected);
            CHECK_EQUAL_INT(rig.control.stop.faults, ATEMI_JOINT_TORQUE_CONTRADICTED);
        }
    }
}

// What is not found is bounded: the link feels what is commanded, but for the slip.
TEST(joint_balance, a_slip_below_the_allowance_leaves_a_torque_that_is_off_by_no_more)
{
    joint_rig           rig = rig_lively();
    atemi_joint_command command = command_at(ATEMI_JOINT_TORQUE);
    command.torque = 20.0;
    rig.is_held = true;
    rig_run(&rig, &command, 0.5);
    const double off = 0.8 * least_seen(0.0);
    const slip   slips = {false, 0.0, off / options().drive.spring * 25.0}; // in 4 s
    CHECK(isinf(time_to_stop(&rig, &command, slips, 4.0)));
    CHECK_NEAR(atemi_joint_plant_torque(&rig.plant), 20.0 - off, 0.1);
}

// ---- No alarm -------------------------------------------------------------------------------

// A joint with noise that goes to and fro, takes up a load within a tick, and bears it.
static void check_no_alarm(joint_rig *rig)
{
    for (int k = 0; k < 10000; ++k) {
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        const double        t = k * 2e-4;
        command.position = 0.3 * sin(4.0 * t);
        command.velocity = 1.2 * cos(4.0 * t);
        command.feedback_limit = 100.0;
        command.gravity_torque = t > 1.0 ? 60.0 : 0.0;
        rig->load = t > 1.0 ? -60.0 : 0.0;
        rig_tick(rig, &command);
        CHECK_EQUAL_INT(rig->control.stop.faults, 0);
    }
}

// Torque constant, spring, rotor and resistance off by m in every combination, friction from none
// to 1 + F times what is believed.
TEST(joint_balance, a_model_within_its_uncertainty_gives_no_alarm)
{
    for (int mask = 0; mask < 32; ++mask) {
        atemi_joint_plant_options plant = atemi_joint_plant_options_default();
        const double              sign[2] = {-1.0, 1.0};
        plant.seed = (uint64_t)mask + 1;
        plant.drive.torque_constant *= 1.0 + m * sign[mask & 1];
        plant.drive.spring *= 1.0 + m * sign[mask >> 1 & 1];
        plant.drive.rotor_inertia *= 1.0 + m * sign[mask >> 2 & 1];
        plant.drive.resistance *= 1.0 + m * sign[mask >> 3 & 1];
        const double friction = mask >> 4 & 1 ? 1.0 + F : 0.0;
        plant.drive.coulomb *= friction;
        plant.drive.viscous *= friction;
        const atemi_joint_control_options control = options();
        joint_rig                         rig = rig_create(&plant, &control);
        rig.plant.options.highest = 0.25; // which it hits
        check_no_alarm(&rig);
    }
}

// Resistance and back EMF are off by two thirds of m: what the motor's tracker lags behind a
// current that is not there takes the rest.
TEST(joint_balance, a_joint_that_does_not_sense_its_current_gives_no_alarm)
{
    for (int mask = 0; mask < 4; ++mask) {
        atemi_joint_plant_options   plant = atemi_joint_plant_options_default();
        atemi_joint_control_options control = options();
        control.senses_current = false;
        plant.drive.resistance /= mask & 1 ? 1.2 : 0.8;
        plant.drive.back_emf *= mask & 2 ? 1.2 : 0.8;
        joint_rig rig = rig_create(&plant, &control);
        check_no_alarm(&rig);
    }
}

// At rest its model is as good as any.
TEST(joint_balance, a_joint_that_does_not_sense_its_current_finds_a_creeping_encoder)
{
    joint_rig                 rig = rig_lively();
    const atemi_joint_command command = command_at(ATEMI_JOINT_CURRENT);
    const double              v = 0.02, creep = options().drive.spring * v / options().drive.gear;
    rig.control.options.senses_current = false;
    rig.is_held = true;
    rig_run(&rig, &command, 0.1);
    const slip slips = {false, 0.0, v};
    CHECK_NEAR(time_to_stop(&rig, &command, slips, 40.0), least_seen(v) / creep,
               0.03 * least_seen(v) / creep);
}

// ---- What it says ---------------------------------------------------------------------------

TEST(joint_balance, says_by_how_much_and_what_to_look_at)
{
    joint_rig                 rig = rig_lively();
    const atemi_joint_command command = command_at(ATEMI_JOINT_CURRENT);
    const slip                slips = {false, 0.0, 0.1};
    char                      text[256];
    rig.is_held = true;
    time_to_stop(&rig, &command, slips, 10.0);
    CHECK(rig.control.stop.contradiction > rig.control.stop.allowance);
    CHECK_NEAR(rig.control.stop.contradiction, least_seen(0.1), 0.2);
    atemi_joint_fault_describe(&rig.control, ATEMI_JOINT_TORQUE_CONTRADICTED, text, sizeof text);
    CHECK(strstr(text, "disagrees with the motor's current by 22.9 N m") != NULL);
    CHECK(strstr(text, "couplings of both encoders") != NULL);
    CHECK_EQUAL_STRING(atemi_joint_fault_text(ATEMI_JOINT_TORQUE_CONTRADICTED),
                       "torque contradicted");
}
