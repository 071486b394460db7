// SPDX-License-Identifier: Apache-2.0

#include "blow_bench.h"

// Joints whose friction acts within 10 us, by steps of 100 us.
static void use_friction(bench *b)
{
    humanoid(b, 12000.0, 100.0, 1.0);
    static double rotors[MOST];
    for (int i = 6; i < b->n; ++i) {
        rotors[i] = 0.02;
        b->coulomb[i] = 2.0;
    }
    b->ground.rotors = rotors;
    freeze(b);
    b->setting.servo.limits = NULL;
    b->setting.servo.coulomb = b->coulomb;
    b->options.past_release = true;
}

// What a joint creeps by is small beside the blow.
TEST(blow_rk4_step, softens_friction_without_changing_the_blow)
{
    bench b;
    use_friction(&b);
    const double            exact = strike(&b).impulse;
    const atemi_blow_result r = strike_by(&b, ATEMI_BLOW_RK4, 1e-4);
    CHECK_NEAR(r.impulse, exact, 1e-5 * exact);
    bench_end(&b);
}

// Without trembling, a change in the last digits stays one.
TEST(blow_rk4_step, lets_no_joint_tremble)
{
    bench b;
    use_friction(&b);
    double       rates[MOST];
    const double speed = b.setting.speed;
    strike_by(&b, ATEMI_BLOW_RK4, 1e-4);
    memcpy(rates, b.result.rates, sizeof rates[0] * (size_t)b.n);
    b.setting.speed = speed * (1.0 + 1e-12);
    strike(&b);
    for (int i = 0; i < b.n; ++i) {
        CHECK_NEAR(b.result.rates[i], rates[i], 1e-10);
    }
    bench_end(&b);
}

// A light joint behind a stiff servo: as many parts as that needs.
TEST(blow_rk4_step, is_shorter_where_a_servo_is_fast)
{
    bench b;
    slider(&b, 1.0, 1.0);
    b.damping[0] = 1e5;
    b.setting.servo.damping = b.damping;
    const atemi_blow_result r = strike_by(&b, ATEMI_BLOW_RK4, 1e-4);
    const double            fewest = r.duration * 1e5 / 2.78;
    CHECK(r.evaluations >= 4.0 * fewest && r.evaluations < 8.0 * fewest);
    bench_end(&b);
}
