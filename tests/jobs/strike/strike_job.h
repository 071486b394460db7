// SPDX-License-Identifier: Apache-2.0

/// @file
/// Strikes that take little time, and what their recordings hold.

#pragma once

#include "check.h"
#include "job_runs.h"
#include "recorded.h"

#include <stdlib.h>
#include <string.h>

/// A posture that stands; the speed of the hand is decided.
#define PUNCH_OF(hand, servo)                                                                      \
    "robot: hrp2_like\n"                                                                           \
    "start: {posture: half_sitting, joints: {left_shoulder_pitch: 18.4 deg,"                       \
    " left_shoulder_roll: 45 deg, left_elbow: -27.5 deg, left_wrist_pitch: -10 deg}}\n"            \
    "feet: [right_sole, left_sole]\n"                                                              \
    "hand: " hand "\n"                                                                             \
    "servo: " servo "\n"                                                                           \
    "control_step: 5 ms\n"                                                                         \
    "decide:\n"                                                                                    \
    "  foot_x: [-0.0156]\n"                                                                        \
    "  foot_y: [-0.095]\n"                                                                         \
    "  foot_z: [-0.433]\n"                                                                         \
    "  foot_about_y: [-0.0186]\n"                                                                  \
    "  second_foot_x: [0.103]\n"                                                                   \
    "  second_foot_y: [0.201]\n"                                                                   \
    "  joints: {chest_yaw: [0.161], chest_pitch: [0.697], right_shoulder_pitch: [-1.387],"         \
    " right_shoulder_roll: [-0.218], right_shoulder_yaw: [0.9975], right_elbow: [-1.249],"         \
    " right_wrist_yaw: [0.9075], right_wrist_pitch: [0.89]}\n"                                     \
    "  speed: [0.2, 0, 0.5]\n"
#define PUNCH_WITH(servo) PUNCH_OF("{site: right_fist}", servo)
#define WELL "{stiffness: 8000, damping: 400}"
#define PUNCH PUNCH_WITH(WELL)
#define WEAK_PUNCH PUNCH_WITH("{stiffness: 20, damping: 1}")

/// What becomes of a scenario that is right.
static inline atemi_recording *strike(const char *text, const atemi_job_hooks *hooks)
{
    atemi_recording   *recording = NULL;
    atemi_error        error = {0};
    const atemi_status status =
        job_strike_text(text, strlen(text), NULL, hooks, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return recording;
}

static atemi_recording *shared_punch;

static inline void destroy_shared_punch(void)
{
    atemi_recording_destroy(shared_punch);
}

/// PUNCH, which takes seconds under the sanitizers; made once, for all tests that only look at it.
static inline const atemi_recording *punch(void)
{
    if (!shared_punch) {
        shared_punch = strike(PUNCH, NULL);
        atexit(destroy_shared_punch);
    }
    return shared_punch;
}
