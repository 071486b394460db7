// SPDX-License-Identifier: Apache-2.0

// Control of a joint at other periods than its default, and of one whose drive takes torques.

#include "allocations.h"
#include "atemi/control_loop.h"
#include "atemi/coordination.h"
#include "atemi/model_builder.h"
#include "check.h"
#include "joint_rig.h"

#include <math.h>
#include <string.h>

static const double rates[] = {500.0, 1000.0, 2000.0, 5000.0, 10000.0}; // Hz

// The motor of a leg joint answers to voltages in 0.4 ms: slower ticks cannot control it by them.
static const double voltage_rates[] = {1250.0, 2000.0, 5000.0, 10000.0};

// ---- With a spring --------------------------------------------------------------------------

// A leg joint without friction whose spring is as slow as its loops are.
static atemi_joint_drive drive_for(double period)
{
    const double      slower = fmax(period / 2e-4, 1.0);
    atemi_joint_drive drive = atemi_joint_drive_default();
    drive.spring /= slower * slower;
    drive.spring_damping /= slower;
    drive.coulomb = drive.viscous = 0.0;
    return drive;
}

// A tenth of the torque loop's bandwidth is what a leg joint has at 5 kHz, where its step agrees
// with the closed form within 4.5 % of the step (docs/theory/joint_control.md). All loops have the
// same proportions at other periods, and the same 5 % are allowed.
TEST(joint_period, gives_the_same_step_in_units_of_the_period)
{
    const double ratio = 1.2, step = 0.005; // small: torques change at a limited rate
    for (size_t i = 0; i < sizeof voltage_rates / sizeof *voltage_rates; ++i) {
        atemi_joint_control_options o = atemi_joint_control_options_default();
        atemi_joint_plant_options   plant = quiet(atemi_joint_plant_options_default());
        o.drive = plant.drive = drive_for(1.0 / voltage_rates[i]);
        o = atemi_joint_control_options_at(&o, 1.0 / voltage_rates[i]);
        joint_rig           rig = rig_create(&plant, &o);
        const double        w = 0.1 * o.torque_bandwidth;
        const double        m = plant.link_inertia + atemi_joint_control_loop_inertia(&o);
        atemi_joint_command command = atemi_joint_command_default();
        command.position = step;
        command.stiffness = m * w * w;
        command.damping = 2.0 * ratio * m * w;
        for (int k = 0; k * o.period * w < 10.0; ++k) {
            rig_tick(&rig, &command);
            const double t = k * o.period; // since the first voltage acts
            CHECK_NEAR(rig.plant.joint_position / step, second_order(w, ratio, t), 0.05);
        }
        CHECK(rig.output.state == ATEMI_JOINT_OK);
    }
}

// A period that is shorter than the default's changes nothing but itself. Every one is accepted
// that the motor allows: two of its time constants J R / (K_t K_e), 0.401 and 5.357 ms.
TEST(joint_period, lowers_only_what_it_bounds)
{
    const atemi_joint_control_options given = atemi_joint_control_options_default();
    atemi_joint_control_options       fast = atemi_joint_control_options_at(&given, 1e-4);
    fast.period = given.period;
    CHECK(memcmp(&fast, &given, sizeof given) == 0);
    const atemi_joint_control_options same = atemi_joint_control_options_at(&given, given.period);
    CHECK_NEAR(same.velocity_bandwidth, given.velocity_bandwidth, 0.0);
    const atemi_joint_control_options rigid = atemi_joint_control_options_rigid();
    for (double period = 1e-5; period < 0.1; period *= 1.5) {
        const atemi_joint_control_options a = atemi_joint_control_options_at(&given, period);
        const atemi_joint_control_options b = atemi_joint_control_options_at(&rigid, period);
        atemi_joint_control               control;
        CHECK((atemi_joint_control_start(&a, &control, NULL) == ATEMI_OK) == (period < 0.802e-3));
        CHECK((atemi_joint_control_start(&b, &control, NULL) == ATEMI_OK) == (period < 10.71e-3));
    }
    const atemi_joint_control_options slow = atemi_joint_control_options_at(&given, 1e-3);
    atemi_joint_control               control;
    atemi_error                       error;
    CHECK_STATUS(atemi_joint_control_start(&slow, &control, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "0.001 s: its motor answers");
}

// ---- A drive that takes torques -------------------------------------------------------------

static const double inertia = 2.0; // kg m^2, of link and rotor

typedef struct effort_rig {
    atemi_joint_control control;
    atemi_joint_output  output;
    atemi_joint_command command;
    double              q, v, held, friction; ///< held: the torque that acts, a tick late
} effort_rig;

static effort_rig effort_create(double period)
{
    atemi_joint_control_options o = atemi_joint_control_options_default();
    effort_rig                  rig = {0};
    o.takes_torque = true;
    o.torque_limit = 100.0;
    o.speed_limit = 5.0;
    o.torque_rate = INFINITY;
    o = atemi_joint_control_options_at(&o, period);
    CHECK_STATUS(atemi_joint_control_start(&o, &rig.control, NULL), ATEMI_OK);
    rig.command = atemi_joint_command_default();
    return rig;
}

// A torque that is held moves an inertia along a parabola: exact.
static void effort_tick(effort_rig *rig, double reading)
{
    const atemi_joint_measurement measured = {.joint_position = reading};
    const double                  T = rig->control.options.period;
    atemi_joint_control_step(&rig->control, &measured, &rig->command, &rig->output);
    const double a = (rig->held - rig->friction * rig->v) / inertia;
    rig->q += T * (rig->v + 0.5 * T * a);
    rig->v += T * a;
    rig->held = rig->output.torque_demand;
}

// 3 %: a delay of one and a half ticks of 2 ms is 3 % of the time constant of 10 rad/s.
TEST(joint_effort, steps_as_second_order_at_every_rate)
{
    const double w = 10.0, z = 1.2;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
        effort_rig rig = effort_create(1.0 / rates[i]);
        rig.command.position = 0.1;
        rig.command.stiffness = inertia * w * w;
        rig.command.damping = 2.0 * z * inertia * w;
        for (int k = 0; k < rates[i]; ++k) {
            effort_tick(&rig, rig.q);
            CHECK_NEAR(rig.q / 0.1, second_order(w, z, (k + 1) / rates[i]), 0.03);
        }
        CHECK(rig.output.state == ATEMI_JOINT_OK);
        CHECK_NEAR(rig.output.torque, rig.output.torque_demand, 1e-3);
    }
}

// Margins are of the loop that runs: with 0.8 of the gain margin a joint comes to rest, with 1.2 it
// shakes; 1 kHz, damping that is too much for it.
TEST(joint_effort, is_stable_up_to_its_gain_margin)
{
    for (int shakes = 0; shakes < 2; ++shakes) {
        effort_rig                   rig = effort_create(1e-3);
        atemi_joint_control_options *o = &rig.control.options;
        o->drive.rotor_inertia = 1.0 / (o->drive.gear * o->drive.gear);
        CHECK_NEAR(atemi_joint_control_loop_inertia(o), 1.0, 1e-12);
        const atemi_joint_link   link = {.inertia = inertia - 1.0};
        const double             K = 800.0, D = 400.0;
        const atemi_joint_margin margin = atemi_joint_control_margin(o, K, D, link);
        CHECK(margin.stable && margin.gain > 1.0 && margin.gain < 10.0);
        const double part = (shakes ? 1.2 : 0.8) * margin.gain;
        rig.command.stiffness = part * K;
        rig.command.damping = part * D;
        rig.command.position = 1e-4;
        o->speed_limit = 1e3;
        for (int k = 0; k < 3000; ++k) {
            effort_tick(&rig, rig.q);
        }
        CHECK((fabs(rig.v) < 1e-6) == !shakes);
    }
}

// The acceleration that is commanded moves the rotor, and limits hold whatever is asked for.
TEST(joint_effort, feeds_its_rotor_forward_within_its_limit)
{
    effort_rig   rig = effort_create(1e-3);
    const double rotor = rig.control.options.drive.rotor_inertia * 1e4;
    rig.command.acceleration = 2.0;
    effort_tick(&rig, 0.0);
    CHECK_NEAR(rig.output.torque_demand, 2.0 * rotor, 1e-12);
    rig.command.inertia_torque = rig.command.gravity_torque = 90.0;
    effort_tick(&rig, 0.0);
    CHECK_NEAR(rig.output.torque_demand, 100.0, 0.0);
    CHECK_NEAR(rig.output.voltage, 0.0, 0.0);
}

// Without commands it stops as a damper, 20 N m s/rad for 100 N m at 5 rad/s: v falls by exp(-10
// t).
TEST(joint_effort, brakes_like_a_damper_and_gives_nothing_without_a_reading)
{
    effort_rig rig = effort_create(1e-3);
    rig.command.stiffness = 200.0;
    for (int k = 0; k < 100; ++k) {
        effort_tick(&rig, rig.q);
    }
    rig.v = 1.0;
    const atemi_joint_control_options o = rig.control.options;
    CHECK_STATUS(atemi_joint_control_start(&o, &rig.control, NULL), ATEMI_OK);
    for (int k = 0; k < 200; ++k) { // none has come since: voltage 0 of a motor, a damper here
        const atemi_joint_measurement measured = {.joint_position = rig.q};
        atemi_joint_control_step(&rig.control, &measured, NULL, &rig.output);
        const double a = rig.held / inertia;
        rig.q += 1e-3 * (rig.v + 0.5e-3 * a);
        rig.v += 1e-3 * a;
        rig.held = rig.output.torque_demand;
    }
    CHECK_NEAR(rig.v, exp(-10.0 * 0.2), 0.03);
    effort_tick(&rig, (double)NAN);
    for (int k = 0; k < 20; ++k) {
        effort_tick(&rig, (double)NAN);
    }
    CHECK(rig.output.state == ATEMI_JOINT_SAFE_STOP);
    CHECK_NEAR(rig.output.torque_demand, 0.0, 0.0);
    CHECK(rig.output.faults & ATEMI_JOINT_JOINT_READING);
}

TEST(joint_effort, takes_torque_and_impedance_alone)
{
    const atemi_joint_level unfit[] = {ATEMI_JOINT_VOLTAGE, ATEMI_JOINT_CURRENT,
                                       ATEMI_JOINT_VELOCITY, ATEMI_JOINT_POSITION};
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; ++i) {
        effort_rig rig = effort_create(1e-3);
        rig.command.level = unfit[i];
        effort_tick(&rig, 0.0);
        CHECK(rig.output.faults & ATEMI_JOINT_COMMAND_UNFIT);
    }
    effort_rig rig = effort_create(1e-3);
    rig.command.level = ATEMI_JOINT_TORQUE;
    rig.command.torque = 7.0;
    effort_tick(&rig, 0.0);
    CHECK_NEAR(rig.output.torque_demand, 7.0, 0.0);
    rig.control.options.highest = -0.1; // at its stop: nothing more towards it
    effort_tick(&rig, 0.0);
    CHECK_NEAR(rig.output.torque_demand, 0.0, 0.0);
    CHECK(rig.output.faults & ATEMI_JOINT_AT_STOP);
}

// ---- All joints in one call -----------------------------------------------------------------

TEST(joint_controls, step_as_each_alone_and_allocate_nothing)
{
    enum { COUNT = 3 };
    atemi_joint_control_options options = atemi_joint_control_options_default();
    atemi_joint_control         all[COUNT], each[COUNT];
    atemi_joint_measurement measured[COUNT] = {{1.0, 0.01, 0.5}, {-2.0, 0.0, 0.1}, {0.0, 0.0, 0.0}};
    atemi_joint_command     commands[COUNT];
    atemi_joint_output      together[COUNT], alone[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        CHECK_STATUS(atemi_joint_control_start(&options, &all[i], NULL), ATEMI_OK);
        CHECK_STATUS(atemi_joint_control_start(&options, &each[i], NULL), ATEMI_OK);
        commands[i] = atemi_joint_command_default();
        commands[i].stiffness = 100.0 * i;
        commands[i].position = 0.1;
    }
    allocations_begin();
    for (int k = 0; k < 10; ++k) {
        atemi_joint_controls_step(all, measured, k ? NULL : commands, COUNT, together);
        for (int i = 0; i < COUNT; ++i) {
            atemi_joint_control_step(&each[i], &measured[i], k ? NULL : &commands[i], &alone[i]);
            CHECK(together[i].voltage == alone[i].voltage && together[i].torque == alone[i].torque);
        }
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
}
