// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "check.h"

#include <math.h>

static const atemi_timed_force forces[] = {
    {.link = 1, .wrench = {{1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}}, .from = 1.0, .until = 3.0},
    {.link = 1, .wrench = {{10.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, .from = 2.0, .until = INFINITY},
    {.link = 0, .wrench = {{0.0, 0.0, 5.0}, {0.0, 0.0, 0.0}}, .from = -1.0, .until = 0.5}};

enum { COUNT = sizeof forces / sizeof forces[0] };

TEST(timed_forces, act_from_their_first_instant_until_just_before_their_last)
{
    const double times[] = {0.0, 0.5, 1.0, 2.0, 3.0}, on_1[] = {0.0, 0.0, 1.0, 11.0, 10.0};
    const double on_0[] = {5.0, 0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 5; ++i) {
        atemi_force external[2] = {{.linear = {0.0, 0.0, 7.0}}};
        atemi_timed_forces_add(forces, COUNT, times[i], external);
        CHECK_NEAR(external[1].linear.x, on_1[i], 0.0);
        CHECK_NEAR(external[0].linear.z, 7.0 + on_0[i], 0.0);
        CHECK_NEAR(external[1].angular.y, times[i] >= 1.0 && times[i] < 3.0 ? 2.0 : 0.0, 0.0);
        CHECK(atemi_timed_forces_act(forces, COUNT, times[i]) == (on_0[i] + on_1[i] > 0.0));
    }
}

TEST(timed_forces, jump_where_one_begins_or_ends)
{
    CHECK_NEAR(atemi_timed_forces_next(forces, COUNT, -2.0), -1.0, 0.0);
    CHECK_NEAR(atemi_timed_forces_next(forces, COUNT, 0.5), 1.0, 0.0);
    CHECK_NEAR(atemi_timed_forces_next(forces, COUNT, 2.5), 3.0, 0.0);
    CHECK(isinf(atemi_timed_forces_next(forces, COUNT, 3.0)));
    CHECK(isinf(atemi_timed_forces_next(NULL, 0, 0.0)));
    CHECK(!atemi_timed_forces_act(NULL, 0, 0.0));
    CHECK_BREAKS_CONTRACT(atemi_timed_forces_next(NULL, 1, 0.0));
}
