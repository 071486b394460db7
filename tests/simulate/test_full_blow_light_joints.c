// SPDX-License-Identifier: Apache-2.0

// A wrist of 1e-4 kg m^2 behind 8000 N m/rad and 400 N m s/rad follows its servo within 0.25 us.
// Steps that take its damping implicitly are the oracle of the rotor that makes it 40 us.

#include "blow_rig.h"
#include "light_wrist.h"

static void begin(bench *b)
{
    bench_begin(b, light_wrist());
    b->setting.point = light_wrist_point();
    b->stiffness[LIGHT_RAIL] = b->stiffness[LIGHT_WRIST] = 8000.0;
    b->damping[LIGHT_RAIL] = b->damping[LIGHT_WRIST] = 400.0;
    b->v[LIGHT_RAIL] = 1.0;
}

static atemi_full_blow_result strike_with_lag(bench *b, double lag)
{
    b->options.shortest_lag = lag;
    return strike(b);
}

// Measured: 5e-5 of the impulse, 5e-6 of the compression. It takes no fewer steps, since damping is
// taken implicitly.
TEST(light_joint, with_a_rotor_strikes_as_without)
{
    bench b;
    begin(&b);
    const atemi_full_blow_result exact = strike_with_lag(&b, 0.0);
    const atemi_full_blow_result held =
        strike_with_lag(&b, atemi_full_blow_options_default().shortest_lag);
    CHECK_NEAR(held.impulse, exact.impulse, 1e-4 * exact.impulse);
    CHECK_NEAR(held.peak_force, exact.peak_force, 1e-4 * exact.peak_force);
    CHECK_NEAR(held.compression, exact.compression, 1e-4 * exact.compression);
    CHECK_NEAR(held.contact_time, exact.contact_time, 1e-4 * exact.contact_time);
    CHECK(exact.steps < 2 * held.steps);
    bench_end(&b);
}

TEST(light_joint, with_a_rotor_errs_in_proportion_to_its_lag)
{
    bench b;
    begin(&b);
    const double exact = strike_with_lag(&b, 0.0).compression;
    double       before = fabs(strike_with_lag(&b, 3.2e-4).compression - exact);
    for (double lag = 1.6e-4; lag > 2e-5; lag *= 0.5) {
        const double error = fabs(strike_with_lag(&b, lag).compression - exact);
        CHECK(error < 0.7 * before);
        before = error;
    }
    bench_end(&b);
}

static const double swing = 1000.0; // rad/s^2

static void swing_wrist(void *context, double time, double *q, double *v, double *a)
{
    (void)context;
    q[LIGHT_RAIL] = v[LIGHT_RAIL] = a[LIGHT_RAIL] = 0.0;
    q[LIGHT_WRIST] = 0.5 * swing * time * time;
    v[LIGHT_WRIST] = swing * time;
    a[LIGHT_WRIST] = swing;
}

// Without the rotor's own torque it would be late by 0.04 rad/s.
TEST(light_joint, with_a_rotor_follows_its_reference)
{
    const double time = 0.01;
    bench        b;
    begin(&b);
    b.v[LIGHT_RAIL] = 0.0;
    b.setting.start = -time;
    b.q[LIGHT_WRIST] = 0.5 * swing * time * time;
    b.v[LIGHT_WRIST] = -swing * time;
    b.setting.place = (atemi_vec3){1.0, 0.0, 0.0};
    b.setting.reference = swing_wrist;
    b.options.duration = time;
    strike(&b);
    CHECK_NEAR(b.end_v[LIGHT_WRIST], swing * time, 2e-3);
    bench_end(&b);
}

TEST(light_joint, that_no_robot_has_changes_nothing)
{
    bench b;
    slider(&b, 5.0, 1.0);
    b.stiffness[0] = 8000.0;
    b.damping[0] = 400.0;
    const atemi_full_blow_result plain = strike_with_lag(&b, 0.0);
    const atemi_full_blow_result usual = strike_with_lag(&b, 4e-5);
    CHECK_NEAR(usual.impulse, plain.impulse, 0.0);
    CHECK_EQUAL_INT((int)usual.steps, (int)plain.steps);
    bench_end(&b);
}
