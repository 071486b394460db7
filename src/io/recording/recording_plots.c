// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_parts.h"

#include <string.h>

enum { MOST_FIGURE = 64 }; // bytes of its name

const char *const atemi_recording_plot_kinds[] = {[ATEMI_PLOT_LINES] = "lines",
                                                  [ATEMI_PLOT_STATES] = "states",
                                                  [ATEMI_PLOT_VERTICAL_FORCES] = "vertical_forces",
                                                  [ATEMI_PLOT_HORIZONTAL_FORCES] =
                                                      "horizontal_forces"};
const char *const atemi_recording_plot_limits[] = {[ATEMI_PLOT_NO_LIMITS] = "none",
                                                   [ATEMI_PLOT_POSITION_LIMITS] = "position",
                                                   [ATEMI_PLOT_VELOCITY_LIMITS] = "velocity",
                                                   [ATEMI_PLOT_EFFORT_LIMITS] = "effort"};
const char *const atemi_recording_plot_bands[] = {[ATEMI_PLOT_NO_BAND] = "none",
                                                  [ATEMI_PLOT_SUPPORT_X] = "support_x",
                                                  [ATEMI_PLOT_SUPPORT_Y] = "support_y"};

static int count_columns(const atemi_recorded_plot *plot)
{
    int count = 0;
    while (plot->columns && plot->columns[count].name) {
        ++count;
    }
    return count;
}

static int count_states(const atemi_recorded_plot *plot)
{
    int count = 0;
    while (plot->states && plot->states[count]) {
        ++count;
    }
    return count;
}

// ---- What is refused

// The figures that are no plots have these names, and tables "table-" and theirs.
static bool is_reserved(const char *figure)
{
    return strcmp(figure, "strip") == 0 || strcmp(figure, "zmp") == 0 ||
           strncmp(figure, "table", strlen("table")) == 0;
}

static atemi_status check_figure(const char *figure, atemi_error *error)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    const size_t      length = figure ? strlen(figure) : 0;
    return length > 0 && length <= MOST_FIGURE && strspn(figure, plain) == length &&
                   !is_reserved(figure)
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the figure of a plot is a name of 1 to %d letters, digits, '_' and "
                            "'-', and not 'strip', 'zmp' or one that begins with 'table'",
                            MOST_FIGURE);
}

static atemi_status check_texts(const atemi_recorded_plot *plot, atemi_error *error)
{
    atemi_status status = atemi_recording_check_name(plot->title, "the title of a plot", error);
    if (!status) {
        status = atemi_recording_check_name(plot->axis, "the axis of a plot", error);
    }
    if (!status) {
        status = atemi_recording_check_unit(plot->unit, plot->title, error);
    }
    return status ? status
                  : atemi_recording_check_text(plot->sum, "the sum's label in a plot", error);
}

static atemi_status check_columns(const atemi_recorded_plot *plot, atemi_error *error)
{
    const int    count = count_columns(plot);
    atemi_status status = ATEMI_OK;
    if (count == 0 && (plot->kind == ATEMI_PLOT_LINES || plot->kind == ATEMI_PLOT_STATES)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the plot '%s' has no columns", plot->title);
    }
    if (count > ATEMI_RECORDING_MAX_PLOT_COLUMNS) {
        return atemi_recording_full("columns of a plot", ATEMI_RECORDING_MAX_PLOT_COLUMNS, error);
    }
    for (int i = 0; i < count && !status; ++i) {
        status = atemi_recording_check_name(plot->columns[i].name, "the column of a plot", error);
        if (!status) {
            status = atemi_recording_check_text(plot->columns[i].label, "a label in a plot", error);
        }
    }
    return status;
}

static atemi_status check_states(const atemi_recorded_plot *plot, atemi_error *error)
{
    const int    count = count_states(plot);
    atemi_status status = ATEMI_OK;
    if (count == 0 && plot->kind == ATEMI_PLOT_STATES) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the plot '%s' has no states", plot->title);
    }
    if (count > ATEMI_RECORDING_MAX_PLOT_STATES) {
        return atemi_recording_full("states of a plot", ATEMI_RECORDING_MAX_PLOT_STATES, error);
    }
    for (int i = 0; i < count && !status; ++i) {
        status = atemi_recording_check_name(plot->states[i], "a state in a plot", error);
    }
    return status;
}

static atemi_status check_plot(const atemi_recording *recording, const atemi_recorded_plot *plot,
                               atemi_error *error)
{
    atemi_status status = check_figure(plot->figure, error);
    if (!status) {
        status = check_texts(plot, error);
    }
    if (!status) {
        status = check_columns(plot, error);
    }
    if (!status) {
        status = check_states(plot, error);
    }
    if (!status && recording->plot_count == ATEMI_RECORDING_MAX_PLOTS) {
        status = atemi_recording_full("plots", ATEMI_RECORDING_MAX_PLOTS, error);
    }
    return status;
}

// ---- A copy

void atemi_recording_release_plot(const atemi_recorded_plot *plot)
{
    atemi_release((void *)plot->columns);
    atemi_release((void *)plot->states);
}

static const atemi_plot_column *keep_columns(atemi_recording           *recording,
                                             const atemi_recorded_plot *plot, bool *failed)
{
    const int          count = count_columns(plot);
    atemi_plot_column *columns =
        (atemi_plot_column *)atemi_recording_allocate((size_t)count + 1, sizeof *columns);
    *failed |= !columns;
    for (int i = 0; i < count && columns; ++i) {
        columns[i] = (atemi_plot_column){
            .name = atemi_recording_keep(recording, plot->columns[i].name, failed),
            .label = atemi_recording_keep(recording, plot->columns[i].label, failed),
        };
    }
    return columns;
}

static const char *const *keep_states(atemi_recording *recording, const atemi_recorded_plot *plot,
                                      bool *failed)
{
    const int    count = count_states(plot);
    const char **states =
        (const char **)atemi_recording_allocate((size_t)count + 1, sizeof *states);
    *failed |= !states;
    for (int i = 0; i < count && states; ++i) {
        states[i] = atemi_recording_keep(recording, plot->states[i], failed);
    }
    return states;
}

atemi_status atemi_recording_add_plot(atemi_recording *recording, const atemi_recorded_plot *plot,
                                      atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && plot, ATEMI_ERROR_CONTRACT);
    const atemi_status status = check_plot(recording, plot, error);
    if (status) {
        return status;
    }
    atemi_recorded_plot *plots = (atemi_recorded_plot *)atemi_grown(
        recording->plots, sizeof *plots, recording->plot_count, &recording->plot_capacity);
    if (!plots) {
        return atemi_recording_no_memory(error);
    }
    recording->plots = plots;
    bool                failed = false;
    atemi_recorded_plot kept = *plot;
    kept.figure = atemi_recording_keep(recording, plot->figure, &failed);
    kept.title = atemi_recording_keep(recording, plot->title, &failed);
    kept.axis = atemi_recording_keep(recording, plot->axis, &failed);
    kept.unit = atemi_recording_keep(recording, plot->unit, &failed);
    kept.sum = atemi_recording_keep(recording, plot->sum, &failed);
    kept.columns = keep_columns(recording, plot, &failed);
    kept.states = keep_states(recording, plot, &failed);
    if (failed) {
        atemi_recording_release_plot(&kept);
        return atemi_recording_no_memory(error);
    }
    plots[recording->plot_count++] = kept;
    return ATEMI_OK;
}

void atemi_recording_release_plots(atemi_recording *recording)
{
    for (int i = 0; i < recording->plot_count; ++i) {
        atemi_recording_release_plot(&recording->plots[i]);
    }
    atemi_release(recording->plots);
}

int atemi_recording_plot_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->plot_count;
}

const atemi_recorded_plot *atemi_recording_plot(const atemi_recording *recording, int index)
{
    ATEMI_REQUIRE_OR(recording && index >= 0 && index < recording->plot_count, NULL);
    return &recording->plots[index];
}

// ---- As JSON

// , "key": "value" unless there is none
static void put_member(atemi_text *text, const char *key, const char *value)
{
    if (value) {
        atemi_text_append(text, ", \"%s\": ", key);
        atemi_text_put_json_string(text, value);
    }
}

static void put_columns(atemi_text *text, const atemi_recorded_plot *plot)
{
    const int count = count_columns(plot);
    for (int i = 0; i < count; ++i) {
        atemi_text_put_string(text, i > 0 ? ", {\"name\": " : ", \"columns\": [{\"name\": ");
        atemi_text_put_json_string(text, plot->columns[i].name);
        put_member(text, "label", plot->columns[i].label);
        atemi_text_put_string(text, i + 1 < count ? "}" : "}]");
    }
}

static void put_states(atemi_text *text, const atemi_recorded_plot *plot)
{
    const int count = count_states(plot);
    for (int i = 0; i < count; ++i) {
        atemi_text_put_string(text, i > 0 ? ", " : ", \"states\": [");
        atemi_text_put_json_string(text, plot->states[i]);
        atemi_text_put_string(text, i + 1 < count ? "" : "]");
    }
}

void atemi_recording_put_plot(const atemi_recorded_plot *plot, atemi_text *text)
{
    atemi_text_put_string(text, "\"figure\": ");
    atemi_text_put_json_string(text, plot->figure);
    put_member(text, "title", plot->title);
    put_member(text, "axis", plot->axis);
    put_member(text, "kind", atemi_recording_plot_kinds[plot->kind]);
    atemi_text_put_string(text, plot->of_joints ? ", \"of_joints\": true" : "");
    if (plot->limits) {
        put_member(text, "limits", atemi_recording_plot_limits[plot->limits]);
    }
    if (plot->band) {
        put_member(text, "band", atemi_recording_plot_bands[plot->band]);
    }
    atemi_text_put_string(text, plot->of_limits ? ", \"of_limits\": true" : "");
    put_member(text, "sum", plot->sum);
    put_states(text, plot);
    atemi_text_put_string(text, plot->has_idle ? ", \"has_idle\": true" : "");
}

void atemi_recording_put_plots(const atemi_recording *recording, atemi_text *text)
{
    atemi_text_put_character(text, '[');
    for (int i = 0; i < recording->plot_count; ++i) {
        const atemi_recorded_plot *plot = &recording->plots[i];
        atemi_text_put_string(text, i > 0 ? ",\n    {" : "\n    {");
        atemi_recording_put_plot(plot, text);
        put_member(text, "unit", plot->unit);
        atemi_text_put_string(text, plot->skips_zero ? ", \"skips_zero\": true" : "");
        put_columns(text, plot);
        atemi_text_put_character(text, '}');
    }
    atemi_text_put_string(text, recording->plot_count > 0 ? "\n  ]" : "]");
}
