// SPDX-License-Identifier: Apache-2.0

#include "impact/striking_point.h"
#include "simulate/full_blow/full_blow_parts.h"

#include <math.h>

// The force of a hand is a line from sample to sample, jumps where it touches and is zero from
// where it leaves. The blow lasts while any hand touches.

static const double first_touch = 1e-15; // m: the force jumps as the depth becomes positive
static const double rounding = 1e-12;    // m: hands this far behind the foremost touch with it

bool atemi_full_blow_touches(const atemi_blow_run *run)
{
    bool found = false;
    for (int k = 0; k < run->hand_count; ++k) {
        found = found || run->hands[k].touches;
    }
    return found;
}

double atemi_full_blow_find_speeds(atemi_blow_run *run, const double *q, const double *v)
{
    double sum = 0.0;
    atemi_kinematics_update(run->robot, q, v, NULL, &run->kinematics);
    for (int k = 0; k < run->hand_count; ++k) {
        run->speeds[k] =
            atemi_striking_point_speed_in(run->robot, &run->kinematics, &run->setting->point, k);
        sum += run->speeds[k];
    }
    return sum / run->hand_count;
}

// ---- Touch and release ----------------------------------------------------------------------

// A time, or the last one that counts.
static double counted(const atemi_blow_run *run, double time)
{
    return fmin(time, run->result->touch_time + run->options.counted);
}

void atemi_full_blow_count_touch(atemi_blow_run *run, double until)
{
    run->result->contact_time += fmax(counted(run, until) - run->touched, 0.0);
}

static void touch(atemi_blow_run *run, atemi_blow_hand *hand, double time)
{
    if (!atemi_full_blow_touches(run)) {
        run->touched = time;
    }
    hand->touches = true;
    hand->touched = time;
}

static void release(atemi_blow_run *run, atemi_blow_hand *hand, double time)
{
    hand->touches = false;
    hand->released = time;
    if (!atemi_full_blow_touches(run)) {
        atemi_full_blow_count_touch(run, time);
        run->result->released = true;
    }
}

void atemi_full_blow_note_force(atemi_blow_run *run, double force, double time)
{
    if (force > run->result->peak_force) {
        run->result->peak_force = force;
        run->result->peak_time = time;
    }
}

static double force_now(const atemi_blow_run *run)
{
    double sum = 0.0;
    for (int k = 0; k < run->hand_count; ++k) {
        sum += run->hands[k].touches ? run->hands[k].force : 0.0;
    }
    return sum;
}

// The force of a damper jumps: it is counted from there.
static void touch_between_samples(atemi_blow_run *run, atemi_blow_hand *hand, double time,
                                  double speed)
{
    touch(run, hand, time);
    hand->force = atemi_compliance_force(&run->law, first_touch, speed);
    hand->time = time;
    if (isnan(run->result->touch_time)) {
        run->result->touch_time = time;
    }
    atemi_full_blow_note_force(run, force_now(run), time);
}

// ---- Events ---------------------------------------------------------------------------------

void atemi_full_blow_event(void *context, const atemi_event *event)
{
    atemi_blow_run *run = (atemi_blow_run *)context;
    const int       k = event->point - run->setting->foot_count;
    if (k < 0) {
        atemi_full_blow_count_foot(run, event);
    } else if (event->kind == ATEMI_EVENT_TOUCHDOWN && !run->hands[k].touches) {
        touch_between_samples(run, &run->hands[k], event->time, event->speed);
    } else if (event->kind == ATEMI_EVENT_LIFT_OFF && run->hands[k].touches) {
        release(run, &run->hands[k], event->time);
    }
}

// ---- Samples --------------------------------------------------------------------------------

static bool is_foremost(const atemi_blow_run *run, int hand)
{
    const atemi_vec3 at =
        atemi_striking_point_place_in(run->robot, &run->kinematics, &run->setting->point, hand);
    return run->front - atemi_vec3_dot(at, run->setting->point.direction) <= rounding;
}

bool atemi_full_blow_begin_hands(atemi_blow_run *run)
{
    const double start = run->setting->start;
    bool         comes_near = false;
    atemi_full_blow_find_speeds(run, run->q, run->v);
    for (int k = 0; k < run->hand_count; ++k) {
        run->hands[k].time = start;
        comes_near = comes_near || run->speeds[k] > 0.0;
        if (start >= 0.0 && run->speeds[k] > 0.0 && is_foremost(run, k)) {
            touch(run, &run->hands[k], start);
        }
    }
    run->result->touch_time = atemi_full_blow_touches(run) ? start : (double)NAN;
    return comes_near || start < 0.0;
}

double atemi_full_blow_read_forces(atemi_blow_run *run, double time)
{
    double sum = 0.0;
    for (int k = 0; k < run->hand_count; ++k) {
        const atemi_blow_hand *hand = &run->hands[k];
        run->forces[k] =
            hand->touches && time == run->setting->start
                ? atemi_compliance_force(&run->law, first_touch, run->speeds[k])
                : atemi_vec3_norm(atemi_simulation_force(run->simulation, hand->point));
        sum += run->forces[k];
    }
    return sum;
}

double atemi_full_blow_compression(const atemi_blow_run *run)
{
    double sum = 0.0;
    for (int k = 0; k < run->hand_count; ++k) {
        sum += fmax(-atemi_simulation_gap(run->simulation, run->hands[k].point), 0.0);
    }
    return sum / run->hand_count;
}

// A law may end its force before hand and target are apart. That is a release as well, as in
// atemi_blow(), at the end of the step.
static void watch_force(atemi_blow_run *run, atemi_blow_hand *hand, double force, double time)
{
    if (hand->touches && time > hand->touched && force == 0.0) {
        release(run, hand, time);
    } else if (!hand->touches && force > 0.0) {
        touch(run, hand, hand->time);
    }
}

// What a hand whose force becomes `force` at a time has given since its last sample.
static double gain_of(const atemi_blow_run *run, const atemi_blow_hand *hand, double force,
                      double until)
{
    const double end = counted(run, until), span = end - hand->time;
    if (!(span > 0.0)) {
        return 0.0;
    }
    const double part = span / (until - hand->time);
    const double last = end < until ? hand->force + part * (force - hand->force) : force;
    return 0.5 * (hand->force + last) * span;
}

void atemi_full_blow_measure_hands(atemi_blow_run *run, double time)
{
    for (int k = 0; k < run->hand_count; ++k) {
        atemi_blow_hand *hand = &run->hands[k];
        watch_force(run, hand, run->forces[k], time);
        const bool   parted = !isnan(hand->released);
        const double gain =
            gain_of(run, hand, parted ? 0.0 : run->forces[k], parted ? hand->released : time);
        run->result->impulse += gain;
        run->result->hand_impulses[k] += gain;
        hand->force = run->forces[k];
        hand->time = time;
        hand->released = NAN;
    }
}
