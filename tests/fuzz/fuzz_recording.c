// SPDX-License-Identifier: Apache-2.0

#include "atemi/recording.h"
#include "io/recording/recording_parts.h"
#include "require.h"

#include <math.h>
#include <string.h>

// Any bytes of summary.json and recording.csv end in a recording or in an error that says
// something, and what is loaded is written and loaded again as the same. The two files stand behind
// each other, with a line of dashes between them. Run it with
//
//   fuzz_recording -dict=tests/fuzz/recording.dict -max_len=16384 tests/fuzz/corpus/recording

enum { MAX_BYTES = 1 << 16 };

static const char separator[] = "\n----\n";

typedef struct files {
    const char *summary, *table;
    size_t      summary_size, table_size;
} files;

static files split(const char *bytes, size_t size)
{
    const size_t length = strlen(separator);
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(bytes + i, separator, length) == 0) {
            return (files){bytes, bytes + i + length, i, size - i - length};
        }
    }
    return (files){bytes, bytes + size, size, 0};
}

// In two pieces, as a file that is longer than the window is read.
static atemi_status read_csv(atemi_recording_csv *csv, const files *from, atemi_error *error)
{
    size_t       used = 0, more = 0;
    atemi_status status = atemi_recording_csv_begin(csv, (long long)from->table_size, error);
    if (!status) {
        status = atemi_recording_csv_read(csv, from->table, from->table_size / 2, &used, error);
    }
    if (!status) {
        status = atemi_recording_csv_read(csv, from->table + used, from->table_size - used, &more,
                                          error);
    }
    return status ? status : atemi_recording_csv_end(csv, from->table_size - used - more, error);
}

static atemi_status load(const files *from, atemi_recording **recording,
                         atemi_recording_sizes *sizes, atemi_error *error)
{
    int          rows;
    atemi_status status = atemi_recording_summary_parse(
        from->summary, from->summary_size, "summary.json", recording, &rows, sizes, error);
    require((status == ATEMI_OK) == (*recording != NULL));
    if (!status) {
        atemi_recording_csv csv = {.recording = *recording, .rows = rows, .file = "recording.csv"};
        status = read_csv(&csv, from, error);
        atemi_text_destroy(&csv.header);
    }
    require(status == error->status);
    require(status == ATEMI_OK || strlen(error->message) > 0);
    return status;
}

static bool are_same(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

static void require_same_table(const atemi_recorded_table *a, const atemi_recorded_table *b)
{
    require(strcmp(a->name, b->name) == 0 && !a->title == !b->title && !a->labels == !b->labels);
    require(a->row_count == b->row_count && a->column_count == b->column_count);
    require(a->plot.y_count == b->plot.y_count && a->plot.x == b->plot.x &&
            a->plot.series == b->plot.series);
    for (int i = 0; i < a->row_count * a->column_count; ++i) {
        require(are_same(a->values[i], b->values[i]));
    }
}

static void require_same(const atemi_recording *a, const atemi_recording *b)
{
    require(a->row_count == b->row_count && a->channel_count == b->channel_count);
    require(a->event_count == b->event_count && a->result_count == b->result_count);
    for (int i = 0; i < a->channel_count; ++i) {
        require(strcmp(a->channels[i].name, b->channels[i].name) == 0);
        for (int k = 0; k < a->row_count; ++k) {
            require(are_same(a->values[i][k], b->values[i][k]));
        }
    }
    require(a->table_count == b->table_count);
    for (int i = 0; i < a->table_count; ++i) {
        require_same_table(&a->tables[i], &b->tables[i]);
    }
}

static void check_round_trip(const atemi_recording *recording, const atemi_recording_sizes *sizes)
{
    atemi_text summary = {0}, table = {0};
    atemi_recording_put_summary(recording, sizes, &summary);
    atemi_recording_put_header(recording, &table);
    for (int row = 0; row < recording->row_count; ++row) {
        for (int i = 0; i < recording->channel_count; ++i) {
            const double value = recording->values[i][row];
            if (!isnan(value)) {
                atemi_text_put_number(&table, value);
            }
            atemi_text_put_character(&table, i + 1 == recording->channel_count ? '\n' : ',');
        }
    }
    const files           again = {summary.bytes, table.bytes, summary.size, table.size};
    atemi_error           error = {0};
    atemi_recording      *loaded;
    atemi_recording_sizes ignored;
    require(load(&again, &loaded, &ignored, &error) == ATEMI_OK);
    require_same(recording, loaded);
    atemi_recording_destroy(loaded);
    atemi_text_destroy(&summary);
    atemi_text_destroy(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_BYTES) {
        return -1;
    }
    const files           from = split((const char *)data, size);
    atemi_error           error = {0};
    atemi_recording      *recording = NULL;
    atemi_recording_sizes sizes;
    if (load(&from, &recording, &sizes, &error) == ATEMI_OK) {
        check_round_trip(recording, &sizes);
    }
    atemi_recording_destroy(recording);
    return 0;
}
