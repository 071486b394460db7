// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_story.h"

#include <string.h>

static const atemi_job_card cards[] = {
    {.title = "Simulated", .result = "duration", .unit = "s"},
    {.title = "Touchdowns", .result = "touchdowns"},
    {.title = "Lift-offs", .result = "lift_offs"},
    {.title = "Slips", .result = "slips"},
    {.title = "Least ZMP margin",
     .result = "least_zmp_margin",
     .unit = "mm",
     .factor = 1e3,
     .note = "0 on the edge"},
    {.title = "Energy at the end", .result = "energy_end", .unit = "J"},
    {0}};

static void tell_events(const atemi_recording *r, atemi_text *text)
{
    const struct {
        const char *result, *one, *many;
    } kinds[] = {{"touchdowns", "touchdown", "touchdowns"},
                 {"lift_offs", "lift-off", "lift-offs"},
                 {"slips", "slip", "slips"},
                 {"stops", "joint stop", "joint stops"}};
    int told = 0;
    for (int i = 0; i < 4; ++i) {
        const double count = atemi_story_value(r, kinds[i].result);
        if (count > 0.0) {
            atemi_text_put_string(text, told++ ? ", " : " with ");
            atemi_story_count(text, count, kinds[i].one, kinds[i].many);
        }
    }
    atemi_text_put_string(text, told ? "" : " without an event");
}

// Why it stopped as the scenario asks for, if it did: behind the colon of its outcome.
static void tell_stop(const atemi_recording *r, atemi_text *text)
{
    const char *outcome = atemi_recording_outcome(r);
    const char *why = outcome ? strstr(outcome, ": ") : NULL;
    if (why) {
        atemi_text_append(text, ", until %s", why + 2);
    }
}

static void tell_verdict(const atemi_recording *r, atemi_text *text)
{
    const char *robot = atemi_story_robot(r);
    const char *name = strcmp(robot, "none") == 0 ? "The scene" : robot; // robot: none
    if (atemi_story_holds(r, "completed")) {
        atemi_text_append(text, "%s moves for %.4g s", name, atemi_story_value(r, "duration"));
        tell_events(r, text);
        tell_stop(r, text);
        atemi_text_put_string(text, ".");
    } else {
        atemi_text_append(text, "The simulation of %s did not complete: %s.", name,
                          atemi_recording_outcome(r));
    }
}

static const char *const truths[] = {"completed", NULL};

const atemi_job_story atemi_simulate_story = {cards, truths, tell_verdict};
