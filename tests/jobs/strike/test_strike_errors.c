// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"
#include "refusal.h"

#include <string.h>

static atemi_status run(const char *text, size_t size, const char *file,
                        atemi_recording **recording, atemi_error *error)
{
    return job_strike_text(text, size, file, NULL, recording, error);
}

#define REFUSES(text, line, column, cause, cure)                                                   \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), run, text "\n", line, column, cause, cure)

// What is wrong stands in line 4, or behind it.
#define REFUSES_PUNCH(text, line, column, cause, cure)                                             \
    REFUSES("robot: hrp2_like\nfeet: [right_sole, left_sole]\nhand: {site: right_fist}\n" text,    \
            line, column, cause, cure)
#define DECIDE "decide: {speed: [1, 0, 2]}\n"

TEST(strike_errors, name_what_is_wrong_with_robot_and_feet)
{
    REFUSES("feet: [right_sole]", 1, 1, "robot: is missing", "add robot:");
    REFUSES("robot: hrp2_lik\n" DECIDE, 1, 8, "no robot named", "did you mean 'hrp2_like'?");
    REFUSES("robot: hrp2_like\nfeet: [right_foot]\n" DECIDE, 2, 8, "no site 'right_foot'",
            "right_sole");
    REFUSES("robot: hrp2_like\nfeet: [right_fist]\n" DECIDE, 2, 8,
            "the site 'right_fist' has no area", "give its size in the URDF");
    REFUSES("robot: hrp2_like\nfeet: [right_sole, right_sole]\n" DECIDE, 2, 20,
            "the site 'right_sole' is listed twice", "each foot once");
    REFUSES("robot: hrp2_like\nfeet: []\n" DECIDE, 2, 7, "feet: has 0 items", "give at least 1");
    REFUSES("robot: hrp2_like\nstart: {posture: half_sittin}\n" DECIDE, 2, 18,
            "no posture 'half_sittin'", "half_sitting");
}

#define REFUSES_HAND(text, column, cause, cure)                                                    \
    REFUSES("robot: hrp2_like\nfeet: [right_sole, left_sole]\nhand: " text "\n" DECIDE, 3, column, \
            cause, cure)

TEST(strike_errors, name_what_is_wrong_with_hands)
{
    REFUSES_HAND("{site: right_fst}", 14, "no site 'right_fst'", "did you mean 'right_fist'?");
    REFUSES_HAND("{site: right_fist, wth: {site: left_fist}}", 26, "unknown key 'wth'",
                 "did you mean 'with'?");
    REFUSES_HAND("{site: right_fist, with: {site: left_fst}}", 39, "no site 'left_fst'",
                 "did you mean 'left_fist'?");
    REFUSES_HAND("{site: right_fist, with: {}}", 26, "hand.with.site: is missing", "add site:");
    REFUSES_HAND("{site: right_fist, with: {site: left_fist, link: left_hand}}", 32,
                 "has a site and a link", "give one of them");
    REFUSES_HAND("{site: right_fist, with: {site: right_fist}}", 32,
                 "both hands are of the link 'right_hand'", "give a site of another one");
    REFUSES_HAND("{site: right_fist, with: {site: left_fist, axis: [0, 0, 0]}}", 56,
                 "the direction has no length", "such as [1, 0, 0]");
}

TEST(strike_errors, name_what_is_wrong_with_decisions)
{
    REFUSES_PUNCH("", 1, 1, "decide: is missing", "add decide:");
    REFUSES_PUNCH("decide: {speed: [1, 2]}", 4, 17, "has two numbers",
                  "give [start, lower, upper], or one");
    REFUSES_PUNCH("decide: {speed: [1, 2, 0]}", 4, 17, "is empty", "lower <= upper");
    REFUSES_PUNCH("decide: {speed: [inf, 0, 2]}", 4, 17, "is empty", "a finite start");
    REFUSES_PUNCH("decide: {speed: [1 N]}", 4, 18, "'1 N' is not a speed", "m/s");
    REFUSES_PUNCH("decide: {sped: [1]}", 4, 10, "unknown key 'sped'", "did you mean 'speed'?");
    REFUSES_PUNCH("decide: {joints: {right_elbw: [0]}}", 4, 31, "no joint 'right_elbw'",
                  "did you mean 'right_elbow'?");
    REFUSES_PUNCH("decide: {joints: {right_knee: [0]}}", 4, 31, "'right_knee' is part of a leg",
                  "leave it out");
    REFUSES_PUNCH("decide: {joints: {chest_yaw: [0], chest_yaw: [0]}}", 4, 35, "appears twice",
                  "remove one");
    REFUSES_PUNCH("decide: {joints: {right_elbow: [0, 1]}}", 4, 32, "has two numbers",
                  "give [start, lower, upper], or one");
}

TEST(strike_errors, name_what_is_wrong_with_times_and_places)
{
    REFUSES_PUNCH("decide: {hand_before: 0}", 4, 23, "a phase of 0 s is too short",
                  "above 0 s, such as 0.7 s");
    REFUSES_PUNCH("decide: {body_after: [1, -1, 2]}", 4, 22, "a phase of -1 s", "above 0 s");
    REFUSES_PUNCH("decide: {body_before: [1, 2, 0.5]}", 4, 23, "is empty", "lower <= upper");
    REFUSES_PUNCH("decide: {third_foot_y: 0.1}", 4, 24, "there is no such foot, feet names 2",
                  "add a site to feet");
    REFUSES("robot: hrp2_like\nfeet: [right_sole]\nhand: {site: right_fist}\n"
            "decide: {second_foot_x: 0.1}",
            4, 25, "there is no such foot, feet names 1", "leave it out");
}

TEST(strike_errors, name_what_is_wrong_with_the_blow)
{
    REFUSES_PUNCH(DECIDE "hit: {z: 1 s}", 5, 10, "'1 s' is not a length", "m");
    REFUSES_PUNCH(DECIDE "hit: {with: {z: 1}}", 5, 13, "there is no second hand", "give hand.with");
    REFUSES_PUNCH(DECIDE "hit: {tolerance: -1}", 5, 18, "out of range",
                  "0, or from 1e-9 to 1e5 m, or inf");
    REFUSES_PUNCH(DECIDE "target: {mass: 0}", 5, 16, "out of range", "from 1e-6 to 1e6 kg, or inf");
    REFUSES_PUNCH(DECIDE "objective: {peak_force: 0}", 5, 1, "no weight",
                  "give one to peak_force or impulse");
    REFUSES_PUNCH(DECIDE "objective: {impulse: -1}", 5, 22, "out of range", "0, or from 1e-9");
}

TEST(strike_errors, name_what_is_wrong_with_limits_and_run)
{
    REFUSES_PUNCH(DECIDE "constraints: {aim: -1}", 5, 20, "out of range", "0, or from 1e-9");
    REFUSES_PUNCH(DECIDE "constraints: {margin: 1}", 5, 15, "unknown key 'margin'", "_margin");
    REFUSES_PUNCH(DECIDE "search: {starts: 0}", 5, 18, "out of range", "from 1 to 10000");
    REFUSES_PUNCH(DECIDE "verify: {run: maybe}", 5, 15, "'maybe'", "true or false");
    REFUSES_PUNCH(DECIDE "control_step: 1", 5, 15, "out of range", "0.05 s");
}

TEST(strike_errors, tell_a_robot_that_does_not_stand)
{
    REFUSES("robot: hrp2_like\nbase: fixed\nfeet: [right_sole]\nhand: {site: right_fist}\n" DECIDE,
            2, 7, "the robot's base is fixed", "base: floating");
}

TEST(strike_errors, name_a_file_that_is_not_there)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    char            *text;
    CHECK_STATUS(job_strike_file("no_such.yaml", NULL, &recording, &error), ATEMI_ERROR_FILE);
    CHECK(!recording);
    CHECK_EQUAL_STRING(error.file, "no_such.yaml");
    CHECK_STATUS(job_strike_explain("no_such.yaml", &text, &error), ATEMI_ERROR_FILE);
    CHECK(!text);
}
