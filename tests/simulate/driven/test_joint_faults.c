// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven/joint_faults.h"

#include "check.h"

#include <math.h>
#include <stdio.h>

// A joint that turns at 2 rad/s with a gear of 100, sensed every 2 ms from 0 to 1 s; what is wrong
// with it is wrong from 0.25 s to 0.75 s.

enum { TICKS = 500, FIRST = 125, LAST = 375 };

static const double tick = 2e-3, speed = 2.0, gear = 100.0, constant = 0.3, amperes = 4.0;

static double at(int k)
{
    return k * tick;
}

typedef struct seen {
    double motor[TICKS], joint[TICKS], current[TICKS];
} seen;

static atemi_injected_fault fault(void)
{
    return (atemi_injected_fault){.from = at(FIRST),
                                  .until = at(LAST),
                                  .encoders = ATEMI_ENCODER_MOTOR | ATEMI_ENCODER_JOINT};
}

// What is shown, less what is.
static void look(atemi_injected_fault options, seen *off)
{
    const atemi_joint_drive drive = {.gear = gear, .torque_constant = constant};
    joint_fault             one;
    atemi_joint_fault_start(&options, 7, &one);
    for (int k = 0; k < TICKS; ++k) {
        const double            q = speed * k * tick;
        atemi_joint_measurement m = {gear * q, q, amperes};
        atemi_joint_faults_sense((joint_faults){&one, 1}, k * tick, &drive, &m);
        off->motor[k] = m.motor_position / gear - q;
        off->joint[k] = m.joint_position - q;
        off->current[k] = (m.current - amperes) * gear * constant;
    }
}

static bool acts(int k)
{
    return k >= FIRST && k < LAST;
}

static double mean(const double *x)
{
    double sum = 0.0;
    for (int k = FIRST; k < LAST; ++k) {
        sum += x[k] / (LAST - FIRST);
    }
    return sum;
}

static double deviation(const double *x)
{
    const double middle = mean(x);
    double       sum = 0.0;
    for (int k = FIRST; k < LAST; ++k) {
        sum += (x[k] - middle) * (x[k] - middle) / (LAST - FIRST);
    }
    return sqrt(sum);
}

static int lost(const double *x)
{
    int count = 0;
    for (int k = FIRST; k < LAST; ++k) {
        count += isnan(x[k]);
    }
    return count;
}

static void check_untouched_outside(const seen *off, double afterwards)
{
    for (int k = 0; k < TICKS; ++k) {
        if (!acts(k)) {
            CHECK_NEAR(off->motor[k], k < FIRST ? 0.0 : afterwards, 1e-12);
            CHECK_NEAR(off->joint[k], k < FIRST ? 0.0 : afterwards, 1e-12);
            CHECK_NEAR(off->current[k], 0.0, 1e-12);
        }
    }
}

TEST(joint_faults, offsets_are_added_while_they_act)
{
    seen                 off;
    atemi_injected_fault o = fault();
    o.encoder_offset = 0.02;
    o.current_offset = -3.0;
    look(o, &off);
    check_untouched_outside(&off, 0.0);
    for (int k = FIRST; k < LAST; ++k) {
        CHECK_NEAR(off.motor[k], 0.02, 1e-12);
        CHECK_NEAR(off.joint[k], 0.02, 1e-12);
        CHECK_NEAR(off.current[k], -3.0, 1e-12);
    }
}

TEST(joint_faults, of_one_encoder_leave_the_other_alone)
{
    for (int e = 0; e < 2; ++e) {
        seen                 off;
        atemi_injected_fault o = fault();
        o.encoders = e ? ATEMI_ENCODER_JOINT : ATEMI_ENCODER_MOTOR;
        o.encoder_offset = 0.02;
        look(o, &off);
        CHECK_NEAR(off.motor[FIRST], e ? 0.0 : 0.02, 1e-12);
        CHECK_NEAR(off.joint[FIRST], e ? 0.02 : 0.0, 1e-12);
    }
}

// Of 250 samples: the mean is within 4 deviations / sqrt(250), the deviation within 4 / sqrt(500)
// of it, but for one seed in 15,000; this one is fixed.
TEST(joint_faults, noise_has_the_deviation_that_was_asked_for_and_each_sensor_its_own)
{
    seen                 off;
    atemi_injected_fault o = fault();
    o.encoder = 0.01;
    o.current = 2.0;
    look(o, &off);
    check_untouched_outside(&off, 0.0);
    CHECK_NEAR(mean(off.motor), 0.0, 0.25 * 0.01);
    CHECK_NEAR(deviation(off.motor), 0.01, 0.18 * 0.01);
    CHECK_NEAR(deviation(off.joint), 0.01, 0.18 * 0.01);
    CHECK_NEAR(deviation(off.current), 2.0, 0.18 * 2.0);
    CHECK(fabs(off.motor[FIRST] - off.joint[FIRST]) > 1e-6);
}

// The coupling loses a tenth of each motion: of 2 rad/s over 0.5 s, 0.1 rad, for good.
TEST(joint_faults, slip_loses_a_fraction_of_the_motion_and_never_finds_it_again)
{
    seen                 off;
    atemi_injected_fault o = fault();
    o.encoder_slip = 0.1;
    look(o, &off);
    check_untouched_outside(&off, -0.1 * speed * (at(LAST) - at(FIRST)));
    const int k = FIRST + 100;
    CHECK_NEAR(off.motor[k], -0.1 * speed * 101 * tick, 1e-12);
}

TEST(joint_faults, a_stuck_encoder_shows_its_last_reading)
{
    seen                 off;
    atemi_injected_fault o = fault();
    o.encoder_stuck = true;
    look(o, &off);
    check_untouched_outside(&off, 0.0);
    for (int k = FIRST; k < LAST; ++k) {
        CHECK_NEAR(off.joint[k] + speed * k * tick, speed * at(FIRST - 1), 1e-12);
    }
}

// Of 250 readings 75 are lost in the mean; 29 more or less are 4 deviations of sqrt(250 0.3 0.7).
TEST(joint_faults, a_fraction_of_readings_is_no_number)
{
    seen                 off;
    atemi_injected_fault o = fault();
    o.encoder_dropped = 0.3;
    o.current_dropped = 1.0;
    look(o, &off);
    check_untouched_outside(&off, 0.0);
    CHECK_NEAR(lost(off.motor), 75.0, 29.0);
    CHECK_NEAR(lost(off.joint), 75.0, 29.0);
    CHECK_EQUAL_INT(lost(off.current), LAST - FIRST);
}

TEST(joint_faults, a_fraction_of_ticks_is_lost)
{
    joint_fault          one;
    int                  inside = 0, outside = 0;
    atemi_injected_fault o = fault();
    o.dropped = 0.3;
    atemi_joint_fault_start(&o, 7, &one);
    for (int k = 0; k < TICKS; ++k) {
        const bool is_lost = atemi_joint_faults_lose_tick((joint_faults){&one, 1}, k * tick);
        inside += is_lost && acts(k);
        outside += is_lost && !acts(k);
    }
    CHECK_NEAR(inside, 75.0, 29.0);
    CHECK_EQUAL_INT(outside, 0);
}

// A step of 10 V with a lag T:  10 (1 - exp(-t / T)), in ticks of any length.
TEST(joint_faults, a_lagging_voltage_nears_its_demand_exponentially)
{
    joint_fault          one;
    atemi_injected_fault o = fault();
    double               voltage = 0.0;
    o.lag = 0.05;
    atemi_joint_fault_start(&o, 7, &one);
    for (int k = FIRST; k < LAST; ++k) {
        voltage =
            atemi_joint_faults_voltage((joint_faults){&one, 1}, k * tick, tick, voltage, 10.0);
        CHECK_NEAR(voltage, -10.0 * expm1(-at(k - FIRST + 1) / 0.05), 1e-12);
    }
    CHECK_NEAR(atemi_joint_faults_voltage((joint_faults){&one, 1}, 0.0, tick, 1.0, 10.0), 10.0,
               0.0);
}

TEST(joint_faults, of_several_delays_and_brakes_all_count)
{
    joint_fault          two[2];
    atemi_injected_fault o = fault();
    o.bus_delay = 0.01;
    atemi_joint_fault_start(&o, 7, &two[0]);
    o.bus_delay = 0.02;
    o.brake = true;
    o.until = INFINITY;
    atemi_joint_fault_start(&o, 8, &two[1]);
    const joint_faults both = {two, 2};
    CHECK_NEAR(atemi_joint_faults_delay(both, 0.2), 0.0, 0.0);
    CHECK_NEAR(atemi_joint_faults_delay(both, 0.5), 0.03, 1e-15);
    CHECK_NEAR(atemi_joint_faults_delay(both, 0.9), 0.02, 0.0);
    CHECK(!atemi_joint_faults_brake(both, 0.2) && atemi_joint_faults_brake(both, 0.9));
}
