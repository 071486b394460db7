// SPDX-License-Identifier: Apache-2.0

#include "control/tap_detector.h"

#include "check.h"

static const double period = 0.02, threshold = 8.0; // s, N

/// Forces over time: `rest`, and `rest + change` from `from` to `until`.
typedef struct touch {
    double rest, change, from, until;
} touch;

/// @return the taps within 3 s
static int taps_of(touch t, bool is_still, double *strength)
{
    tap_detector detector = atemi_tap_detector_start(period, threshold);
    int          taps = 0;
    for (int k = 0; k < 150; ++k) {
        const double     time = k * period;
        const double     f = time >= t.from && time < t.until ? t.rest + t.change : t.rest;
        const atemi_vec3 force = {0.0, 0.0, f};
        taps += atemi_tap_detector_step(&detector, time, force, is_still);
    }
    *strength = detector.strength;
    return taps;
}

// The smoothed force is the force at rest, so the change is felt in full: but for rounding.
TEST(tap_detector, feels_a_short_change_and_its_strength)
{
    double strength;
    CHECK_EQUAL_INT(taps_of((touch){100.0, 20.0, 1.0, 1.1}, true, &strength), 1);
    CHECK_NEAR(strength, 20.0, 1e-9);
}

TEST(tap_detector, does_not_take_leaning_or_leaving_for_a_tap)
{
    double strength;
    CHECK_EQUAL_INT(taps_of((touch){100.0, 20.0, 1.0, 9.0}, true, &strength), 0);
    CHECK_EQUAL_INT(taps_of((touch){100.0, 20.0, 0.0, 1.0}, true, &strength), 0);
    CHECK_EQUAL_INT(taps_of((touch){100.0, 20.0, 1.0, 1.5}, true, &strength), 0);
}

TEST(tap_detector, feels_nothing_while_the_robot_moves_or_below_its_threshold)
{
    double strength;
    CHECK_EQUAL_INT(taps_of((touch){100.0, 20.0, 1.0, 1.1}, false, &strength), 0);
    CHECK_EQUAL_INT(taps_of((touch){100.0, 7.9, 1.0, 1.1}, true, &strength), 0);
    CHECK_EQUAL_INT(taps_of((touch){100.0, 20.0, 0.1, 0.2}, true, &strength), 0); // not yet settled
}
