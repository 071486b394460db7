// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_story.h"

#include <math.h>

static const char *const fell[] = {"no", "yes"};

static const atemi_job_card cards[] = {
    {.title = "Fell", .result = "fell", .words = fell, .bound = ATEMI_JOB_AT_MOST},
    {.title = "Distance", .result = "distance", .unit = "m"},
    {.title = "Speed", .result = "speed", .unit = "m/s"},
    {.title = "Slips", .result = "slips"},
    {.title = "Largest joint effort",
     .result = "largest_torque_part",
     .note = "of its limit, where torques end",
     .unit = "%",
     .factor = 100.0},
    {.title = "Cost of transport", .result = "cost_of_transport"},
    {0}};

static void tell_verdict(const atemi_recording *r, atemi_text *text)
{
    const double distance = atemi_story_value(r, "distance");
    const double slips = atemi_story_value(r, "slips");
    atemi_text_append(text, "%s ", atemi_story_robot(r));
    if (atemi_story_holds(r, "fell")) {
        atemi_text_append(text, "falls at %.3g s, after ", atemi_story_value(r, "fall_time"));
    } else {
        atemi_text_put_string(text,
                              atemi_story_holds(r, "completed") ? "walks " : "stops early, after ");
    }
    atemi_story_count(text, atemi_story_value(r, "steps"), "step", "steps");
    atemi_text_append(text, " and %.3g m", distance);
    if (atemi_story_holds(r, "completed")) {
        atemi_text_append(text, " in %.3g s without a fall", atemi_story_value(r, "duration"));
    }
    if (slips > 0.0) {
        atemi_text_put_string(text, ", with ");
        atemi_story_count(text, slips, "slip", "slips");
    }
    atemi_text_put_string(text, ".");
}

static const char *const truths[] = {"completed", "fell", NULL};

const atemi_job_story atemi_walk_story = {cards, truths, tell_verdict};
