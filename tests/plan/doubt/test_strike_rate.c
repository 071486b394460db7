// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_doubt.h"

#include "check.h"

#include <math.h>

// If all of n draws succeed, a rate p does so with the probability p^n: the lower bound is
// 0.025^(1/n).
TEST(strike_rate, of_nothing_but_successes_has_its_closed_form)
{
    const int counts[] = {1, 20, 1000, 100000};
    for (int i = 0; i < 4; ++i) {
        const atemi_strike_rate rate = atemi_strike_rate_of(counts[i], counts[i]);
        CHECK_NEAR(rate.lower, pow(0.025, 1.0 / counts[i]), 1e-9);
        CHECK_NEAR(rate.upper, 1.0, 0.0);
        CHECK_NEAR(rate.rate, 1.0, 0.0);
        CHECK_NEAR(atemi_strike_rate_of(0, counts[i]).upper, 1.0 - rate.lower, 1e-9);
    }
}

// Bounds of 7 of 20 and of 990 of 1000 from sums of exact binomial coefficients in Python.
TEST(strike_rate, agrees_with_tables)
{
    const atemi_strike_rate few = atemi_strike_rate_of(7, 20);
    const atemi_strike_rate many = atemi_strike_rate_of(990, 1000);
    CHECK_NEAR(few.lower, 0.15390920, 1e-6);
    CHECK_NEAR(few.upper, 0.59218853, 1e-6);
    CHECK_NEAR(many.lower, 0.98168676, 1e-6);
    CHECK_NEAR(many.upper, 0.99519449, 1e-6);
}

// P(X >= k; lower) = 0.025, summed up term by term from Pascal's triangle.
TEST(strike_rate, has_bounds_at_which_as_few_or_as_many_are_rare)
{
    enum { N = 40 };
    double row[N + 1] = {1.0};
    for (int n = 1; n <= N; ++n) {
        for (int k = n; k > 0; --k) {
            row[k] += row[k - 1];
        }
    }
    for (int k = 1; k < N; ++k) {
        const atemi_strike_rate rate = atemi_strike_rate_of(k, N);
        double                  above = 0.0, below = 0.0;
        for (int i = 0; i <= N; ++i) {
            above += i >= k ? row[i] * pow(rate.lower, i) * pow(1.0 - rate.lower, N - i) : 0.0;
            below += i <= k ? row[i] * pow(rate.upper, i) * pow(1.0 - rate.upper, N - i) : 0.0;
        }
        CHECK_NEAR(above, 0.025, 1e-10);
        CHECK_NEAR(below, 0.025, 1e-10);
    }
}

TEST(strike_rate, is_unknown_without_draws)
{
    CHECK(isnan(atemi_strike_rate_of(0, 0).rate));
}
