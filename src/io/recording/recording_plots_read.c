// SPDX-License-Identifier: Apache-2.0

#include "io/recording/recording_json.h"

#include <string.h>

// An entry of "plots" in summary.json. A plot of a kind that is not known is passed by.

// One more each than may be: the recording itself refuses that one.
enum {
    COLUMNS = ATEMI_RECORDING_MAX_PLOT_COLUMNS + 1,
    STATES = ATEMI_RECORDING_MAX_PLOT_STATES + 1,
    KINDS = ATEMI_PLOT_HORIZONTAL_FORCES + 1
};

// The value of a word, or `otherwise` for none and for one that a later atemi may know.
static int read_word(const json_t *object, const char *key, int count, const char *const *words,
                     int otherwise)
{
    const char *text = json_string_value(json_object_get(object, key));
    for (int i = 0; i < count && text; ++i) {
        if (strcmp(words[i], text) == 0) {
            return i;
        }
    }
    return otherwise;
}

static atemi_status read_texts(const json_t *object, atemi_recording_place at,
                               atemi_recorded_plot *plot, atemi_error *error)
{
    const struct {
        const char  *key;
        bool         needed;
        const char **text;
    } texts[] = {{"figure", true, &plot->figure},
                 {"title", true, &plot->title},
                 {"axis", true, &plot->axis},
                 {"unit", false, &plot->unit},
                 {"sum", false, &plot->sum}};
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && !status; ++i) {
        status = atemi_recording_json_string(object, at, texts[i].key, texts[i].needed,
                                             texts[i].text, error);
    }
    return status;
}

static atemi_status read_columns(const json_t *object, atemi_recording_place at,
                                 atemi_plot_column columns[COLUMNS + 1], atemi_error *error)
{
    const json_t *array = json_object_get(object, "columns");
    atemi_status  status = ATEMI_OK;
    for (size_t i = 0; i < json_array_size(array) && i < COLUMNS && !status; ++i) {
        const json_t *entry = json_array_get(array, i);
        status = atemi_recording_json_string(entry, at, "name", true, &columns[i].name, error);
        if (!status) {
            status =
                atemi_recording_json_string(entry, at, "label", false, &columns[i].label, error);
        }
    }
    return status;
}

static atemi_status read_states(const json_t *object, atemi_recording_place at,
                                const char *states[STATES + 1], atemi_error *error)
{
    const json_t *array = json_object_get(object, "states");
    for (size_t i = 0; i < json_array_size(array) && i < STATES; ++i) {
        states[i] = json_string_value(json_array_get(array, i));
        if (!states[i]) {
            return atemi_recording_json_complain(at, "states", "an array of texts", error);
        }
    }
    return ATEMI_OK;
}

atemi_status atemi_recording_read_plot(const json_t *object, int index, atemi_recording *recording,
                                       atemi_error *error)
{
    const atemi_recording_place at = {"plots", index};
    atemi_plot_column           columns[COLUMNS + 1] = {0};
    const char                 *states[STATES + 1] = {0};
    const int kind = read_word(object, "kind", KINDS, atemi_recording_plot_kinds, KINDS);
    if (kind == KINDS) {
        return ATEMI_OK;
    }
    atemi_recorded_plot plot = {
        .kind = (atemi_plot_kind)kind,
        .columns = columns,
        .of_joints = json_is_true(json_object_get(object, "of_joints")),
        .limits = (atemi_plot_limits)read_word(object, "limits", ATEMI_PLOT_EFFORT_LIMITS + 1,
                                               atemi_recording_plot_limits, ATEMI_PLOT_NO_LIMITS),
        .band = (atemi_plot_band)read_word(object, "band", ATEMI_PLOT_SUPPORT_Y + 1,
                                           atemi_recording_plot_bands, ATEMI_PLOT_NO_BAND),
        .states = states,
        .has_idle = json_is_true(json_object_get(object, "has_idle")),
        .of_limits = json_is_true(json_object_get(object, "of_limits")),
        .skips_zero = json_is_true(json_object_get(object, "skips_zero")),
    };
    atemi_status status = read_texts(object, at, &plot, error);
    if (!status) {
        status = read_columns(object, at, columns, error);
    }
    if (!status) {
        status = read_states(object, at, states, error);
    }
    return status ? status : atemi_recording_add_plot(recording, &plot, error);
}
