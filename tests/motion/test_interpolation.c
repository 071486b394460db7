// SPDX-License-Identifier: Apache-2.0

#include "atemi/trajectory.h"

#include "check.h"
#include "random.h"

#include <math.h>

// A polynomial of degree five and its derivatives, term by term.
static atemi_axis_state polynomial(const double c[6], double t)
{
    atemi_axis_state s = {0};
    for (int k = 0; k < 6; ++k) {
        s.position += c[k] * pow(t, k);
        s.velocity += k > 0 ? k * c[k] * pow(t, k - 1) : 0.0;
        s.acceleration += k > 1 ? k * (k - 1) * c[k] * pow(t, k - 2) : 0.0;
    }
    return s;
}

static void check_state(atemi_axis_state a, atemi_axis_state b, double tolerance)
{
    CHECK_NEAR(a.position, b.position, tolerance);
    CHECK_NEAR(a.velocity, b.velocity, tolerance);
    CHECK_NEAR(a.acceleration, b.acceleration, tolerance);
}

TEST(interpolation, from_rest_to_rest_is_three_squares_less_two_cubes)
{
    for (int i = 0; i <= 10; ++i) {
        const double           T = 0.7, x = 0.1 * i;
        const atemi_axis_state s = atemi_cubic_rest_at(-1.0, 2.0, T, x * T);
        CHECK_NEAR(s.position, -1.0 + 3.0 * (3.0 * x * x - 2.0 * x * x * x), 1e-14);
        CHECK_NEAR(s.velocity, 3.0 * 6.0 * (x - x * x) / T, 1e-13);
        CHECK_NEAR(s.acceleration, 3.0 * (6.0 - 12.0 * x) / (T * T), 1e-12);
    }
}

TEST(interpolation, rests_outside)
{
    check_state(atemi_cubic_rest_at(1.0, 2.0, 0.5, -0.1), (atemi_axis_state){1.0, 0.0, 0.0}, 0.0);
    check_state(atemi_cubic_rest_at(1.0, 2.0, 0.5, 0.6), (atemi_axis_state){2.0, 0.0, 0.0}, 1e-15);
}

TEST(interpolation, reproduces_cubics_and_quintics)
{
    random_stream random = random_seeded(3);
    for (int c = 0; c < 100; ++c) {
        double       a[6] = {0};
        const double T = random_uniform(&random, 0.2, 2.0);
        const int    degree = c % 2 ? 3 : 5;
        for (int k = 0; k <= degree; ++k) {
            a[k] = random_uniform(&random, -1.0, 1.0);
        }
        const atemi_axis_state from = polynomial(a, 0.0), to = polynomial(a, T);
        for (int i = 0; i <= 5; ++i) {
            const double t = 0.2 * i * T;
            check_state(atemi_quintic_at(&from, &to, T, t), polynomial(a, t), 1e-10);
            if (degree == 3) {
                check_state(atemi_cubic_at(&from, &to, T, t), polynomial(a, t), 1e-11);
            }
        }
    }
}

TEST(interpolation, goes_on_at_the_speed_of_its_ends)
{
    const atemi_axis_state from = {1.0, 2.0, 5.0}, to = {3.0, -1.0, 5.0};
    check_state(atemi_quintic_at(&from, &to, 0.5, -1.0), (atemi_axis_state){-1.0, 2.0, 0.0}, 1e-14);
    check_state(atemi_cubic_at(&from, &to, 0.5, 1.5), (atemi_axis_state){2.0, -1.0, 0.0}, 1e-13);
}

TEST(interpolation, without_duration_breaks_the_contract)
{
    CHECK_BREAKS_CONTRACT(atemi_cubic_rest_at(0.0, 1.0, 0.0, 0.0));
}
