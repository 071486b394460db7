// SPDX-License-Identifier: Apache-2.0

#include "control_rig.h"

#include <stdio.h>

// What goes wrong with joint 1 while it moves to 0.2 rad.

static atemi_recording *faulty(const char *fault)
{
    char text[1000];
    snprintf(text, sizeof text, "%sfaults: [{of: joint1, %s}]\nduration: 3 s\n", ARM MOVE, fault);
    return control(text, NULL);
}

/// Runs until a joint stops safely; its outcome says what was wrong, and what to do.
static void check_stop(const char *fault, const char *cause, const char *cure)
{
    atemi_recording *r = faulty(fault);
    CHECK_NEAR(result(r, "completed"), 0.0, 0.0);
    CHECK_NEAR(result(r, "safe_stops"), 1.0, 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(r), "joint1 stopped safely");
    CHECK_CONTAINS(atemi_recording_outcome(r), cause);
    CHECK_CONTAINS(atemi_recording_outcome(r), cure);
    CHECK(time_of(r, "safe stop") >= 0.6 && time_of(r, "safe stop") < 0.9);
    CHECK(result(r, "slow_since") >= 0.6 && result(r, "slow_since") < 1.5);
    atemi_recording_destroy(r);
}

TEST(control_faults, that_stop_a_joint_are_told_with_cause_and_cure)
{
    check_stop("from: 0.6, encoder_dropped: 1", "encoder not credible", "check its cable");
    check_stop("from: 0.6, encoder_offset: 0.05", "encoder not credible", "check its cable");
    check_stop("from: 0.6, encoder_stuck: true", "encoder stuck", "check its coupling");
    check_stop("from: 0.6, encoders: motor, encoder_stuck: true", "motor encoder stuck",
               "check its coupling");
    check_stop("from: 0.6, encoders: joint, encoder_stuck: true", "joint encoder stuck",
               "check its coupling");
    check_stop("from: 0.6, bus_delay: 0.2", "no new command for 100 ms",
               "find out what holds it up");
}

// An offset that the encoders share does not bend the spring: the joint is off by as much. One that
// loses a fifth of each motion shows 0.2 rad at 0.25 rad. Reached is within the 1e-3 rad of a goal.
TEST(control_faults, of_both_encoders_put_the_joint_where_they_show_its_goal)
{
    atemi_recording *off = faulty("from: 0.6, encoder_offset: 0.003");
    atemi_recording *slipping = faulty("encoder_slip: 0.2");
    CHECK_NEAR(result(off, "goals_reached"), 1.0, 0.0);
    CHECK_NEAR(last(off, "q.joint1"), 0.2 - 0.003, 1e-3);
    CHECK_NEAR(last(slipping, "q.joint1"), 0.2 / 0.8, 1e-3);
    CHECK_NEAR(last(slipping, "q.joint2"), -0.1, 1e-3);
    atemi_recording_destroy(off);
    atemi_recording_destroy(slipping);
}

// A brake that is as stiff as the stops, 10,000 N m/rad, gives way to the 10 N m of the feedback
// and to what is fed forward by some mrad; it opens at 2 s.
TEST(control_faults, a_brake_holds_the_joint_until_it_opens_and_the_motion_yields)
{
    atemi_recording *r = faulty("from: 0.6, until: 2 s, brake: true");
    const double    *q = column(r, "q.joint1"), *t = column(r, "t");
    double           closed = 0.0;
    for (int i = 0; i < atemi_recording_row_count(r); ++i) {
        closed = t[i] <= 0.6 ? q[i] : closed;
        if (t[i] > 0.7 && t[i] < 1.9) {
            CHECK_NEAR(q[i], closed, 5e-3);
        }
    }
    CHECK(closed > 0.02 && closed < 0.15);
    CHECK_NEAR(result(r, "goals_obstructed"), 1.0, 0.0);
    CHECK_NEAR(result(r, "safe_stops"), 0.0, 0.0);
    CHECK(event_of(r, "obstructed") && strcmp(event_of(r, "obstructed")->what, "joint1") == 0);
    atemi_recording_destroy(r);
}

// Two links of 1 kg, stretched out level: without a brake they fall to where they hang down, as
// fast as their motors let them. One that closes 0.1 s after the stop gives way to the 9.81 N m at
// joint 1 by 1 mrad, and by as much as they moved until then.
TEST(control_faults, that_stop_all_joints_let_the_robot_sink_unless_it_has_brakes)
{
#define LOST                                                                                       \
    ARM_IN("[0, 0, -9.81]")                                                                        \
    "start: {joints: {joint1: -pi/2, joint2: 0}}\nfaults: [{from: 1, bus_delay: 5 s}]\nduration: " \
    "4 "                                                                                           \
    "s\n"
    atemi_recording *sinks = control(LOST, NULL),
                    *rests = control(LOST "brake_time: 0.1 s\n", NULL);
    CHECK_NEAR(result(sinks, "safe_stops"), 2.0, 0.0);
    CHECK_NEAR(result(rests, "safe_stops"), 2.0, 0.0);
    CHECK(fabs(last(sinks, "q.joint1") + 1.5707963267948966) > 0.2);
    const double closed = column(rests, "q.joint1")[62]; // at 1.24 s
    CHECK_NEAR(last(rests, "q.joint1"), closed, 2e-3);
    CHECK(result(rests, "slow_since") < 1.4 && result(rests, "last_speed") < 1e-3);
    CHECK_CONTAINS(atemi_recording_outcome(rests), "more joints did, see events");
    atemi_recording_destroy(sinks);
    atemi_recording_destroy(rests);
}

// Joints forgive what they are made for.
TEST(control_faults, that_are_small_leave_the_goal_reached)
{
    static const char *const faults[] = {
        "from: 0.6, encoder: 1e-3",      "from: 0.6, current: 1", "from: 0.6, current_offset: 2",
        "from: 0.6, current_dropped: 1", "from: 0.6, lag: 5 ms",  "from: 0.6, dropped: 0.2",
        "from: 0.6, bus_delay: 0.05"};
    atemi_recording *healthy = control(ARM MOVE "duration: 3 s\n", NULL);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        atemi_recording *r = faulty(faults[i]);
        CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
        CHECK(column(r, "q.joint1")[35] != column(healthy, "q.joint1")[35]); // at 0.7 s
        CHECK_NEAR(column(r, "q.joint1")[28], column(healthy, "q.joint1")[28], 0.0);
        atemi_recording_destroy(r);
    }
    atemi_recording_destroy(healthy);
}

TEST(control_faults, are_noted_when_they_begin_with_all_that_is_wrong)
{
    atemi_recording *r = control(ARM MOVE "faults: [{from: 0.51, until: 0.52, encoder: 1e-4, "
                                          "lag: 1 ms, brake: false}]\nduration: 1 s\n",
                                 NULL);
    const atemi_recorded_event *event = event_of(r, "injected");
    CHECK(event != NULL);
    CHECK_NEAR(event->t, 0.51, 1e-9);
    CHECK_CONTAINS(event->text, "encoder 0.0001, lag 0.001 s of joint1 and 1 more");
    atemi_recording_destroy(r);
}

TEST(control_faults, that_say_nothing_or_come_too_late_are_warned_of)
{
    atemi_recording *nothing = faulty("from: 0.6");
    atemi_recording *late = faulty("from: 5 s, brake: true");
    CHECK_CONTAINS(atemi_recording_warning(nothing, 0)->message, "not what goes wrong");
    CHECK_CONTAINS(atemi_recording_warning(late, 0)->message, "the fault begins at 5 s");
    atemi_recording_destroy(nothing);
    atemi_recording_destroy(late);
}
