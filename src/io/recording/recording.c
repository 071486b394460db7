// SPDX-License-Identifier: Apache-2.0

#include "atemi/recording.h"

#include "atemi/base.h"
#include "atemi/version.h"
#include "io/recording/recording_parts.h"

#include <math.h>
#include <string.h>

// Each channel has an array of its own, so that growing a large one is the system's affair (it
// moves pages, not numbers) and a reader gets a contiguous array without a copy.

enum { FIRST_ROWS = 256, LINE = 8, LINES = 64 }; // LINE doubles in a line, LINES in a page

static size_t offset_of(int channel)
{
    return (size_t)(channel % LINES) * LINE;
}

// ---- Creation

static atemi_status check_channel(const atemi_channel *channel, atemi_error *error)
{
    const atemi_status status =
        atemi_recording_check_name(channel->name, "the name of a channel", error);
    return status ? status : atemi_recording_check_unit(channel->unit, channel->name, error);
}

static atemi_status check_channels(int count, const atemi_channel *channels, atemi_error *error)
{
    if (count > ATEMI_RECORDING_MAX_CHANNELS) {
        return atemi_recording_full("channels", ATEMI_RECORDING_MAX_CHANNELS, error);
    }
    for (int i = 0; i < count; ++i) {
        const atemi_status status = check_channel(&channels[i], error);
        if (status) {
            return status;
        }
    }
    if (strcmp(channels[0].name, "t") != 0 ||
        strcmp(atemi_recording_unit(channels[0].unit), "s") != 0) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the first channel is '%s'; it must be 't' in 's'", channels[0].name);
    }
    return ATEMI_OK;
}

// The part of the name before the first dot.
static const char *keep_group(atemi_recording *recording, const char *name, bool *failed)
{
    char *group = (char *)atemi_recording_keep(recording, name, failed);
    if (group) {
        group[strcspn(group, ".")] = '\0';
    }
    return group;
}

static atemi_status copy_channels(atemi_recording *recording, const atemi_channel *channels,
                                  atemi_error *error)
{
    bool failed = false;
    for (int i = 0; i < recording->channel_count && !failed; ++i) {
        recording->channels[i] = (atemi_channel){
            .name = atemi_recording_keep(recording, channels[i].name, &failed),
            .unit =
                atemi_recording_keep(recording, atemi_recording_unit(channels[i].unit), &failed),
            .group = keep_group(recording, channels[i].name, &failed),
        };
        recording->names[i] = (atemi_name){recording->channels[i].name, i};
    }
    return failed ? atemi_recording_no_memory(error) : ATEMI_OK;
}

static atemi_status fill_new(atemi_recording *recording, const atemi_channel *channels,
                             atemi_error *error)
{
    const size_t count = (size_t)recording->channel_count;
    recording->channels =
        (atemi_channel *)atemi_recording_allocate(count, sizeof *recording->channels);
    recording->names = (atemi_name *)atemi_recording_allocate(count, sizeof *recording->names);
    recording->values = (double **)atemi_recording_allocate(count, sizeof *recording->values);
    recording->absences = (double *)atemi_recording_allocate(count, sizeof *recording->absences);
    recording->version = atemi_string_pool_copy(&recording->strings, atemi_version());
    if (!recording->channels || !recording->names || !recording->values || !recording->absences ||
        !recording->version) {
        return atemi_recording_no_memory(error);
    }
    for (size_t i = 0; i < count; ++i) {
        recording->absences[i] = (double)NAN;
    }
    const atemi_status status = copy_channels(recording, channels, error);
    return status ? status
                  : atemi_recording_sort_names(recording->names, recording->channel_count,
                                               "channels", error);
}

atemi_status atemi_recording_create(int count, const atemi_channel *channels,
                                    atemi_recording **recording, atemi_error *error)
{
    ATEMI_REQUIRE_OR(count > 0 && channels && recording, ATEMI_ERROR_CONTRACT);
    *recording = NULL;
    atemi_status status = check_channels(count, channels, error);
    if (status) {
        return status;
    }
    atemi_recording *made = (atemi_recording *)atemi_recording_allocate(1, sizeof *made);
    if (!made) {
        return atemi_recording_no_memory(error);
    }
    made->channel_count = count;
    status = fill_new(made, channels, error);
    if (status) {
        atemi_recording_destroy(made);
        return status;
    }
    *recording = made;
    return ATEMI_OK;
}

void atemi_recording_destroy(atemi_recording *recording)
{
    if (!recording) {
        return;
    }
    for (int i = 0; i < recording->channel_count && recording->values; ++i) {
        atemi_release(recording->values[i] ? recording->values[i] - offset_of(i) : NULL);
    }
    for (int i = 0; i < recording->event_count; ++i) {
        atemi_release((void *)recording->events[i].values);
    }
    atemi_recording_stream_destroy(recording->stream);
    atemi_recording_release_robot(&recording->robot);
    atemi_recording_release_surfaces(recording);
    atemi_recording_release_tables(recording);
    atemi_recording_release_plots(recording);
    atemi_text_destroy(&recording->urdf);
    atemi_text_destroy(&recording->scenario);
    atemi_string_pool_destroy(&recording->strings);
    atemi_release(recording->events);
    atemi_release(recording->results);
    atemi_release(recording->warnings);
    atemi_release(recording->cards);
    atemi_release(recording->channels);
    atemi_release(recording->names);
    atemi_release((void *)recording->values);
    atemi_release(recording->absences);
    atemi_release(recording);
}

// ---- Rows

static int most_rows(const atemi_recording *recording)
{
    return ATEMI_RECORDING_MAX_VALUES / recording->channel_count;
}

atemi_status atemi_recording_reserve(atemi_recording *recording, int rows, atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && rows >= 0, ATEMI_ERROR_CONTRACT);
    if (rows <= recording->row_capacity) {
        return ATEMI_OK;
    }
    if (rows > most_rows(recording)) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT,
                          "%d rows of %d channels are more numbers than a recording holds; record "
                          "less often, or fewer channels",
                          rows, recording->channel_count);
    }
    if (recording->stream) {
        return ATEMI_OK;
    }
    for (int i = 0; i < recording->channel_count; ++i) {
        const size_t offset = offset_of(i);
        double      *block = recording->values[i] ? recording->values[i] - offset : NULL;
        block = (double *)atemi_resize(block, ((size_t)rows + offset) * sizeof *block);
        if (!block) {
            return atemi_recording_no_memory(error);
        }
        recording->values[i] = block + offset;
    }
    recording->row_capacity = rows;
    return ATEMI_OK;
}

static atemi_status make_row(atemi_recording *recording, atemi_error *error)
{
    if (recording->row_count < recording->row_capacity) {
        return ATEMI_OK;
    }
    const int most = most_rows(recording);
    int       rows = recording->row_capacity < most / 2 ? 2 * recording->row_capacity : most;
    rows = rows < FIRST_ROWS && FIRST_ROWS < most ? FIRST_ROWS : rows;
    rows = rows > recording->row_count ? rows : recording->row_count + 1;
    return atemi_recording_reserve(recording, rows, error);
}

static atemi_status check_time(const atemi_recording *recording, double t, atemi_error *error)
{
    const double last = atemi_recording_last(recording, 0);
    if (!isfinite(t)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the time of a row is not finite");
    }
    if (t < last) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the time of a row is %.9g s, before the %.9g s of the row before it", t,
                          last);
    }
    return ATEMI_OK;
}

static void note_absences(atemi_recording *recording, const double *row)
{
    for (int i = 0; i < recording->channel_count; ++i) {
        if (!isfinite(row[i]) && isnan(recording->absences[i])) {
            recording->absences[i] = row[0];
        }
    }
}

static void store_row(atemi_recording *recording, const double *row)
{
    for (int i = 0; i < recording->channel_count; ++i) {
        recording->values[i][recording->row_count] = atemi_recording_number(row[i]);
    }
}

atemi_status atemi_recording_append(atemi_recording *recording, const double *row,
                                    atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && row, ATEMI_ERROR_CONTRACT);
    atemi_status status = check_time(recording, row[0], error);
    if (!status) {
        status = make_row(recording, error);
    }
    if (status) {
        return status;
    }
    note_absences(recording, row);
    if (recording->stream) {
        atemi_recording_stream_append(recording->stream, recording->channel_count, row);
    } else {
        store_row(recording, row);
    }
    ++recording->row_count;
    return ATEMI_OK;
}

// ---- Reading

int atemi_recording_channel_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->channel_count;
}

int atemi_recording_row_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->row_count;
}

int atemi_recording_event_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->event_count;
}

int atemi_recording_result_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->result_count;
}

const atemi_channel *atemi_recording_channel(const atemi_recording *recording, int index)
{
    ATEMI_REQUIRE_OR(recording && index >= 0 && index < recording->channel_count, NULL);
    return &recording->channels[index];
}

const atemi_recorded_event *atemi_recording_event(const atemi_recording *recording, int index)
{
    ATEMI_REQUIRE_OR(recording && index >= 0 && index < recording->event_count, NULL);
    return &recording->events[index];
}

const atemi_recorded_result *atemi_recording_result(const atemi_recording *recording, int index)
{
    ATEMI_REQUIRE_OR(recording && index >= 0 && index < recording->result_count, NULL);
    return &recording->results[index];
}

double atemi_recording_result_value(const atemi_recording *recording, const char *name)
{
    ATEMI_REQUIRE_OR(recording && name, (double)NAN);
    for (int i = 0; i < recording->result_count; ++i) {
        if (strcmp(recording->results[i].name, name) == 0) {
            return recording->results[i].value;
        }
    }
    return (double)NAN;
}

const double *atemi_recording_values(const atemi_recording *recording, int channel)
{
    ATEMI_REQUIRE_OR(recording && channel >= 0 && channel < recording->channel_count, NULL);
    return recording->values[channel];
}

double atemi_recording_last(const atemi_recording *recording, int channel)
{
    ATEMI_REQUIRE_OR(recording && channel >= 0 && channel < recording->channel_count, (double)NAN);
    if (recording->row_count == 0) {
        return (double)NAN;
    }
    return recording->stream ? recording->stream->last[channel]
                             : recording->values[channel][recording->row_count - 1];
}

int atemi_recording_find_channel(const atemi_recording *recording, const char *name)
{
    ATEMI_REQUIRE_OR(recording && name, ATEMI_NONE);
    return atemi_names_find(recording->names, recording->channel_count, name);
}
