// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/recording.h"
#include "check.h"
#include "folder.h"
#include "texts.h"

#include <math.h>

static const char hostile[] = "<b>\"a\\\n,\xe6\x89\x93'";

static const atemi_recorded_card full = {.title = hostile,
                                         .value = 463.8,
                                         .unit = "N",
                                         .limit = hostile,
                                         .note = hostile,
                                         .state = ATEMI_CARD_FAIL};
static const atemi_recorded_card words = {
    .title = "Fell", .value = NAN, .text = hostile, .state = ATEMI_CARD_PASS};

static atemi_recording *create(void)
{
    const atemi_channel channel = {"t", "s", NULL};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(1, &channel, &recording, NULL), ATEMI_OK);
    return recording;
}

static void check_same(const atemi_recorded_card *a, const atemi_recorded_card *b)
{
    check_same_text(a->title, b->title);
    check_same_text(a->text, b->text);
    check_same_text(a->limit, b->limit);
    check_same_text(a->note, b->note);
    check_same_text(a->unit, b->unit ? b->unit : "-");
    CHECK(a->value == b->value || (isnan(a->value) && isnan(b->value)));
    CHECK_EQUAL_INT(a->state, b->state);
}

TEST(recording_cards, come_back_from_a_folder_in_their_order)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_recording *recording = create(), *loaded;
    CHECK_STATUS(atemi_recording_set_verdict(recording, hostile, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_add_card(recording, &full, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_add_card(recording, &words, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_write(recording, path, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_load(path, &loaded, NULL), ATEMI_OK);
    check_same_text(atemi_recording_verdict(loaded), hostile);
    CHECK_EQUAL_INT(atemi_recording_card_count(loaded), 2);
    check_same(atemi_recording_card(loaded, 0), &full);
    check_same(atemi_recording_card(loaded, 1), &words);
    atemi_recording_destroy(loaded);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(recording_cards, are_none_where_nobody_said_anything)
{
    atemi_recording *recording = create();
    CHECK(atemi_recording_verdict(recording) == NULL);
    CHECK_EQUAL_INT(atemi_recording_card_count(recording), 0);
    atemi_recording_destroy(recording);
}

TEST(recording_cards, need_a_title_and_texts_that_are_text)
{
    atemi_recording    *recording = create();
    atemi_recorded_card card = full;
    card.title = NULL;
    CHECK_STATUS(atemi_recording_add_card(recording, &card, NULL), ATEMI_ERROR_INPUT);
    card = full;
    card.note = "\xff";
    CHECK_STATUS(atemi_recording_add_card(recording, &card, NULL), ATEMI_ERROR_INPUT);
    card = full;
    card.unit = "[N]";
    CHECK_STATUS(atemi_recording_add_card(recording, &card, NULL), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_recording_set_verdict(recording, "\xff", NULL), ATEMI_ERROR_INPUT);
    CHECK_EQUAL_INT(atemi_recording_card_count(recording), 0);
    atemi_recording_destroy(recording);
}

TEST(recording_cards, are_limited_in_number)
{
    atemi_recording *recording = create();
    for (int i = 0; i < ATEMI_RECORDING_MAX_CARDS; ++i) {
        CHECK_STATUS(atemi_recording_add_card(recording, &words, NULL), ATEMI_OK);
    }
    CHECK_STATUS(atemi_recording_add_card(recording, &words, NULL), ATEMI_ERROR_LIMIT);
    atemi_recording_destroy(recording);
}
