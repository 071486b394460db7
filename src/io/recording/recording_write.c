// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/recording/recording_parts.h"

#include <errno.h>
#include <string.h>

static atemi_status write_file(const char *folder, int which, const atemi_text *text,
                               atemi_recording_sizes *sizes, atemi_error *error)
{
    char path[ATEMI_WHOLE_FILE_PATH];
    sizes->bytes[which] = -1;
    if (!text->bytes) {
        return ATEMI_OK;
    }
    if (!atemi_recording_path(folder, atemi_recording_files[which], path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    sizes->bytes[which] = (long long)text->size;
    return atemi_whole_file_write(path, text->bytes, text->size, error);
}

// ---- recording.csv

static atemi_status create_csv(const char *folder, const atemi_text *header, atemi_whole_file *file,
                               atemi_error *error)
{
    char path[ATEMI_WHOLE_FILE_PATH];
    if (!atemi_recording_path(folder, atemi_recording_files[ATEMI_RECORDING_CSV], path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    const atemi_status status = atemi_whole_file_create(file, path, ATEMI_LINKS_REPLACED, error);
    if (!status) {
        atemi_whole_file_put(file, header->bytes, header->size);
    }
    return status;
}

atemi_status atemi_recording_begin_csv(const atemi_recording *recording, const char *folder,
                                       atemi_whole_file *file, atemi_error *error)
{
    atemi_text header = {0};
    atemi_recording_put_header(recording, &header);
    const atemi_status status =
        header.failed ? atemi_recording_no_memory(error) : create_csv(folder, &header, file, error);
    atemi_text_destroy(&header);
    return status;
}

static atemi_status finish_csv(atemi_whole_file *file, atemi_recording_sizes *sizes,
                               atemi_error *error)
{
    sizes->bytes[ATEMI_RECORDING_CSV] = (long long)file->size;
    return atemi_whole_file_finish(file, error);
}

// Of a stream only the end is missing.
static atemi_status write_csv(const atemi_recording *recording, const char *folder,
                              atemi_recording_sizes *sizes, atemi_error *error)
{
    atemi_whole_file file;
    if (recording->stream) {
        return finish_csv(&recording->stream->file, sizes, error);
    }
    const atemi_status status = atemi_recording_begin_csv(recording, folder, &file, error);
    if (status) {
        return status;
    }
    atemi_recording_put_rows(recording, &file);
    return finish_csv(&file, sizes, error);
}

// ---- The other files

static atemi_status check_summary(const atemi_text *text, atemi_error *error)
{
    if (text->failed) {
        return atemi_recording_no_memory(error);
    }
    if (text->size > ATEMI_RECORDING_MAX_SUMMARY) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT,
                          "names, events, results and tables take more than %d MiB in summary.json",
                          ATEMI_RECORDING_MAX_SUMMARY >> 20);
    }
    return ATEMI_OK;
}

static atemi_status write_summary(const atemi_recording *recording, const char *folder,
                                  atemi_recording_sizes *sizes, atemi_error *error)
{
    atemi_text text = {0};
    sizes->bytes[ATEMI_RECORDING_SUMMARY] = -1; // it cannot know its own
    atemi_recording_put_summary(recording, sizes, &text);
    atemi_status status = check_summary(&text, error);
    if (!status) {
        status = write_file(folder, ATEMI_RECORDING_SUMMARY, &text, sizes, error);
    }
    atemi_text_destroy(&text);
    return status;
}

static atemi_status write_files(const atemi_recording *recording, const char *folder,
                                atemi_error *error)
{
    atemi_recording_sizes sizes;
    atemi_status status = write_file(folder, ATEMI_RECORDING_URDF, &recording->urdf, &sizes, error);
    if (!status) {
        status = write_file(folder, ATEMI_RECORDING_SCENARIO, &recording->scenario, &sizes, error);
    }
    if (!status) {
        status = write_csv(recording, folder, &sizes, error);
    }
    return status ? status : write_summary(recording, folder, &sizes, error);
}

// ---- The folder

atemi_status atemi_recording_check_folder(const char *folder, atemi_error *error)
{
    ATEMI_REQUIRE_OR(folder, ATEMI_ERROR_CONTRACT);
    atemi_recording_folder found;
    return atemi_recording_folder_find(&found, folder, error);
}

// Errors name the folder that was asked for, not the one that is removed again.
static atemi_status write_and_publish(const atemi_recording *recording, const char *path,
                                      atemi_recording_folder *folder, atemi_error *error)
{
    atemi_status status = write_files(recording, folder->staging, error);
    if (!status) {
        status = atemi_recording_folder_publish(folder, error);
    }
    if (status) {
        atemi_error_locate(error, path, 0, 0);
    }
    return status;
}

// The target is looked at again: it may have changed since the stream began.
static atemi_status publish_stream(const atemi_recording *recording, atemi_recording_stream *stream,
                                   atemi_error *error)
{
    atemi_recording_folder now;
    const atemi_status     status = atemi_recording_folder_find(&now, stream->place.target, error);
    if (status) {
        atemi_error_locate(error, stream->path, 0, 0);
        return status;
    }
    stream->place.is_there = now.is_there;
    return write_and_publish(recording, stream->path, &stream->place, error);
}

static atemi_status end_stream(const atemi_recording *recording, const char *folder,
                               atemi_error *error)
{
    atemi_recording_stream *stream = recording->stream;
    if (stream->is_written || strcmp(folder, stream->path) != 0) {
        return atemi_recording_check_rows(recording, error);
    }
    if (!stream->error.status) {
        stream->is_written = !publish_stream(recording, stream, &stream->error);
        atemi_recording_stream_close(stream);
    }
    if (error && !stream->is_written) {
        *error = stream->error;
    }
    return stream->is_written ? ATEMI_OK : stream->error.status;
}

atemi_status atemi_recording_write(const atemi_recording *recording, const char *folder,
                                   atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && folder, ATEMI_ERROR_CONTRACT);
    if (recording->stream) {
        return end_stream(recording, folder, error);
    }
    atemi_recording_folder place;
    atemi_status           status = atemi_recording_folder_find(&place, folder, error);
    if (!status) {
        status = atemi_recording_folder_stage(&place, error);
    }
    if (!status) {
        status = write_and_publish(recording, folder, &place, error);
    }
    atemi_recording_folder_remove(&place);
    return status;
}
