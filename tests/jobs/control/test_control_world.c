// SPDX-License-Identifier: Apache-2.0

#include "control_rig.h"

// Two links of 1 kg and 0.5 m, stretched out level: m g (l/2 + l + l/2) = 9.81 N m at joint 1. What
// its control does not know of bends it: by the torque over the stiffness.

#define LEVEL                                                                                      \
    ARM_IN("[0, 0, -9.81]")                                                                        \
    "sensors: {noise: false}\nstart: {joints: {joint1: -pi/2, joint2: 0}}\n"                       \
    "tasks: [{do: set, of: all, integral_rate: 0}]\n"

static const double level = -1.5707963267948966, weight = 9.81;

/// How far joint 1 is below level, times its stiffness: the torque that is not fed forward. The
/// weight itself goes with cos(sag), which is 1e-3 less at 0.05 rad; and friction holds it back,
/// as does the velocity that is left.
static double missing_torque(const atemi_recording *r)
{
    return (level - last(r, "q.joint1")) * last(r, "stiffness.joint1");
}

TEST(control_world, a_load_that_is_not_known_is_borne_by_feedback_alone)
{
    atemi_recording *known =
        control(LEVEL "payloads: {stone: {link: link2, mass: 0.5 kg, point: [0, 0, 0.5]}}\n"
                      "duration: 3 s\n",
                NULL);
    atemi_recording *unknown =
        control(LEVEL "payloads: {stone: {link: link2, mass: 0.5 kg, point: [0, 0, 0.5], "
                      "known: false}}\nduration: 3 s\n",
                NULL);
    CHECK_NEAR(missing_torque(known), 0.0, 0.3);
    CHECK_NEAR(missing_torque(unknown), 0.5 * weight, 0.3);
    CHECK_NEAR(last(unknown, "feedback.joint1"), 0.5 * weight, 0.3);
    atemi_recording_destroy(known);
    atemi_recording_destroy(unknown);
}

TEST(control_world, a_load_that_is_hung_on_later_bends_the_robot_from_then_on)
{
    atemi_recording *r =
        control(LEVEL "payloads: {stone: {link: link2, mass: 0.5 kg, point: [0, 0, 0.5], "
                      "known: false, from: 1.5 s}}\nduration: 4 s\n",
                NULL);
    const int row = 75; // at 1.5 s
    CHECK_NEAR(column(r, "t")[row], 1.5, 1e-9);
    CHECK_NEAR(level - column(r, "q.joint1")[row], 0.0, 2e-3);
    CHECK_NEAR(missing_torque(r), 0.5 * weight, 0.3);
    atemi_recording_destroy(r);
}

// 20 % more mass: 1.96 N m too much. Lengths 20 % too short, of links whose masses are true: a
// fifth too little.
TEST(control_world, what_is_believed_is_fed_forward)
{
    atemi_recording *heavy = control(LEVEL "believed: {masses: 1.2}\nduration: 3 s\n", NULL);
    atemi_recording *brief = control(LEVEL "believed: {lengths: 0.8}\nduration: 3 s\n", NULL);
    CHECK_NEAR(missing_torque(heavy), -0.2 * weight, 0.3);
    CHECK_NEAR(missing_torque(brief), 0.2 * weight, 0.3);
    atemi_recording_destroy(heavy);
    atemi_recording_destroy(brief);
}

TEST(control_world, what_cannot_be_is_refused)
{
    check_refused_control(ARM "believed: {masses: 3}\n",
                          "no one errs by more than a factor of two");
    check_refused_control(ARM "payloads: {stone: {link: link2, mass: 1 kg, from: 1 s}}\n",
                          "add known: false");
}
