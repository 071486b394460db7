// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_doubt.h"

#include <math.h>

// With k successes of n draws, the bounds at confidence 1 - a are those rates p at which as many,
// or as few, would be seen with the probability a/2 [ClopperPearson34]:
//
//   P(X >= k; lower) = a/2,   P(X <= k; upper) = a/2
//
// Both grow with p, or fall, and are found by bisection. The sum of the terms of one tail begins at
// the largest of them, near k, and follows their ratios.

static const double tail = 0.025; // a/2

enum { BISECTIONS = 60 };

static double log_term(int k, int n, double p)
{
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * log(p) +
           (n - k) * log1p(-p);
}

// P(X >= k) for 0 < p < 1.
static double at_least(int k, int n, double p)
{
    double sum = 0.0;
    if (k <= (n + 1) * p) { // the longer tail: by the other
        for (int i = 0; i < k; ++i) {
            sum += exp(log_term(i, n, p));
        }
        return 1.0 - sum;
    }
    double term = exp(log_term(k, n, p));
    for (int i = k; i <= n && term > 0.0; ++i) {
        sum += term;
        term *= (n - i) / (i + 1.0) * p / (1.0 - p);
    }
    return sum;
}

// p at which P(X >= k) is a value.
static double rate_at(int k, int n, double value)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < BISECTIONS; ++i) {
        const double p = 0.5 * (low + high);
        if (at_least(k, n, p) < value) {
            low = p;
        } else {
            high = p;
        }
    }
    return 0.5 * (low + high);
}

atemi_strike_rate atemi_strike_rate_of(int successes, int draws)
{
    atemi_strike_rate rate = {draws, successes, NAN, NAN, NAN};
    if (draws > 0 && successes >= 0 && successes <= draws) {
        rate.rate = (double)successes / draws;
        rate.lower = successes > 0 ? rate_at(successes, draws, tail) : 0.0;
        rate.upper = successes < draws ? rate_at(successes + 1, draws, 1.0 - tail) : 1.0;
    }
    return rate;
}
