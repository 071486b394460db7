// SPDX-License-Identifier: Apache-2.0

#include "blow_bench.h"
#include "data.h"
#include "random.h"

// Blows with gains, surfaces, masses and speeds that are far from each other: what converges must
// converge, all else is an error, nothing takes long.

// The hand of a rigid servo keeps its speed u. Then the surface's depth is that of a damped swing
// of the target, from (0, u) to (d, 0) with w^2 = k / m and z = c / (2 sqrt(k m)),
//
//   d = u / w exp(-z / sqrt(1 - z^2) acos z)
//
// and from there, without damping, back to (0, -w d): the target has got m (u + w d).
typedef struct rigid {
    double depth, impulse;
} rigid;

static rigid rigid_limit(double k, double c, double m, double u)
{
    const double w = sqrt(k / m), z = c / (2.0 * sqrt(k * m));
    const double d = u / w * exp(-z / sqrt(1.0 - z * z) * acos(z));
    return (rigid){d, m * (u + w * d)};
}

static void hit_with(bench *b, double stiffness, double damping)
{
    for (int i = 6; i < b->n; ++i) {
        b->stiffness[i] = stiffness;
        b->damping[i] = damping;
    }
    strike(b);
}

// Servos that yield by K_p do so by (w / rate)^2 of the blow, w = 45 / s against 1e3 / s and more;
// beyond 2e4 / s they count as that: 1e-5. By K_d it is w / rate, with 2e6 / s: 1e-4 with what
// all joints add.
TEST(blow_rates, of_ever_stiffer_servos_converge_to_the_rigid_hand)
{
    bench       b;
    const rigid limit = rigid_limit(1e4, 300.0, 5.0, 0.7);
    humanoid(&b, 0.0, 0.0, 0.7);
    use_spring(&b, ATEMI_BLOW_COMPRESSION_DAMPER, 1e4, 300.0);
    b.setting.servo.limits = NULL;
    const double gains[] = {1e6, 1e8, 1e10, 1e12, 1e15, 1e300};
    for (int i = 0; i < 6; ++i) {
        const double tolerance = i == 0 ? 2e-2 : i == 1 ? 2e-4 : 5e-5;
        hit_with(&b, gains[i], 0.0);
        CHECK_NEAR(b.result.impulse, limit.impulse, tolerance * limit.impulse);
        CHECK_NEAR(b.result.compression, limit.depth, tolerance * limit.depth);
        hit_with(&b, gains[i], 400.0);
        CHECK_NEAR(b.result.impulse, limit.impulse, tolerance * limit.impulse);
        hit_with(&b, 0.0, gains[i]);
        CHECK_NEAR(b.result.impulse, limit.impulse, 3e-4 * limit.impulse);
    }
    bench_end(&b);
}

// With limits of torque, stiff servos are relays. The same blow must come out, however stiff, and
// by both ways; RK4 misses the changes of relays by up to a step.
TEST(blow_rates, of_stiff_servos_with_limits_end_and_agree)
{
    bench b;
    humanoid(&b, 1e8, 0.0, 0.7);
    const double impulse = strike(&b).impulse;
    const double gains[] = {1e10, 1e12, 1e300};
    for (int i = 0; i < 3; ++i) {
        hit_with(&b, gains[i], 0.0);
        CHECK_NEAR(b.result.impulse, impulse, 1e-3 * impulse);
        hit_with(&b, 8000.0, gains[i]);
        CHECK_NEAR(b.result.impulse, impulse, 1e-3 * impulse);
        b.options.method = ATEMI_BLOW_RK4;
        hit_with(&b, gains[i], gains[i]);
        CHECK_NEAR(b.result.impulse, impulse, 1e-2 * impulse);
        b.options.method = ATEMI_BLOW_EXACT;
    }
    bench_end(&b);
}

// Hertz: k d^2.5 / 2.5 = m v^2 / 2 of the virtual mass of both. Steps of 1e-4 s alone would miss a
// blow of 1e-6 s altogether. RK4 with h w = 0.2 is good to 1e-4.
TEST(blow_rates, of_a_stiff_law_make_steps_short_enough)
{
    for (double k = 1e8; k < 1e19; k *= 1e5) {
        bench               b;
        atemi_hunt_crossley law = atemi_hunt_crossley_default();
        law.stiffness = k;
        law.dissipation = 0.0;
        slider(&b, 3.0, 2.0);
        b.setting.surface.law = ATEMI_BLOW_OTHER_LAW;
        b.setting.surface.other = atemi_compliance_hunt_crossley(&law);
        b.setting.target.mass = 6.0;
        strike_by(&b, ATEMI_BLOW_RK4, 1e-4);
        const double depth = pow(1.25 * 2.0 * 2.0 * 2.0 / k, 0.4);
        CHECK_NEAR(b.result.peak_force, k * pow(depth, 1.5), 1e-3 * k * pow(depth, 1.5));
        CHECK_NEAR(b.result.impulse, 2.0 * 2.0 * 2.0, 1e-3 * 8.0);
        bench_end(&b);
    }
}

static void check_refused(bench *b, atemi_status expected, const char *part)
{
    atemi_error error = {0};
    CHECK_STATUS(
        atemi_blow(&b->base, &b->setting, &b->options, NULL, &b->scratch, &b->result, &error),
        expected);
    CHECK_CONTAINS(error.message, part);
}

TEST(blow_rates, beyond_a_nanosecond_are_refused_for_what_they_are)
{
    bench b;
    slider(&b, 3.0, 1.0);
    use_spring(&b, ATEMI_BLOW_KELVIN_VOIGT, 1e4, 1e300);
    check_refused(&b, ATEMI_ERROR_INPUT, "at least 1e-9 s");
    use_spring(&b, ATEMI_BLOW_KELVIN_VOIGT, 1e30, 0.0);
    check_refused(&b, ATEMI_ERROR_INPUT, "at least 1e-9 s");
    use_spring(&b, ATEMI_BLOW_KELVIN_VOIGT, 1e4, 300.0);
    b.setting.target.mass = 1e-300;
    check_refused(&b, ATEMI_ERROR_INPUT, "the target heavier");
    b.setting.target.mass = 5.0;
    b.setting.speed = 1e300;
    check_refused(&b, ATEMI_ERROR_INPUT, "faster than light");
    bench_end(&b);
}

// ---- Anything

static double any(random_stream *stream)
{
    const double exponents[] = {-300.0, -12.0, -3.0, 0.0, 3.0, 6.0, 9.0, 12.0, 30.0, 300.0};
    return pow(10.0, exponents[random_index(stream, 10)]);
}

// Ends with finite numbers, or with an error; within the steps that are allowed.
TEST(blow_rates, of_any_size_end_in_numbers_or_in_an_error)
{
    int answers = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        bench         b;
        random_stream stream = random_seeded(seed);
        humanoid(&b, any(&stream), any(&stream), any(&stream));
        for (int i = 6; i < b.n; ++i) {
            b.viscous[i] = random_index(&stream, 4) ? 0.0 : any(&stream);
            b.coulomb[i] = random_index(&stream, 4) ? 0.0 : any(&stream);
            b.limits[i] = random_index(&stream, 2) ? b.limits[i] : any(&stream);
        }
        b.setting.servo.viscous = b.viscous;
        b.setting.servo.coulomb = b.coulomb;
        use_spring(
            &b, random_index(&stream, 2) ? ATEMI_BLOW_KELVIN_VOIGT : ATEMI_BLOW_COMPRESSION_DAMPER,
            any(&stream), any(&stream));
        b.setting.target = (atemi_blow_target){any(&stream), any(&stream)};
        b.options.method = (atemi_blow_method)random_index(&stream, 3);
        b.options.past_release = random_index(&stream, 2);
        const atemi_status status =
            atemi_blow(&b.base, &b.setting, &b.options, NULL, &b.scratch, &b.result, NULL);
        const atemi_blow_result *r = &b.result;
        answers += !status;
        CHECK(status || isfinite(r->impulse + r->peak_force + r->hand_speed + r->target_travel +
                                 largest_size(r->rates, b.n) + largest_size(r->torques, b.n)));
        CHECK(status || r->evaluations <= 1000000);
        bench_end(&b);
    }
    CHECK(answers > 5);
}
