// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven/joint_faults.h"

#include "math/random.h"

#include <math.h>

// What an encoder shows of its reading r, with e the noise, once the coupling has lost s of its
// motion since the slip began:
//
//   r - sum s dr + offset + e;   stuck: what it showed last;   lost: no number
//
// and of a voltage u where v acted before, in a tick of T:  v + (1 - exp(-T / lag)) (u - v).

static bool is_on(const joint_fault *f, double time)
{
    const double rounding = 1e-9;
    return time >= f->options.from - rounding && time < f->options.until - rounding;
}

void atemi_joint_fault_start(const atemi_injected_fault *options, uint64_t seed, joint_fault *fault)
{
    *fault = (joint_fault){.options = *options, .random = seed};
}

// Of so many in a row, one by chance.
static bool is_hit(joint_fault *f, double fraction)
{
    return fraction > 0.0 && random_unit_next(&f->random) < fraction;
}

static double noise(joint_fault *f, double deviation)
{
    return deviation > 0.0 ? deviation * random_normal_next(&f->random) : 0.0;
}

// ---- Sensing

static double distorted(joint_fault *f, int e, double turns, double seen)
{
    const atemi_injected_fault *o = &f->options;
    if (is_hit(f, o->encoder_dropped)) {
        return (double)NAN;
    }
    return o->encoder_stuck ? f->shown[e]
                            : seen + turns * (o->encoder_offset + noise(f, o->encoder));
}

static void sense_encoder(joint_fault *f, int e, bool acts, double turns, double *reading)
{
    if (!isfinite(*reading)) {
        return;
    }
    const double moved = f->begun ? *reading - f->before[e] : 0.0;
    f->before[e] = *reading;
    f->lost[e] += acts ? f->options.encoder_slip * moved : 0.0;
    const double seen = *reading - f->lost[e];
    if (!acts || !f->options.encoder_stuck || !f->begun) {
        f->shown[e] = seen;
    }
    *reading = acts ? distorted(f, e, turns, seen) : seen;
}

static void sense_current(joint_fault *f, double torque_constant, double *reading)
{
    const atemi_injected_fault *o = &f->options;
    *reading += (o->current_offset + noise(f, o->current)) / torque_constant;
    if (is_hit(f, o->current_dropped)) {
        *reading = (double)NAN;
    }
}

static void sense(joint_fault *f, double time, const atemi_joint_drive *drive,
                  atemi_joint_measurement *m)
{
    const bool     acts = is_on(f, time);
    const unsigned encoders = acts ? f->options.encoders : 0u;
    sense_encoder(f, 0, encoders & ATEMI_ENCODER_MOTOR, drive->gear, &m->motor_position);
    sense_encoder(f, 1, encoders & ATEMI_ENCODER_JOINT, 1.0, &m->joint_position);
    if (acts) {
        sense_current(f, drive->gear * drive->torque_constant, &m->current);
    }
    f->begun = true;
}

void atemi_joint_faults_sense(joint_faults of, double time, const atemi_joint_drive *drive,
                              atemi_joint_measurement *measurement)
{
    for (int k = 0; k < of.count; ++k) {
        sense(&of.faults[k], time, drive, measurement);
    }
}

// ---- Time and force

bool atemi_joint_faults_lose_tick(joint_faults of, double time)
{
    bool lost = false;
    for (int k = 0; k < of.count; ++k) {
        joint_fault *f = &of.faults[k];
        lost = (is_on(f, time) && is_hit(f, f->options.dropped)) || lost;
    }
    return lost;
}

bool atemi_joint_faults_brake(joint_faults of, double time)
{
    bool closed = false;
    for (int k = 0; k < of.count; ++k) {
        closed = closed || (of.faults[k].options.brake && is_on(&of.faults[k], time));
    }
    return closed;
}

double atemi_joint_faults_delay(joint_faults of, double time)
{
    double delay = 0.0;
    for (int k = 0; k < of.count; ++k) {
        delay += is_on(&of.faults[k], time) ? of.faults[k].options.bus_delay : 0.0;
    }
    return delay;
}

double atemi_joint_faults_voltage(joint_faults of, double time, double period, double before,
                                  double demand)
{
    double lag = 0.0;
    for (int k = 0; k < of.count; ++k) {
        lag += is_on(&of.faults[k], time) ? of.faults[k].options.lag : 0.0;
    }
    return lag > 0.0 ? before - expm1(-period / lag) * (demand - before) : demand;
}
