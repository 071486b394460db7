// SPDX-License-Identifier: Apache-2.0

#include "blow_bench.h"

// Without a servo and against a wall on a soft spring, the hand is a mass under a constant force:
// d = v/w sin w t + b/w^2 (1 - cos w t).
TEST(blow_reference, of_a_hand_that_drifts_is_a_swing_about_another_place)
{
    bench        b;
    const double m = 4.0, v = 1.0, k = 1e4, drift = -3.0, w = sqrt(k / m);
    slider(&b, m, v);
    use_spring(&b, ATEMI_BLOW_KELVIN_VOIGT, k, 0.0);
    b.setting.target.mass = INFINITY;
    b.setting.drift = drift;
    const atemi_blow_result r = strike(&b);
    const double            deepest = drift / (w * w) + hypot(v / w, drift / (w * w));
    CHECK_NEAR(r.compression, deepest, 1e-12);
    CHECK_NEAR(r.hand_speed, -v, 1e-10);
    bench_end(&b);
}

typedef struct first_sample {
    double rate, acceleration;
    int    count;
} first_sample;

static void take_sample(void *context, const atemi_blow_sample *sample)
{
    first_sample *kept = (first_sample *)context;
    kept->rate = sample->rates[0];
    kept->acceleration = sample->accelerations[0];
    ++kept->count;
}

TEST(blow_reference, shows_the_accelerations_of_its_reference_with_its_own)
{
    bench            b;
    double           gains[1] = {2.0};
    const double     time = 1e-3;
    first_sample     plain = {0}, gathering = {0};
    atemi_blow_watch watch = {&time, 1, take_sample, &plain};
    slider(&b, 4.0, 1.0);
    CHECK_STATUS(atemi_blow(&b.base, &b.setting, NULL, &watch, &b.scratch, &b.result, NULL),
                 ATEMI_OK);
    b.setting.accelerations = gains;
    watch.context = &gathering;
    CHECK_STATUS(atemi_blow(&b.base, &b.setting, NULL, &watch, &b.scratch, &b.result, NULL),
                 ATEMI_OK);
    CHECK_NEAR(gathering.acceleration - plain.acceleration, 2.0, 1e-12);
    CHECK_NEAR(gathering.rate - plain.rate, 2.0 * time, 1e-12);
    gains[0] = NAN;
    CHECK_STATUS(atemi_blow(&b.base, &b.setting, NULL, NULL, &b.scratch, &b.result, NULL),
                 ATEMI_ERROR_INPUT);
    bench_end(&b);
}
