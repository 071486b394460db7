// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"
#include "refusal.h"

#include <string.h>

static atemi_status run(const char *text, size_t size, const char *file,
                        atemi_recording **recording, atemi_error *error)
{
    const atemi_job_options options = {.flags = ATEMI_IMPACT_SWEEP};
    return atemi_job_run_text("impact", text, size, file, &options, recording, error);
}

#define REFUSES(text, line, column, cause, cure)                                                   \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), run, text "\n", line, column, cause, cure)

// What is wrong stands in line 3, or behind it.
#define REFUSES_PUNCH(text, line, column, cause, cure)                                             \
    REFUSES("robot: hrp2_like\nstart: {posture: punch_6kg, place_on: floor}\n" text, line, column, \
            cause, cure)
#define HAND "hand: {site: right_fist, speed: 1}\n"

TEST(impact_errors, name_what_is_wrong_with_robot_and_start)
{
    REFUSES("hand: {site: tip}", 1, 1, "robot: is missing", "add robot:");
    REFUSES("robot: hrp2_lik", 1, 8, "no robot named", "did you mean 'hrp2_like'?");
    REFUSES("robot: hrp2_like\nstart: {posture: punch}\n" HAND, 2, 18, "no posture 'punch'",
            "did you mean 'punch_4kg'?");
    REFUSES("robot: hrp2_like\nstart: {posture: punch_6kg}\n" HAND, 1, 1, "inside 'floor'",
            "start.place_on: floor");
    REFUSES_PUNCH("durration: 1\n" HAND, 3, 1, "unknown key 'durration'", "'duration'");
}

// Each number is possible by itself: only the blow shows that they do not go together.
TEST(impact_errors, of_a_blow_that_is_too_fast_have_a_place)
{
    REFUSES_PUNCH(HAND "target: {mass: 0.1 g, damping: 1e6}", 3, 7, "acts within",
                  "make it softer, or the target heavier");
}

TEST(impact_errors, name_what_is_wrong_with_the_hand)
{
    REFUSES_PUNCH("", 1, 1, "hand: is missing", "add hand:");
    REFUSES_PUNCH("hand: {speed: 1}", 3, 1, "site: is missing", "site");
    REFUSES_PUNCH("hand: {site: fist}", 3, 14, "no site 'fist'", "such as right_sole");
    REFUSES_PUNCH("hand: {link: fist}", 3, 14, "no link 'fist'", "give the name of one");
    REFUSES_PUNCH("hand: {site: right_fist, link: chest}", 3, 7, "a site and a link",
                  "give one of them");
    REFUSES_PUNCH("hand: {site: right_fist, direction: [0, 0, 0]}", 3, 37, "no length",
                  "such as [1, 0, 0]");
    REFUSES_PUNCH("hand: {site: right_fist, direction: 1}", 3, 37, "'1'", "list of 3 numbers");
    REFUSES_PUNCH("hand: {site: right_fist, point: [0, 0, 1 s]}", 3, 40, "'1 s' is not a length",
                  "m");
    REFUSES_PUNCH("hand: {site: right_fist, speed: 1 N}", 3, 33, "'1 N' is not a speed", "m/s");
    REFUSES_PUNCH("hand: {site: right_fist, speed: inf}", 3, 33, "'inf'", "");
    REFUSES_PUNCH("hand: {site: right_fist, sped: 1}", 3, 26, "unknown key 'sped'",
                  "did you mean 'speed'?");
}

TEST(impact_errors, name_what_is_wrong_with_places_and_directions)
{
#define PLACES(counts) "sweep: {places: {from: [0, 0, 1], to: [1, 0, 1], counts: " counts "}}"
    REFUSES_PUNCH(HAND PLACES("[2, 1.5, 1]"), 4, 58, "1.5 is no count", "whole numbers");
    REFUSES_PUNCH(HAND PLACES("[2, 1]"), 4, 58, "3", "");
    REFUSES_PUNCH(HAND PLACES("[100, 100, 100]"), 4, 8, "1e+06 cases", "several sweeps");
    REFUSES_PUNCH(HAND "sweep: {places: {from: [0, 0, 1], counts: [1, 1, 1]}}", 4, 9,
                  "to: is missing", "to");
    REFUSES_PUNCH(HAND "sweep: {directions: [[0, 0, 0]]}", 4, 22, "no length", "[1, 0, 0]");
}

TEST(impact_errors, name_what_is_wrong_with_servos)
{
    REFUSES_PUNCH(HAND "servo: {stiffness: -1}", 4, 20, "out of range",
                  "0, or from 0.001 to 1e12 N m/rad");
    REFUSES_PUNCH(HAND "servo: {damping: -1}", 4, 18, "out of range",
                  "0, or from 1e-9 to 1e9 N m s/rad");
    REFUSES_PUNCH(HAND "servo: {stiffness: inf}", 4, 20, "'inf'", "");
    REFUSES_PUNCH(HAND "servo: {stiffness: {right_elbw: 1}}", 4, 21, "no joint 'right_elbw'",
                  "right_elbow");
    REFUSES_PUNCH(HAND "servo: {torque_limits: -2 N m}", 4, 24, "out of range",
                  "0, or from 1e-6 to 1e8 N m, or inf");
    REFUSES_PUNCH(HAND "servo: {torque_limits: 2 N}", 4, 24, "'2 N' is not", "N m");
    REFUSES_PUNCH(HAND "joint_friction: 0.1", 4, 17, "'0.1'", "true or false");
}

TEST(impact_errors, name_what_is_wrong_with_the_target)
{
    REFUSES_PUNCH(HAND "target: {mass: 0}", 4, 16, "out of range", "from 1e-6 to 1e6 kg, or inf");
    REFUSES_PUNCH(HAND "target: {mass: -5 kg}", 4, 16, "out of range",
                  "from 1e-6 to 1e6 kg, or inf");
    REFUSES_PUNCH(HAND "target: {friction: -1}", 4, 20, "out of range", "0, or from 1e-6 to 1e8 N");
    REFUSES_PUNCH(HAND "target: {friction: inf}", 4, 20, "'inf'", "");
    REFUSES_PUNCH(HAND "target: {stiffness: 0}", 4, 21, "out of range", "from 0.001 to 1e12 N/m");
    REFUSES_PUNCH(HAND "target: {damping: -1}", 4, 19, "out of range",
                  "0, or from 1e-6 to 1e9 N s/m");
    REFUSES_PUNCH(HAND "target: {law: hertz}", 4, 15, "'hertz'", "hunt_crossley");
    REFUSES_PUNCH(HAND "target: {law: hunt_crossley, stiffness: 1}", 4, 30,
                  "unknown key 'stiffness'", "hertz_stiffness");
    REFUSES_PUNCH(HAND "target: {law: hunt_crossley, exponent: 0.5}", 4, 40, "out of range",
                  "from 1 to 10");
    REFUSES_PUNCH(HAND "grounding: {kind: glued}", 4, 19, "'glued'", "fixed or heavy");
    REFUSES_PUNCH(HAND "grounding: {mass: 0}", 4, 19, "out of range", "from 1e-6 to 1e6 kg");
}

TEST(impact_errors, name_what_is_wrong_with_the_run)
{
    REFUSES_PUNCH(HAND "duration: 0", 4, 11, "out of range", "from 1e-9 to 10 s");
    REFUSES_PUNCH(HAND "duration: 11", 4, 11, "out of range", "from 1e-9 to 10 s");
    REFUSES_PUNCH(HAND "full_dynamics: {step: 0}", 4, 23, "out of range", "1e-7");
    REFUSES_PUNCH(HAND "full_dynamics: true", 4, 1, "'true'", "{run: ...}");
    REFUSES_PUNCH(HAND "record: {every: 0}", 4, 17, "out of range", "1e-6");
    REFUSES_PUNCH(HAND "duration: 5\nrecord: {every: 1e-6}", 5, 17, "5e+06 rows are more",
                  "record less often");
}

TEST(impact_errors, name_what_is_wrong_with_the_sweep)
{
    REFUSES_PUNCH(HAND, 1, 1, "no key 'sweep'", "sweep: {speeds: [0.5, 1.0]}");
    REFUSES_PUNCH(HAND "sweep: {speeds: [1, 0]}", 4, 21, "out of range", "from 1e-9 to 10000 m/s");
    REFUSES_PUNCH(HAND "sweep: {target_masses: [0]}", 4, 25, "out of range",
                  "from 1e-6 to 1e6 kg, or inf");
    REFUSES_PUNCH(HAND "sweep: {stiffnesses: [inf]}", 4, 23, "'inf'", "");
    REFUSES_PUNCH(HAND "sweep: {postures: [half_sittin]}", 4, 20, "no posture 'half_sittin'",
                  "half_sitting");
    REFUSES_PUNCH(HAND "target: {law: hunt_crossley}\nsweep: {stiffnesses: [1e4]}", 5, 8,
                  "of a spring", "take another law");
}

// Both feet and a hand on the ground, the hand to strike with: it cannot move.
TEST(impact_errors, tell_a_hand_without_freedom)
{
    static const char text[] = "robot: two_link\n"
                               "surfaces: {bar: {position: [0, 0, 1]}}\n"
                               "contacts: [{link: tip, surface: bar, tied: true}]\n"
                               "hand: {link: tip, direction: [0, 0, 1], speed: 1}\n";
    atemi_recording  *recording = NULL;
    atemi_error       error = {0};
    CHECK_STATUS(job_impact_text(text, strlen(text), "x.yaml", NULL, &recording, &error),
                 ATEMI_ERROR_SINGULAR);
    CHECK(!recording);
    CHECK_CONTAINS(error.message, "cannot move along the direction of the blow");
}

TEST(impact_errors, name_a_file_that_is_not_there)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    char            *text;
    CHECK_STATUS(job_impact_file("no_such.yaml", NULL, &recording, &error), ATEMI_ERROR_FILE);
    CHECK(!recording);
    CHECK_EQUAL_STRING(error.file, "no_such.yaml");
    CHECK_STATUS(job_impact_explain("no_such.yaml", &text, &error), ATEMI_ERROR_FILE);
    CHECK(!text);
}
