// SPDX-License-Identifier: Apache-2.0

#include "atemi/joint_control.h"
#include "check.h"
#include "joint_rig.h"
#include "random.h"

#include <math.h>
#include <stddef.h>

// What goes wrong at a joint, and what its controller does: the table of atemi/joint_control.h.

enum { SENSORS = 3 };

static double *reading(atemi_joint_measurement *m, int sensor)
{
    return sensor == 0 ? &m->motor_position : sensor == 1 ? &m->joint_position : &m->current;
}

static const unsigned reading_faults[SENSORS] = {
    ATEMI_JOINT_MOTOR_READING, ATEMI_JOINT_JOINT_READING, ATEMI_JOINT_CURRENT_SENSOR};

// A joint with noise that moves and is asked to go on.
static atemi_joint_command moving(joint_rig *rig)
{
    const atemi_joint_plant_options   plant = atemi_joint_plant_options_default();
    const atemi_joint_control_options control = atemi_joint_control_options_default();
    *rig = rig_create(&plant, &control);
    atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
    command.velocity = 0.2;
    for (int k = 0; k < 1000; ++k) {
        command.position = 0.2 * k * 2e-4;
        rig_tick(rig, &command);
    }
    CHECK_EQUAL_INT(rig->output.state, ATEMI_JOINT_OK);
    return command;
}

// No energy comes from the bridge, and the joint comes to rest.
static void check_stops_safely(joint_rig *rig, const atemi_joint_command *command)
{
    CHECK_EQUAL_INT(rig->output.state, ATEMI_JOINT_SAFE_STOP);
    rig_tick(rig, command); // the voltage of the tick before still acts
    for (int k = 0; k < 10000; ++k) {
        rig_tick(rig, command);
        CHECK(rig->plant.voltage * rig->plant.current <= 1e-9);
        CHECK(fabs(rig->plant.current) < 1.1 * rig->control.options.current_limit);
        CHECK_EQUAL_INT(rig->output.state, ATEMI_JOINT_SAFE_STOP);
    }
    CHECK_NEAR(rig->output.voltage, 0.0, 1e-9);
    CHECK_NEAR(rig->plant.motor_velocity, 0.0, 2.0); // the link still swings a little
}

// ---- Sensors --------------------------------------------------------------------------------

// Beside a joint that nothing happens to.
TEST(joint_faults, a_single_bad_reading_is_ignored)
{
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e3};
    for (int sensor = 0; sensor < SENSORS; ++sensor) {
        for (int i = 0; i < 4; ++i) {
            joint_rig                 rig;
            const atemi_joint_command command = moving(&rig);
            joint_rig                 other = rig;
            for (int k = 0; k < 50; ++k) {
                atemi_joint_plant_measure(&rig.plant, &rig.measurement);
                if (k == 10) {
                    *reading(&rig.measurement, sensor) = bad[i];
                }
                rig_answer(&rig, &command);
                rig_tick(&other, &command);
                CHECK_EQUAL_INT(rig.output.faults, k == 10 ? reading_faults[sensor] : 0);
                CHECK_EQUAL_INT(rig.output.state, k == 10 ? ATEMI_JOINT_WARNING : ATEMI_JOINT_OK);
                CHECK_NEAR(rig.plant.joint_position, other.plant.joint_position, 2e-5);
            }
        }
    }
}

TEST(joint_faults, an_encoder_that_stays_away_stops_the_joint_within_its_patience)
{
    const double offsets[] = {NAN, 0.5};
    for (int sensor = 0; sensor < 2; ++sensor) {
        for (int i = 0; i < 2; ++i) {
            joint_rig                 rig;
            const atemi_joint_command command = moving(&rig);
            int                       ticks = 0;
            while (rig.output.state != ATEMI_JOINT_SAFE_STOP && ticks < 100) {
                atemi_joint_plant_measure(&rig.plant, &rig.measurement);
                *reading(&rig.measurement, sensor) += offsets[i];
                rig_answer(&rig, &command);
                ++ticks;
            }
            CHECK_EQUAL_INT(ticks, 6); // 1 ms is 5 ticks
            CHECK(rig.output.faults & reading_faults[sensor]);
            check_stops_safely(&rig, &command);
        }
    }
}

// A motor encoder that is stuck says that the motor stands; a velocity loop would drive it ever
// harder.
TEST(joint_faults, a_stuck_motor_encoder_stops_the_joint)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    command.velocity = 0.3;
    rig_run(&rig, &command, 0.1);
    const double stuck = rig.measurement.motor_position, place = rig.plant.joint_position;
    int          ticks = 0;
    while (rig.output.state != ATEMI_JOINT_SAFE_STOP && ticks < 500) {
        atemi_joint_plant_measure(&rig.plant, &rig.measurement);
        rig.measurement.motor_position = stuck;
        rig_answer(&rig, &command);
        ++ticks;
    }
    CHECK(ticks * 2e-4 < 0.03);
    CHECK(fabs(rig.plant.joint_position - place) < 0.03);
    check_stops_safely(&rig, &command);
}

// A joint encoder that is stuck says that the spring is bent when the joint has moved on.
TEST(joint_faults, a_stuck_joint_encoder_stops_the_joint)
{
    joint_rig           rig;
    atemi_joint_command command = moving(&rig);
    const double        stuck = rig.measurement.joint_position, place = rig.plant.joint_position;
    int                 ticks = 0;
    while (rig.output.state != ATEMI_JOINT_SAFE_STOP && ticks < 5000) {
        command.position += 0.2 * 2e-4;
        atemi_joint_plant_measure(&rig.plant, &rig.measurement);
        rig.measurement.joint_position = stuck;
        rig_answer(&rig, &command);
        ++ticks;
    }
    CHECK(rig.output.faults & ATEMI_JOINT_JOINT_STUCK);
    CHECK(ticks * 2e-4 < 0.3);
    CHECK(fabs(rig.plant.joint_position - place) < 0.06);
    check_stops_safely(&rig, &command);
}

// Held by a wall, pressed by a person, at rest for a minute: readings may freeze where torques are
// explained.
TEST(joint_faults, a_joint_that_is_held_is_not_taken_for_stuck)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
    rig.is_held = true;
    for (int k = 0; k < 20000; ++k) {
        command.position = 0.02 * sin(0.001 * k);
        command.gravity_torque = k / 4000 % 2 ? 100.0 : -100.0;
        rig_tick(&rig, &command);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    }
    rig.control.options.command_timeout = INFINITY;
    rig_run(&rig, NULL, 60.0);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
}

// Friction of seven times what the model has, but the readings move.
TEST(joint_faults, a_worn_gear_is_not_taken_for_a_stuck_encoder)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    rig.plant.options.drive.coulomb = 0.2;
    command.velocity = 0.3;
    rig_run(&rig, &command, 1.0);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    CHECK_NEAR(rig.plant.motor_velocity, 30.0, 1.0);
}

// Stuck at what it showed, at a jump from it, or no longer there.
TEST(joint_faults, a_current_sensor_that_fails_is_done_without)
{
    const double jumps[] = {0.0, 2.0, 7.0, NAN};
    for (int i = 0; i < 4; ++i) {
        joint_rig           rig;
        atemi_joint_command command = moving(&rig);
        const double        stuck = rig.measurement.current + jumps[i];
        command.velocity = 0.0;
        command.position = 0.1;
        double most = 0.0;
        for (int k = 0; k < 10000; ++k) {
            atemi_joint_plant_measure(&rig.plant, &rig.measurement);
            rig.measurement.current = stuck;
            rig_answer(&rig, &command);
            most = fmax(most, fabs(rig.plant.current));
            CHECK(rig.output.state != ATEMI_JOINT_SAFE_STOP);
        }
        CHECK_EQUAL_INT(rig.output.faults, ATEMI_JOINT_CURRENT_SENSOR);
        CHECK(most < 0.5 * rig.control.options.current_limit);
        CHECK_NEAR(rig.plant.joint_position, 0.1, 1e-3);
    }
}

// It freezes, or its wire breaks and it shows noise; then the joint, against a wall, is asked for
// 20 N m more, for which 0.66 A are enough.
TEST(joint_faults, a_current_sensor_that_fails_at_rest_does_little)
{
    for (int broken = 0; broken < 2; ++broken) {
        const atemi_joint_plant_options   plant = atemi_joint_plant_options_default();
        const atemi_joint_control_options control = atemi_joint_control_options_default();
        joint_rig                         rig = rig_create(&plant, &control);
        atemi_joint_command               command = command_at(ATEMI_JOINT_TORQUE);
        rig.is_held = true;
        command.torque = 20.0;
        rig_run(&rig, &command, 0.5);
        const double stuck = rig.measurement.current;
        double       most_current = 0.0, most_torque = 0.0;
        command.torque = 40.0;
        for (int k = 0; k < 2500; ++k) {
            const double real = rig.plant.current;
            atemi_joint_plant_measure(&rig.plant, &rig.measurement);
            rig.measurement.current = broken ? rig.measurement.current - real : stuck;
            rig_answer(&rig, &command);
            most_current = fmax(most_current, fabs(rig.plant.current));
            most_torque = fmax(most_torque, atemi_joint_plant_torque(&rig.plant));
        }
        CHECK(most_current < 12.0 && most_torque < 43.0);
        CHECK(rig.control.current_lost && rig.control.unexplained == 0.0);
        CHECK(rig.output.state != ATEMI_JOINT_SAFE_STOP);
        CHECK_NEAR(atemi_joint_plant_torque(&rig.plant), 40.0, 1.0);
    }
}

// ---- Commands -------------------------------------------------------------------------------

// 20 N m against a wall. When the commands end, the push fades to what gear friction holds.
TEST(joint_faults, a_joint_without_commands_stops_and_does_not_keep_pushing)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
    command.position = 0.5;
    command.feedback_limit = 20.0;
    rig.is_held = true;
    rig_run(&rig, &command, 0.5);
    rig_run(&rig, NULL, 0.0996);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    CHECK_NEAR(atemi_joint_plant_torque(&rig.plant), 20.0, 0.1);
    rig_run(&rig, NULL, 0.001);
    CHECK_EQUAL_INT(rig.output.faults, ATEMI_JOINT_NO_COMMAND);
    check_stops_safely(&rig, NULL);
    const atemi_joint_drive *d = &rig.plant.options.drive;
    CHECK(fabs(atemi_joint_plant_torque(&rig.plant)) < d->coulomb * d->gear + 0.5);
}

TEST(joint_faults, a_command_that_comes_late_does_not_end_a_stop_but_a_restart_does)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
    rig_run(&rig, &command, 0.1);
    rig_run(&rig, NULL, 0.2);
    rig_run(&rig, &command, 0.1);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_SAFE_STOP);
    atemi_joint_control_restart(&rig.control);
    command.position = 0.01;
    rig_run(&rig, &command, 1.0);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    CHECK_NEAR(rig.plant.joint_position, 0.01, 1e-3);
    CHECK_EQUAL_INT(atemi_joint_control_history(&rig.control), ATEMI_JOINT_NO_COMMAND);
}

// The trackers take up a speed that is there.
TEST(joint_faults, a_restart_works_at_full_speed)
{
    joint_rig           rig;
    atemi_joint_command command = moving(&rig);
    command = command_at(ATEMI_JOINT_VELOCITY);
    command.velocity = 1.0;
    rig_run(&rig, &command, 1.0);
    rig_run(&rig, NULL, 0.1004);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_SAFE_STOP);
    atemi_joint_control_restart(&rig.control);
    rig_run(&rig, &command, 0.5);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    CHECK_EQUAL_INT(atemi_joint_control_history(&rig.control), ATEMI_JOINT_NO_COMMAND);
    CHECK_NEAR(rig.plant.motor_velocity, 100.0, 3.0);
}

// Nothing grows while a sensor is away.
TEST(joint_faults, a_joint_that_has_stopped_for_good_stays_calm)
{
    joint_rig                 rig;
    const atemi_joint_command command = moving(&rig);
    for (int k = 0; k < 50000; ++k) {
        atemi_joint_plant_measure(&rig.plant, &rig.measurement);
        rig.measurement.joint_position = rig.measurement.motor_position = NAN;
        rig_answer(&rig, &command);
    }
    CHECK_NEAR(rig.output.voltage, 0.0, 0.0);
    CHECK_NEAR(rig.output.motor_velocity, 0.0, 0.0);
    CHECK_NEAR(rig.output.joint_velocity, 0.0, 0.0);
}

static double *field(atemi_joint_command *c, int i)
{
    double *const fields[] = {&c->voltage,        &c->current,        &c->torque,
                              &c->position,       &c->velocity,       &c->acceleration,
                              &c->stiffness,      &c->damping,        &c->integral,
                              &c->inertia_torque, &c->gravity_torque, &c->windup_limit,
                              &c->feedback_limit, &c->speed_limit};
    return i < 14 ? fields[i] : NULL;
}

// Every field, numbers that none can reckon with, and levels that do not exist. The command before
// goes on until it is too old.
TEST(joint_faults, a_command_that_is_no_number_is_ignored_and_then_missed)
{
    joint_rig                 rig = rig_quiet();
    const atemi_joint_command good = command_impedance(10.0, 20.0, 1.2);
    for (int i = 0; i <= 25; ++i) {
        atemi_joint_command bad = good;
        if (i < 25) {
            *field(&bad, i < 14 ? i : i - 14) = i < 14 ? (double)NAN : 1e308;
        } else {
            bad.level = (atemi_joint_level)99;
        }
        rig_tick(&rig, &good);
        rig_tick(&rig, &bad);
        CHECK_EQUAL_INT(rig.output.faults, ATEMI_JOINT_COMMAND_UNFIT);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_WARNING);
        CHECK(isfinite(rig.output.voltage));
        rig_tick(&rig, &good);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_OK);
    }
    atemi_joint_command bad = good;
    bad.position = INFINITY;
    rig_run(&rig, &bad, 0.11);
    CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_SAFE_STOP);
}

TEST(joint_faults, a_command_beyond_limits_is_clipped)
{
    for (int i = 0; i < 14; ++i) {
        joint_rig           rig = rig_quiet();
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        rig.control.options.lowest = -1.0;
        rig.control.options.highest = 1.0;
        *field(&command, i) = -1e6;
        rig_tick(&rig, &command);
        const bool has_limit = field(&command, i) != &command.acceleration;
        CHECK_EQUAL_INT(rig.output.faults, has_limit ? ATEMI_JOINT_COMMAND_LIMITED : 0);
        CHECK(fabs(rig.output.current_demand) <= rig.control.options.current_limit);
        CHECK(fabs(rig.output.torque_demand) <= rig.control.options.torque_limit);
    }
}

// ---- Motion ---------------------------------------------------------------------------------

// A load has pushed the joint onto its stop, and the command pushes too.
TEST(joint_faults, a_joint_at_its_stop_is_not_pushed_further)
{
    for (int side = -1; side <= 1; side += 2) {
        joint_rig rig = rig_quiet();
        rig.control.options.highest = 0.5;
        rig.control.options.lowest = -0.5;
        rig.plant.joint_position = side * 0.501;
        rig.plant.motor_position = 100.0 * side * 0.501;
        rig.is_held = true;
        atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
        command.gravity_torque = side * 100.0;
        command.position = side * 0.5;
        command.stiffness = 0.0;
        rig_run(&rig, &command, 0.5);
        CHECK_EQUAL_INT(rig.output.faults, ATEMI_JOINT_AT_STOP);
        CHECK_EQUAL_INT(rig.output.state, ATEMI_JOINT_WARNING);
        CHECK_NEAR(rig.output.torque_demand, 0.0, 1e-9);
        CHECK(side * atemi_joint_plant_torque(&rig.plant) < 0.5);
        command = command_at(ATEMI_JOINT_CURRENT);
        command.current = side * 5.0;
        rig_run(&rig, &command, 0.1);
        CHECK_NEAR(rig.output.current_demand, 0.0, 0.0);
        command = command_at(ATEMI_JOINT_VOLTAGE);
        command.voltage = side * 5.0;
        rig_run(&rig, &command, 0.1);
        CHECK_NEAR(rig.output.voltage, 0.0, 1e-9);
        command.voltage = side * -0.2;
        rig_run(&rig, &command, 0.1);
        CHECK_NEAR(rig.output.voltage, side * -0.2, 1e-9);
    }
}

// The whole way: full speed into the stop, with a spring behind.
TEST(joint_faults, a_joint_driven_at_its_stop_ends_there_and_rests)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    rig.control.options.highest = 0.5;
    command.velocity = 1.0;
    rig_run(&rig, &command, 5.0);
    CHECK_NEAR(rig.plant.motor_position / 100.0, 0.5, 1e-3);
    CHECK_NEAR(rig.plant.motor_velocity, 0.0, 0.5);
}

// Stops of steel stand 0.03 rad behind those of the control, as in a whole robot, whose springs are
// stiffer too.
static joint_rig rig_with_stops(void)
{
    atemi_joint_plant_options   plant = quiet(atemi_joint_plant_options_default());
    atemi_joint_control_options control = atemi_joint_control_options_default();
    plant.drive.spring = 50000.0;
    plant.drive.spring_damping = 20.0;
    plant.lowest = -0.53;
    plant.highest = 0.53;
    control.drive = plant.drive;
    control.lowest = -0.5;
    control.highest = 0.5;
    return rig_create(&plant, &control);
}

TEST(joint_faults, a_joint_driven_at_its_stop_does_not_meet_that_of_steel)
{
    joint_rig           rig = rig_with_stops();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    command.velocity = 1.0;
    for (int k = 0; k < 25000; ++k) {
        rig_tick(&rig, &command);
        CHECK_NEAR(atemi_joint_plant_stop_torque(&rig.plant, 2e-4, 0.0), 0.0, 0.0);
    }
    CHECK_NEAR(rig.plant.joint_position, 0.5, 2e-3);
}

// Without command the drive brakes and gives way; the steel bears the load but for friction.
TEST(joint_faults, a_joint_that_gives_way_to_a_load_rests_at_its_stop_of_steel)
{
    joint_rig rig = rig_with_stops();
    rig.load = 200.0;
    rig_run(&rig, NULL, 10.0);
    CHECK_EQUAL_INT(rig.output.faults & ATEMI_JOINT_AT_STOP, ATEMI_JOINT_AT_STOP);
    CHECK_NEAR(rig.output.voltage, 0.0, 1e-9);
    CHECK_NEAR(rig.plant.joint_velocity, 0.0, 1e-6);
    CHECK_NEAR(atemi_joint_plant_stop_torque(&rig.plant, 1e-5, 0.0), -200.0, 3.1);
    CHECK_NEAR(rig.plant.joint_position, 0.532, 5e-5);
}

// Shorted at 100 rad/s the motor would take 61 A.
TEST(joint_faults, a_joint_that_is_too_fast_brakes_with_no_more_than_its_current)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    command.velocity = 1.0;
    rig_run(&rig, &command, 1.0);
    rig.control.options.speed_limit = 0.5;
    rig_tick(&rig, &command);
    CHECK_EQUAL_INT(rig.output.faults & ATEMI_JOINT_OVERSPEED, ATEMI_JOINT_OVERSPEED);
    check_stops_safely(&rig, &command);
}

// The motor stays at a stop that its command accelerates towards.
TEST(joint_faults, a_joint_at_its_virtual_stop_is_not_accelerated_further)
{
    joint_rig           rig = rig_quiet();
    atemi_joint_command command = command_at(ATEMI_JOINT_VELOCITY);
    rig.control.options.highest = 0.2;
    command.velocity = 1.0;
    command.acceleration = 100.0;
    rig_run(&rig, &command, 3.0);
    CHECK_NEAR(rig.plant.motor_position / 100.0, 0.2, 1e-3);
}

// ---- Garbage --------------------------------------------------------------------------------

static double garbage(random_stream *random)
{
    static const double odd[] = {NAN,   INFINITY, -INFINITY, 1e308, -1e308,
                                 1e300, 1e11,     0.0,       -0.0,  1e-310};
    const int           i = random_index(random, 20);
    return i < 10 ? odd[i] : random_uniform(random, -1.0, 1.0);
}

// Anything as measurement and command, restarts in between.
TEST(joint_faults, garbage_never_comes_out_as_garbage)
{
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_stream random = random_seeded(seed);
        joint_rig     rig = seed % 2 ? rig_quiet() : rig_rigid();
        const int     rarity = 1 + random_index(&random, 50);
        for (int k = 0; k < 2000; ++k) {
            atemi_joint_command command = command_impedance(10.0, 20.0, 1.2);
            command.level = (atemi_joint_level)random_index(&random, 7);
            command.direct_torque = random_index(&random, 2);
            atemi_joint_plant_measure(&rig.plant, &rig.measurement);
            if (k % rarity == 0) {
                *reading(&rig.measurement, random_index(&random, SENSORS)) = garbage(&random);
                *field(&command, random_index(&random, 14)) = garbage(&random);
            }
            rig_answer(&rig, &command);
            const atemi_joint_control_options *o = &rig.control.options;
            CHECK(fabs(rig.output.voltage) <= o->drive.bus_voltage);
            CHECK(fabs(rig.output.current_demand) <= o->current_limit);
            CHECK(fabs(rig.output.torque_demand) <= 1e9 && fabs(rig.output.motor_velocity) <= 1e9);
            if (k % 97 == 0) {
                atemi_joint_control_restart(&rig.control);
            }
        }
    }
}

// ---- Texts ----------------------------------------------------------------------------------

TEST(joint_faults, have_names)
{
    CHECK_EQUAL_STRING(atemi_joint_state_text(ATEMI_JOINT_SAFE_STOP), "safe stop");
    CHECK_EQUAL_STRING(atemi_joint_fault_text(ATEMI_JOINT_MOTOR_READING),
                       "motor encoder not credible");
    CHECK_EQUAL_STRING(atemi_joint_fault_text(ATEMI_JOINT_NO_COMMAND), "no command");
    CHECK_EQUAL_STRING(atemi_joint_fault_text(ATEMI_JOINT_OVERSPEED), "overspeed");
    CHECK_BREAKS_CONTRACT(atemi_joint_fault_text((atemi_joint_fault)3));
    CHECK_BREAKS_CONTRACT(atemi_joint_state_text((atemi_joint_state)9));
}
