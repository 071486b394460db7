// SPDX-License-Identifier: Apache-2.0

#include "papers/reproduction.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/syntax/suggestion.h"
#include "papers/reproduction_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { QUANTITY_SIZE = 128 };

typedef struct paper {
    const char *name;
    const char *title;
    atemi_status (*reproduce)(atemi_reproduction *reproduction, atemi_error *error);
} paper;

static const paper papers[] = {
    {"sdc", "Contact Dynamics Modeling of a Humanoid Robot for Tasks Utilizing Impact Dynamics",
     atemi_reproduce_sdc},
    {"ene",
     "Iterative Calculation Method for Constraint Motion by Extended Newton-Euler Method and "
     "Application for Forward Dynamics",
     atemi_reproduce_ene},
    {"strike",
     "Optimization of Impact Motions for Humanoid Robots Considering Multibody Dynamics and "
     "Stability",
     atemi_reproduce_strike},
    {"r2", "Model-based Robotic Dynamic Motion Control for the Robonaut 2 Humanoid Robot",
     atemi_reproduce_r2},
    {"walk", "Dynamical Modeling of Humanoid with Nonlinear Floor Friction", atemi_reproduce_walk},
};

enum { PAPER_COUNT = sizeof papers / sizeof papers[0] };

static const char every_paper[] = "all";

// ---- Filling

static bool reserve(atemi_reproduction *reproduction)
{
    atemi_reproduced *rows = (atemi_reproduced *)atemi_grown(
        reproduction->rows, sizeof *rows, reproduction->count, &reproduction->capacity);
    reproduction->rows = rows ? rows : reproduction->rows;
    return rows != NULL;
}

static bool is_ok(const atemi_printed *printed, double ours)
{
    switch (printed->bound) {
    case ATEMI_REPRODUCED_AT_MOST:
        return ours <= printed->value;
    case ATEMI_REPRODUCED_AT_LEAST:
        return ours >= printed->value;
    case ATEMI_REPRODUCED_EQUAL:
        break;
    }
    return fabs(ours - printed->value) <= printed->tolerance;
}

void atemi_reproduction_add(atemi_reproduction *reproduction, atemi_printed printed, double ours,
                            const char *quantity, ...)
{
    char    text[QUANTITY_SIZE];
    va_list arguments;
    ATEMI_REQUIRE(printed.kind != ATEMI_REPRODUCED_FITTED || printed.note);
    ATEMI_REQUIRE(printed.bound == ATEMI_REPRODUCED_EQUAL || printed.tolerance == 0.0);
    va_start(arguments, quantity);
    vsnprintf(text, sizeof text, quantity, arguments);
    va_end(arguments);
    const char *copy = atemi_string_pool_copy(&reproduction->strings, text);
    if (!copy || !reserve(reproduction)) {
        reproduction->failed = true;
        return;
    }
    reproduction->rows[reproduction->count++] = (atemi_reproduced){
        .paper = reproduction->paper,
        .quantity = copy,
        .unit = printed.unit,
        .note = printed.note,
        .kind = printed.kind,
        .bound = printed.bound,
        .printed = printed.value,
        .ours = ours,
        .tolerance = printed.tolerance,
        .ok = is_ok(&printed, ours),
    };
}

atemi_status atemi_reproduction_add_figure(atemi_reproduction         *reproduction,
                                           const atemi_recorded_table *figure, atemi_error *error)
{
    return atemi_recording_add_table(reproduction->recording, figure, error);
}

static void fill_curves(const atemi_recording *recording, const atemi_reproduced_curves *curves,
                        double *values)
{
    for (int k = 0; k < curves->count; ++k) {
        const double *from = atemi_recording_values(
            recording, atemi_recording_find_channel(recording, curves->channels[k]));
        for (int i = 0; i < atemi_recording_row_count(recording); ++i) {
            values[i * curves->count + k] = from[i];
        }
    }
}

atemi_status atemi_reproduction_add_curves(atemi_reproduction            *reproduction,
                                           const atemi_recording         *recording,
                                           const atemi_reproduced_curves *curves,
                                           atemi_error                   *error)
{
    static const int y[] = {1, 2, 3, 4, 5, 6};
    const int        rows = atemi_recording_row_count(recording);
    double *values = (double *)atemi_allocate((size_t)(rows * curves->count + 1) * sizeof *values);
    if (!values) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a figure");
    }
    fill_curves(recording, curves, values);
    const atemi_recorded_table figure = {
        .name = curves->name,
        .title = curves->title,
        .row_count = rows,
        .column_count = curves->count,
        .columns = curves->columns,
        .values = values,
        .plot = {.y_count = curves->count - 1, .y = y, .x = 0, .series = ATEMI_NONE}};
    const atemi_status status = atemi_reproduction_add_figure(reproduction, &figure, error);
    atemi_release(values);
    return status;
}

bool atemi_reproduction_goes_on(atemi_reproduction *reproduction, double done)
{
    const double all = reproduction->done + reproduction->fraction * done;
    reproduction->stopped = reproduction->stopped || !atemi_job_goes_on(reproduction->hooks, all);
    return !reproduction->stopped;
}

// Kind by kind, in their order otherwise.
static void sort_rows(atemi_reproduced *rows, int count)
{
    for (int i = 1; i < count; ++i) {
        const atemi_reproduced row = rows[i];
        int                    k = i;
        for (; k > 0 && rows[k - 1].kind > row.kind; --k) {
            rows[k] = rows[k - 1];
        }
        rows[k] = row;
    }
}

static atemi_status add_paper(const paper *about, atemi_reproduction *reproduction,
                              atemi_error *error)
{
    const int first = reproduction->count;
    reproduction->paper = about->name;
    atemi_job_message(reproduction->hooks, "%s", about->name);
    const atemi_status status = about->reproduce(reproduction, error);
    if (reproduction->count > first) {
        sort_rows(reproduction->rows + first, reproduction->count - first);
    }
    reproduction->done += reproduction->fraction;
    if (!status && reproduction->failed) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the reproduction");
    }
    return status;
}

static bool is_asked_for(const paper *about, const char *name)
{
    return strcmp(name, about->name) == 0 || strcmp(name, every_paper) == 0;
}

static atemi_status add_papers(const char *name, atemi_reproduction *reproduction,
                               atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < PAPER_COUNT; ++i) {
        reproduction->fraction += is_asked_for(&papers[i], name);
    }
    reproduction->fraction = 1.0 / reproduction->fraction;
    for (int i = 0; i < PAPER_COUNT && !status; ++i) {
        if (is_asked_for(&papers[i], name) && atemi_reproduction_goes_on(reproduction, 0.0)) {
            status = add_paper(&papers[i], reproduction, error);
        }
    }
    return status;
}

// ---- The recording

enum { SOURCE_SIZE = 64 };

// "r2, predicted", or "r2, predicted: at most 10, ok"
static const char *source_of(const atemi_reproduced *row, char text[SOURCE_SIZE])
{
    const char *kind = atemi_reproduced_kind_text(row->kind);
    if (row->bound == ATEMI_REPRODUCED_EQUAL) {
        snprintf(text, SOURCE_SIZE, "%s, %s", row->paper, kind);
    } else {
        snprintf(text, SOURCE_SIZE, "%s, %s: %s %.6g, %s", row->paper, kind,
                 atemi_reproduced_bound_text(row->bound), row->printed, row->ok ? "ok" : "not so");
    }
    return text;
}

// A page compares with what is equal within a tolerance; the source says what became of a bound.
static atemi_status add_results(const atemi_reproduction *reproduction, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < reproduction->count && !status; ++i) {
        const atemi_reproduced     *row = &reproduction->rows[i];
        const bool                  is_equal = row->bound == ATEMI_REPRODUCED_EQUAL;
        char                        source[SOURCE_SIZE];
        const atemi_recorded_result result = {.name = row->quantity,
                                              .value = row->ours,
                                              .unit = row->unit,
                                              .printed = is_equal ? row->printed : (double)NAN,
                                              .tolerance = is_equal ? row->tolerance : (double)NAN,
                                              .source = source_of(row, source)};
        status = atemi_recording_add_result(reproduction->recording, &result, error);
    }
    return status;
}

static atemi_status describe(const atemi_reproduction *reproduction, atemi_error *error)
{
    const atemi_reproduced_count predicted =
        atemi_reproduction_count_kind(reproduction, ATEMI_REPRODUCED_PREDICTED);
    char                     outcome[128];
    const atemi_recorded_job job = {.name = "reproduce", .outcome = outcome};
    snprintf(outcome, sizeof outcome,
             "%s%d predicted, %d within tolerance; %d of %d numbers in all",
             reproduction->stopped ? "interrupted; " : "", predicted.rows, predicted.ok,
             atemi_reproduction_ok_count(reproduction), reproduction->count);
    return atemi_recording_describe(reproduction->recording, &job, error);
}

static atemi_status fill(const char *name, atemi_reproduction *reproduction, atemi_error *error)
{
    static const atemi_channel time = {.name = "t", .unit = "s"};
    atemi_status status = atemi_recording_create(1, &time, &reproduction->recording, error);
    if (!status) {
        status = add_papers(name, reproduction, error);
    }
    if (!status) {
        status = add_results(reproduction, error);
    }
    return status ? status : describe(reproduction, error);
}

// ---- Names

// After the papers comes the name of them all.
static const char *name_at(const void *collection, int index)
{
    (void)collection;
    return index < PAPER_COUNT ? papers[index].name : every_paper;
}

static bool is_known(const char *name)
{
    bool known = false;
    for (int i = 0; i < PAPER_COUNT; ++i) {
        known = known || is_asked_for(&papers[i], name);
    }
    return known;
}

static atemi_status fail_unknown(const char *name, atemi_error *error)
{
    const char *meant = atemi_suggestion_find(name, PAPER_COUNT + 1, name_at, NULL);
    return atemi_fail(error, ATEMI_ERROR_NOT_FOUND,
                      "no paper named '%.64s' can be reproduced%s%s%s; 'atemi reproduce --list' "
                      "lists those that can",
                      name, ATEMI_SUGGESTION_TEXT(meant));
}

int atemi_papers_count(void)
{
    return PAPER_COUNT;
}

const char *atemi_papers_name(int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < PAPER_COUNT, NULL);
    return papers[index].name;
}

const char *atemi_papers_title(int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < PAPER_COUNT, NULL);
    return papers[index].title;
}

const char *atemi_reproduced_kind_text(atemi_reproduced_kind kind)
{
    static const char *const texts[ATEMI_REPRODUCED_KINDS] = {"predicted", "fitted", "identity",
                                                              "input"};
    ATEMI_REQUIRE_OR(kind >= 0 && kind < ATEMI_REPRODUCED_KINDS, "unknown");
    return texts[kind];
}

const char *atemi_reproduced_bound_text(atemi_reproduced_bound bound)
{
    static const char *const texts[] = {"equal", "at most", "at least"};
    ATEMI_REQUIRE_OR(bound >= ATEMI_REPRODUCED_EQUAL && bound <= ATEMI_REPRODUCED_AT_LEAST,
                     "unknown");
    return texts[bound];
}

// ---- Public

atemi_status atemi_reproduce(const char *name, const atemi_job_hooks *hooks,
                             atemi_reproduction **reproduction, atemi_error *error)
{
    ATEMI_REQUIRE_OR(name && reproduction, ATEMI_ERROR_CONTRACT);
    *reproduction = NULL;
    if (!is_known(name)) {
        return fail_unknown(name, error);
    }
    atemi_reproduction *filled = (atemi_reproduction *)atemi_allocate(sizeof *filled);
    if (!filled) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the reproduction");
    }
    *filled = (atemi_reproduction){.hooks = hooks};
    const atemi_status status = fill(name, filled, error);
    if (status) {
        atemi_reproduction_destroy(filled);
        return status;
    }
    filled->hooks = NULL;
    *reproduction = filled;
    return ATEMI_OK;
}

void atemi_reproduction_destroy(atemi_reproduction *reproduction)
{
    if (reproduction) {
        atemi_recording_destroy(reproduction->recording);
        atemi_release(reproduction->rows);
        atemi_string_pool_destroy(&reproduction->strings);
        atemi_release(reproduction);
    }
}

int atemi_reproduction_count(const atemi_reproduction *reproduction)
{
    ATEMI_REQUIRE_OR(reproduction, 0);
    return reproduction->count;
}

const atemi_reproduced *atemi_reproduction_row(const atemi_reproduction *reproduction, int index)
{
    ATEMI_REQUIRE_OR(reproduction && index >= 0 && index < reproduction->count, NULL);
    return &reproduction->rows[index];
}

atemi_reproduced_count atemi_reproduction_count_kind(const atemi_reproduction *reproduction,
                                                     atemi_reproduced_kind     kind)
{
    atemi_reproduced_count count = {0, 0};
    ATEMI_REQUIRE_OR(reproduction, count);
    for (int i = 0; i < reproduction->count; ++i) {
        const atemi_reproduced *row = &reproduction->rows[i];
        count.rows += row->kind == kind;
        count.ok += row->kind == kind && row->ok;
    }
    return count;
}

int atemi_reproduction_ok_count(const atemi_reproduction *reproduction)
{
    ATEMI_REQUIRE_OR(reproduction, 0);
    int count = 0;
    for (int i = 0; i < reproduction->count; ++i) {
        count += reproduction->rows[i].ok;
    }
    return count;
}

bool atemi_reproduction_ok(const atemi_reproduction *reproduction)
{
    ATEMI_REQUIRE_OR(reproduction, false);
    return atemi_reproduction_ok_count(reproduction) == reproduction->count;
}

bool atemi_reproduction_stopped(const atemi_reproduction *reproduction)
{
    ATEMI_REQUIRE_OR(reproduction, false);
    return reproduction->stopped;
}

const atemi_recording *atemi_reproduction_recording(const atemi_reproduction *reproduction)
{
    ATEMI_REQUIRE_OR(reproduction, NULL);
    return reproduction->recording;
}
