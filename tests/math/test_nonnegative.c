// SPDX-License-Identifier: Apache-2.0

#include "math/nonnegative.h"

#include "check.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

enum { LENGTH = 5, COLUMNS = 40 };

typedef struct trial {
    nonnegative work;
    atemi_arena arena;
    double      E[COLUMNS * (LENGTH + 1)], f[LENGTH + 1], u[COLUMNS], z[LENGTH];
} trial;

static void begin(trial *t)
{
    atemi_arena measuring = atemi_arena_measuring();
    *t = (trial){0};
    nonnegative_take(&measuring, COLUMNS, LENGTH + 1);
    CHECK_STATUS(atemi_arena_create(&t->arena, measuring.used, NULL), ATEMI_OK);
    t->work = nonnegative_take(&t->arena, COLUMNS, LENGTH + 1);
}

static void end(trial *t)
{
    atemi_arena_destroy(&t->arena);
}

static double random_sign(uint64_t *state)
{
    return 2.0 * random_unit_next(state) - 1.0;
}

// Kuhn and Tucker: no column in use has a slope, none that is not would make the residual less.
static void check_least(const trial *t, int count, int length)
{
    double residual[LENGTH + 1];
    memcpy(residual, t->f, sizeof residual);
    for (int j = 0; j < count; ++j) {
        CHECK(t->u[j] >= 0.0);
        for (int i = 0; i < length; ++i) {
            residual[i] -= t->u[j] * t->E[j * length + i];
        }
    }
    for (int j = 0; j < count; ++j) {
        double slope = 0.0;
        for (int i = 0; i < length; ++i) {
            slope += t->E[j * length + i] * residual[i];
        }
        CHECK(slope < 1e-10);
        CHECK(t->u[j] == 0.0 || slope > -1e-10);
    }
}

TEST(nonnegative, solutions_meet_the_conditions_of_kuhn_and_tucker)
{
    trial t;
    begin(&t);
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        uint64_t random = seed;
        for (int i = 0; i < COLUMNS * LENGTH; ++i) {
            t.E[i] = random_sign(&random);
        }
        for (int i = 0; i < LENGTH; ++i) {
            t.f[i] = random_sign(&random);
        }
        const int count = 1 + (int)(seed % COLUMNS);
        CHECK(nonnegative_solve(&t.work, count, LENGTH, t.E, t.f, t.u));
        check_least(&t, count, LENGTH);
    }
    end(&t);
}

// None, all, and every third: some of them depend on each other, others would be negative.
TEST(nonnegative, solutions_do_not_depend_on_the_guess)
{
    trial t;
    begin(&t);
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        double   residuals[3];
        uint64_t random = seed;
        for (int i = 0; i < COLUMNS * LENGTH; ++i) {
            t.E[i] = random_sign(&random);
        }
        for (int i = 0; i < LENGTH; ++i) {
            t.f[i] = random_sign(&random);
        }
        for (int guess = 0; guess < 3; ++guess) {
            for (int j = 0; j < COLUMNS; ++j) {
                t.u[j] = guess == 1 || (guess == 2 && j % 3 == 0);
            }
            CHECK(nonnegative_solve(&t.work, COLUMNS, LENGTH, t.E, t.f, t.u));
            check_least(&t, COLUMNS, LENGTH);
            residuals[guess] = 0.0;
            for (int i = 0; i < LENGTH; ++i) {
                residuals[guess] += t.work.residual[i] * t.work.residual[i];
            }
        }
        CHECK_NEAR(residuals[1], residuals[0], 1e-12); // the least is one, whatever the weights
        CHECK_NEAR(residuals[2], residuals[0], 1e-12);
    }
    end(&t);
}

// Every column twice, and one of zeros.
TEST(nonnegative, columns_that_depend_on_each_other_are_no_trouble)
{
    trial t;
    begin(&t);
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        uint64_t random = seed;
        for (int i = 0; i < COLUMNS / 2 * LENGTH; ++i) {
            t.E[i] = i < LENGTH ? 0.0 : random_sign(&random);
        }
        memcpy(t.E + COLUMNS / 2 * LENGTH, t.E, COLUMNS / 2 * LENGTH * sizeof *t.E);
        for (int i = 0; i < LENGTH; ++i) {
            t.f[i] = random_sign(&random);
        }
        CHECK(nonnegative_solve(&t.work, COLUMNS, LENGTH, t.E, t.f, t.u));
        check_least(&t, COLUMNS, LENGTH);
    }
    end(&t);
}

// The nearest point of  x + y >= 2,  x - y >= -10  is (1, 1), with x + y active.
TEST(least_distance, of_a_half_plane_is_that_of_its_edge)
{
    const double rows[] = {1.0, 1.0, 2.0, 1.0, -1.0, -10.0};
    trial        t;
    begin(&t);
    CHECK(least_distance_solve(&t.work, 2, 2, rows, t.z, t.u));
    CHECK_NEAR(t.z[0], 1.0, 1e-14);
    CHECK_NEAR(t.z[1], 1.0, 1e-14);
    CHECK_NEAR(t.u[0], 1.0, 1e-14);
    CHECK_NEAR(t.u[1], 0.0, 0.0);
    end(&t);
}

TEST(least_distance, rows_that_contradict_each_other_have_none)
{
    const double rows[] = {1.0, 0.0, 1.0, -1.0, 0.0, 1.0}; // x >= 1, x <= -1
    trial        t;
    begin(&t);
    CHECK(!least_distance_solve(&t.work, 2, 2, rows, t.z, t.u));
    end(&t);
}

// z is a nonnegative sum of active rows, and all rows are met: that is the shortest one.
TEST(least_distance, is_met_by_multipliers_of_active_rows)
{
    trial t;
    begin(&t);
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        uint64_t  random = seed;
        const int n = LENGTH, count = 12;
        double    inside[LENGTH];
        for (int i = 0; i < n; ++i) {
            inside[i] = 3.0 * random_sign(&random);
        }
        for (int j = 0; j < count; ++j) {
            double *row = t.E + (ptrdiff_t)j * (n + 1), value = 0.0;
            for (int i = 0; i < n; ++i) {
                row[i] = random_sign(&random);
                value += row[i] * inside[i];
            }
            row[n] = value - random_unit_next(&random);
        }
        CHECK(least_distance_solve(&t.work, count, n, t.E, t.z, t.u));
        double sum[LENGTH] = {0};
        for (int j = 0; j < count; ++j) {
            const double *row = t.E + (ptrdiff_t)j * (n + 1);
            double        value = -row[n];
            for (int i = 0; i < n; ++i) {
                value += row[i] * t.z[i];
                sum[i] += t.u[j] * row[i];
            }
            CHECK(t.u[j] >= 0.0 && value > -1e-9);
            CHECK(t.u[j] == 0.0 || value < 1e-9);
        }
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(sum[i], t.z[i], 1e-9);
        }
    }
    end(&t);
}
