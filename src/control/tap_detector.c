// SPDX-License-Identifier: Apache-2.0

#include "control/tap_detector.h"

#include <math.h>

// A tap is a change of the force in the load cell that soon goes back to where it was, f less its
// smoothed value, while the robot has been quiet for a while: then nothing of its own changes it.
// Somebody who comes to lean on the robot, or leaves it, is no tap.

static const double settling = 0.3;  // s
static const double smoothing = 0.2; // s
static const double tap_time = 0.3;  // s, at most

tap_detector atemi_tap_detector_start(double period, double threshold)
{
    return (tap_detector){.period = period, .threshold = threshold, .touched = NAN};
}

static bool notice(tap_detector *d, double time, double change)
{
    if (isnan(d->touched) && change > d->threshold) {
        d->touched = time;
        d->strength = 0.0;
    }
    d->strength = fmax(d->strength, change);
    if (!isnan(d->touched) && change < 0.5 * d->threshold) {
        d->touched = NAN;
        return true;
    }
    return false;
}

bool atemi_tap_detector_step(tap_detector *detector, double time, atemi_vec3 force, bool is_still)
{
    tap_detector    *d = detector;
    const atemi_vec3 change = atemi_vec3_sub(force, d->slow);
    d->quiet = is_still ? d->quiet + d->period : 0.0;
    const bool is_new = d->quiet < settling || time - d->touched > tap_time;
    if (is_new) {
        d->slow = force;
        d->touched = NAN;
        return false;
    }
    const bool tapped = notice(d, time, atemi_vec3_norm(change));
    if (isnan(d->touched)) {
        d->slow = atemi_vec3_add(d->slow, atemi_vec3_scale(-expm1(-d->period / smoothing), change));
    }
    return tapped;
}
