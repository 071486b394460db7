// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "control/joint_tracker.h"

#include <math.h>

enum { TICKS = 60 };

static const double period = 2e-4, bandwidth = 1500.0, gate = 1.0;

static atemi_joint_tracker started(void)
{
    atemi_joint_tracker tracker;
    atemi_joint_tracker_start(period, bandwidth, gate, &tracker);
    return tracker;
}

// Three poles at p: whatever the tracker starts with, its error e satisfies
// e_(k+3) - 3 p e_(k+2) + 3 p^2 e_(k+1) - p^3 e_k = 0.
TEST(joint_tracker, forgets_with_three_equal_poles)
{
    const double        p = exp(-bandwidth * period);
    atemi_joint_tracker tracker = started();
    double              e[TICKS];
    tracker.begun = 2;
    tracker.position = 0.01;
    tracker.velocity = -3.0;
    tracker.excess = 2000.0;
    for (int k = 0; k < TICKS; ++k) {
        CHECK(atemi_joint_tracker_update(&tracker, 0.0, 0.0));
        e[k] = tracker.position;
    }
    for (int k = 0; k + 3 < TICKS; ++k) {
        const double rest =
            e[k + 3] - 3.0 * p * e[k + 2] + 3.0 * p * p * e[k + 1] - p * p * p * e[k];
        CHECK_NEAR(rest, 0.0, 1e-15);
    }
    CHECK_NEAR(e[TICKS - 1], 0.0, 1e-7);
}

// x = a t^2 / 2 with half of a known.
TEST(joint_tracker, finds_what_acceleration_the_model_does_not_explain)
{
    atemi_joint_tracker tracker = started();
    const double        a = 500.0;
    for (int k = 0; k < 2 * TICKS; ++k) {
        const double t = k * period;
        CHECK(atemi_joint_tracker_update(&tracker, 0.5 * a * t * t, 0.5 * a));
        if (k == 2 * TICKS - 1) {
            CHECK_NEAR(tracker.excess, 0.5 * a, 1e-6 * a);
            CHECK_NEAR(tracker.velocity, a * t, 1e-6);
        }
    }
}

TEST(joint_tracker, takes_position_and_speed_from_its_first_two_readings)
{
    atemi_joint_tracker tracker = started();
    CHECK(!atemi_joint_tracker_update(&tracker, NAN, 0.0));
    CHECK(atemi_joint_tracker_update(&tracker, 7.0, 0.0));
    CHECK_NEAR(tracker.position, 7.0, 0.0);
    CHECK(atemi_joint_tracker_update(&tracker, 7.01, 0.0));
    CHECK_NEAR(tracker.velocity, 50.0, 1e-9);
    for (int k = 2; k < 100; ++k) {
        CHECK(atemi_joint_tracker_update(&tracker, 7.0 + 0.01 * k, 0.0));
        CHECK_NEAR(tracker.velocity, 50.0, 1e-6);
    }
}

TEST(joint_tracker, goes_on_by_itself_where_a_reading_is_not_credible)
{
    atemi_joint_tracker tracker = started();
    for (int k = 0; k < 10; ++k) {
        CHECK(atemi_joint_tracker_update(&tracker, 0.01 * k, 0.0));
    }
    CHECK(!atemi_joint_tracker_update(&tracker, 0.1 + 1.01 * gate, 0.0));
    CHECK(!atemi_joint_tracker_update(&tracker, NAN, 0.0));
    CHECK_NEAR(tracker.position, 0.11, 1e-9);
    CHECK_EQUAL_INT(tracker.rejected, 2);
    CHECK(atemi_joint_tracker_update(&tracker, 0.12, 0.0));
    CHECK_EQUAL_INT(tracker.rejected, 0);
}
