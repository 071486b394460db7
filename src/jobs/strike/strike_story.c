// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_story.h"

#include <math.h>
#include <string.h>

// What holds the blow back most: the first row of the table of reasons, without its remedy.
static bool tell_reason(const atemi_recording *recording, atemi_text *text)
{
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        const atemi_recorded_table *table = atemi_recording_table(recording, i);
        if (strcmp(table->name, "reasons") == 0 && table->row_count > 0 && table->labels) {
            const char *end = strstr(table->labels[0], ": ");
            atemi_text_put(text, table->labels[0],
                           end ? (size_t)(end - table->labels[0]) : strlen(table->labels[0]));
            return true;
        }
    }
    return false;
}

static const char full[] = "by full dynamics", planned[] = "as planned";

static const atemi_job_card cards[] = {{.title = "Peak force",
                                        .result = "verified_peak_force",
                                        .note = full,
                                        .instead = "peak_force",
                                        .instead_note = planned,
                                        .unit = "N"},
                                       {.title = "Impulse",
                                        .result = "verified_impulse",
                                        .note = full,
                                        .instead = "impulse",
                                        .instead_note = planned,
                                        .unit = "N s"},
                                       {.title = "Least ZMP margin",
                                        .result = "verified_margin",
                                        .note = full,
                                        .instead = "least_motion_margin",
                                        .instead_note = planned,
                                        .unit = "mm",
                                        .factor = 1e3,
                                        .bound = ATEMI_JOB_AT_LEAST},
                                       {.title = "Largest joint effort",
                                        .result = "largest_torque_part",
                                        .note = "of its limit, as planned",
                                        .unit = "%",
                                        .factor = 100.0,
                                        .bound = ATEMI_JOB_AT_MOST,
                                        .limit = 100.0},
                                       {.title = "Fastest joint",
                                        .result = "largest_speed_part",
                                        .note = "of its limit, as planned",
                                        .unit = "%",
                                        .factor = 100.0,
                                        .bound = ATEMI_JOB_AT_MOST,
                                        .limit = 100.0},
                                       {.title = "Held back by", .tell = tell_reason},
                                       {0}};

static void tell_blow(const atemi_recording *r, atemi_text *text)
{
    const bool   is_verified = !isnan(atemi_story_value(r, "verified_impulse"));
    const double force = atemi_story_value(r, is_verified ? "verified_peak_force" : "peak_force");
    const double impulse = atemi_story_value(r, is_verified ? "verified_impulse" : "impulse");
    atemi_text_append(text, "%s hits with %.4g N and %.3g N s", atemi_story_robot(r), force,
                      impulse);
}

static void tell_verdict(const atemi_recording *r, atemi_text *text)
{
    if (!atemi_story_holds(r, "feasible")) {
        atemi_text_append(text, "%s has no strike that keeps all limits.", atemi_story_robot(r));
        return;
    }
    tell_blow(r, text);
    if (!atemi_story_holds(r, "stands")) {
        const double time = atemi_story_value(r, "fall_time");
        atemi_text_put_string(text, isnan(time)
                                        ? ", but full dynamics could not be followed to its end."
                                        : ", but falls");
        if (!isnan(time)) {
            atemi_text_append(text, " at %.3g s.", time);
        }
    } else if (atemi_story_holds(r, "completed")) {
        atemi_text_put_string(text, " and stands.");
    } else {
        atemi_text_put_string(text,
                              " and stands, but the search did not end: harder blows may be near.");
    }
}

static const char *const truths[] = {"completed", "feasible", "stands", NULL};

const atemi_job_story atemi_strike_story = {cards, truths, tell_verdict};
