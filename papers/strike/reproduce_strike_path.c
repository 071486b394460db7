// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/support.h"
#include "papers/strike/reproduce_strike_tables.h"

#include <math.h>
#include <stdio.h>

// The way of the ZMP over the soles, one curve for each phase, and the support polygon around it.

enum { X, SUPPORT, BEFORE, BLOW, AFTER, COLUMNS, SOLES = 2, CORNERS = 4 * SOLES, PIECES = 40 };

typedef struct zmp_path {
    const atemi_recording *recording;
    double                *values; ///< [row_count x COLUMNS]
    int                    row_count;
} zmp_path;

static void add_point(zmp_path *path, int column, double x, double y)
{
    double *row = path->values + (size_t)path->row_count++ * COLUMNS;
    for (int i = 0; i < COLUMNS; ++i) {
        row[i] = NAN;
    }
    row[X] = x;
    row[column] = y;
}

static const double *column(const zmp_path *path, const char *name)
{
    return atemi_recording_values(path->recording,
                                  atemi_recording_find_channel(path->recording, name));
}

// ---- Support

// Of the feet where the motion begins; none where nothing was simulated.
static int find_corners(const zmp_path *path, atemi_vec3 corners[CORNERS])
{
    static const char *const soles[SOLES] = {"right_sole", "left_sole"};
    char                     x[64], y[64];
    for (int i = 0; i < CORNERS; ++i) {
        snprintf(x, sizeof x, "contact.%s.%d.position_x", soles[i / 4], i % 4);
        snprintf(y, sizeof y, "contact.%s.%d.position_y", soles[i / 4], i % 4);
        corners[i] = (atemi_vec3){column(path, x)[0], column(path, y)[0], 0.0};
    }
    return isfinite(corners[0].x) ? atemi_support_polygon(NULL, corners, CORNERS, corners).count
                                  : 0;
}

// Edges in pieces: pages that draw points, not lines, show them all the same.
static void add_edge(zmp_path *path, atemi_vec3 from, atemi_vec3 to)
{
    for (int i = 0; i <= PIECES; ++i) {
        const atemi_vec3 offset = atemi_vec3_scale(i / (double)PIECES, atemi_vec3_sub(to, from));
        const atemi_vec3 at = atemi_vec3_add(from, offset);
        add_point(path, SUPPORT, at.x, at.y);
    }
}

static void add_support(zmp_path *path)
{
    atemi_vec3 corners[CORNERS];
    const int  count = find_corners(path, corners);
    for (int i = 0; i < count; ++i) {
        add_edge(path, corners[i], corners[(i + 1) % count]);
    }
}

// ---- ZMP

// Where a phase ends, the next begins at the same point.
static void add_zmp(zmp_path *path)
{
    const double *t = column(path, "t"), *x = column(path, "zmp.x"), *y = column(path, "zmp.y");
    const double  parted = atemi_recording_result_value(path->recording, "verified_contact_time");
    int           before = BEFORE;
    for (int i = 0; i < atemi_recording_row_count(path->recording); ++i) {
        const int phase = t[i] < 0.0 ? BEFORE : t[i] < parted ? BLOW : AFTER;
        if (phase != before) {
            add_point(path, before, x[i], y[i]);
        }
        add_point(path, phase, x[i], y[i]);
        before = phase;
    }
}

// ---- "ZMP shifts backward during impact phase. Then, ZMP shifts forward during slowdown phase."

// The mean of x while from <= t < to, m.
static double mean_x(const zmp_path *path, double from, double to)
{
    const double *t = column(path, "t"), *x = column(path, "zmp.x");
    double        sum = 0.0;
    int           count = 0;
    for (int i = 0; i < atemi_recording_row_count(path->recording); ++i) {
        if (t[i] >= from && t[i] < to) {
            sum += x[i];
            ++count;
        }
    }
    return sum / count;
}

static void add_shifts(const atemi_punch_study *study, const zmp_path *path)
{
    static const char MEANS[] = "means over the phases, simulated; speed is gathered by the hand "
                                "in the last 0.175 s";
    const double  parted = atemi_recording_result_value(path->recording, "verified_contact_time");
    const double  before = mean_x(path, -0.175, 0.0), blow = mean_x(path, 0.0, parted);
    const double  after = mean_x(path, parted, INFINITY);
    atemi_printed shift = {ATEMI_REPRODUCED_PREDICTED, 0.0, 0.0, "mm", MEANS,
                           ATEMI_REPRODUCED_AT_MOST};
    atemi_reproduction_add(study->reproduction, shift, 1e3 * (blow - before),
                           "Fig. 10: ZMP in the blow, forward of where it was");
    shift.bound = ATEMI_REPRODUCED_AT_LEAST;
    atemi_reproduction_add(study->reproduction, shift, 1e3 * (after - blow),
                           "Fig. 10: ZMP slowing down, forward of that in the blow");
}

atemi_status atemi_punch_add_path(const atemi_punch_study *study, atemi_error *error)
{
    static const atemi_recorded_column columns[COLUMNS] = {{"x", "m"},
                                                           {"y of the support polygon", "m"},
                                                           {"y, gathering speed", "m"},
                                                           {"y, in the blow", "m"},
                                                           {"y, slowing down", "m"}};
    static const int                   y[] = {SUPPORT, BEFORE, BLOW, AFTER};
    zmp_path                           path = {.recording = study->levels[ATEMI_PUNCH_PAPER]};
    const size_t most = (size_t)atemi_recording_row_count(path.recording) + COLUMNS +
                        (size_t)CORNERS * (PIECES + 1);
    path.values = (double *)atemi_allocate(most * COLUMNS * sizeof *path.values);
    if (!path.values) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a figure");
    }
    add_support(&path);
    add_zmp(&path);
    add_shifts(study, &path);
    const atemi_recorded_table figure = {
        .name = "strike-fig10",
        .title = "[STRIKE] Fig. 10: ZMP from above, simulated",
        .row_count = path.row_count,
        .column_count = COLUMNS,
        .columns = columns,
        .values = path.values,
        .plot = {.y_count = 4, .y = y, .x = X, .series = ATEMI_NONE, .by_rows = true}};
    const atemi_status status = atemi_reproduction_add_figure(study->reproduction, &figure, error);
    atemi_release(path.values);
    return status;
}
