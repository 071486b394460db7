// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // mkdir, rmdir
#endif

#include "io/figures/figures.h"

#include "atemi/base.h"
#include "atemi/recording.h"
#include "io/recording/recording_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The recording refuses longer names of figures; those of tables give way to numbers.
enum { FIGURE_FILE_SIZE = 128, TABLE_NAME_SIZE = 100, TABLE_FILE_SIZE = 128 };

// Those that are no plots over time.
static const struct {
    const char          *file;
    atemi_figure_drawing draw;
} pictures[] = {{"strip.svg", atemi_figure_strip},
                {"motion.svg", atemi_figure_motion},
                {"zmp.svg", atemi_figure_zmp}};

int atemi_figure_row(const atemi_figure_source *source, double part)
{
    const double *t = source->t;
    const double  wanted = t[0] + part * (t[source->rows - 1] - t[0]);
    int           row = 0;
    while (row + 1 < source->rows && fabs(t[row + 1] - wanted) <= fabs(t[row] - wanted)) {
        ++row;
    }
    return row;
}

static atemi_status write_text(const atemi_text *text, const char *folder, const char *file,
                               atemi_error *error)
{
    char path[ATEMI_WHOLE_FILE_PATH];
    if (text->failed) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a figure");
    }
    if (!text->bytes) {
        return ATEMI_OK;
    }
    return atemi_recording_path(folder, file, path)
               ? atemi_whole_file_write(path, text->bytes, text->size, error)
               : atemi_whole_file_fail(ENAMETOOLONG, folder, error);
}

static atemi_status write_pictures(const atemi_figure_source *source, const char *folder,
                                   atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0] && !status; ++i) {
        atemi_figure figure = {0};
        status = pictures[i].draw(source, &figure, error);
        if (!status) {
            status = write_text(&figure.text, folder, pictures[i].file, error);
        }
        atemi_text_destroy(&figure.text);
    }
    return status;
}

// ---- Plots over time

static bool is_first_of_figure(const atemi_report_plots *plots, int index)
{
    bool is_first = true;
    for (int i = 0; i < index && is_first; ++i) {
        is_first = strcmp(plots->plots[i].about.figure, plots->plots[index].about.figure) != 0;
    }
    return is_first;
}

static atemi_status write_figure(const atemi_figure_source *source, int first, const char *folder,
                                 atemi_error *error)
{
    char         file[FIGURE_FILE_SIZE];
    atemi_figure figure = {0};
    snprintf(file, sizeof file, "%s.svg", source->plots->plots[first].about.figure);
    atemi_status status = atemi_figure_over_time(source, first, &figure, error);
    if (!status) {
        status = write_text(&figure.text, folder, file, error);
    }
    atemi_text_destroy(&figure.text);
    return status;
}

static atemi_status write_plots(atemi_figure_source *source, const char *folder, atemi_error *error)
{
    atemi_report_plots plots;
    atemi_status       status =
        atemi_report_plots_find(source->recording, source->contacts, &plots, error);
    source->plots = &plots;
    for (int i = 0; i < plots.count && !status; ++i) {
        if (is_first_of_figure(&plots, i)) {
            status = write_figure(source, i, folder, error);
        }
    }
    atemi_report_plots_destroy(&plots);
    source->plots = NULL;
    return status;
}

static atemi_status write_figures(atemi_figure_source *source, const char *folder,
                                  atemi_error *error)
{
    const atemi_status status = write_pictures(source, folder, error);
    return status ? status : write_plots(source, folder, error);
}

// ---- Tables

// A name that could be misunderstood in a path gives way to the number of the table.
static void put_table_file(const atemi_recorded_table *table, int index, char file[TABLE_FILE_SIZE])
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    const size_t      length = strlen(table->name);
    if (length <= TABLE_NAME_SIZE && strspn(table->name, plain) == length) {
        snprintf(file, TABLE_FILE_SIZE, "table-%s.svg", table->name);
    } else {
        snprintf(file, TABLE_FILE_SIZE, "table.%d.svg", index + 1);
    }
}

static atemi_status write_tables(const atemi_recording *recording, const char *folder,
                                 atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < recording->table_count && !status; ++i) {
        char         file[TABLE_FILE_SIZE];
        atemi_figure figure = {0};
        put_table_file(&recording->tables[i], i, file);
        status = atemi_figure_table(&recording->tables[i], &figure, error);
        if (!status) {
            status = write_text(&figure.text, folder, file, error);
        }
        atemi_text_destroy(&figure.text);
    }
    return status;
}

// ---- All of them

static bool can_draw(const atemi_recording *recording)
{
    bool can = recording->row_count > 0;
    for (int i = 0; i < recording->table_count; ++i) {
        can |= recording->tables[i].plot.y_count > 0;
    }
    return can;
}

static atemi_status draw_all(const atemi_recording *recording, const char *folder,
                             atemi_error *error)
{
    atemi_report_robot    robot;
    atemi_report_contacts contacts = {0};
    atemi_status          status = atemi_report_robot_load(recording, &robot, error);
    if (!status) {
        status = atemi_report_contacts_find(recording, &contacts, error);
    }
    if (!status && recording->row_count > 0) {
        atemi_figure_source source = {.recording = recording,
                                      .robot = &robot,
                                      .contacts = &contacts,
                                      .rows = atemi_recording_row_count(recording),
                                      .t = atemi_recording_values(recording, 0)};
        status = write_figures(&source, folder, error);
    }
    if (!status) {
        status = write_tables(recording, folder, error);
    }
    atemi_report_contacts_destroy(&contacts);
    atemi_report_robot_destroy(&robot);
    return status;
}

atemi_status atemi_report_write_figures(const atemi_recording *recording, const char *folder,
                                        atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && folder, ATEMI_ERROR_CONTRACT);
    atemi_error own;
    error = error ? error : &own;
    if (!can_draw(recording)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the recording has no rows and no table with a plot, so there is nothing "
                          "to draw");
    }
    if (atemi_recording_check_rows(recording, error)) {
        return ATEMI_ERROR_INPUT;
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return atemi_whole_file_fail(errno, folder, error);
    }
    return draw_all(recording, folder, error);
}

atemi_status atemi_report_check_figures(const char *folder, atemi_error *error)
{
    ATEMI_REQUIRE_OR(folder, ATEMI_ERROR_CONTRACT);
    if (mkdir(folder, 0777) == 0) {
        rmdir(folder);
        return ATEMI_OK;
    }
    if (errno != EEXIST) {
        return atemi_whole_file_fail(errno, folder, error);
    }
    char             path[ATEMI_WHOLE_FILE_PATH];
    atemi_whole_file file;
    if (!atemi_recording_path(folder, "strip.svg", path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    const atemi_status status = atemi_whole_file_create(&file, path, ATEMI_LINKS_REPLACED, error);
    if (!status) {
        atemi_whole_file_destroy(&file);
    }
    return status;
}
