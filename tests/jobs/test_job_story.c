// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_story.h"

#include "check.h"
#include "job_runs.h"

#include <math.h>
#include <string.h>

static void tell(const atemi_recording *recording, atemi_text *text)
{
    atemi_text_append(text, "It is %g.", atemi_story_value(recording, "margin"));
}

static const char *const words[] = {"no", "yes"};
static const char *const truths[] = {"fell", NULL};

static const atemi_job_card cards[] = {
    {.title = "Margin",
     .result = "margin",
     .unit = "mm",
     .factor = 1e3,
     .bound = ATEMI_JOB_AT_LEAST,
     .limit = 5.0},
    {.title = "Force",
     .result = "seen",
     .note = "seen",
     .instead = "planned",
     .instead_note = "planned",
     .unit = "N"},
    {.title = "Fell", .result = "fell", .words = words, .bound = ATEMI_JOB_AT_MOST},
    {.title = "Missing", .result = "missing"},
    {0}};

static const atemi_job_story story = {cards, truths, tell};

static atemi_recording *create(double margin, double seen, double fell)
{
    const atemi_channel         channel = {"t", "s", NULL};
    const atemi_recorded_result results[] = {{.name = "margin", .value = margin, .unit = "m"},
                                             {.name = "seen", .value = seen},
                                             {.name = "planned", .value = 7.0},
                                             {.name = "fell", .value = fell}};
    atemi_recording            *recording;
    CHECK_STATUS(atemi_recording_create(1, &channel, &recording, NULL), ATEMI_OK);
    for (size_t i = 0; i < sizeof results / sizeof results[0]; ++i) {
        CHECK_STATUS(atemi_recording_add_result(recording, &results[i], NULL), ATEMI_OK);
    }
    CHECK_STATUS(atemi_job_tell_story(&story, recording, NULL), ATEMI_OK);
    return recording;
}

TEST(job_story, has_what_is_known_in_the_units_of_people)
{
    atemi_recording           *recording = create(0.01, NAN, 0.0);
    const atemi_recorded_card *margin = atemi_recording_card(recording, 0);
    const atemi_recorded_card *force = atemi_recording_card(recording, 1);
    const atemi_recorded_card *fall = atemi_recording_card(recording, 2);
    CHECK_EQUAL_STRING(atemi_recording_verdict(recording), "It is 0.01.");
    CHECK_EQUAL_INT(atemi_recording_card_count(recording), 3);
    CHECK(margin->value == 10.0 && margin->state == ATEMI_CARD_PASS);
    CHECK_EQUAL_STRING(margin->limit, "at least 5 mm");
    CHECK(force->value == 7.0 && force->state == ATEMI_CARD_PLAIN);
    CHECK_EQUAL_STRING(force->note, "planned");
    CHECK_EQUAL_STRING(fall->text, "no");
    CHECK(fall->state == ATEMI_CARD_PASS && isnan(fall->value));
    atemi_recording_destroy(recording);
}

TEST(job_story, says_what_does_not_keep_its_limit)
{
    atemi_recording *recording = create(0.0049, 8.0, 1.0);
    CHECK_EQUAL_INT(atemi_recording_card(recording, 0)->state, ATEMI_CARD_FAIL);
    CHECK_EQUAL_STRING(atemi_recording_card(recording, 1)->note, "seen");
    CHECK_EQUAL_STRING(atemi_recording_card(recording, 2)->text, "yes");
    CHECK_EQUAL_INT(atemi_recording_card(recording, 2)->state, ATEMI_CARD_FAIL);
    CHECK(atemi_recording_result(recording, 3)->is_truth);
    CHECK(!atemi_recording_result(recording, 0)->is_truth);
    atemi_recording_destroy(recording);
}

// ---- Of jobs

static const atemi_recorded_table *find_table(const atemi_recording *recording, const char *name)
{
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        const atemi_recorded_table *table = atemi_recording_table(recording, i);
        if (strcmp(table->name, name) == 0) {
            return table;
        }
    }
    return NULL;
}

static const atemi_recorded_event *find_event(const atemi_recording *recording, const char *kind)
{
    for (int i = 0; i < atemi_recording_event_count(recording); ++i) {
        const atemi_recorded_event *event = atemi_recording_event(recording, i);
        if (strcmp(event->kind, kind) == 0) {
            return event;
        }
    }
    return NULL;
}

TEST(job_story, of_a_blow_has_touch_release_and_what_it_began_with)
{
    atemi_recording *recording;
    CHECK_STATUS(job_impact_file(ATEMI_SOURCE_DIR "/scenarios/punch.yaml", NULL, &recording, NULL),
                 ATEMI_OK);
    const atemi_recorded_event *touch = find_event(recording, "touch");
    const atemi_recorded_event *release = find_event(recording, "release");
    const atemi_recorded_table *first = find_table(recording, "first_touch");
    CHECK(touch && touch->t == 0.0);
    CHECK(release && release->t == atemi_recording_result_value(recording, "contact_time"));
    CHECK(first && first->labels);
    CHECK_EQUAL_STRING(first->labels[0], "speed 0");
    CHECK(first->values[0] == 0.7);
    CHECK_EQUAL_INT(atemi_recording_card_count(recording), 6);
    CHECK(strstr(atemi_recording_verdict(recording), "hrp2_like") != NULL);
    atemi_recording_destroy(recording);
}
