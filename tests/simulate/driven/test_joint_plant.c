// SPDX-License-Identifier: Apache-2.0

#include "atemi/control_loop.h"
#include "check.h"
#include "joint_rig.h"

#include <math.h>
#include <string.h>

enum { TICKS = 1000, READINGS = 20000 };

static const double tick = 2e-4;
static const double turn = 6.283185307179586;

static atemi_joint_plant started(const atemi_joint_plant_options *options)
{
    atemi_joint_plant plant;
    CHECK_STATUS(atemi_joint_plant_start(options, &plant, NULL), ATEMI_OK);
    return plant;
}

static atemi_joint_plant_options smooth_joint(void)
{
    atemi_joint_plant_options options = quiet(atemi_joint_plant_options_default());
    options.drive.coulomb = options.drive.viscous = 0.0;
    options.acts_next_tick = false;
    return options;
}

// i = u / R (1 - exp(-R t / L)), to rounding.
TEST(joint_plant, of_a_blocked_motor_is_the_winding_alone)
{
    atemi_joint_plant_options options = smooth_joint();
    options.drive.rotor_inertia = 1e12;
    atemi_joint_plant        plant = started(&options);
    const atemi_joint_drive *d = &options.drive;
    for (int k = 1; k <= 50; ++k) {
        atemi_joint_plant_apply(&plant, 3.0);
        atemi_joint_plant_advance(&plant, tick, 0.0);
        const double expected =
            3.0 / d->resistance * -expm1(-d->resistance / d->inductance * k * tick);
        CHECK_NEAR(plant.current, expected, 1e-12);
    }
}

// A motor without load: L J w'' + R J w' + K^2 w = K u.
static double spin_up_error(double substep)
{
    atemi_joint_plant_options options = smooth_joint();
    options.substep = substep;
    options.drive.spring = 1e-9;
    options.drive.spring_damping = 0.0;
    atemi_joint_plant        plant = started(&options);
    const atemi_joint_drive *d = &options.drive;
    const double             K = d->torque_constant, J = d->rotor_inertia;
    const double             frequency = K / sqrt(d->inductance * J);
    const double             ratio = 0.5 * d->resistance / d->inductance / frequency;
    double                   worst = 0.0;
    for (int k = 1; k <= 20; ++k) {
        atemi_joint_plant_apply(&plant, 10.0);
        atemi_joint_plant_advance(&plant, tick, 0.0);
        const double expected = 10.0 / K * second_order(frequency, ratio, k * tick);
        worst = fmax(worst, fabs(plant.motor_velocity - expected));
    }
    return worst;
}

TEST(joint_plant, of_a_free_motor_spins_up_as_a_second_order_system)
{
    const double coarse = spin_up_error(1e-5), fine = spin_up_error(5e-6);
    CHECK(coarse < 1e-2); // of 33 rad/s
    CHECK_NEAR(coarse / fine, 4.0, 0.1);
}

// Between a rotor and a link: w^2 = k (1 / m + 1 / (J N^2)).
TEST(joint_plant, without_current_swings_with_the_frequency_of_its_spring)
{
    atemi_joint_plant_options options = smooth_joint();
    options.drive.resistance = 1e9;
    options.drive.spring_damping = 0.0;
    atemi_joint_plant        plant = started(&options);
    const atemi_joint_drive *d = &options.drive;
    const double             rotor = d->rotor_inertia * d->gear * d->gear;
    const double             w = sqrt(d->spring * (1.0 / options.link_inertia + 1.0 / rotor));
    plant.joint_position = 0.01;
    const double mean = 0.01 * options.link_inertia / (options.link_inertia + rotor);
    for (int k = 1; k <= TICKS; ++k) {
        atemi_joint_plant_advance(&plant, tick, 0.0);
        const double expected = mean + (0.01 - mean) * cos(w * k * tick);
        CHECK_NEAR(plant.joint_position, expected, 1e-8);
    }
}

// What the bridge gives is heat of winding, spring and friction, or still there.
TEST(joint_plant, keeps_the_balance_of_power)
{
    atemi_joint_plant_options options = quiet(atemi_joint_plant_options_default());
    options.substep = 1e-6;
    atemi_joint_plant        plant = started(&options);
    const atemi_joint_drive *d = &options.drive;
    double                   given = 0.0, lost = 0.0;
    atemi_joint_plant_apply(&plant, 12.0);
    for (int k = 0; k < 200000; ++k) {
        if (k % 50000 == 0) {
            atemi_joint_plant_apply(&plant, k % 100000 == 0 ? 12.0 : -9.0);
        }
        const double before = plant.current;
        atemi_joint_plant_advance(&plant, options.substep, 0.0);
        const double i = 0.5 * (before + plant.current), w = plant.motor_velocity;
        const double twist = w / d->gear - plant.joint_velocity;
        given += plant.voltage * i * options.substep;
        lost += (d->resistance * i * i + fabs(w) * d->coulomb + d->viscous * w * w +
                 d->spring_damping * twist * twist) *
                options.substep;
    }
    const double w = plant.motor_velocity, v = plant.joint_velocity;
    const double bent = plant.motor_position / d->gear - plant.joint_position;
    const double kept =
        0.5 * (d->inductance * plant.current * plant.current + d->rotor_inertia * w * w +
               options.link_inertia * v * v + d->spring * bent * bent);
    CHECK(given > 1.0);
    CHECK_NEAR(lost + kept, given, 1e-3 * given);
}

TEST(joint_plant, holds_what_friction_holds_and_nothing_more)
{
    const atemi_joint_plant_options options = quiet(atemi_joint_plant_options_default());
    const atemi_joint_drive        *d = &options.drive;
    const double                    edge = d->coulomb / d->torque_constant * d->resistance; // V
    atemi_joint_plant               plant = started(&options);
    for (int k = 0; k < TICKS; ++k) {
        atemi_joint_plant_apply(&plant, 0.99 * edge);
        atemi_joint_plant_advance(&plant, tick, 0.0);
    }
    CHECK(plant.motor_position == 0.0);
    for (int k = 0; k < TICKS; ++k) {
        atemi_joint_plant_apply(&plant, 1.01 * edge);
        atemi_joint_plant_advance(&plant, tick, 0.0);
    }
    CHECK(plant.motor_position > 0.0);
}

TEST(joint_plant, obeys_a_tick_late_and_within_bus_and_peak)
{
    const atemi_joint_plant_options options = quiet(atemi_joint_plant_options_default());
    atemi_joint_plant               plant = started(&options);
    atemi_joint_plant_apply(&plant, 1e3);
    atemi_joint_plant_advance(&plant, tick, 0.0);
    CHECK(plant.current == 0.0);
    double most = 0.0;
    for (int k = 0; k < 20; ++k) {
        atemi_joint_plant_apply(&plant, 0.0);
        CHECK_NEAR(plant.voltage, k == 0 ? options.drive.bus_voltage : 0.0, 0.0);
        atemi_joint_plant_advance(&plant, tick, 0.0);
        most = fmax(most, fabs(plant.current));
    }
    CHECK(most > 10.0 && most <= options.drive.peak_current);
}

// The link of a simulation outside, by symplectic steps of a tick, beside the plant's own.
TEST(joint_plant, that_follows_a_link_moves_as_one_that_has_it)
{
    atemi_joint_plant_options options = quiet(atemi_joint_plant_options_default());
    atemi_joint_plant         whole = started(&options), part = whole;
    const double              step = 2e-5;
    double                    q = 0.0, v = 0.0;
    for (int k = 0; k < 20000; ++k) {
        const double voltage = k < 10000 ? 6.0 : -3.0;
        atemi_joint_plant_apply(&whole, voltage);
        atemi_joint_plant_apply(&part, voltage);
        atemi_joint_plant_advance(&whole, step, 1.0);
        const double torque = atemi_joint_plant_follow(&part, step, q, v);
        q += step * v;
        v += step * (torque + 1.0) / options.link_inertia;
    }
    CHECK(fabs(whole.joint_velocity) > 0.01);
    CHECK_NEAR(part.joint_velocity, whole.joint_velocity, 1e-3 * fabs(whole.joint_velocity));
    CHECK_NEAR(part.motor_position, whole.motor_position, 1e-3 * fabs(whole.motor_position));
}

// (J N^2 + m) q'' = load without current.
TEST(joint_plant, without_spring_moves_rotor_and_link_as_one)
{
    atemi_joint_plant_options options = quiet(atemi_joint_plant_options_rigid());
    options.drive.coulomb = options.drive.viscous = 0.0;
    options.drive.resistance = 1e9;
    atemi_joint_plant        plant = started(&options);
    const atemi_joint_drive *d = &options.drive;
    const double             inertia = d->rotor_inertia * d->gear * d->gear + options.link_inertia;
    for (int k = 0; k < TICKS; ++k) {
        atemi_joint_plant_advance(&plant, tick, 0.1);
    }
    CHECK_NEAR(plant.joint_velocity, 0.1 / inertia * (double)TICKS * tick, 1e-6);
    CHECK_NEAR(plant.joint_position, plant.motor_position / d->gear, 1e-12);
}

TEST(joint_plant, without_spring_gives_a_link_that_it_follows_the_torque_of_its_current)
{
    const atemi_joint_plant_options options = quiet(atemi_joint_plant_options_rigid());
    const atemi_joint_drive        *d = &options.drive;
    atemi_joint_plant               plant = started(&options);
    plant.current = 2.0;
    plant.voltage = d->resistance * 2.0 + d->back_emf * d->gear * 0.5;
    const double rubbing = d->coulomb + d->viscous * d->gear * 0.5;
    const double torque = atemi_joint_plant_follow(&plant, tick, 0.3, 0.5);
    CHECK_NEAR(torque, d->gear * (d->torque_constant * 2.0 - rubbing), 1e-12);
    CHECK_NEAR(plant.motor_position, d->gear * (0.3 + 0.5 * tick), 1e-12);
}

// ---- Stops ----------------------------------------------------------------------------------

// In orbit, so to say: no friction, and a bridge that lets the motor turn freely.
static atemi_joint_plant_options lossless_joint(bool elastic)
{
    atemi_joint_plant_options options =
        elastic ? smooth_joint() : quiet(atemi_joint_plant_options_rigid());
    options.drive.coulomb = options.drive.viscous = options.drive.spring_damping = 0.0;
    options.drive.back_emf = 1e-12;
    options.lowest = -0.2;
    options.highest = 0.2;
    return options;
}

// Link, rotor, spring and stops.
static double energy_of(const atemi_joint_plant *p)
{
    const atemi_joint_plant_options *o = &p->options;
    const double                     bend = p->motor_position / o->drive.gear - p->joint_position;
    const double                     depth =
        fmax(0.0, fmax(p->joint_position - o->highest, o->lowest - p->joint_position));
    return 0.5 * o->link_inertia * p->joint_velocity * p->joint_velocity +
           0.5 * o->drive.rotor_inertia * p->motor_velocity * p->motor_velocity +
           (isfinite(o->drive.spring) ? 0.5 * o->drive.spring * bend * bend : 0.0) +
           0.5 * o->stop_stiffness * depth * depth;
}

// From stop to stop and back; the series spring's own error of leapfrog is 1e-6 of its energy.
TEST(joint_plant, gets_no_energy_from_its_stops)
{
    for (int elastic = 0; elastic < 2; ++elastic) {
        for (int damped = 0; damped < 2; ++damped) {
            atemi_joint_plant_options options = lossless_joint(elastic);
            options.stop_damping *= damped;
            atemi_joint_plant plant = started(&options);
            plant.joint_velocity = 2.0;
            plant.motor_velocity = 2.0 * options.drive.gear;
            const double begin = energy_of(&plant);
            double       most = begin, furthest = 0.0;
            for (int k = 0; k < 5000; ++k) {
                atemi_joint_plant_advance(&plant, tick, 0.0);
                most = fmax(most, energy_of(&plant));
                furthest = fmax(furthest, fabs(plant.joint_position));
            }
            CHECK(most <= begin * (1.0 + 1e-5));
            CHECK(furthest > 0.2 && furthest < 0.25);
            CHECK(!damped || energy_of(&plant) < 0.5 * begin);
        }
    }
}

// The spring is at rest too. Steps of 10 us make the stop softer by (c + h k) h / I, 0.2 %.
TEST(joint_plant, rests_in_its_stop_as_deep_as_a_load_presses)
{
    for (int side = -1; side <= 1; side += 2) {
        atemi_joint_plant_options options = smooth_joint();
        options.lowest = -0.05;
        options.highest = 0.05;
        options.link_inertia = 1.0;
        atemi_joint_plant plant = started(&options);
        for (int k = 0; k < 50000; ++k) {
            atemi_joint_plant_advance(&plant, tick, side * 40.0);
        }
        CHECK_NEAR(plant.joint_position, side * (0.05 + 40.0 / options.stop_stiffness), 1e-6);
        CHECK_NEAR(plant.joint_velocity, 0.0, 1e-6);
        CHECK_NEAR(atemi_joint_plant_stop_torque(&plant, options.substep, 1.0), side * -40.0, 1e-3);
    }
}

// Backward Euler along one joint: a tick as long as a second, links as light as a feather.
TEST(joint_plant, meets_stops_softly_however_hard_they_are)
{
    const double mobilities[] = {1e-3, 1.0, 1e3, 1e6}, times[] = {1e-5, 1e-3, 1.0};
    for (int i = 0; i < 4; ++i) {
        for (int n = 0; n < 3; ++n) {
            atemi_joint_plant_options options = lossless_joint(true);
            options.stop_stiffness = 1e9;
            atemi_joint_plant plant = started(&options);
            const double      m = mobilities[i], h = times[n];
            plant.joint_position = 0.21;
            plant.joint_velocity = 3.0;
            const double torque = atemi_joint_plant_stop_torque(&plant, h, m);
            const double after = 3.0 + h * m * torque, depth = fmax(0.0, 0.01 + h * after);
            CHECK(torque < 0.0);
            CHECK(0.5 * after * after / m + 0.5 * 1e9 * depth * depth <=
                  (0.5 * 9.0 / m + 0.5 * 1e9 * 1e-4) * (1.0 + 1e-12));
        }
    }
}

TEST(joint_plant, sensors_count_in_steps_and_have_the_noise_they_should)
{
    atemi_joint_plant_options options = atemi_joint_plant_options_default();
    options.seed = 7;
    options.motor_deviation = 5.0 * options.motor_step;
    atemi_joint_plant plant = started(&options);
    plant.motor_position = 0.3;
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < READINGS; ++k) {
        atemi_joint_measurement m;
        atemi_joint_plant_measure(&plant, &m);
        const double counts = m.motor_position * 16384.0 / turn;
        CHECK_NEAR(counts, round(counts), 1e-9);
        sum += m.motor_position - 0.3;
        squares += (m.motor_position - 0.3) * (m.motor_position - 0.3);
    }
    const double n = READINGS;
    // Counting adds 1/12 of a step's square; 4 standard errors.
    const double deviation = options.motor_step * sqrt(25.0 + 1.0 / 12.0);
    CHECK_NEAR(sum / n, 0.0, 4.0 * deviation / sqrt(n));
    CHECK_NEAR(sqrt(squares / n), deviation, 4.0 * deviation / sqrt(2.0 * n));
}

TEST(joint_plant, of_one_seed_gives_the_same_bits)
{
    atemi_joint_plant_options options = atemi_joint_plant_options_default();
    atemi_joint_measurement   m[3] = {0};
    for (int i = 0; i < 3; ++i) {
        options.seed = i == 2 ? 2 : 1;
        atemi_joint_plant plant = started(&options);
        atemi_joint_plant_measure(&plant, &m[i]);
    }
    CHECK(memcmp(&m[0], &m[1], sizeof m[0]) == 0);
    CHECK(memcmp(&m[0], &m[2], sizeof m[0]) != 0);
}

TEST(joint_plant, refuses_figures_that_cannot_be)
{
    atemi_joint_plant         plant;
    atemi_error               error;
    atemi_joint_plant_options options = atemi_joint_plant_options_default();
    options.drive.inductance = 0.0;
    CHECK_STATUS(atemi_joint_plant_start(&options, &plant, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "inductance of the drive is 0 H");
    options = atemi_joint_plant_options_default();
    options.joint_deviation = NAN;
    CHECK_STATUS(atemi_joint_plant_start(&options, &plant, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "joint deviation");
    options = atemi_joint_plant_options_default();
    options.lowest = 1.0;
    options.highest = -1.0;
    CHECK_STATUS(atemi_joint_plant_start(&options, &plant, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "give the lower first");
    options = atemi_joint_plant_options_default();
    options.drive.spring = INFINITY;
    CHECK_STATUS(atemi_joint_plant_start(&options, &plant, &error), ATEMI_OK);
}
