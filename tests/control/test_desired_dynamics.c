// SPDX-License-Identifier: Apache-2.0

#include "atemi/coordination.h"

#include "check.h"
#include "random.h"

#include <math.h>

static const double tolerance = 1e-12; // relative: a few roundings

static bool is_close(double a, double b)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

TEST(desired_dynamics, are_those_of_a_second_order_system)
{
    const atemi_impedance_limits none = {INFINITY, 0.0, INFINITY};
    const atemi_impedance        got =
        atemi_desired_impedance(10.0, (atemi_desired_dynamics){20.0, 1.2}, none);
    CHECK_NEAR(got.stiffness, 4000.0, 1e-9); // m w^2
    CHECK_NEAR(got.damping, 480.0, 1e-9);    // 2 z m w
}

// Whether some stiffness that is allowed has a damping that is allowed at the ratio z.
static bool is_ratio_possible(double m, double z, atemi_impedance_limits l)
{
    const double most = 2.0 * z * sqrt(l.stiffness * m);
    return most >= l.damping_min * (1.0 + tolerance);
}

static void check_case(double m, atemi_desired_dynamics want, atemi_impedance_limits l)
{
    const atemi_impedance got = atemi_desired_impedance(m, want, l);
    CHECK(got.stiffness >= 0.0 && got.stiffness <= l.stiffness);
    CHECK(got.damping >= l.damping_min && got.damping <= l.damping_max);
    const double ratio = got.damping / (2.0 * sqrt(got.stiffness * m));
    if (want.damping_ratio > 0.0 && got.stiffness > 0.0 &&
        is_ratio_possible(m, want.damping_ratio, l)) {
        CHECK(is_close(ratio, want.damping_ratio));
    }
    const double k = m * want.natural_frequency * want.natural_frequency;
    const double d = 2.0 * want.damping_ratio * sqrt(k * m);
    if (k <= l.stiffness && d >= l.damping_min && d <= l.damping_max) {
        CHECK(is_close(got.stiffness, k) && is_close(got.damping, d));
    }
}

// Every combination of eight inertias, frequencies, ratios, and of limits that bind or do not.
TEST(desired_dynamics, keep_limits_and_then_the_ratio_on_a_grid)
{
    static const double inertias[] = {1e-3, 0.05, 0.7, 3.0, 10.0, 50.0, 300.0};
    static const double frequencies[] = {0.0, 0.1, 0.5, 2.0, 20.0, 100.0};
    static const double ratios[] = {0.0, 0.1, 0.7, 1.0, 1.2, 1.5, 4.0};
    static const double stiffnesses[] = {0.0, 1.0, 100.0, 4000.0, 20000.0, INFINITY};
    static const double lows[] = {0.0, 1.0, 10.0, 200.0};
    static const double highs[] = {200.0, 500.0, 5000.0, INFINITY};
    for (int n = 0; n < 7 * 6 * 7 * 6 * 4 * 4; ++n) {
        const double m = inertias[n % 7], w = frequencies[n / 7 % 6], z = ratios[n / 42 % 7];
        const double k = stiffnesses[n / 294 % 6], low = lows[n / 1764 % 4], high = highs[n / 7056];
        check_case(m, (atemi_desired_dynamics){w, z}, (atemi_impedance_limits){k, low, high});
    }
}

TEST(desired_dynamics, keep_limits_and_then_the_ratio_at_random)
{
    random_stream stream = random_seeded(11);
    for (int n = 0; n < 200000; ++n) {
        const double                 low = pow(10.0, random_uniform(&stream, -2.0, 3.0));
        const atemi_impedance_limits l = {pow(10.0, random_uniform(&stream, 0.0, 5.0)), low,
                                          low * pow(10.0, random_uniform(&stream, 0.0, 3.0))};
        const atemi_desired_dynamics want = {pow(10.0, random_uniform(&stream, -1.0, 2.0)),
                                             random_uniform(&stream, 0.01, 3.0)};
        check_case(pow(10.0, random_uniform(&stream, -3.0, 3.0)), want, l);
    }
}

// 0.01 kg m^2 at 2 rad/s and ratio 1 would get 0.04 N m s/rad. With at least 1, eq. 3 wants
// 25 N m/rad; where only 9 are allowed, the ratio cannot be kept.
TEST(desired_dynamics, check_stiffness_again_after_raising_damping)
{
    const atemi_desired_dynamics want = {2.0, 1.0};
    const atemi_impedance        free =
        atemi_desired_impedance(0.01, want, (atemi_impedance_limits){1e4, 1.0, 1e3});
    CHECK_NEAR(free.stiffness, 25.0, 1e-12);
    const atemi_impedance held =
        atemi_desired_impedance(0.01, want, (atemi_impedance_limits){9.0, 1.0, 1e3});
    CHECK_NEAR(held.stiffness, 9.0, 0.0);
    CHECK_NEAR(held.damping, 1.0, 0.0);
}

TEST(desired_dynamics, have_no_stiffness_without_inertia)
{
    const atemi_impedance got = atemi_desired_impedance(0.0, (atemi_desired_dynamics){20.0, 1.2},
                                                        (atemi_impedance_limits){1e4, 2.0, 1e3});
    CHECK_NEAR(got.stiffness, 0.0, 0.0);
    CHECK_NEAR(got.damping, 2.0, 0.0);
}

TEST(desired_dynamics, are_not_found_for_limits_that_cross)
{
    const atemi_impedance_limits crossed = {1e4, 2.0, 1.0};
    CHECK_BREAKS_CONTRACT(
        atemi_desired_impedance(1.0, (atemi_desired_dynamics){1.0, 1.0}, crossed));
}

TEST(blending, never_exceeds_its_step_and_arrives)
{
    random_stream stream = random_seeded(5);
    double        now = 0.0;
    for (int n = 0; n < 10000; ++n) {
        const double goal = random_uniform(&stream, -100.0, 100.0);
        const double step = random_uniform(&stream, 0.0, 30.0);
        const double next = atemi_blend(now, goal, step);
        CHECK(fabs(next - now) <= step * (1.0 + 1e-12) + 1e-13); // rounding of now + step
        CHECK(fabs(goal - next) <= fmax(fabs(goal - now) - step, 0.0) + 1e-12);
        now = next;
    }
    CHECK_NEAR(atemi_blend(1.0, 1.5, INFINITY), 1.5, 0.0);
}
