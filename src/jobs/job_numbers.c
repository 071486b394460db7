// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_numbers.h"

#include "io/recording/recording_parts.h"
#include "jobs/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Recordings hold NaN for what there is not. This is the list of what there may not be, and why;
// all else is promised. A name ends or begins with '*' where it stands for many.
typedef struct absence {
    const char *job, *name;
} absence;

static const absence absences[] = {
    // No contact carries anything: there is no ZMP.
    {"simulate", "zmp.*"},
    {"simulate", "least_zmp_margin"},
    {"impact", "zmp.*"},
    {"impact", "*least_zmp_margin"},
    {"strike", "zmp.*"},
    {"strike", "verified_margin*"},
    // The full blow parts earlier than the estimate, or was not asked for; without force there is
    // nothing to compare with.
    {"impact", "*.full"},
    {"impact", "full_*"},
    {"impact", "zmp_difference"},
    {"impact", "*_error"},
    // A plan that was not verified, or whose verification ended early.
    {"strike", "verified_*"},
    {"strike", "verify.*"},
    {"strike", "contact.*"},
    {"strike", "target.position_*"},
    {"strike", "largest_tilt"},
    {"strike", "*_error"},
    // What the task does not limit.
    {"strike", "largest_torque_part"},
    {"strike", "largest_speed_part"},
    {"strike", "least_room"},
    {"strike", "least_motion_margin"},
    {"strike", "least_friction_left"},
    {"strike", "least_target_distance"},
    // Nobody fell.
    {"strike", "fall_time"},
    {"walk", "fall_time"},
    // Nobody went anywhere: no way to divide by.
    {"walk", "energy_per_metre"},
    {"walk", "cost_of_transport"},
    // Joints without a torque limit, and programs without a motion.
    {"control", "limit.*"},
    {"control", "way"},
    {"control", "error"},
    {"control", "turn_error"},
};

static bool fits(const char *pattern, const char *name)
{
    const size_t length = strlen(pattern), size = strlen(name);
    if (pattern[0] == '*') {
        return size >= length - 1 && strcmp(name + size - (length - 1), pattern + 1) == 0;
    }
    return pattern[length - 1] == '*' ? strncmp(pattern, name, length - 1) == 0
                                      : strcmp(pattern, name) == 0;
}

static bool may_be_absent(const char *job, const char *name)
{
    for (size_t i = 0; i < sizeof absences / sizeof *absences; ++i) {
        if (strcmp(absences[i].job, job) == 0 && fits(absences[i].name, name)) {
            return true;
        }
    }
    return false;
}

// ---- Finding

static bool find_result(const atemi_recording *recording, char what[ATEMI_JOB_NUMBERS_TEXT])
{
    for (int i = 0; i < atemi_recording_result_count(recording); ++i) {
        const atemi_recorded_result *result = atemi_recording_result(recording, i);
        if (!isfinite(result->value) && !may_be_absent(recording->job, result->name)) {
            snprintf(what, ATEMI_JOB_NUMBERS_TEXT, "'%s' is not a finite number", result->name);
            return true;
        }
    }
    return false;
}

static bool find_channel(const atemi_recording *recording, char what[ATEMI_JOB_NUMBERS_TEXT])
{
    for (int i = 0; i < atemi_recording_channel_count(recording); ++i) {
        const char *name = atemi_recording_channel(recording, i)->name;
        if (!isnan(recording->absences[i]) && !may_be_absent(recording->job, name)) {
            snprintf(what, ATEMI_JOB_NUMBERS_TEXT, "'%s' is not a finite number at %.6g s", name,
                     recording->absences[i]);
            return true;
        }
    }
    return false;
}

bool atemi_job_numbers_missing(const atemi_recording *recording, char what[ATEMI_JOB_NUMBERS_TEXT])
{
    return recording->job && (find_result(recording, what) || find_channel(recording, what));
}

// ---- Judging

atemi_status atemi_job_judge_numbers(atemi_recording *recording, atemi_error *error)
{
    enum { OUTCOME_SIZE = ATEMI_JOB_NUMBERS_TEXT + 128 };
    char what[ATEMI_JOB_NUMBERS_TEXT], outcome[OUTCOME_SIZE];
    if (atemi_recording_result_value(recording, "completed") != 1.0 ||
        !atemi_job_numbers_missing(recording, what)) {
        return ATEMI_OK;
    }
    const atemi_recorded_value failed = {.name = "completed", .value = 0.0};
    snprintf(outcome, sizeof outcome,
             "failed: %s; some quantity is beyond what can be computed with, look for numbers of "
             "the scenario that are very large or very small",
             what);
    const atemi_status status = atemi_job_add_results(recording, &failed, 1, error);
    return status ? status : atemi_recording_set_job(recording, recording->job, outcome, error);
}
