// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/events.h"

#include "brick_rig.h"
#include "check.h"
#include "simulate/events/conditions.h"

#include <math.h>

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

// A brick that rotates about its edge at x = h_x with w, the other one 2 h_x a above the floor,
// which it reaches within a / w: within the moment that was asked for.
static void begin_rocking(trial *t, double a, double w)
{
    const double hx = 0.5 * brick_size.x, hz = 0.5 * brick_size.z;
    const double q[7] = {0, 0, hx * sin(a) + hz * cos(a), 0, sin(0.5 * a), 0, cos(0.5 * a)};
    const double v[6] = {-w * hz, 0, -w * hx, 0, -w, 0};
    atemi_simulation_point corners[4];
    rough_bottom(brick_size, 0.5, corners);
    const trial_setting setting = {.model = brick_model(),
                                   .surface = atemi_surface_floor(),
                                   .points = corners,
                                   .count = 4,
                                   .step = brick_step};
    trial_begin(t, &setting);
    trial_start(t, q, v);
    t->simulation->step.limit = 1.0;
}

// Gravity hastens it: by m g h_x / (4/3 m (h_x^2 + h_z^2)).
static double time_of_fall(double a, double w)
{
    const double hx = 0.5 * brick_size.x, hz = 0.5 * brick_size.z;
    const double hastens = 0.75 * g * hx / (hx * hx + hz * hz);
    return (sqrt(w * w + 2.0 * hastens * a) - w) / hastens;
}

// No step has to look for the instant: the moment ends there, and what touches collides.
TEST(events, of_a_moment_in_which_others_touch_are_met_at_its_end)
{
    trial        t;
    const double a = 1e-6, w = 0.1;
    atemi_status status = ATEMI_ERROR_SINGULAR;
    begin_rocking(&t, a, w);
    CHECK(atemi_events_jump(t.simulation, 1e-4, &status));
    CHECK_STATUS(status, ATEMI_OK);
    const double time = time_of_fall(a, w); // a Moreau step lifts the edge along the normal only
    CHECK_NEAR(t.simulation->state.time, time, 0.1 * (a / w - time));
    CHECK_EQUAL_INT(trial_count(&t, ATEMI_EVENT_TOUCHDOWN), 2);
    CHECK_NEAR(trial_event(&t, ATEMI_EVENT_TOUCHDOWN, 0)->speed, brick_size.x * w,
               0.01 * brick_size.x * w);
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(t.simulation->set.states[i].view.gap, 0.0, 2e-10);
        CHECK_EQUAL_INT(t.simulation->set.modes[i], ATEMI_CONTACT_STICK);
    }
    trial_end(&t);
}
