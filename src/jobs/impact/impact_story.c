// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_story.h"

#include <math.h>

static const char full[] = "by full dynamics", estimate[] = "estimated";

static const atemi_job_card cards[] = {
    {.title = "Peak force",
     .result = "full_peak_force",
     .note = full,
     .instead = "peak_force",
     .instead_note = estimate,
     .unit = "N"},
    {.title = "Impulse",
     .result = "full_impulse",
     .note = full,
     .instead = "impulse",
     .instead_note = estimate,
     .unit = "N s"},
    {.title = "Time in contact",
     .result = "full_contact_time",
     .note = full,
     .instead = "contact_time",
     .instead_note = estimate,
     .unit = "ms",
     .factor = 1e3},
    {.title = "Virtual mass of the hand", .result = "virtual_mass", .unit = "kg"},
    {.title = "Speed of the target",
     .result = "target_speed_after",
     .note = "after the blow",
     .unit = "m/s"},
    {.title = "Least ZMP margin",
     .result = "full_least_zmp_margin",
     .note = full,
     .instead = "least_zmp_margin",
     .instead_note = estimate,
     .unit = "mm",
     .factor = 1e3,
     .bound = ATEMI_JOB_AT_LEAST},
    {0}};

static void tell_balance(const atemi_recording *r, atemi_text *text)
{
    const double by_full = atemi_story_value(r, "full_least_zmp_margin");
    const double margin = isnan(by_full) ? atemi_story_value(r, "least_zmp_margin") : by_full;
    if (!isnan(margin)) {
        atemi_text_put_string(text, margin >= 0.0 ? ", and balance holds"
                                                  : ", and the robot begins to tip");
    }
}

static void tell_verdict(const atemi_recording *r, atemi_text *text)
{
    const double by_full = atemi_story_value(r, "full_impulse");
    const double impulse = isnan(by_full) ? atemi_story_value(r, "impulse") : by_full;
    const double force = atemi_story_value(r, isnan(by_full) ? "peak_force" : "full_peak_force");
    if (!atemi_story_holds(r, "completed") || isnan(impulse)) {
        atemi_text_append(text, "There is no whole blow: %s.", atemi_recording_outcome(r));
        return;
    }
    atemi_text_append(text, "The blow of %s gives the target %.4g N s, with %.4g N at most",
                      atemi_story_robot(r), impulse, force);
    tell_balance(r, text);
    atemi_text_put_string(text, ".");
}

static const char *const truths[] = {"completed", "released", "servos_at_limit", NULL};

const atemi_job_story atemi_impact_story = {cards, truths, tell_verdict};
