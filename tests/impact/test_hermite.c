// SPDX-License-Identifier: Apache-2.0

#include "impact/hermite.h"

#include "check.h"
#include "random.h"

#include <math.h>

// A cubic is its own interpolation: (x - a) (x - b) (x - c), with its slope.
static double cubic(double x, const double roots[3])
{
    return (x - roots[0]) * (x - roots[1]) * (x - roots[2]);
}

static double slope(double x, const double r[3])
{
    return (x - r[1]) * (x - r[2]) + (x - r[0]) * (x - r[2]) + (x - r[0]) * (x - r[1]);
}

static atemi_hermite of(double sign, const double roots[3])
{
    return (atemi_hermite){{sign * cubic(0.0, roots), sign * cubic(1.0, roots)},
                           {sign * slope(0.0, roots), sign * slope(1.0, roots)}};
}

TEST(hermite, is_the_cubic_through_its_ends)
{
    const double        roots[3] = {-0.3, 0.4, 2.0};
    const atemi_hermite h = of(1.0, roots);
    for (int i = 0; i <= 10; ++i) {
        CHECK_NEAR(atemi_hermite_at(&h, 0.1 * i), cubic(0.1 * i, roots), 1e-14);
    }
}

// Bisected 26 times: to 2^-27.
TEST(hermite, becomes_negative_at_its_root)
{
    const double        roots[3] = {-0.3, 0.4, 2.0}; // positive before 0.4
    const atemi_hermite h = of(1.0, roots);
    CHECK_NEAR(atemi_hermite_root(&h), 0.4, 1e-8);
}

// (x - 0.4)^2 (x + 5) turns at 0.4.
TEST(hermite, turns_where_its_slope_is_zero)
{
    const double        roots[3] = {0.4, 0.4, -5.0};
    const atemi_hermite h = of(1.0, roots);
    CHECK_NEAR(atemi_hermite_turn(&h), 0.4, 1e-8);
}

// What is called certain is: no cubic that turns once and does not dip by the test is negative in
// between.
TEST(hermite, does_not_dip_where_it_is_certain_not_to)
{
    random_stream random = random_seeded(7);
    int           certain = 0, dips = 0;
    for (int c = 0; c < 10000; ++c) {
        const atemi_hermite h = {
            {random_uniform(&random, 0.0, 1.0), random_uniform(&random, 0.0, 1.0)},
            {random_uniform(&random, -4.0, 0.0), random_uniform(&random, 0.0, 4.0)}};
        double least = INFINITY;
        for (int i = 0; i <= 100; ++i) {
            least = fmin(least, atemi_hermite_at(&h, 0.01 * i));
        }
        dips += least < 0.0;
        if (!atemi_hermite_may_dip(&h, 0.0)) {
            ++certain;
            CHECK(least >= -1e-15);
        }
    }
    CHECK(certain > 500 && dips > 500); // both occur
}
