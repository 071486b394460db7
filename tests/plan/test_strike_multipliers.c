// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_multipliers.h"

#include "check.h"
#include "math/random.h"

#include <math.h>

enum { COUNT = 4, BOUNDS = 9 }; // variables, of which at most as many bounds are in use

typedef struct trial {
    strike_problem problem;
    strike_scaled  scaled;
    strike_bound   bounds[BOUNDS];
    double         gradient[COUNT];
} trial;

static void begin(trial *t, uint64_t seed)
{
    *t = (trial){.problem.variable_count = COUNT};
    t->scaled.problem = &t->problem;
    for (int k = 0; k < BOUNDS; ++k) {
        for (int i = 0; i < COUNT; ++i) {
            t->bounds[k].slope[i] = 2.0 * random_unit_next(&seed) - 1.0;
        }
    }
}

// What is left of the gradient, the largest part.
static double unbalanced(const trial *t)
{
    double most = 0.0;
    for (int i = 0; i < COUNT; ++i) {
        double sum = t->gradient[i];
        for (int k = 0; k < BOUNDS; ++k) {
            CHECK(t->bounds[k].multiplier >= 0.0);
            sum += t->bounds[k].multiplier * t->bounds[k].slope[i];
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

// Most slopes would be let go one after the other by fitting all of them at once, and then too
// many.
TEST(strike_multipliers, balance_every_gradient_that_pushes_against_bounds)
{
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        trial t;
        begin(&t, seed);
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < COUNT; ++i) {
                t.gradient[i] -= (k + 1.0) * t.bounds[k].slope[i];
            }
        }
        strike_bounds_weigh(&t.scaled, t.gradient, t.bounds, BOUNDS);
        CHECK_NEAR(unbalanced(&t), 0.0, 1e-4); // 1e-5 of a gradient of some size
    }
}

TEST(strike_multipliers, are_those_of_bounds_that_do_not_depend_on_each_other)
{
    const double expected[COUNT] = {2.0, 0.0, 0.5, 0.0};
    trial        t;
    begin(&t, 7);
    for (int k = 0; k < COUNT; ++k) {
        for (int i = 0; i < COUNT; ++i) {
            t.gradient[i] -= expected[k] * t.bounds[k].slope[i];
        }
    }
    strike_bounds_weigh(&t.scaled, t.gradient, t.bounds, COUNT);
    for (int k = 0; k < COUNT; ++k) {
        CHECK_NEAR(t.bounds[k].multiplier, expected[k], 1e-9);
    }
}

TEST(strike_multipliers, are_none_where_the_gradient_leads_inwards)
{
    trial t;
    begin(&t, 3);
    for (int i = 0; i < COUNT; ++i) {
        t.gradient[i] = t.bounds[0].slope[i];
    }
    strike_bounds_weigh(&t.scaled, t.gradient, t.bounds, 1);
    CHECK_NEAR(t.bounds[0].multiplier, 0.0, 0.0);
}
