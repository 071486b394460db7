// SPDX-License-Identifier: Apache-2.0

#include "arguments.h"
#include "command.h"
#include "json_output.h"
#include "output.h"
#include "progress.h"
#include "recorded_table.h"
#include "report.h"
#include "table.h"

#include "papers/reproduction.h"

#include <stdio.h>
#include <string.h>

// ---- The papers there are

static void write_paper_cell(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    (void)context;
    snprintf(text, TABLE_CELL_SIZE, "%s",
             column == 0 ? atemi_papers_name(row) : atemi_papers_title(row));
}

static int print_papers(void)
{
    static const table_column columns[] = {{"paper", NULL, false}, {"title", NULL, false}};
    const text_table table = {columns, 2, atemi_papers_count(), write_paper_cell, NULL, NULL};
    table_print(&table);
    puts("\n  'atemi reproduce PAPER' compares its numbers with ours, 'atemi reproduce'\n"
         "  those of every paper.");
    return EXIT_DONE;
}

static json_t *papers_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < atemi_papers_count() && list; ++i) {
        list = json_with_item(list, json_pack("{s:s, s:s}", "name", atemi_papers_name(i), "title",
                                              atemi_papers_title(i)));
    }
    return json_pack("{s:o}", "papers", list);
}

// ---- A paper and its rows

typedef struct shown_paper {
    const atemi_reproduction *reproduction;
    const char               *name;
    atemi_reproduced_kind     kind; ///< of the rows of a table
} shown_paper;

typedef enum reproduction_column {
    COLUMN_QUANTITY,
    COLUMN_PRINTED,
    COLUMN_OURS,
    COLUMN_DIFFERENCE,
    COLUMN_UNIT,
    COLUMN_TOLERANCE,
    COLUMN_OK,
    COLUMN_COUNT
} reproduction_column;

static const table_column columns[COLUMN_COUNT] = {
    {"quantity", NULL, false},  {"printed", NULL, true}, {"ours", NULL, true},
    {"difference", NULL, true}, {"unit", NULL, false},   {"tolerance", NULL, true},
    {"ok", NULL, false}};

static bool is_of_paper(const void *context, int row)
{
    const shown_paper *paper = (const shown_paper *)context;
    return strcmp(atemi_reproduction_row(paper->reproduction, row)->paper, paper->name) == 0;
}

static bool has_rows(const shown_paper *paper)
{
    bool found = false;
    for (int i = 0; i < atemi_reproduction_count(paper->reproduction); ++i) {
        found = found || is_of_paper(paper, i);
    }
    return found;
}

// ---- Notes stand below the table, each once, with a number.

static const char *note_of(const shown_paper *paper, int row)
{
    return is_of_paper(paper, row) ? atemi_reproduction_row(paper->reproduction, row)->note : NULL;
}

// The first row that has the note of this one.
static int first_with_note(const shown_paper *paper, int row)
{
    int first = 0;
    while (!note_of(paper, first) || strcmp(note_of(paper, first), note_of(paper, row)) != 0) {
        ++first;
    }
    return first;
}

static int note_number(const shown_paper *paper, int row)
{
    const int last = first_with_note(paper, row);
    int       number = 0;
    for (int i = 0; i <= last; ++i) {
        number += note_of(paper, i) && first_with_note(paper, i) == i;
    }
    return number;
}

static void print_notes(const shown_paper *paper)
{
    putchar('\n');
    for (int i = 0; i < atemi_reproduction_count(paper->reproduction); ++i) {
        if (note_of(paper, i) && first_with_note(paper, i) == i) {
            printf("  [%d] %s\n", note_number(paper, i), note_of(paper, i));
        }
    }
}

static void write_verdict(const shown_paper *paper, int row, char text[TABLE_CELL_SIZE])
{
    const bool ok = atemi_reproduction_row(paper->reproduction, row)->ok;
    const int  length = snprintf(text, TABLE_CELL_SIZE, "%s", ok ? "ok" : "FAILED");
    if (note_of(paper, row)) {
        snprintf(text + length, (size_t)(TABLE_CELL_SIZE - length), " [%d]",
                 note_number(paper, row));
    }
}

// ---- The table

static double difference(const atemi_reproduced *about)
{
    return about->ours - about->printed;
}

static void write_tolerance(const atemi_reproduced *about, char text[TABLE_CELL_SIZE])
{
    if (about->bound == ATEMI_REPRODUCED_EQUAL) {
        snprintf(text, TABLE_CELL_SIZE, "%.2g", about->tolerance);
    } else {
        snprintf(text, TABLE_CELL_SIZE, "%s", atemi_reproduced_bound_text(about->bound));
    }
}

static void write_cell(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    const shown_paper      *paper = (const shown_paper *)context;
    const atemi_reproduced *about = atemi_reproduction_row(paper->reproduction, row);
    switch ((reproduction_column)column) {
    case COLUMN_QUANTITY:
        snprintf(text, TABLE_CELL_SIZE, "%s", about->quantity);
        break;
    case COLUMN_PRINTED:
        snprintf(text, TABLE_CELL_SIZE, "%.6g", about->printed);
        break;
    case COLUMN_OURS:
        snprintf(text, TABLE_CELL_SIZE, "%.6g", about->ours);
        break;
    case COLUMN_DIFFERENCE:
        snprintf(text, TABLE_CELL_SIZE, "%.2g", difference(about));
        break;
    case COLUMN_UNIT:
        snprintf(text, TABLE_CELL_SIZE, "%s", about->unit);
        break;
    case COLUMN_TOLERANCE:
        write_tolerance(about, text);
        break;
    case COLUMN_OK:
        write_verdict(paper, row, text);
        break;
    case COLUMN_COUNT:
        break;
    }
}

static bool is_of_kind(const void *context, int row)
{
    const shown_paper *paper = (const shown_paper *)context;
    return is_of_paper(paper, row) &&
           atemi_reproduction_row(paper->reproduction, row)->kind == paper->kind;
}

static const char *const kinds[ATEMI_REPRODUCED_KINDS] = {
    "predicted", "fitted: they show that it can be so, not that it must",
    "identities: laws of physics, or of our own construction", "input: taken from the paper"};

static void print_kind(const shown_paper *paper)
{
    const int        count = atemi_reproduction_count(paper->reproduction);
    const text_table table = {columns, COLUMN_COUNT, count, write_cell, paper, is_of_kind};
    int              rows = 0, ok = 0;
    for (int i = 0; i < count; ++i) {
        const bool counts = is_of_kind(paper, i);
        rows += counts;
        ok += counts && atemi_reproduction_row(paper->reproduction, i)->ok;
    }
    if (rows > 0) {
        printf("\n%d of %d within tolerance, %s\n", ok, rows, kinds[paper->kind]);
        table_print(&table);
    }
}

static void print_paper(shown_paper *paper, const char *title)
{
    output_heading(title);
    for (int kind = 0; kind < ATEMI_REPRODUCED_KINDS; ++kind) {
        paper->kind = (atemi_reproduced_kind)kind;
        print_kind(paper);
    }
    print_notes(paper);
    putchar('\n');
}

// Those that are no figures.
static void print_tables(const atemi_recording *recording)
{
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        const atemi_recorded_table *table = atemi_recording_table(recording, i);
        if (table->plot.y_count == 0) {
            recorded_table_print(table);
        }
    }
}

static void print_failures(const atemi_reproduction *reproduction)
{
    if (atemi_reproduction_ok(reproduction)) {
        return;
    }
    output_heading("Not within tolerance");
    for (int i = 0; i < atemi_reproduction_count(reproduction); ++i) {
        const atemi_reproduced *about = atemi_reproduction_row(reproduction, i);
        if (!about->ok) {
            printf("  %s, %s: %s\n", about->paper, atemi_reproduced_kind_text(about->kind),
                   about->quantity);
        }
    }
    putchar('\n');
}

static void print_reproduction(const atemi_reproduction *reproduction)
{
    for (int i = 0; i < atemi_papers_count(); ++i) {
        shown_paper paper = {.reproduction = reproduction, .name = atemi_papers_name(i)};
        if (has_rows(&paper)) {
            print_paper(&paper, atemi_papers_title(i));
        }
    }
    print_tables(atemi_reproduction_recording(reproduction));
    print_failures(reproduction);
    const atemi_reproduced_count predicted =
        atemi_reproduction_count_kind(reproduction, ATEMI_REPRODUCED_PREDICTED);
    printf("%s%d predicted, %d within tolerance; %d of %d numbers in all\n",
           atemi_reproduction_stopped(reproduction) ? "interrupted; " : "", predicted.rows,
           predicted.ok, atemi_reproduction_ok_count(reproduction),
           atemi_reproduction_count(reproduction));
}

// ---- As JSON

static json_t *row_json(const atemi_reproduced *about)
{
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:o, s:b}", "paper", about->paper,
                  "kind", atemi_reproduced_kind_text(about->kind), "quantity", about->quantity,
                  "printed", json_from_number(about->printed), "ours",
                  json_from_number(about->ours), "difference", json_from_number(difference(about)),
                  "unit", about->unit, "bound", atemi_reproduced_bound_text(about->bound),
                  "tolerance", json_from_number(about->tolerance), "ok", about->ok);
    return about->note ? json_with_key(row, "note", json_string(about->note)) : row;
}

static json_t *rows_json(const atemi_reproduction *reproduction)
{
    json_t *rows = json_array();
    for (int i = 0; i < atemi_reproduction_count(reproduction) && rows; ++i) {
        rows = json_with_item(rows, row_json(atemi_reproduction_row(reproduction, i)));
    }
    return rows;
}

static json_t *names_json(const atemi_reproduction *reproduction)
{
    json_t *names = json_array();
    for (int i = 0; i < atemi_papers_count() && names; ++i) {
        const shown_paper paper = {.reproduction = reproduction, .name = atemi_papers_name(i)};
        if (has_rows(&paper)) {
            names = json_with_item(names, json_string(paper.name));
        }
    }
    return names;
}

static json_t *reproduction_json(const atemi_reproduction *reproduction)
{
    json_t *answer = json_pack("{s:o, s:o, s:b}", "papers", names_json(reproduction), "rows",
                               rows_json(reproduction), "ok", atemi_reproduction_ok(reproduction));
    return recorded_tables_extend_json(answer, atemi_reproduction_recording(reproduction));
}

// ---- The command

typedef struct reproduce_request {
    const char *paper; ///< NULL for all
    const char *report, *figures;
    bool        list, json;
} reproduce_request;

static int verdict(const atemi_reproduction *reproduction)
{
    return atemi_reproduction_stopped(reproduction) ? progress_interrupted_code()
           : atemi_reproduction_ok(reproduction)    ? EXIT_DONE
                                                    : EXIT_JOB_FAILED;
}

static int show(const reproduce_request *request, const atemi_reproduction *reproduction)
{
    const int code = verdict(reproduction);
    if (request->json) {
        return json_print(reproduction_json(reproduction), code);
    }
    print_reproduction(reproduction);
    return code;
}

static int run(const reproduce_request *request)
{
    atemi_error         error;
    atemi_reproduction *reproduction;
    const int           place = report_check(request->report, request->figures);
    if (place) {
        return place;
    }
    const atemi_status status = atemi_reproduce(request->paper ? request->paper : "all",
                                                progress_begin(), &reproduction, &error);
    progress_end();
    if (status) {
        return output_error(&error);
    }
    const int shown = show(request, reproduction);
    const int written =
        report_write(atemi_reproduction_recording(reproduction), request->report, request->figures);
    atemi_reproduction_destroy(reproduction);
    return written ? written : shown;
}

static const char purpose[] =
    "Computes every number that a paper prints, and shows both with the tolerance of\n"
    "the comparison: first the numbers that are predicted, then those that were\n"
    "fitted, follow by law, or were given. Without PAPER it does all papers, in\n"
    "about two minutes.\n";

static const char notes[] =
    "Exit code 1: a number is not within its tolerance. Ctrl-C keeps the papers\n"
    "that are done; the exit code is then 130.\n"
    "If the paper has a slip, the number is compared with the corrected one, and a\n"
    "note says so. docs/reproduction.md has more.\n"
    "\nexamples:\n"
    "  atemi reproduce --list\n"
    "  atemi reproduce ene --figures ene\n";

int command_reproduce(int argc, char **argv)
{
    reproduce_request request = {0};
    const argument    positionals[] = {{.name = "PAPER",
                                        .help = "as --list lists them, or all",
                                        .text = &request.paper,
                                        .optional = true},
                                       {0}};
    const argument    options[] = {
        {.name = "report",
            .value = "FILE.html",
            .help = "write a page with numbers and figures",
            .text = &request.report},
        {.name = "figures",
            .value = "FOLDER",
            .help = "write the paper's figures as SVG",
            .text = &request.figures},
        {.name = "list", .help = "do nothing; list the papers", .flag = &request.list},
        {.name = "json", .help = "print one JSON object", .flag = &request.json},
        {0}};
    const command_usage usage = {.command = "reproduce",
                                 .purpose = purpose,
                                 .positionals = positionals,
                                 .options = options,
                                 .notes = notes};
    const int           code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    if (!request.list) {
        return run(&request);
    }
    return request.json ? json_print(papers_json(), EXIT_DONE) : print_papers();
}
