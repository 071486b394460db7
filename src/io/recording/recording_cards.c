// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_json.h"

#include <math.h>
#include <string.h>

// The answer in one sentence, and the headlines beside it.

static const char *const states[] = {
    [ATEMI_CARD_PLAIN] = "plain", [ATEMI_CARD_PASS] = "pass", [ATEMI_CARD_FAIL] = "fail"};

// ---- The sentence

atemi_status atemi_recording_set_verdict(atemi_recording *recording, const char *verdict,
                                         atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording, ATEMI_ERROR_CONTRACT);
    const atemi_status status =
        atemi_recording_check_text(verdict, "the verdict of the job", error);
    if (status) {
        return status;
    }
    bool        failed = false;
    const char *kept = atemi_recording_keep(recording, verdict, &failed);
    if (failed) {
        return atemi_recording_no_memory(error);
    }
    recording->verdict = kept;
    return ATEMI_OK;
}

const char *atemi_recording_verdict(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, NULL);
    return recording->verdict;
}

// ---- The headlines

static atemi_status check(const atemi_recorded_card *card, atemi_error *error)
{
    const struct {
        const char *text, *what;
    } texts[] = {{card->text, "the text of a card"},
                 {card->limit, "the limit of a card"},
                 {card->note, "the note of a card"}};
    atemi_status status = atemi_recording_check_name(card->title, "the title of a card", error);
    if (!status) {
        status = atemi_recording_check_unit(card->unit, card->title, error);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && !status; ++i) {
        status = atemi_recording_check_text(texts[i].text, texts[i].what, error);
    }
    return status;
}

atemi_status atemi_recording_add_card(atemi_recording *recording, const atemi_recorded_card *card,
                                      atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && card, ATEMI_ERROR_CONTRACT);
    const atemi_status status = check(card, error);
    if (status) {
        return status;
    }
    if (recording->card_count == ATEMI_RECORDING_MAX_CARDS) {
        return atemi_recording_full("cards", ATEMI_RECORDING_MAX_CARDS, error);
    }
    atemi_recorded_card *cards = (atemi_recorded_card *)atemi_grown(
        recording->cards, sizeof *cards, recording->card_count, &recording->card_capacity);
    if (!cards) {
        return atemi_recording_no_memory(error);
    }
    recording->cards = cards;
    bool                      failed = false;
    const atemi_recorded_card kept = {
        .title = atemi_recording_keep(recording, card->title, &failed),
        .value = atemi_recording_number(card->value),
        .unit = atemi_recording_keep(recording, atemi_recording_unit(card->unit), &failed),
        .text = atemi_recording_keep(recording, card->text, &failed),
        .limit = atemi_recording_keep(recording, card->limit, &failed),
        .note = atemi_recording_keep(recording, card->note, &failed),
        .state = card->state,
    };
    if (failed) {
        return atemi_recording_no_memory(error);
    }
    cards[recording->card_count++] = kept;
    return ATEMI_OK;
}

int atemi_recording_card_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->card_count;
}

const atemi_recorded_card *atemi_recording_card(const atemi_recording *recording, int index)
{
    ATEMI_REQUIRE_OR(recording && index >= 0 && index < recording->card_count, NULL);
    return &recording->cards[index];
}

// ---- summary.json

static void put_member(atemi_text *text, const char *key, const char *value)
{
    if (value) {
        atemi_text_append(text, ", \"%s\": ", key);
        atemi_text_put_json_string(text, value);
    }
}

void atemi_recording_put_cards(const atemi_recording *recording, atemi_text *text)
{
    for (int i = 0; i < recording->card_count; ++i) {
        const atemi_recorded_card *card = &recording->cards[i];
        atemi_text_put_string(text, i > 0 ? ",\n    {\"title\": " : "\n    {\"title\": ");
        atemi_text_put_json_string(text, card->title);
        atemi_text_put_string(text, ", \"value\": ");
        atemi_text_put_json_number(text, card->value);
        put_member(text, "unit", card->unit);
        put_member(text, "text", card->text);
        put_member(text, "limit", card->limit);
        put_member(text, "note", card->note);
        put_member(text, "state", states[card->state]);
        atemi_text_put_character(text, '}');
    }
    atemi_text_put_string(text, recording->card_count > 0 ? "\n  " : "");
}

// A state that a later atemi may know is a plain one.
static atemi_card_state read_state(const json_t *object)
{
    const char      *word = json_string_value(json_object_get(object, "state"));
    atemi_card_state state = ATEMI_CARD_PLAIN;
    for (int i = 0; i <= ATEMI_CARD_FAIL && word; ++i) {
        state = strcmp(states[i], word) == 0 ? (atemi_card_state)i : state;
    }
    return state;
}

atemi_status atemi_recording_read_card(const json_t *object, int index, atemi_recording *recording,
                                       atemi_error *error)
{
    const atemi_recording_place at = {"cards", index};
    atemi_recorded_card         card = {.state = read_state(object)};
    const struct {
        const char  *key;
        const char **text;
    } texts[] = {{"title", &card.title},
                 {"unit", &card.unit},
                 {"text", &card.text},
                 {"limit", &card.limit},
                 {"note", &card.note}};
    atemi_status status =
        atemi_recording_json_number(object, at, "value", false, &card.value, error);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && !status; ++i) {
        status =
            atemi_recording_json_string(object, at, texts[i].key, i == 0, texts[i].text, error);
    }
    return status ? status : atemi_recording_add_card(recording, &card, error);
}
