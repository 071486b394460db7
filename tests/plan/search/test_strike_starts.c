// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_starts.h"

#include "strike_trial.h"

#include <math.h>

enum { MANY = 300 };

static void open_problem(strike_trial *t)
{
    trial_open(t);
    trial_evaluate(t);
}

static double fraction_of_range(const strike_variables *v, int i, double x)
{
    const atemi_strike_range *range = &v->list[i].about.range;
    return (x - range->lower) / (range->upper - range->lower);
}

static bool is_bounded(const strike_variables *v, int i)
{
    return isfinite(v->list[i].about.range.upper - v->list[i].about.range.lower);
}

TEST(strike_starts, begin_at_the_own_one)
{
    strike_trial t;
    double       x[ATEMI_STRIKE_MAX_VARIABLES];
    open_problem(&t);
    strike_start(&t.problem.variables, 0, 7, x);
    for (int i = 0; i < t.problem.variables.count; ++i) {
        CHECK_NEAR(x[i], t.problem.variables.list[i].about.range.start, 0.0);
    }
    trial_close(&t);
}

// Of 300 starts, each tenth of every range gets its 30. A Halton sequence of base b misses them by
// at most b - 1 for each of its log_b(300) + 1 digits: for the largest base here, 79, by a few
// dozen; so 5 at least are asked for, and 0 would be a gap.
TEST(strike_starts, leave_no_gaps)
{
    strike_trial t;
    double       x[ATEMI_STRIKE_MAX_VARIABLES];
    open_problem(&t);
    const strike_variables *v = &t.problem.variables;
    int                     hits[ATEMI_STRIKE_MAX_VARIABLES][10] = {{0}};
    for (int k = 1; k <= MANY; ++k) {
        strike_start(v, k, 1, x);
        for (int i = 0; i < v->count; ++i) {
            if (is_bounded(v, i)) {
                const double part = fraction_of_range(v, i, x[i]);
                CHECK(part >= 0.0 && part <= 1.0);
                ++hits[i][(int)fmin(10.0 * part, 9.0)];
            }
        }
    }
    for (int i = 0; i < v->count; ++i) {
        for (int k = 0; k < 10 && is_bounded(v, i); ++k) {
            CHECK(hits[i][k] >= 5);
        }
    }
    trial_close(&t);
}

TEST(strike_starts, slow_the_motion_down_and_leave_the_posture)
{
    strike_trial t;
    double       x[ATEMI_STRIKE_MAX_VARIABLES];
    open_problem(&t);
    memcpy(x, t.x, sizeof t.x);
    strike_slow_down(&t.problem.variables, 0.25, x);
    for (int i = 0; i < t.problem.variables.count; ++i) {
        CHECK_NEAR(x[i], (t.problem.variables.list[i].is_motion ? 0.25 : 1.0) * t.x[i], 1e-15);
    }
    trial_close(&t);
}

// A hop of the first kind goes up to 0.3 of each range; of the second kind, a third of the
// variables go anywhere: of 300, within 5 standard deviations of 0.33, which is 0.14.
TEST(strike_starts, hop_within_the_ranges)
{
    strike_trial t;
    double       x[ATEMI_STRIKE_MAX_VARIABLES], from[ATEMI_STRIKE_MAX_VARIABLES];
    open_problem(&t);
    const strike_variables *v = &t.problem.variables;
    uint64_t                random = 3;
    int                     redrawn = 0, moved = 0;
    double                  farthest = 0.0;
    strike_start(v, 0, 1, from);
    for (int turn = 0; turn < 2 * MANY; ++turn) {
        memcpy(x, from, sizeof x);
        strike_hop(v, turn, &random, x);
        for (int i = 0; i < v->count; ++i) {
            if (v->list[i].is_motion) {
                CHECK_NEAR(x[i], from[i], 0.0);
                continue;
            }
            const double part = fraction_of_range(v, i, x[i]);
            CHECK(part >= -1e-12 && part <= 1.0 + 1e-12);
            if (turn % 2 == 0) {
                farthest = fmax(farthest, fabs(part - fraction_of_range(v, i, from[i])));
            } else {
                redrawn += x[i] != from[i];
                ++moved;
            }
        }
    }
    CHECK(farthest > 0.29 && farthest <= 0.3 + 1e-12);
    CHECK_NEAR((double)redrawn / moved, 1.0 / 3.0, 0.14);
    CHECK(strike_can_hop(v));
    trial_close(&t);
}
