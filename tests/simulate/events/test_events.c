// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/events.h"

#include "brick_rig.h"
#include "check.h"
#include "simulate/events/conditions.h"

static const double g = 9.81;

// Pulled beyond its friction, the brick slips as one: an event of its patch. Released again, it
// slides with u = (f/m - mu g) t to rest within u / (mu g), and sticks as one.
TEST(events, of_a_patch_that_slips_and_sticks_are_reported_once)
{
    trial        t;
    const double mu = 0.5, f = 2.0 * mu * brick_mass * g, pulled = 0.01;
    atemi_vec3   force = {0.0, 0.0, 0.0};
    brick_begin_pulled(&t, mu, &force);
    trial_run(&t, 0.01);
    CHECK_EQUAL_INT(t.count, 0);
    force.x = f;
    trial_run(&t, 0.01 + pulled);
    CHECK_EQUAL_INT(t.count, 1);
    CHECK_EQUAL_INT(t.events[0].kind, ATEMI_EVENT_SLIP);
    CHECK_NEAR(t.events[0].time, 0.01, 0.0);
    force.x = 0.0;
    trial_run(&t, 0.1);
    CHECK_EQUAL_INT(t.count, 2);
    CHECK_EQUAL_INT(t.events[1].kind, ATEMI_EVENT_STICK);
    CHECK_NEAR(t.events[1].time, 0.01 + 2.0 * pulled, 1e-9); // as fast as it was begun
    trial_end(&t);
}

// Lifted, each corner leaves.
TEST(events, of_points_that_leave_are_reported_one_by_one)
{
    trial      t;
    atemi_vec3 force = {0.0, 0.0, 2.0 * brick_mass * g};
    brick_begin_pulled(&t, 0.5, &force);
    atemi_conditions_measure(&t.simulation->set, t.simulation->step.margins);
    CHECK_STATUS(atemi_events_handle(t.simulation), ATEMI_OK);
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_LIFT_OFF), 4);
    CHECK_EQUAL_INT(t.count, 4);
    trial_end(&t);
}
