// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_plots.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_parts.h"
#include "io/report/standard_plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Hostile recordings could have a unit for each of their columns.
enum { MOST_PLOTS = 1000 };

// While plots are found.
typedef struct plot_search {
    const atemi_recording *recording;
    atemi_report_plots    *plots;
    bool                  *known; ///< [columns] has a value somewhere
    bool                  *used;  ///< [columns] is in a plot, or in the one that is looked at
    int                    found_count;
    atemi_report_line     *found; ///< [columns] of the plot that is looked at, of all units
} plot_search;

static const char *unit_of(const plot_search *search, int column)
{
    return atemi_recording_channel(search->recording, column)->unit;
}

// ---- Which columns an entry means

static void label_by_name(const char *name, atemi_report_line *line)
{
    const char *dot = strchr(name, '.');
    line->label = dot ? dot + 1 : name;
    line->label_length = (int)strlen(line->label);
}

// Whether a name fits a pattern; then where and how long the text is that its '*' stands for, which
// is all behind the first dot without one.
static bool fits(const char *pattern, const char *name, atemi_report_line *line)
{
    const char  *star = strchr(pattern, '*');
    const size_t head = star ? (size_t)(star - pattern) : strlen(pattern);
    const size_t tail = star ? strlen(star + 1) : 0, length = strlen(name);
    if (!star) {
        label_by_name(name, line);
        return strcmp(pattern, name) == 0;
    }
    line->label = name + head;
    line->label_length = (int)(length - head - tail);
    return length > head + tail && strncmp(pattern, name, head) == 0 &&
           strcmp(name + length - tail, star + 1) == 0;
}

static bool is_excluded(const atemi_recorded_plot *plot, const char *name)
{
    atemi_report_line line;
    bool              found = false;
    for (const atemi_plot_column *entry = plot->columns; entry->name && !found; ++entry) {
        found = entry->name[0] == '!' && fits(entry->name + 1, name, &line);
    }
    return found;
}

static bool is_zero(const atemi_recording *recording, int column)
{
    const double *values = atemi_recording_values(recording, column);
    bool          is = true;
    for (int i = 0; i < atemi_recording_row_count(recording) && is; ++i) {
        is = isnan(values[i]) || values[i] == 0.0;
    }
    return is;
}

static bool is_wanted(const plot_search *search, const atemi_recorded_plot *plot, int column)
{
    return search->known[column] && !search->used[column] &&
           (!plot->unit || strcmp(plot->unit, unit_of(search, column)) == 0) &&
           !is_excluded(plot, atemi_recording_channel(search->recording, column)->name) &&
           !(plot->skips_zero && is_zero(search->recording, column));
}

// A column is meant by the first entry that fits it. Time is none of them.
static void find_lines(plot_search *search, const atemi_recorded_plot *plot)
{
    const int columns = atemi_recording_channel_count(search->recording);
    search->found_count = 0;
    memset(search->used, 0, (size_t)columns * sizeof *search->used);
    for (const atemi_plot_column *entry = plot->columns; entry && entry->name; ++entry) {
        for (int i = 1; i < columns; ++i) {
            atemi_report_line line = {.column = i, .is_reference = entry->name[0] == '~'};
            if (fits(entry->name + line.is_reference,
                     atemi_recording_channel(search->recording, i)->name, &line) &&
                is_wanted(search, plot, i)) {
                if (entry->label) {
                    line.label = entry->label;
                    line.label_length = (int)strlen(entry->label);
                }
                search->used[i] = true;
                search->found[search->found_count++] = line;
            }
        }
    }
}

// ---- Plots

static void choose_unit(atemi_report_plot *plot)
{
    if (plot->about.of_limits) {
        plot->about.unit = "%";
        plot->scale = 100.0;
        return;
    }
    static const char *const units[][2] = {{"rad", "\u00b0"}, {"rad/s", "\u00b0/s"}};
    for (int i = 0; i < 2; ++i) {
        if (strcmp(plot->about.unit, units[i][0]) == 0) {
            plot->about.unit = units[i][1];
            plot->scale = 180.0 / 3.14159265358979323846;
            return;
        }
    }
}

static atemi_status add_plot(atemi_report_plots *plots, const atemi_recorded_plot *about,
                             const char *unit, atemi_error *error)
{
    atemi_report_plot *list = (atemi_report_plot *)atemi_grown(plots->plots, sizeof *list,
                                                               plots->count, &plots->capacity);
    if (!list) {
        return atemi_recording_no_memory(error);
    }
    plots->plots = list;
    list[plots->count] =
        (atemi_report_plot){.about = *about, .scale = 1.0, .first_line = plots->line_count};
    list[plots->count].about.unit = unit;
    choose_unit(&list[plots->count++]);
    return ATEMI_OK;
}

// Adds a line to the last plot.
static atemi_status add_line(atemi_report_plots *plots, const atemi_report_line *line,
                             atemi_error *error)
{
    atemi_report_line *list = (atemi_report_line *)atemi_grown(
        plots->lines, sizeof *list, plots->line_count, &plots->line_capacity);
    if (!list) {
        return atemi_recording_no_memory(error);
    }
    plots->lines = list;
    list[plots->line_count++] = *line;
    ++plots->plots[plots->count - 1].line_count;
    return ATEMI_OK;
}

// Adds a plot for each unit of the lines that were found.
static atemi_status add_units(plot_search *search, const atemi_recorded_plot *about,
                              atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < search->found_count && search->plots->count < MOST_PLOTS; ++i) {
        const char *unit = unit_of(search, search->found[i].column);
        if (!search->used[search->found[i].column]) {
            continue;
        }
        status = add_plot(search->plots, about, unit, error);
        for (int k = i; k < search->found_count && !status; ++k) {
            const atemi_report_line *line = &search->found[k];
            if (search->used[line->column] && strcmp(unit_of(search, line->column), unit) == 0) {
                search->used[line->column] = false;
                status = add_line(search->plots, line, error);
            }
        }
        if (status) {
            return status;
        }
    }
    return ATEMI_OK;
}

static bool has_forces(const atemi_report_contacts *contacts)
{
    bool has = contacts->count > 0;
    for (int i = 0; i < contacts->count; ++i) {
        has = has && contacts->contacts[i].force[0] != ATEMI_NONE;
    }
    return has;
}

// The support is of interest beside a ZMP, which an arm that is fixed to the world has not.
static bool has_zmp(const plot_search *search)
{
    bool has = false;
    for (int i = 0; i < search->found_count && !has; ++i) {
        const int column = search->found[i].column;
        has = strcmp(atemi_recording_channel(search->recording, column)->group, "zmp") == 0;
    }
    return has;
}

static atemi_status add_described(plot_search *search, const atemi_recorded_plot *plot,
                                  const atemi_report_contacts *contacts, atemi_error *error)
{
    if (plot->kind == ATEMI_PLOT_LINES || plot->kind == ATEMI_PLOT_STATES) {
        find_lines(search, plot);
        return plot->band && !has_zmp(search) ? ATEMI_OK : add_units(search, plot, error);
    }
    return has_forces(contacts) && search->known[contacts->contacts[0].force[0]]
               ? add_plot(search->plots, plot, "N", error)
               : ATEMI_OK;
}

// ---- A recording that describes none

static void find_group(plot_search *search, const bool *done, const char *group)
{
    search->found_count = 0;
    for (int i = 1; i < atemi_recording_channel_count(search->recording); ++i) {
        const atemi_channel *channel = atemi_recording_channel(search->recording, i);
        search->used[i] = false;
        if (search->known[i] && !done[i] && strcmp(channel->group, group) == 0) {
            atemi_report_line line = {.column = i};
            label_by_name(channel->name, &line);
            search->used[i] = true;
            search->found[search->found_count++] = line;
        }
    }
}

// A plot for each unit of each group that is not a standard one; `done` is all false.
static atemi_status add_groups(plot_search *search, bool *done, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 1, number = 1; i < atemi_recording_channel_count(search->recording) && !status &&
                                search->plots->count < MOST_PLOTS;
         ++i) {
        const char *group = atemi_recording_channel(search->recording, i)->group;
        char        figure[32];
        if (done[i] || !search->known[i] || atemi_is_standard_group(group)) {
            continue;
        }
        snprintf(figure, sizeof figure, "other-%d", number++);
        const char *kept = atemi_string_pool_copy(&search->plots->names, figure);
        if (!kept) {
            return atemi_recording_no_memory(error);
        }
        find_group(search, done, group);
        for (int k = 0; k < search->found_count; ++k) {
            done[search->found[k].column] = true;
        }
        status = add_units(
            search, &(atemi_recorded_plot){.figure = kept, .title = group, .axis = group}, error);
    }
    return status;
}

static atemi_status add_undescribed(plot_search *search, const atemi_report_contacts *contacts,
                                    atemi_error *error)
{
    const size_t columns = (size_t)atemi_recording_channel_count(search->recording);
    bool        *done = (bool *)atemi_recording_allocate(columns, sizeof *done);
    atemi_status status = ATEMI_OK;
    if (!done) {
        return atemi_recording_no_memory(error);
    }
    for (const atemi_recorded_plot *const *plot = atemi_standard_plots; *plot && !status; ++plot) {
        status = add_described(search, *plot, contacts, error);
    }
    if (!status) {
        status = add_groups(search, done, error);
    }
    atemi_release(done);
    return status;
}

// ---- All of them

static bool has_value(const atemi_recording *recording, int column)
{
    const double *values = atemi_recording_values(recording, column);
    bool          found = false;
    for (int i = 0; i < atemi_recording_row_count(recording) && !found; ++i) {
        found = !isnan(values[i]);
    }
    return found;
}

static atemi_status search_all(plot_search *search, const atemi_report_contacts *contacts,
                               atemi_error *error)
{
    const int    count = atemi_recording_plot_count(search->recording);
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_recording_channel_count(search->recording); ++i) {
        search->known[i] = has_value(search->recording, i);
    }
    for (int i = 0; i < count && !status; ++i) {
        status = add_described(search, atemi_recording_plot(search->recording, i), contacts, error);
    }
    return status || count > 0 ? status : add_undescribed(search, contacts, error);
}

atemi_status atemi_report_plots_find(const atemi_recording       *recording,
                                     const atemi_report_contacts *contacts,
                                     atemi_report_plots *plots, atemi_error *error)
{
    const size_t columns = (size_t)atemi_recording_channel_count(recording);
    *plots = (atemi_report_plots){0};
    plot_search search = {
        .recording = recording,
        .plots = plots,
        .known = (bool *)atemi_recording_allocate(columns, sizeof(bool)),
        .used = (bool *)atemi_recording_allocate(columns, sizeof(bool)),
        .found = (atemi_report_line *)atemi_recording_allocate(columns, sizeof *search.found),
    };
    const atemi_status status = search.known && search.used && search.found
                                    ? search_all(&search, contacts, error)
                                    : atemi_recording_no_memory(error);
    atemi_release(search.known);
    atemi_release(search.used);
    atemi_release(search.found);
    return status;
}

void atemi_report_plots_destroy(atemi_report_plots *plots)
{
    atemi_release(plots->plots);
    atemi_release(plots->lines);
    atemi_string_pool_destroy(&plots->names);
    *plots = (atemi_report_plots){0};
}

// ---- As JSON

static void put_lines(const atemi_report_plots *plots, const atemi_report_plot *plot,
                      atemi_text *text)
{
    atemi_text_put_string(text, ", \"lines\": [");
    for (int i = 0; i < plot->line_count; ++i) {
        const atemi_report_line *line = &plots->lines[plot->first_line + i];
        atemi_text_append(text, "%s{\"column\": %d, \"label\": ", i > 0 ? ", " : "", line->column);
        atemi_text_put_json_part(text, line->label, (size_t)line->label_length);
        atemi_text_put_string(text, line->is_reference ? ", \"reference\": true}" : "}");
    }
    atemi_text_put_character(text, ']');
}

void atemi_report_put_plots(const atemi_report_plots *plots, atemi_text *text)
{
    atemi_text_put_character(text, '[');
    for (int i = 0; i < plots->count; ++i) {
        const atemi_report_plot *plot = &plots->plots[i];
        atemi_text_put_string(text, i > 0 ? ",\n    {" : "\n    {");
        atemi_recording_put_plot(&plot->about, text);
        atemi_text_put_string(text, ", \"unit\": ");
        atemi_text_put_json_string(text, plot->about.unit);
        atemi_text_put_string(text, ", \"scale\": ");
        atemi_text_put_json_number(text, plot->scale);
        put_lines(plots, plot, text);
        atemi_text_put_character(text, '}');
    }
    atemi_text_put_character(text, ']');
}
