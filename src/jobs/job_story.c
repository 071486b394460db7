// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_story.h"

#include "io/recording/recording_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIMIT_SIZE = 64 };

// ---- Cards

static double number_of(const atemi_job_card *card, const atemi_recording *recording,
                        const char **note)
{
    const double value = atemi_recording_result_value(recording, card->result);
    const bool   is_known = !isnan(value) || !card->instead;
    *note = is_known ? card->note : card->instead_note;
    return is_known ? value : atemi_recording_result_value(recording, card->instead);
}

// By as much as the number's rounding, an optimum stands beyond the limits that it is at.
static atemi_card_state state_of(const atemi_job_card *card, double value)
{
    const double rounding = 1e-6 * fmax(1.0, fabs(card->limit));
    switch (card->bound) {
    case ATEMI_JOB_NO_BOUND:
        break;
    case ATEMI_JOB_AT_LEAST:
        return value >= card->limit - rounding ? ATEMI_CARD_PASS : ATEMI_CARD_FAIL;
    case ATEMI_JOB_AT_MOST:
        return value <= card->limit + rounding ? ATEMI_CARD_PASS : ATEMI_CARD_FAIL;
    }
    return ATEMI_CARD_PLAIN;
}

static const char *limit_text(const atemi_job_card *card, char text[LIMIT_SIZE])
{
    if (card->bound == ATEMI_JOB_NO_BOUND || card->words) {
        return NULL;
    }
    snprintf(text, LIMIT_SIZE, "at %s %g%s%.20s",
             card->bound == ATEMI_JOB_AT_LEAST ? "least" : "most", card->limit,
             card->unit ? " " : "", card->unit ? card->unit : "");
    return text;
}

static atemi_status add_number(const atemi_job_card *card, atemi_recording *recording,
                               atemi_error *error)
{
    char         limit[LIMIT_SIZE];
    const char  *note;
    const double number = number_of(card, recording, &note);
    const double value = number * (card->factor != 0.0 ? card->factor : 1.0);
    if (isnan(value)) {
        return ATEMI_OK;
    }
    const atemi_recorded_card recorded = {.title = card->title,
                                          .value = card->words ? (double)NAN : value,
                                          .unit = card->unit,
                                          .text = card->words ? card->words[value == 1.0] : NULL,
                                          .limit = limit_text(card, limit),
                                          .note = note,
                                          .state = state_of(card, value)};
    return atemi_recording_add_card(recording, &recorded, error);
}

static atemi_status add_text(const atemi_job_card *card, atemi_recording *recording,
                             atemi_error *error)
{
    atemi_text   text = {0};
    atemi_status status = ATEMI_OK;
    if (card->tell(recording, &text) && !text.failed) {
        const atemi_recorded_card recorded = {
            .title = card->title, .value = NAN, .text = text.bytes, .note = card->note};
        status = atemi_recording_add_card(recording, &recorded, error);
    }
    const bool failed = text.failed;
    atemi_text_destroy(&text);
    return failed ? atemi_recording_no_memory(error) : status;
}

// ---- The story

static atemi_status mark_truth(const char *name, atemi_recording *recording, atemi_error *error)
{
    for (int i = 0; i < atemi_recording_result_count(recording); ++i) {
        atemi_recorded_result result = *atemi_recording_result(recording, i);
        if (strcmp(result.name, name) == 0) {
            result.is_truth = true;
            return atemi_recording_add_result(recording, &result, error);
        }
    }
    return ATEMI_OK;
}

static atemi_status add_verdict(const atemi_job_story *story, atemi_recording *recording,
                                atemi_error *error)
{
    atemi_text text = {0};
    story->verdict(recording, &text);
    const atemi_status status = text.failed
                                    ? atemi_recording_no_memory(error)
                                    : atemi_recording_set_verdict(recording, text.bytes, error);
    atemi_text_destroy(&text);
    return status;
}

atemi_status atemi_job_tell_story(const atemi_job_story *story, atemi_recording *recording,
                                  atemi_error *error)
{
    atemi_status status = add_verdict(story, recording, error);
    for (const char *const *truth = story->truths; *truth && !status; ++truth) {
        status = mark_truth(*truth, recording, error);
    }
    for (const atemi_job_card *card = story->cards; card->title && !status; ++card) {
        status = (card->tell ? add_text : add_number)(card, recording, error);
    }
    return status;
}

// ---- What verdicts share

double atemi_story_value(const atemi_recording *recording, const char *result)
{
    return atemi_recording_result_value(recording, result);
}

bool atemi_story_holds(const atemi_recording *recording, const char *result)
{
    return atemi_recording_result_value(recording, result) == 1.0;
}

const char *atemi_story_robot(const atemi_recording *recording)
{
    const atemi_recorded_robot *robot = atemi_recording_robot(recording);
    return robot ? robot->name : "The robot";
}

void atemi_story_count(atemi_text *text, double count, const char *singular, const char *plural)
{
    atemi_text_append(text, "%.0f %s", count, count == 1.0 ? singular : plural);
}
