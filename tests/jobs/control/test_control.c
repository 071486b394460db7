// SPDX-License-Identifier: Apache-2.0

#include "control_rig.h"

#include "atemi/model.h"

#include <stdio.h>

// The shipped scenarios are run in tests/cli/test_control.py.

// ---- Motions --------------------------------------------------------------------------------

TEST(control, moves_joints_to_where_they_are_told)
{
    atemi_recording *r = control(ARM MOVE "duration: 2 s\n", NULL);
    CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
    CHECK_NEAR(result(r, "goals_reached"), 1.0, 0.0);
    CHECK_NEAR(last(r, "target.joint1"), 0.2, 1e-12);
    CHECK_NEAR(last(r, "q.joint1"), 0.2, 5e-3);
    CHECK_NEAR(last(r, "q.joint2"), -0.1, 5e-3);
    CHECK_NEAR(time_of(r, "reached"), 1.0, 0.05);
    CHECK(largest(r, "current.joint1") > 0.0 && result(r, "largest_current") < 30.0);
    CHECK(largest(r, "feedback.joint1") <= 10.0);
    CHECK_NEAR(last(r, "limit.joint1"), 10.0, 0.0);
    CHECK_EQUAL_INT(atemi_recording_row_count(r), 101);
    atemi_recording_destroy(r);
}

TEST(control, moves_nodes_and_says_how_they_really_went)
{
    atemi_recording *r = control(
        ARM "start: {joints: {joint1: 0.5, joint2: -1}}\n"
            "tasks: [{do: nodes, at: 0.4, nodes: [{link: tip, by: [0, 0.05, 0], ignore: [turn_x]}],"
            " duration: 1 s}]\nduration: 2.5 s\n",
        NULL);
    CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
    CHECK_NEAR(result(r, "way"), 0.05, 1e-9);
    CHECK(result(r, "error") < 5e-3);
    CHECK_EQUAL_STRING(atemi_recording_table(r, 1)->name, "motions");
    CHECK_EQUAL_STRING(atemi_recording_table(r, 1)->labels[0], "task 0: tip");
    atemi_recording_destroy(r);
}

// A row for each motion, and each with its own way, also beyond 256 (of which 0.1 knew).
TEST(control, tells_of_any_number_of_motions)
{
    enum { MOTIONS = 300 };
    static char text[MOTIONS * 120];
    int         length = snprintf(text, sizeof text, "%s",
                                  ARM "start: {joints: {joint1: 0.5, joint2: -1}}\n"
                                              "duration: 7 s\ntasks:\n");
    for (int i = 0; i < MOTIONS; ++i) {
        length += snprintf(
            text + length, sizeof text - (size_t)length,
            "  - {do: nodes, wait: 0.02, nodes: [{link: tip, by: [0, %g, 0], ignore: [turn_x]}]}\n",
            i % 2 ? 1e-3 : 2e-3);
    }
    atemi_recording            *r = control(text, NULL);
    const atemi_recorded_table *motions = atemi_recording_table(r, 1);
    CHECK_NEAR(result(r, "tasks_given"), MOTIONS, 0.0);
    CHECK_EQUAL_STRING(motions->name, "motions");
    CHECK_EQUAL_INT(motions->row_count, MOTIONS);
    CHECK_EQUAL_STRING(motions->labels[MOTIONS - 1], "task 299: tip");
    for (int i = 0; i < MOTIONS; ++i) {
        CHECK_NEAR(motions->values[i * motions->column_count + 1], i % 2 ? 1e-3 : 2e-3, 1e-9);
    }
    atemi_recording_destroy(r);
}

TEST(control, follows_breadcrumbs_one_a_step)
{
    atemi_recording *r = control(ARM "tasks: [{do: follow, at: 0.4, breadcrumbs: {joint1: [0.005,"
                                     " 0.01, 0.015, 0.02, 0.02, 0.02]}}]\nduration: 1 s\n",
                                 NULL);
    CHECK_NEAR(last(r, "target.joint1"), 0.02, 1e-9);
    CHECK_NEAR(time_of(r, "reached"), 0.4 + 7 * 0.02, 0.021);
    atemi_recording_destroy(r);
}

TEST(control, gives_tasks_in_order_each_when_its_cue_is_there)
{
    atemi_recording *r =
        control(ARM "tasks:\n"
                    "  - {do: joints, at: 0.3, joints: {joint1: 0.1}, duration: 0.5}\n"
                    "  - {do: joints, when: reached, wait: 0.2, joints: {joint1: 0}, duration: 5}\n"
                    "  - {do: stop, wait: 0.5}\n"
                    "  - {do: stay, when: still, of: joint*, duration: 0.1}\n"
                    "duration: 2.5 s\n",
                NULL);
    CHECK_NEAR(result(r, "tasks_given"), 4.0, 0.0);
    CHECK_NEAR(result(r, "goals"), 3.0, 0.0);
    CHECK_NEAR(time_of(r, "stopped"), 0.3 + 0.5 + 0.2 + 0.5, 0.05);
    CHECK(last(r, "target.joint1") > 0.05);
    atemi_recording_destroy(r);
}

TEST(control, is_not_completed_while_tasks_are_left)
{
    atemi_recording *r =
        control(ARM "tasks: [{do: stop, at: 0.1}, {do: stop, when: tap}]\nduration: 0.3 s\n", NULL);
    CHECK_NEAR(result(r, "completed"), 0.0, 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(r), "only 1 of 2 tasks");
    atemi_recording_destroy(r);
}

// ---- The surroundings -----------------------------------------------------------------------

#define WALL                                                                                       \
    "start: {joints: {joint1: 0, joint2: 0}}\n"                                                    \
    "surfaces: {wall: {kind: plane, position: [0, -0.1, 0], normal: [0, 1, 0]}}\n"                 \
    "contacts: [{link: tip, surface: wall, compliance: {law: kelvin_voigt, stiffness: 5 kN/m,"     \
    " damping: 50}}]\n"                                                                            \
    "load_cell: {joint: joint2, threshold: 1 N}\n"

// The tip is 1 m from joint 1: a torque limit of 10 N m is 10 N there, once the collision is over.
TEST(control, of_a_blocked_robot_stops_and_presses_no_harder_than_its_limits)
{
    atemi_recording *r =
        control(ARM WALL "tasks: [{do: joints, at: 0.4, joints: {joint1: 0.5}, duration: 1}]\n"
                         "duration: 2 s\n",
                NULL);
    CHECK_NEAR(result(r, "completed"), 0.0, 0.0);
    CHECK_NEAR(result(r, "goals_obstructed"), 1.0, 0.0);
    CHECK(last(r, "contact.tip.0.force_y") > 2.0 && last(r, "contact.tip.0.force_y") < 10.5);
    CHECK(result(r, "largest_contact_force") < 60.0);
    CHECK(largest(r, "feedback.joint1") <= 10.0 && largest(r, "feedback.joint2") <= 10.0);
    CHECK(last(r, "target.joint1") < 0.3);
    atemi_recording_destroy(r);
}

TEST(control, goes_on_after_a_tap_when_the_way_is_free)
{
    atemi_recording *r =
        control(ARM WALL "people: [{surface: wall, from: 0, until: 1.5 s}]\n"
                         "forces: [{link: tip, force: [0, 4, 0], from: 3 s, until: 3.06 s}]\n"
                         "tasks:\n"
                         "  - {do: joints, at: 0.4, joints: {joint1: 0.5}, duration: 1}\n"
                         "  - {do: continue, when: tap}\n"
                         "duration: 5 s\n",
                NULL);
    CHECK_NEAR(result(r, "taps"), 1.0, 0.0);
    CHECK_NEAR(time_of(r, "tap"), 3.1, 0.1);
    CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
    CHECK_NEAR(last(r, "q.joint1"), 0.5, 5e-3);
    atemi_recording_destroy(r);
}

// Two links of 1 kg and 0.5 m, stretched out level: m g (l/2 + l + l/2) = 9.81 N m at joint 1.
TEST(control, bears_the_weight_that_it_compensates_and_sags_under_what_it_does_not)
{
#define LEVEL                                                                                      \
    ARM_IN("[0, 0, -9.81]")                                                                        \
    "start: {joints: {joint1: -pi/2, joint2: 0}}\nduration: 1.5 s\n"
    atemi_recording *borne = control(LEVEL, NULL);
    atemi_recording *lifted =
        control(LEVEL "offload: 1\ntasks: [{do: set, of: all, gravity: 0}]\n", NULL);
    atemi_recording *sagging =
        control(LEVEL "tasks: [{do: set, of: all, gravity: 0, integral_rate: 0}]\n", NULL);
    CHECK_NEAR(last(borne, "demand.joint1"), 9.81, 0.3);
    CHECK_NEAR(last(borne, "q.joint1"), -1.5708, 0.01);
    CHECK_NEAR(last(lifted, "demand.joint1"), 0.0, 0.5);
    CHECK(last(sagging, "q.joint1") < -1.59 && last(sagging, "q.joint1") > -1.7);
    atemi_recording_destroy(borne);
    atemi_recording_destroy(lifted);
    atemi_recording_destroy(sagging);
}

// 2 kg at the end of the second link: 2 x 9.81 N at 1 m more, and a link more in the description.
TEST(control, bears_what_the_robot_carries)
{
    size_t           size;
    atemi_recording *laden = control(LEVEL "sensors: {noise: false}\npayloads: {stone: {link: "
                                           "link2, mass: 2 kg, point: [0, 0, 0.5]}}\n",
                                     NULL);
    CHECK_NEAR(last(laden, "demand.joint1"), 9.81 + 2.0 * 9.81, 0.3);
    CHECK_NEAR(last(laden, "q.joint1"), -1.5708, 0.01);
    CHECK_CONTAINS(atemi_recording_urdf(laden, &size), "<link name=\"stone\">");
    atemi_recording_destroy(laden);
}

TEST(control, refuses_payloads_that_cannot_be)
{
#define STONE(keys) ARM "payloads: {stone: {" keys "}}\n"
    check_refused_control(STONE("link: link3, mass: 2 kg"), "did you mean 'link");
    check_refused_control(STONE("link: link2"), "mass: is missing");
    check_refused_control(STONE("link: link2, mass: 2 kg, size: [1, 0, 1]"), "not positive");
    check_refused_control(ARM "payloads: {link1: {link: link2, mass: 2 kg}}\n",
                          "'link1' is described twice");
}

// Feet and hands that the scenario adds stay, with what the robot carries.
TEST(control, keeps_sites_of_the_scenario_besides_payloads)
{
    atemi_recording *touching =
        control(ARM "payloads: {stone: {link: link1, mass: 2 kg}}\n"
                    "sites: [{name: finger, link: link2, point: [0, 0, 0.5]}]\n"
                    "contacts: [{site: finger, compliance: {law: kelvin_voigt, stiffness: 1000}}]\n"
                    "duration: 0.1 s\n",
                NULL);
    CHECK(column(touching, "contact.finger.0.gap") != NULL);
    atemi_recording_destroy(touching);
}

TEST(control, lets_a_person_lead_the_robot_and_tells_where_it_stayed)
{
    atemi_recording *r = control(
        ARM "hands: [{link: tip, by: [0, -0.2, 0], from: 0.5, until: 2.5, stiffness: 500}]\n"
            "duration: 4 s\n",
        NULL);
    const atemi_recorded_table *hands = atemi_recording_table(r, 0);
    CHECK_EQUAL_STRING(hands->name, "hands");
    CHECK_NEAR(hands->values[0], 0.2, 1e-12);
    CHECK(hands->values[1] > 0.1 && hands->values[3] < 60.0);
    CHECK(result(r, "largest_hand_force") > 5.0);
    atemi_recording_destroy(r);
}

// ---- Recordings -----------------------------------------------------------------------------

static bool are_alike(const atemi_recording *a, const atemi_recording *b)
{
    const int rows = atemi_recording_row_count(a);
    bool      alike = rows == atemi_recording_row_count(b);
    for (int c = 0; c < atemi_recording_channel_count(a) && alike; ++c) {
        alike = memcmp(atemi_recording_values(a, c), atemi_recording_values(b, c),
                       (size_t)rows * sizeof(double)) == 0;
    }
    return alike;
}

TEST(control, of_the_same_scenario_gives_the_same_bits_and_another_seed_others)
{
    atemi_recording *once = control(ARM MOVE "duration: 1 s\n", NULL);
    atemi_recording *again = control(ARM MOVE "duration: 1 s\n", NULL);
    atemi_recording *other = control(ARM MOVE "duration: 1 s\nsensors: {seed: 2}\n", NULL);
    CHECK(are_alike(once, again));
    CHECK(!are_alike(once, other));
    atemi_recording_destroy(once);
    atemi_recording_destroy(again);
    atemi_recording_destroy(other);
}

static bool stop_halfway(void *context, double done)
{
    (void)context;
    return done < 0.5;
}

TEST(control, keeps_what_there_is_when_it_is_stopped)
{
    const atemi_job_hooks hooks = {.progress = stop_halfway};
    atemi_recording      *r = control(ARM MOVE "duration: 1 s\n", &hooks);
    CHECK_NEAR(result(r, "completed"), 0.0, 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(r), "interrupted at 0.5");
    CHECK(atemi_recording_row_count(r) < 30);
    atemi_recording_destroy(r);
}

// ---- Margins --------------------------------------------------------------------------------

// A torque loop of 5 rad/s cannot make 20 rad/s; that is said, and less is commanded.
TEST(control, lowers_what_would_not_be_stable_and_says_so)
{
    atemi_recording *usual = control(ARM "duration: 1 s\n", NULL);
    atemi_recording *slow =
        control(ARM "loops: [{of: all, torque_bandwidth: 5}]\nduration: 1 s\n", NULL);
    CHECK(isnan(time_of(usual, "margin")));
    CHECK(result(usual, "least_phase_margin") >= 10.0);
    CHECK_NEAR(time_of(slow, "margin"), 0.0, 0.0);
    CHECK(result(slow, "least_phase_margin") >= 10.0);
    const atemi_recorded_table *drives = table_of(slow, "drives");
    CHECK(drives && drives->row_count == 2);
    const double m = drives->values[5], w = drives->values[6]; // of joint1: inertia, frequency
    const double loops = 5000.0 / 5.0 * (1.0 / 800.0 + 1.0 / 3000.0 + 1e-4); // that they leave
    CHECK(w < 20.0 && last(slow, "stiffness.joint1") > 0.0);
    CHECK(last(slow, "stiffness.joint1") <= (m + loops) * w * w);
    atemi_recording_destroy(usual);
    atemi_recording_destroy(slow);
}
