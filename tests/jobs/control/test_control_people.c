// SPDX-License-Identifier: Apache-2.0

#include "control_rig.h"

// The tip, 1 m from joint 1, comes down on a person whose skin is at y = -0.1 m.

#define PERSON(keys)                                                                               \
    "start: {joints: {joint1: 0, joint2: 0}}\n"                                                    \
    "surfaces: {chest: {kind: plane, position: [0, -0.1, 0], normal: [0, 1, 0]}}\n"                \
    "contacts: [{link: tip, surface: chest, friction: 0}]\n"                                       \
    "people: [{surface: chest, " keys "}]\n"
#define PRESS "tasks: [{do: joints, at: 0.4, joints: {joint1: 0.5}, duration: 1}]\nduration: 4 s\n"
#define BRUSH "tasks: [{do: joints, at: 0.4, joints: {joint1: 0.2}, duration: 1}]\nduration: 3 s\n"

// The clamped body is a spring of 5 kN/m under the 10 N m of the joint, at a lever of 1 m. What is
// fed forward, and friction, are within the 0.5 N m of the other tests.
TEST(control_people, are_pressed_by_the_spring_that_they_are)
{
    atemi_recording *r =
        control(ARM PERSON("stiffness: 5 kN/m, damping: 50, mass: 2, clearance: 3 cm, "
                           "force_limit: 20, transient_limit: 200") PRESS,
                NULL);
    const double force = last(r, "person.chest.force");
    CHECK(force > 2.0 && force < 10.5);
    CHECK_NEAR(last(r, "person.chest.moved"), 0.03, 1e-9);
    CHECK_NEAR(-last(r, "contact.tip.0.gap") * 5e3, force, 0.02 * force);
    CHECK_NEAR(last(r, "contact.tip.0.force_y"), force, 1e-9);
    CHECK(result(r, "largest_pressing_force") >= force &&
          result(r, "largest_pressing_force") < 20.0);
    CHECK_NEAR(result(r, "largest_force_part"),
               fmax(result(r, "largest_pressing_force") / 20.0,
                    result(r, "largest_transient_force") / 200.0),
               1e-12);
    CHECK_CONTAINS(table_of(r, "people")->labels[0], "chest: within its limits");
    atemi_recording_destroy(r);
}

// The same force is judged by another limit once the contact is 0.5 s old.
TEST(control_people, are_hit_at_first_and_pressed_later)
{
    atemi_recording *pressed =
        control(ARM PERSON("stiffness: 5 kN/m, damping: 50, clearance: 0, force_limit: 2, "
                           "transient_limit: inf") PRESS,
                NULL);
    atemi_recording *patient =
        control(ARM PERSON("stiffness: 5 kN/m, damping: 50, clearance: 0, force_limit: 2, "
                           "transient_limit: inf, transient_time: 10 s") PRESS,
                NULL);
    CHECK_NEAR(result(pressed, "completed"), 0.0, 0.0);
    CHECK_CONTAINS(atemi_recording_outcome(pressed), "presses chest with");
    CHECK_CONTAINS(atemi_recording_outcome(pressed),
                   "its force_limit of 2 N; lower the torque_limit");
    CHECK(time_of(pressed, "force limit") > 0.9);
    CHECK_NEAR(result(patient, "largest_pressing_force"), 0.0, 0.0);
    CHECK_NEAR(result(patient, "largest_force_part"), 0.0, 0.0);
    CHECK_NEAR(
        result(patient, "largest_transient_force"),
        fmax(result(pressed, "largest_transient_force"), result(pressed, "largest_pressing_force")),
        1e-12);
    atemi_recording_destroy(pressed);
    atemi_recording_destroy(patient);
}

// A light body that is pushed aside does not keep the robot from its goal: whether the job is done
// is a question of the limit alone.
TEST(control_people, that_are_hit_too_hard_make_a_job_fail_that_is_done_otherwise)
{
#define LIGHT "stiffness: 500, mass: 0.05, clearance: inf, transient_limit: "
    static const char *const texts[] = {ARM PERSON(LIGHT "1e3") BRUSH, ARM PERSON(LIGHT "1") BRUSH};
    for (int i = 0; i < 2; ++i) {
        atemi_recording *r = control(texts[i], NULL);
        const double     force = result(r, "largest_transient_force");
        CHECK(force > 1.0 && force < 1000.0);
        CHECK_NEAR(result(r, "goals_reached"), 1.0, 0.0);
        CHECK_NEAR(result(r, "completed"), i == 0, 0.0);
        if (i == 1) {
            CHECK_CONTAINS(atemi_recording_outcome(r), "hits chest with");
            CHECK_CONTAINS(atemi_recording_outcome(r), "lower the velocity");
            CHECK_CONTAINS(table_of(r, "people")->labels[0], "beyond its limit");
        }
        atemi_recording_destroy(r);
    }
}

TEST(control_people, are_of_their_region_unless_they_say_otherwise)
{
    atemi_recording *region =
        control(ARM PERSON("region: upper_arm, damping: 50, clearance: 1 cm") PRESS, NULL);
    atemi_recording *figures = control(
        ARM PERSON("stiffness: 30 kN/m, mass: 3, damping: 50, clearance: 1 cm") PRESS, NULL);
    CHECK(result(region, "largest_transient_force") > 0.0);
    CHECK_NEAR(result(region, "largest_transient_force"),
               result(figures, "largest_transient_force"), 0.0);
    CHECK(isnan(result(region, "largest_force_part")));
    CHECK_CONTAINS(table_of(region, "people")->labels[0], "without a limit");
    atemi_recording_destroy(region);
    atemi_recording_destroy(figures);
}

TEST(control_people, that_nobody_touches_feel_nothing)
{
    atemi_recording *r =
        control(ARM PERSON("region: hand, force_limit: 1") "duration: 1 s\n", NULL);
    CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
    CHECK_NEAR(result(r, "largest_force_part"), 0.0, 0.0);
    CHECK_NEAR(result(r, "slow_since"), 0.0, 0.0);
    CHECK_CONTAINS(table_of(r, "people")->labels[0], "chest: not touched");
    atemi_recording_destroy(r);
}

TEST(control_people, are_refused_where_they_cannot_be)
{
    check_refused_control(ARM PERSON("from: 0") PRESS,
                          "make the surface a person with a stiffness");
    check_refused_control(ARM PERSON("region: chest}, {surface: chest, from: 2") PRESS,
                          "'chest' is a person already");
    check_refused_control(ARM PERSON("region: ches") PRESS, "did you mean 'chest'");
}
