// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/step.h"

#include "brick_rig.h"
#include "check.h"

#include <math.h>

// 0.1 + (0.7 - 0.1) is not 0.7, but a step of the time that is left ends at the limit; hooks are
// asked for its end an instant before it, so that what jumps there has not jumped yet.
TEST(step, of_the_time_left_ends_exactly_at_the_limit)
{
    atemi_step        step = {.limit = 0.7, .start = {.time = 0.1}};
    const atemi_state there = {.time = 0.7}, between = {.time = 0.2};
    const double      left = 0.7 - 0.1;
    CHECK_NEAR(atemi_step_end(&step, left), 0.7, 0.0);
    CHECK_NEAR(atemi_step_end(&step, 0.05), 0.1 + 0.05, 0.0);
    CHECK_NEAR(atemi_step_before(&step, 0.7), nextafter(0.7, 0.0), 0.0);
    CHECK_NEAR(atemi_step_before(&step, 0.1), 0.1, 0.0); // never before the start
    CHECK_NEAR(atemi_step_now(&step, &there), nextafter(0.7, 0.0), 0.0);
    CHECK_NEAR(atemi_step_now(&step, &between), 0.2, 0.0);
}
