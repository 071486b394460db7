// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/recording/recording_parts.h"

// Rows on their way to the disk. recording.csv is its header and one line a row, so that every row
// can be written when it comes: into the folder that atemi_recording_write() publishes, under the
// temporary names of one that is not whole yet. What cannot be written ends the stream, not the
// job, whose results are worth having: a warning says so, the folder is removed at once, since its
// rows are lost, and the error is kept for atemi_recording_write().

void atemi_recording_stream_close(atemi_recording_stream *stream)
{
    atemi_whole_file_destroy(&stream->file);
    atemi_recording_folder_remove(&stream->place);
}

void atemi_recording_stream_destroy(atemi_recording_stream *stream)
{
    if (stream) {
        atemi_recording_stream_close(stream);
        atemi_release(stream);
    }
}

void atemi_recording_stream_append(atemi_recording_stream *stream, int count, const double *row)
{
    for (int i = 0; i < count; ++i) {
        stream->last[i] = atemi_recording_number(row[i]);
    }
    if (stream->error.status) {
        return;
    }
    atemi_recording_put_row(count, stream->last, &stream->file);
    if (stream->file.failed) {
        (void)atemi_whole_file_fail(stream->file.failed, stream->path, &stream->error);
        atemi_log(ATEMI_LOG_WARNING,
                  "%s: %s; the recording is lost, and the job continues without it", stream->path,
                  stream->error.message);
        atemi_recording_stream_close(stream);
    }
}

static atemi_status open_folder(const atemi_recording *recording, atemi_recording_stream *stream,
                                atemi_error *error)
{
    atemi_status status = atemi_recording_folder_find(&stream->place, stream->path, error);
    if (!status) {
        status = atemi_recording_folder_stage(&stream->place, error);
    }
    if (!status) {
        status = atemi_recording_begin_csv(recording, stream->place.staging, &stream->file, error);
        if (status) {
            atemi_error_locate(error, stream->path, 0, 0);
        }
    }
    return status;
}

atemi_status atemi_recording_stream_to(atemi_recording *recording, const char *folder,
                                       atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && folder, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(!recording->stream && recording->row_count == 0, ATEMI_ERROR_CONTRACT);
    const size_t            last = (size_t)recording->channel_count * sizeof(double);
    bool                    failed = false;
    const char             *path = atemi_recording_keep(recording, folder, &failed);
    atemi_recording_stream *stream =
        (atemi_recording_stream *)atemi_recording_allocate(1, sizeof *stream + last);
    if (!stream || failed) {
        atemi_release(stream);
        return atemi_recording_no_memory(error);
    }
    stream->path = path;
    const atemi_status status = open_folder(recording, stream, error);
    if (status) {
        atemi_recording_stream_destroy(stream);
        return status;
    }
    recording->stream = stream;
    return ATEMI_OK;
}

atemi_status atemi_recording_check_rows(const atemi_recording *recording, atemi_error *error)
{
    return recording->stream ? atemi_fail(error, ATEMI_ERROR_INPUT,
                                          "the rows of the recording are not in memory: they were "
                                          "written to '%s'; load it from there",
                                          recording->stream->path)
                             : ATEMI_OK;
}
