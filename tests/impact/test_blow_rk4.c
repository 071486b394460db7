// SPDX-License-Identifier: Apache-2.0

#include "blow_bench.h"

// The blows of [SDC] Table III by its steps 3b-8b of 1e-4 s, with all that they miss where the
// contact turns and opens.
TEST(blow_rk4, at_the_papers_step_is_the_exact_one)
{
    static const double masses[] = {4.0, 6.0, 8.0}, speeds[] = {0.4, 0.7, 1.0};
    for (int i = 0; i < 9; ++i) {
        bench b;
        slider(&b, masses[i / 3], speeds[i % 3]);
        const atemi_blow_result exact = strike_by(&b, ATEMI_BLOW_EXACT, 1e-4);
        const atemi_blow_result rk4 = strike_by(&b, ATEMI_BLOW_RK4, 1e-4);
        CHECK_NEAR(rk4.impulse, exact.impulse, 1e-5 * exact.impulse);
        CHECK_NEAR(rk4.peak_force, exact.peak_force, 1e-9 * exact.peak_force);
        CHECK_NEAR(rk4.compression, exact.compression, 1e-4 * exact.compression);
        CHECK_NEAR(rk4.contact_time, exact.contact_time, 2e-4);
        CHECK_NEAR(rk4.hand_speed, exact.hand_speed, 1e-4 * speeds[i % 3]);
        bench_end(&b);
    }
}

// Any law will do for RK4: a linear one without damping as Hunt and Crossley write it.
TEST(blow_rk4, takes_any_law)
{
    bench b;
    slider(&b, 3.0, 0.8);
    use_spring(&b, ATEMI_BLOW_COMPRESSION_DAMPER, 2e4, 0.0);
    const double              impulse = strike(&b).impulse;
    const atemi_hunt_crossley law = {.stiffness = 2e4, .exponent = 1.0};
    b.setting.surface.law = ATEMI_BLOW_OTHER_LAW;
    b.setting.surface.other = atemi_compliance_hunt_crossley(&law);
    CHECK_NEAR(strike_by(&b, ATEMI_BLOW_RK4, 1e-5).impulse, impulse, 1e-7);
    bench_end(&b);
}

// Two masses by Hertz's law: 1/2 mu v^2 = 2/5 k d^(5/2) where they are nearest.
TEST(blow_rk4, with_hertzs_law_is_as_deep_and_hard_as_its_energy)
{
    const double m = 3.0, M = 5.0, v = 0.8, k = 2e6, mu = m * M / (m + M);
    bench        b;
    slider(&b, m, v);
    atemi_hunt_crossley law = {.stiffness = k, .exponent = 1.5};
    b.setting.surface.law = ATEMI_BLOW_OTHER_LAW;
    b.setting.surface.other = atemi_compliance_hunt_crossley(&law);
    const double            depth = pow(1.25 * mu * v * v / k, 0.4);
    const atemi_blow_result r = strike_by(&b, ATEMI_BLOW_RK4, 1e-6);
    CHECK_NEAR(r.compression, depth, 1e-6 * depth);
    CHECK_NEAR(r.peak_force, k * pow(depth, 1.5), 1e-6 * r.peak_force);
    CHECK_NEAR(r.impulse, 2.0 * mu * v, 1e-6);

    law.dissipation = 0.1; // restitution 1 - 0.1 v, as far as the next power of 0.1 v
    const atemi_blow_result damped = strike_by(&b, ATEMI_BLOW_RK4, 1e-6);
    CHECK(damped.released && damped.compression < depth);
    CHECK_NEAR((damped.target_speed - damped.hand_speed) / v, 1.0 - 0.1 * v, 0.01);
    bench_end(&b);
}

// A humanoid by a law of its own is pushed back, never pulled, and momentum is kept.
TEST(blow_rk4, of_the_humanoid_by_hunt_and_crossley_is_physical)
{
    bench b;
    humanoid(&b, 12000.0, 400.0, 1.0);
    const atemi_hunt_crossley law = {.stiffness = 1e6, .dissipation = 0.3, .exponent = 1.5};
    b.setting.surface.law = ATEMI_BLOW_OTHER_LAW;
    b.setting.surface.other = atemi_compliance_hunt_crossley(&law);
    const atemi_blow_result fine = strike_by(&b, ATEMI_BLOW_RK4, 1e-5);
    const atemi_blow_result r = strike_by(&b, ATEMI_BLOW_RK4, 1e-4);
    const double            m = atemi_virtual_mass(&b.base), M = b.setting.target.mass;
    const double            mu = m * M / (m + M), depth = pow(1.25 * mu / 1e6, 0.4);
    CHECK_NEAR(r.peak_force, fine.peak_force, 1e-3 * fine.peak_force);
    CHECK_NEAR(r.impulse, M * r.target_speed, 1e-9);
    CHECK(r.released && r.impulse > mu && r.peak_time > 0.0);
    CHECK(r.peak_force > 0.7 * 1e6 * pow(depth, 1.5)); // of two masses without servo and loss
    CHECK(r.peak_force < 2.0 * 1e6 * pow(depth, 1.5));
    bench_end(&b);
}
