// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_story.h"

#include <math.h>

static const atemi_job_card cards[] = {
    {.title = "Goals reached", .result = "goals_reached"},
    {.title = "Error of the last place",
     .result = "error",
     .note = "as it really is",
     .unit = "mm",
     .factor = 1e3},
    {.title = "Largest contact force", .result = "largest_contact_force", .unit = "N"},
    {.title = "Largest force of a person's hand", .result = "largest_hand_force", .unit = "N"},
    {.title = "Largest force on a person",
     .result = "largest_force_part",
     .note = "of its limit",
     .unit = "%",
     .factor = 100.0,
     .bound = ATEMI_JOB_AT_MOST,
     .limit = 100.0},
    {.title = "Largest joint effort",
     .result = "largest_torque_part",
     .note = "of its limit",
     .unit = "%",
     .factor = 100.0,
     .bound = ATEMI_JOB_AT_MOST,
     .limit = 100.0},
    {.title = "Least distance of pressure from an edge",
     .result = "least_pressure_margin",
     .note = "of a half sole",
     .unit = "%",
     .factor = 100.0},
    {.title = "Safety stops", .result = "safe_stops", .bound = ATEMI_JOB_AT_MOST},
    {0}};

static void tell_goals(const atemi_recording *r, atemi_text *text)
{
    const double obstructed = atemi_story_value(r, "goals_obstructed");
    atemi_text_append(text, "%s reaches %.0f of ", atemi_story_robot(r),
                      atemi_story_value(r, "goals_reached"));
    atemi_story_count(text, atemi_story_value(r, "goals"), "goal", "goals");
    if (obstructed > 0.0) {
        atemi_text_append(text, " and yields in %.0f", obstructed);
    }
}

static void tell_verdict(const atemi_recording *r, atemi_text *text)
{
    const double force = atemi_story_value(r, "largest_contact_force");
    const double part = atemi_story_value(r, "largest_force_part");
    const double edge = atemi_story_value(r, "least_pressure_margin");
    if (!atemi_story_holds(r, "completed")) {
        atemi_text_append(text, "%s does not complete its tasks: %s.", atemi_story_robot(r),
                          atemi_recording_outcome(r));
        return;
    }
    if (atemi_story_value(r, "goals") > 0.0) {
        tell_goals(r, text);
    } else {
        atemi_text_append(text, "%s holds its posture", atemi_story_robot(r));
    }
    if (force > 0.0) {
        atemi_text_append(text, "; contacts feel %.3g N at most", force);
    }
    if (edge > 0.0) {
        atemi_text_append(text, "; it stands, pressure %.0f %% of a half sole from an edge",
                          100.0 * edge);
    }
    if (part > 0.0) {
        atemi_text_append(text, ", people %.0f %% of their limit", 100.0 * part);
    }
    atemi_text_put_string(text, ".");
}

static const char *const truths[] = {"completed", NULL};

const atemi_job_story atemi_control_story = {cards, truths, tell_verdict};
