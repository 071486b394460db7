// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_starts.h"

#include "math/random.h"

#include <math.h>

// Starts are spread evenly over the ranges of the variables: start k has, of the range of variable
// i, the part whose digits in base b_i are those of k backwards, b_i the i-th prime [Halton60],
// shifted by a part that the seed gives.

static const double kick = 0.3;          // of a range
static const double redrawn = 1.0 / 3.0; // of the variables

double strike_spread(unsigned index, unsigned base)
{
    double part = 0.0, place = 1.0;
    for (; index > 0; index /= base) {
        place /= base;
        part += place * (index % base);
    }
    return part;
}

static bool is_prime(unsigned n)
{
    for (unsigned k = 2; k * k <= n; ++k) {
        if (n % k == 0) {
            return false;
        }
    }
    return true;
}

static unsigned next_prime(unsigned n)
{
    do {
        ++n;
    } while (!is_prime(n));
    return n;
}

// A range without bounds is as wide as its scale.
static atemi_strike_range bounded(const strike_variable *variable)
{
    atemi_strike_range range = variable->about.range;
    if (!isfinite(range.upper - range.lower)) {
        range.lower = fmax(range.lower, range.start - variable->scale);
        range.upper = fmin(range.upper, range.start + variable->scale);
    }
    return range;
}

static double within(const strike_variable *variable, double x)
{
    return fmin(fmax(x, variable->about.range.lower), variable->about.range.upper);
}

void strike_start(const strike_variables *v, int index, unsigned seed, double *x)
{
    uint64_t random = seed;
    unsigned prime = 1;
    for (int i = 0; i < v->count; ++i) {
        const strike_variable   *variable = &v->list[i];
        const atemi_strike_range range = bounded(variable);
        const double             shift = random_unit_next(&random);
        prime = next_prime(prime);
        const double part = strike_spread((unsigned)index, prime) + shift;
        x[i] = index == 0 ? range.start
                          : range.lower + (range.upper - range.lower) * (part - floor(part));
        x[i] = within(variable, x[i]);
    }
}

void strike_slow_down(const strike_variables *v, double fraction, double *x)
{
    for (int i = 0; i < v->count; ++i) {
        x[i] *= v->list[i].is_motion ? fraction : 1.0;
    }
}

void strike_hop(const strike_variables *v, int turn, uint64_t *random, double *x)
{
    for (int i = 0; i < v->count; ++i) {
        const strike_variable   *variable = &v->list[i];
        const atemi_strike_range range = bounded(variable);
        const double             width = range.upper - range.lower, u = random_unit_next(random);
        const bool               is_redrawn = random_unit_next(random) < redrawn;
        if (variable->is_motion) {
            continue;
        }
        if (turn % 2 == 0) {
            x[i] = within(variable, x[i] + kick * width * (2.0 * u - 1.0));
        } else if (is_redrawn) {
            x[i] = within(variable, range.lower + width * u);
        }
    }
}

bool strike_can_hop(const strike_variables *v)
{
    for (int i = 0; i < v->count; ++i) {
        if (!v->list[i].is_motion) {
            return true;
        }
    }
    return false;
}
