// SPDX-License-Identifier: Apache-2.0

#include "walk/wanted_motion.h"

#include "check.h"
#include "random.h"

enum { RATES = 12 };

// Nine rows for nine of twelve rates; three are given.
typedef struct wish {
    double rows[ATEMI_WANTED_MOST][RATES];
    double a[RATES];
} wish;

static wish random_wish(uint64_t seed)
{
    random_stream stream = random_seeded(seed);
    wish          w;
    for (int r = 0; r < ATEMI_WANTED_MOST; ++r) {
        for (int i = 0; i < RATES; ++i) {
            w.rows[r][i] = random_uniform(&stream, -1.0, 1.0) + 3.0 * (r == i);
        }
    }
    for (int i = 0; i < RATES; ++i) {
        w.a[i] = random_uniform(&stream, -10.0, 10.0);
    }
    return w;
}

static double value(const double *row, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < RATES; ++i) {
        sum += row[i] * a[i];
    }
    return sum;
}

// The wish is made of known accelerations, which come back but for the damping, 1e-4 to some 1.
TEST(wanted_motion, that_can_be_is_found)
{
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const wish          w = random_wish(seed);
        atemi_wanted_motion wanted = {.unknowns = {0, 1, 2, 3, 4, 5, 6, 7, 8}};
        double              a[RATES] = {0, 0, 0, 0, 0, 0, 0, 0, 0, w.a[9], w.a[10], w.a[11]};
        for (int r = 0; r < ATEMI_WANTED_MOST; ++r) {
            atemi_wanted_motion_add(&wanted, RATES, w.rows[r], value(w.rows[r], w.a), 10.0, a);
        }
        CHECK(atemi_wanted_motion_solve(&wanted, a));
        for (int i = 0; i < RATES; ++i) {
            CHECK_NEAR(a[i], w.a[i], 1e-3);
        }
    }
}

// A rate that moves nothing, as the knee of a stretched leg, does not run away.
TEST(wanted_motion, that_cannot_be_asks_for_nothing_impossible)
{
    wish                w = random_wish(1);
    atemi_wanted_motion wanted = {.unknowns = {0, 1, 2, 3, 4, 5, 6, 7, 8}};
    double              a[RATES] = {0};
    for (int r = 0; r < ATEMI_WANTED_MOST; ++r) {
        w.rows[r][4] = 0.0;
        atemi_wanted_motion_add(&wanted, RATES, w.rows[r], 1.0, 1.0, a);
    }
    CHECK(atemi_wanted_motion_solve(&wanted, a));
    CHECK_NEAR(a[4], 0.0, 0.0);
}
