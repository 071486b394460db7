// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "check.h"
#include "folder.h"
#include "job_runs.h"
#include "refusal.h"

#include <stdio.h>
#include <string.h>

// What a scenario says and that is hardly meant: the job does it, and warns at line and column.

typedef atemi_status job_text(const char *text, size_t size, const char *file,
                              const atemi_job_hooks *hooks, atemi_recording **recording,
                              atemi_error *error);

static bool stop(void *context, double done)
{
    (void)context;
    (void)done;
    return false;
}

static atemi_status impact_text(const char *text, size_t size, const char *file,
                                const atemi_job_hooks *hooks, atemi_recording **recording,
                                atemi_error *error)
{
    return job_impact_text(text, size, file, hooks, recording, error);
}

// Stopped as soon as it asks, unless it is to end by itself.
static atemi_recording *run(job_text *job, const char *text, bool to_the_end)
{
    const atemi_job_hooks hooks = {.progress = to_the_end ? NULL : stop};
    atemi_recording      *recording = NULL;
    atemi_error           error = {0};
    const atemi_status    status = job(text, strlen(text), "a.yaml", &hooks, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return recording;
}

static void check_warning(check_place place, job_text *job, const char *text, bool to_the_end,
                          int line, int column, const char *says)
{
    atemi_recording *recording = run(job, text, to_the_end);
    check_equal_int(place, atemi_recording_warning_count(recording), 1);
    const atemi_recorded_warning *warning = atemi_recording_warning(recording, 0);
    check_contains(place, warning->message, says);
    check_equal_int(place, warning->line, line);
    check_equal_int(place, warning->column, column);
    check_equal_string(place, warning->file, "a.yaml");
    atemi_recording_destroy(recording);
}

#define WARNS(job, text, line, column, says)                                                       \
    check_warning(CHECK_PLACE("WARNS(" #text ")"), job, text "\n", false, line, column, says)
#define WARNS_AT_THE_END(job, text, line, column, says)                                            \
    check_warning(CHECK_PLACE("WARNS(" #text ")"), job, text "\n", true, line, column, says)

#define STANDING "robot: hrp2_like\nstart: {posture: half_sitting, place_on: floor}\n"
#define PUNCH                                                                                      \
    "robot: hrp2_like\nstart: {posture: punch_6kg, place_on: floor}\nhand: {site: right_fist, "    \
    "speed: "                                                                                      \
    "1}\n"
#define HELD "robot: r2_like\nholds: [left_foot]\n"

static void check_none(job_text *job, const char *text)
{
    atemi_recording *recording = run(job, text, false);
    CHECK_EQUAL_INT(atemi_recording_warning_count(recording), 0);
    atemi_recording_destroy(recording);
}

TEST(scenario_warning, is_not_given_for_what_is_meant)
{
    check_none(job_simulate_text,
               STANDING "surfaces: {floor: {position: [0, 0, 0]}}\nintegrator: {method: adaptive, "
                        "tolerance: 1e-6}\n"
                        "forces: [{link: waist, force: [1, 0, 0], from: 0.5, until: 2}]\n");
    check_none(job_simulate_text, "robot: hrp2_like\ncontacts: []\n"
                                  "start: {joints: {right_knee: 90 deg, left_knee: 1.5}}\n");
    check_none(impact_text, PUNCH "grounding: {kind: heavy, mass: 1e4, inertia: 1e4}\n");
}

// ---- Joints

TEST(scenario_warning, is_of_a_joint_outside_its_range_and_thinks_of_degrees)
{
    WARNS(job_simulate_text, "robot: hrp2_like\ncontacts: []\nstart: {joints: {right_knee: 3}}", 3,
          30,
          "outside the range of the joint 'right_knee', -0.0349066 to 2.61799 rad; did you "
          "mean 3 deg?");
    WARNS(job_simulate_text,
          "robot: hrp2_like\ncontacts: []\nstart: {joints: {right_knee: 180 deg}}", 3, 30,
          "start.joints.right_knee: 180 deg is outside the range of the joint 'right_knee', "
          "-2 to 150 deg");
    WARNS(job_simulate_text,
          "robot: hrp2_like\ncontacts: []\n"
          "torques: [{joints: [right_knee], kind: servo, stiffness: 1, target: -1}]",
          3, 69, "torques[0].target: -1 rad is outside the range of the joint 'right_knee'");
}

static atemi_status simulate(const char *text, size_t size, const char *file,
                             atemi_recording **recording, atemi_error *error)
{
    return job_simulate_text(text, size, file, NULL, recording, error);
}

static atemi_status strike(const char *text, size_t size, const char *file,
                           atemi_recording **recording, atemi_error *error)
{
    return job_strike_text(text, size, file, NULL, recording, error);
}

static atemi_status walk(const char *text, size_t size, const char *file,
                         atemi_recording **recording, atemi_error *error)
{
    return job_walk_text(text, size, file, NULL, recording, error);
}

#define REFUSES(job, text, line, column, cause, cure)                                              \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), job, text "\n", line, column, cause, cure)

TEST(scenario_warning, becomes_an_error_where_nothing_sensible_can_be_meant)
{
    REFUSES(simulate, "robot: hrp2_like\nstart: {joints: {right_knee: 90}}", 2, 30,
            "start.joints.right_knee: 90 rad is far outside the range", "did you mean 90 deg?");
    REFUSES(simulate, "robot: hrp2_like\nstart: {joints: {others: 90}}", 2, 26,
            "start.joints.others: 90 rad is far outside", "within");
    REFUSES(simulate,
            "robot: hrp2_like\n"
            "torques: [{joints: [right_knee], kind: servo, stiffness: 1, target: -20 rad}]",
            2, 69, "-20 rad is far outside", "give a position within");
    REFUSES(walk, "gait: {step_length: 0.7}", 1, 21, "0.7 m is beyond the longest_step, 0.6 m",
            "a longer longest_step");
    REFUSES(walk, "gait: {longest_step: 0.3}", 1, 22, "a step_length of 0.438 m is beyond",
            "a shorter step_length");
}

#define TASK "robot: hrp2_like\nfeet: [right_sole, left_sole]\nhand: {site: right_fist}\n"

TEST(scenario_warning, of_a_search_that_contradicts_itself_is_an_error)
{
    REFUSES(strike, TASK "decide: {speed: [3, 0, 2]}", 4, 17,
            "decide.speed: the start 3 m/s is outside its own range, 0 to 2 m/s",
            "with the start between");
    REFUSES(strike, TASK "decide: {joints: {chest_yaw: [2, 1.5, 3]}}", 4, 30,
            "does not meet that of the joint 'chest_yaw'", "give a range within");
}

TEST(scenario_warning, is_of_a_search_that_goes_beyond_what_a_joint_can)
{
    char             text[8192];
    char             said[512] = "";
    atemi_recording *recording = NULL;
    atemi_error      error = {0};
    snprintf(text, sizeof text, "%s",
             TASK "decide: {joints: {chest_yaw: [0, -3, 0.1]}}\nobjective: {impulse: 1}\n"
                  "search: {iterations: 1}\nverify: {run: false}\n");
    const atemi_job_hooks hooks = {.progress = stop};
    (void)job_strike_text(text, strlen(text), "a.yaml", &hooks, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_EQUAL_INT(atemi_recording_warning_count(recording), 1);
    snprintf(said, sizeof said, "%s", atemi_recording_warning(recording, 0)->message);
    CHECK_CONTAINS(said, "decide.joints.chest_yaw: the range from -3 to 0.1 rad goes beyond that");
    atemi_recording_destroy(recording);
}

// ---- Time

TEST(scenario_warning, is_of_what_comes_when_all_is_over)
{
    WARNS(job_simulate_text,
          STANDING "duration: 1\nforces: [{link: waist, force: [1, 0, 0], from: 2 s}]", 4, 48,
          "forces[0].from: the force begins at 2 s, but the run ends at 1 s");
    WARNS(job_simulate_text,
          STANDING "forces: [{link: waist, force: [1, 0, 0], from: -2 s, until: -1 s}]", 3, 48,
          "the force ends at -1 s, before the run begins");
    WARNS(job_control_text, HELD "duration: 1\nforces: [{link: torso, force: [1, 0, 0], from: 1}]",
          4, 48, "but the run ends at 1 s");
    WARNS(job_control_text, HELD "duration: 1\ntasks: [{do: stop, at: 3}]", 4, 24,
          "tasks[0].at: the task begins at 3 s");
    WARNS(job_control_text,
          HELD "duration: 1\nhands: [{link: torso, by: [0.1, 0, 0], from: 3, until: 4}]", 4, 56,
          "the hand begins at 3 s");
    WARNS_AT_THE_END(job_walk_text, "steps: 1\nforces: [{link: waist, force: [1, 0, 0], from: 60}]",
                     2, 48, "the force begins at 60 s, but the run ends at 0.7");
}

// ---- Keys without effect

TEST(scenario_warning, is_of_keys_without_effect)
{
    WARNS(job_simulate_text, STANDING "integrator: {tolerance: 1e-6}", 3, 25,
          "integrator.tolerance: has no effect: it is of the method adaptive only");
    WARNS(job_simulate_text, STANDING "surfaces: {ice: {kind: plane}}", 3, 17,
          "surfaces.ice: no contact can touch it, so it has no effect; add a contact with surface: "
          "ice");
    WARNS(job_simulate_text, STANDING "forces: [{link: waist, force: [0, 0, 0]}]", 3, 31,
          "has no effect: the force is 0 N");
    WARNS(job_simulate_text,
          STANDING "contacts: [{restitution: 0.5, compliance: {stiffness: 1e5}}]", 3, 26,
          "contacts[0].restitution: has no effect");
    WARNS(impact_text, PUNCH "grounding: {mass: 1e4}", 4, 19,
          "grounding.mass: has no effect: it is of the kind heavy only");
}

// ---- Where it goes

typedef struct ear {
    int  count;
    char last[512];
} ear;

static void hear(void *context, atemi_log_level level, const char *message)
{
    ear *heard = (ear *)context;
    heard->count += level == ATEMI_LOG_WARNING;
    snprintf(heard->last, sizeof heard->last, "%s", message);
}

#define OUTSIDE "robot: hrp2_like\ncontacts: []\nstart: {joints: {right_knee: 3}}\n"

TEST(scenario_warning, is_heard_once_with_its_place_when_it_is_found)
{
    ear heard = {0};
    atemi_set_log_hook(hear, &heard);
    atemi_recording *recording = run(job_simulate_text, OUTSIDE, false);
    CHECK_EQUAL_INT(heard.count, 1);
    CHECK_CONTAINS(heard.last, "a.yaml:3:30: start.joints.right_knee: 3 rad is outside");
    atemi_recording_destroy(recording);
}

TEST(scenario_warning, is_written_and_loaded_with_the_recording)
{
    const folder     made = folder_create();
    const char      *path = folder_path(made.path, "warned");
    atemi_recording *recording = run(job_simulate_text, OUTSIDE, false), *loaded = NULL;
    CHECK_STATUS(atemi_recording_write(recording, path, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_load(path, &loaded, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_recording_warning_count(loaded), 1);
    const atemi_recorded_warning *a = atemi_recording_warning(recording, 0);
    const atemi_recorded_warning *b = atemi_recording_warning(loaded, 0);
    CHECK_EQUAL_STRING(b->message, a->message);
    CHECK_EQUAL_STRING(b->file, "a.yaml");
    CHECK_EQUAL_INT(b->line, 3);
    CHECK_EQUAL_INT(b->column, 30);
    atemi_recording_destroy(loaded);
    atemi_recording_destroy(recording);
    folder_remove(made.path);
}
