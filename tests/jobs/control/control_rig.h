// SPDX-License-Identifier: Apache-2.0

/// @file
/// Control jobs of two links behind springs, for tests: what takes r2_like seconds takes them
/// moments.

#pragma once

#include "job_runs.h"

#include "check.h"
#include "recorded.h"

#include <math.h>
#include <string.h>

#define ARM_IN(gravity)                                                                            \
    "robot: two_link\n"                                                                            \
    "gravity: " gravity "\n"                                                                       \
    "drives: [{of: all, spring: 5000, spring_damping: 5, torque_constant: 0.3, back_emf: 0.3}]\n"  \
    "joints: [{of: all, natural_frequency: 20, damping_ratio: 1, torque_limit: 10,"                \
    " velocity: 1, acceleration: 2, integral_rate: 5}]\n"
#define ARM ARM_IN("[0, 0, 0]")
#define MOVE "tasks: [{do: joints, at: 0.4, joints: {joint1: 0.2, joint2: -0.1}, duration: 0.6}]\n"

static inline atemi_recording *control(const char *text, const atemi_job_hooks *hooks)
{
    atemi_recording   *recording = NULL;
    atemi_error        error = {0};
    const atemi_status status =
        job_control_text(text, strlen(text), NULL, hooks, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return recording;
}

static inline void check_refused_control(const char *text, const char *message)
{
    atemi_recording *recording;
    atemi_error      error = {0};
    CHECK_STATUS(job_control_text(text, strlen(text), NULL, NULL, &recording, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, message);
}

static inline double last(const atemi_recording *recording, const char *name)
{
    return column(recording, name)[atemi_recording_row_count(recording) - 1];
}

static inline double largest(const atemi_recording *recording, const char *name)
{
    double most = 0.0;
    for (int i = 0; i < atemi_recording_row_count(recording); ++i) {
        most = fmax(most, fabs(column(recording, name)[i]));
    }
    return most;
}

/// The first event of a kind; NULL where there is none.
static inline const atemi_recorded_event *event_of(const atemi_recording *recording,
                                                   const char            *kind)
{
    for (int i = 0; i < atemi_recording_event_count(recording); ++i) {
        if (strcmp(atemi_recording_event(recording, i)->kind, kind) == 0) {
            return atemi_recording_event(recording, i);
        }
    }
    return NULL;
}

/// Its time; NAN where there is none.
static inline double time_of(const atemi_recording *recording, const char *kind)
{
    const atemi_recorded_event *event = event_of(recording, kind);
    return event ? event->t : (double)NAN;
}

/// A table by its name; NULL where there is none.
static inline const atemi_recorded_table *table_of(const atemi_recording *recording,
                                                   const char            *name)
{
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        if (strcmp(atemi_recording_table(recording, i)->name, name) == 0) {
            return atemi_recording_table(recording, i);
        }
    }
    return NULL;
}
