// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/decimal.h"
#include "io/bytes/number.h"
#include "io/recording/recording_parts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// recording.csv. The header is a function of the channels alone, so the reader makes the header
// that it expects and compares. A row is as many fields as there are channels; an empty one is
// absent.

// ---- Writing

static bool needs_quotes(const char *text)
{
    return strpbrk(text, ",\"\r\n") || strchr("=+-@\t ", text[0]);
}

static void put_quoted(const char *text, atemi_text *to)
{
    for (const char *c = text; *c; ++c) {
        if (*c == '"') {
            atemi_text_put_character(to, '"');
        }
        atemi_text_put_character(to, *c);
    }
}

// name [unit], in quotes where a spreadsheet could misunderstand it.
static void put_label(const atemi_channel *channel, atemi_text *to)
{
    const bool quotes = needs_quotes(channel->name) || strpbrk(channel->unit, ",\"");
    if (quotes) {
        atemi_text_put_character(to, '"');
        put_quoted(channel->name, to);
        atemi_text_put_string(to, " [");
        put_quoted(channel->unit, to);
        atemi_text_put_string(to, "]\"");
        return;
    }
    atemi_text_put_string(to, channel->name);
    atemi_text_put_string(to, " [");
    atemi_text_put_string(to, channel->unit);
    atemi_text_put_character(to, ']');
}

void atemi_recording_put_header(const atemi_recording *recording, atemi_text *text)
{
    for (int i = 0; i < recording->channel_count; ++i) {
        if (i > 0) {
            atemi_text_put_character(text, ',');
        }
        put_label(&recording->channels[i], text);
    }
    atemi_text_put_character(text, '\n');
}

static void put_field(double value, char separator, atemi_whole_file *file)
{
    char     *text = atemi_whole_file_reserve(file, ATEMI_DECIMAL_SIZE + 1);
    const int length = isnan(value) ? 0 : atemi_decimal_write(value, text);
    text[length] = separator;
    atemi_whole_file_advance(file, (size_t)length + 1);
}

void atemi_recording_put_row(int count, const double *row, atemi_whole_file *file)
{
    for (int i = 0; i < count; ++i) {
        put_field(row[i], i == count - 1 ? '\n' : ',', file);
    }
}

void atemi_recording_put_rows(const atemi_recording *recording, atemi_whole_file *file)
{
    const int last = recording->channel_count - 1;
    for (int row = 0; row < recording->row_count && !file->failed; ++row) {
        for (int i = 0; i <= last; ++i) {
            put_field(recording->values[i][row], i == last ? '\n' : ',', file);
        }
    }
}

// ---- Reading

static atemi_status complain(const atemi_recording_csv *csv, const char *line, const char *at,
                             atemi_error *error)
{
    const ptrdiff_t column = at - line + 1;
    atemi_error_locate(error, csv->file, csv->line, column < INT_MAX ? (int)column : 0);
    return ATEMI_ERROR_SYNTAX;
}

static atemi_status complain_of_header(const atemi_recording_csv *csv, const char *bytes,
                                       atemi_error *error)
{
    size_t same = 0;
    int    line = 1;
    size_t start = 0;
    while (same < csv->header.size && bytes[same] == csv->header.bytes[same]) {
        if (bytes[same++] == '\n') {
            ++line;
            start = same;
        }
    }
    atemi_fail(error, ATEMI_ERROR_SYNTAX,
               "the header does not match the columns in summary.json; the two files are from "
               "different recordings, or were changed");
    atemi_error_locate(error, csv->file, line,
                       same - start < INT_MAX ? (int)(same - start) + 1 : 0);
    return ATEMI_ERROR_SYNTAX;
}

static int count_lines(const atemi_text *text)
{
    int lines = 0;
    for (size_t i = 0; i < text->size; ++i) {
        lines += text->bytes[i] == '\n';
    }
    return lines;
}

static atemi_status truncated(const atemi_recording_csv *csv, const char *how, atemi_error *error)
{
    atemi_fail(error, ATEMI_ERROR_SYNTAX, "the recording is truncated: %s; %d rows of %d are there",
               how, csv->recording->row_count, csv->rows);
    atemi_error_locate(error, csv->file, csv->line, 0);
    return ATEMI_ERROR_SYNTAX;
}

// Every field takes a byte at least, so what the rows need is bounded by what the file has.
atemi_status atemi_recording_csv_begin(atemi_recording_csv *csv, long long size, atemi_error *error)
{
    csv->line = 1;
    atemi_recording_put_header(csv->recording, &csv->header);
    if (csv->header.failed) {
        return atemi_recording_no_memory(error);
    }
    if ((long long)csv->rows * csv->recording->channel_count > size) {
        return truncated(csv, "the file is smaller than its rows", error);
    }
    return atemi_recording_reserve(csv->recording, csv->rows, error);
}

static const char *fault_text(atemi_number_fault fault)
{
    switch (fault) {
    case ATEMI_NUMBER_NOT_FINITE:
        return "is not finite; leave out what is not known";
    case ATEMI_NUMBER_TOO_LARGE:
        return "is beyond double precision";
    default:
        return "is not a number";
    }
}

// The field at `*at`, which ends before `end`; moves `*at` behind it and its separator.
static atemi_status read_field(const atemi_recording_csv *csv, int channel, const char *line,
                               const char **at, const char *end, atemi_error *error)
{
    const char *start = *at;
    const char *comma = start;
    while (comma < end && *comma != ',') {
        ++comma;
    }
    const bool is_last = channel == csv->recording->channel_count - 1;
    if ((comma == end) != is_last) {
        atemi_fail(error, ATEMI_ERROR_SYNTAX, "the row has %s than the %d fields of the header",
                   is_last ? "more" : "fewer", csv->recording->channel_count);
        return complain(csv, line, comma, error);
    }
    *at = comma + 1;
    double            *value = &csv->recording->values[channel][csv->recording->row_count];
    atemi_number_fault fault = ATEMI_NUMBER_MALFORMED;
    if (comma - start <= ATEMI_RECORDING_MAX_FIELD) {
        const atemi_word word = {start, (int)(comma - start)};
        *value = (double)NAN;
        fault = comma == start ? ATEMI_NUMBER_FINE : atemi_number_parse(word, value);
    }
    if (fault) {
        atemi_fail(error, ATEMI_ERROR_SYNTAX, "the field of '%s' %s",
                   csv->recording->channels[channel].name, fault_text(fault));
        return complain(csv, line, start, error);
    }
    return ATEMI_OK;
}

static atemi_status check_time(const atemi_recording_csv *csv, const char *line, atemi_error *error)
{
    const double *t = csv->recording->values[0];
    const int     row = csv->recording->row_count;
    if (isnan(t[row]) || (row > 0 && t[row] < t[row - 1])) {
        atemi_fail(error, ATEMI_ERROR_SYNTAX, "the time of the row %s",
                   isnan(t[row]) ? "is missing" : "is before that of the row above");
        return complain(csv, line, line, error);
    }
    return ATEMI_OK;
}

static atemi_status read_row(atemi_recording_csv *csv, const char *line, const char *end,
                             atemi_error *error)
{
    if (csv->recording->row_count == csv->rows) {
        atemi_fail(error, ATEMI_ERROR_SYNTAX,
                   "there are more rows than the %d that summary.json says; the two files are from "
                   "different recordings, or were changed",
                   csv->rows);
        return complain(csv, line, line, error);
    }
    const char  *at = line;
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < csv->recording->channel_count && !status; ++i) {
        status = read_field(csv, i, line, &at, end, error);
    }
    if (!status) {
        status = check_time(csv, line, error);
    }
    if (!status) {
        ++csv->recording->row_count;
        ++csv->line;
    }
    return status;
}

static atemi_status read_header(atemi_recording_csv *csv, const char *bytes, size_t size,
                                size_t *used, atemi_error *error)
{
    if (size < csv->header.size) {
        return ATEMI_OK;
    }
    if (memcmp(bytes, csv->header.bytes, csv->header.size) != 0) {
        return complain_of_header(csv, bytes, error);
    }
    csv->has_header = true;
    csv->line += count_lines(&csv->header);
    *used = csv->header.size;
    return ATEMI_OK;
}

atemi_status atemi_recording_csv_read(atemi_recording_csv *csv, const char *bytes, size_t size,
                                      size_t *used, atemi_error *error)
{
    *used = 0;
    atemi_status status = ATEMI_OK;
    if (!csv->has_header) {
        status = read_header(csv, bytes, size, used, error);
    }
    while (!status && csv->has_header && *used < size) {
        const char *line = bytes + *used;
        const char *end = (const char *)memchr(line, '\n', size - *used);
        if (!end) {
            break;
        }
        status = read_row(csv, line, end, error);
        *used += (size_t)(end - line) + 1;
    }
    return status;
}

atemi_status atemi_recording_csv_end(atemi_recording_csv *csv, size_t rest, atemi_error *error)
{
    if (!csv->has_header) {
        return truncated(csv, "the header is incomplete", error);
    }
    if (rest > 0) {
        return truncated(csv, "the last line is incomplete", error);
    }
    if (csv->recording->row_count < csv->rows) {
        return truncated(csv, "rows are missing", error);
    }
    return ATEMI_OK;
}
