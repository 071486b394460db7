// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_multipliers.h"

#include "check.h"
#include "math/random.h"

#include <math.h>

enum { COUNT = 4, BOUNDS = 9 }; // variables, of which at most as many bounds are in use

typedef struct trial {
    strike_active active;
    atemi_arena   arena;
    double        gradient[COUNT];
} trial;

static double *slope_of(const trial *t, int bound)
{
    return t->active.slopes + (ptrdiff_t)bound * COUNT;
}

static double weigh(trial *t, int count)
{
    t->active.count = count;
    return strike_active_weigh(&t->active, COUNT, t->gradient);
}

static void end(trial *t)
{
    atemi_arena_destroy(&t->arena);
}

static void begin(trial *t, uint64_t seed)
{
    atemi_arena measuring = atemi_arena_measuring();
    *t = (trial){0};
    strike_active_take(&measuring, COUNT, BOUNDS);
    CHECK_STATUS(atemi_arena_create(&t->arena, measuring.used, NULL), ATEMI_OK);
    t->active = strike_active_take(&t->arena, COUNT, BOUNDS);
    for (int k = 0; k < BOUNDS; ++k) {
        for (int i = 0; i < COUNT; ++i) {
            slope_of(t, k)[i] = 2.0 * random_unit_next(&seed) - 1.0;
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
            CHECK(t->active.bounds[k].multiplier >= 0.0);
            sum += t->active.bounds[k].multiplier * slope_of(t, k)[i];
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
                t.gradient[i] -= (k + 1.0) * slope_of(&t, k)[i];
            }
        }
        CHECK_NEAR(weigh(&t, BOUNDS), 0.0, 1e-12);
        CHECK_NEAR(unbalanced(&t), 0.0, 1e-2); // 1e-4 of a gradient of some size, each bound
        end(&t);
    }
}

TEST(strike_multipliers, are_those_of_bounds_that_do_not_depend_on_each_other)
{
    const double expected[COUNT] = {2.0, 0.0, 0.5, 0.0};
    trial        t;
    begin(&t, 7);
    for (int k = 0; k < COUNT; ++k) {
        for (int i = 0; i < COUNT; ++i) {
            t.gradient[i] -= expected[k] * slope_of(&t, k)[i];
        }
    }
    CHECK_NEAR(weigh(&t, COUNT), 0.0, 1e-12);
    for (int k = 0; k < COUNT; ++k) {
        CHECK_NEAR(t.active.bounds[k].multiplier, expected[k], 1e-9);
    }
    end(&t);
}

TEST(strike_multipliers, are_none_where_the_gradient_leads_inwards)
{
    trial t;
    begin(&t, 3);
    for (int i = 0; i < COUNT; ++i) {
        t.gradient[i] = slope_of(&t, 0)[i];
    }
    CHECK_NEAR(weigh(&t, 1), 1.0, 0.0); // nothing is taken off the gradient
    CHECK_NEAR(t.active.bounds[0].multiplier, 0.0, 0.0);
    end(&t);
}
