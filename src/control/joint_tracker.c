// SPDX-License-Identifier: Apache-2.0

#include "control/joint_tracker.h"

#include <limits.h>
#include <math.h>

// With p = exp(-bandwidth T), x position, v velocity, a the model's acceleration, e its excess:
//
//   expected     x += T v + T^2 (a + e) / 2,     v += T (a + e)
//   surprise     s = reading - x
//   corrected    x += (1 - p^3) s,     v += 3/2 (1 - p)^2 (1 + p) s / T,     e += (1 - p)^3 s / T^2
//
// The error of x, v and e dies out with p three times over. e is the integral action of the loops
// around the tracker: it grows only by what the model, limits included, does not explain, and so
// has nothing to wind up.

static const double farthest = 1e9; // rad, that a first reading is believed

void atemi_joint_tracker_start(double period, double bandwidth, double gate,
                               atemi_joint_tracker *tracker)
{
    const double p = exp(-bandwidth * period), rest = 1.0 - p;
    *tracker = (atemi_joint_tracker){
        .period = period,
        .gate = gate,
        .gains = {1.0 - p * p * p, 1.5 * rest * rest * (1.0 + p) / period,
                  rest * rest * rest / (period * period)},
    };
}

static void expect(atemi_joint_tracker *t, double acceleration)
{
    const double T = t->period, a = acceleration + t->excess;
    t->position += T * t->velocity + 0.5 * T * T * a;
    t->velocity += T * a;
}

static void correct(atemi_joint_tracker *t, double surprise)
{
    t->position += t->gains[0] * surprise;
    t->velocity += t->gains[1] * surprise;
    t->excess += t->gains[2] * surprise;
}

int atemi_joint_ticks(int before, bool lasts)
{
    return lasts ? before + (before < INT_MAX) : 0;
}

static void note(atemi_joint_tracker *t, double reading, double surprise, bool is_credible)
{
    t->rejected = atemi_joint_ticks(t->rejected, !is_credible);
    t->frozen = is_credible && reading == t->reading;
    t->surprise = is_credible ? surprise : 0.0;
    t->reading = is_credible ? reading : t->reading;
}

// The first reading is the position, the second one the velocity.
static void begin(atemi_joint_tracker *t, double reading)
{
    if (t->begun == 1 && fabs(reading - t->position) <= t->gate) {
        t->velocity = (reading - t->position) / t->period;
    }
    t->position = reading;
    ++t->begun;
}

bool atemi_joint_tracker_update(atemi_joint_tracker *tracker, double reading, double acceleration)
{
    if (tracker->begun < 2 && fabs(reading) <= farthest) {
        begin(tracker, reading);
    } else {
        expect(tracker, acceleration);
    }
    const double surprise = reading - tracker->position;
    const bool   is_credible = fabs(surprise) <= tracker->gate;
    if (is_credible) {
        correct(tracker, surprise);
    }
    note(tracker, reading, surprise, is_credible);
    return is_credible;
}

void atemi_joint_tracker_give_up(atemi_joint_tracker *tracker)
{
    tracker->velocity = tracker->excess = 0.0;
}
