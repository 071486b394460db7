// SPDX-License-Identifier: Apache-2.0

#include "blow_bench.h"

// Both hips and ankles of a robot that strikes straight ahead do the same: their modes end at the
// same time, and none is looked for twice.
TEST(blow_modes, end_together_if_they_end_at_the_same_time)
{
    bench b;
    humanoid(&b, 12000.0, 400.0, 0.7);
    for (int i = 6; i < b.n; ++i) {
        b.coulomb[i] = 2.0;
    }
    b.setting.servo.coulomb = b.coulomb;
    const atemi_blow_result r = strike(&b);
    CHECK(r.mode_changes >= 8);
    CHECK(r.evaluations < 12 * r.mode_changes);
    bench_end(&b);
}
