// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"
#include "refusal.h"

#include <string.h>

// Numbers that no machine has: refused where they stand, with the bound and the reason for it.

static atemi_status simulate(const char *text, size_t size, const char *file,
                             atemi_recording **recording, atemi_error *error)
{
    return job_simulate_text(text, size, file, NULL, recording, error);
}

static atemi_status impact(const char *text, size_t size, const char *file,
                           atemi_recording **recording, atemi_error *error)
{
    return job_impact_text(text, size, file, NULL, recording, error);
}

static atemi_status control(const char *text, size_t size, const char *file,
                            atemi_recording **recording, atemi_error *error)
{
    return job_control_text(text, size, file, NULL, recording, error);
}

#define REFUSES(job, text, line, column, cause, cure)                                              \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), job, text "\n", line, column, cause, cure)
#define PUNCH                                                                                      \
    "robot: hrp2_like\nstart: {posture: punch_6kg, place_on: floor}\nhand: {site: right_fist, "    \
    "speed: "                                                                                      \
    "1}\n"

// All of these ended with exit code 0 and numbers that are none.
TEST(scenario_bounds, refuse_what_gave_numbers_that_are_none)
{
    REFUSES(simulate, "robot: two_link\ncontacts: [{friction: 1e-300}]", 2, 23,
            "contacts[0].friction: '1e-300' is out of range",
            "0, or from 1e-9 to 100 (more is "
            "glue");
    REFUSES(simulate, "robot: hrp2_like\nstart: {position: [0, 0, 1e308]}", 2, 26,
            "start.position[2]: '1e308' is out of range", "from -1e5 to 1e5 m (beyond 100 km");
    REFUSES(impact, PUNCH "target: {damping: 1e300}", 4, 19, "target.damping: '1e300'",
            "from 1e-6 to 1e9 N s/m (more holds anything still)");
    REFUSES(simulate,
            "robot: two_link\nsurfaces: {floor: {kind: heights, heights: [[0, 0], [0, 1e308]]}}", 2,
            57, "surfaces.floor.heights[1][1]: '1e308'", "from -1e5 to 1e5 m");
    REFUSES(impact, "robot: hrp2_like\nhand: {site: right_fist, speed: 1e300}", 2, 33,
            "hand.speed: '1e300'", "from -10000 to 10000 m/s (no machine is faster)");
    REFUSES(simulate, "robot: two_link\ntorques: [{kind: servo, stiffness: 1, damping: 1e300}]", 2,
            48, "torques[0].damping: '1e300'", "from 1e-9 to 1e9 N m s/rad (more holds any joint");
}

TEST(scenario_bounds, hold_for_numbers_too_small_to_compute_with)
{
    REFUSES(impact, PUNCH "target: {mass: 1e-200}", 4, 16, "target.mass: '1e-200'",
            "from 1e-6 to 1e6 kg, or inf (a milligram to 1000 t");
    REFUSES(impact, PUNCH "target: {stiffness: 1e-200}", 4, 21, "'1e-200'", "from 0.001 to 1e12");
    REFUSES(impact, PUNCH "target: {damping: 1e-200}", 4, 19, "'1e-200'", "0, or from 1e-6");
    REFUSES(simulate, "robot: two_link\nsurfaces: {floor: {normal: [0, 1e-200, 0]}}", 2, 28,
            "has no direction", "any length but 0");
    REFUSES(control,
            "robot: r2_like\nholds: [left_foot]\npayloads: {a: {link: torso, mass: 1e-99}}", 3, 35,
            "'1e-99'", "from 1e-6 to 1e6 kg");
}

// A number that was computed, and is a rounding of 0, is fine where signs are.
TEST(scenario_bounds, leave_roundings_of_zero_alone)
{
    static const char text[] = "robot: hrp2_like\ncontacts: []\nduration: 1 ms\n"
                               "start: {position: [1e-300, 0, 0], velocity: [0, -4e-320, 0]}\n";
    atemi_recording  *recording = NULL;
    CHECK_STATUS(simulate(text, strlen(text), NULL, &recording, NULL), ATEMI_OK);
    atemi_recording_destroy(recording);
}

// The ends themselves are in range: all of this together gives finite numbers.
TEST(scenario_bounds, are_in_range_themselves)
{
    static const char text[] = PUNCH "target: {mass: inf, friction: 1e8, damping: 1e-6}\n"
                                     "grounding: {kind: heavy, mass: 1e6, inertia: 1e6}\n"
                                     "duration: 1 ms\n";
    atemi_recording  *recording = NULL;
    CHECK_STATUS(impact(text, strlen(text), NULL, &recording, NULL), ATEMI_OK);
    atemi_recording_destroy(recording);
}
