// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // open, fstat, read
#endif

#include "atemi/base.h"
#include "io/bytes/file.h"
#include "io/recording/recording_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The summary first: it says what the other files must be. recording.csv is read through a window
// that always holds a whole line, so a large one needs no more memory than its numbers.

enum { LEAST_WINDOW = 1 << 20 };

static atemi_status no_recording(const char *folder, const char *why, atemi_error *error)
{
    atemi_fail(error, ATEMI_ERROR_FILE, "%s", why);
    atemi_error_locate(error, folder, 0, 0);
    return ATEMI_ERROR_FILE;
}

// Says what a path is that holds no recording.
static atemi_status check_folder(const char *folder, const char *summary, atemi_error *error)
{
    struct stat about;
    if (stat(folder, &about) != 0) {
        return no_recording(folder,
                            errno == EACCES ? "no permission to look at this folder"
                                            : "there is no such folder; check the path",
                            error);
    }
    if (!S_ISDIR(about.st_mode)) {
        return no_recording(folder, "this is not a folder; give the folder of the recording",
                            error);
    }
    if (stat(summary, &about) != 0 && errno == ENOENT) {
        return no_recording(folder, "this folder holds no recording: it has no summary.json",
                            error);
    }
    return ATEMI_OK;
}

static atemi_status check_size(const char *path, long long size, long long expected,
                               atemi_error *error)
{
    if (size == expected) {
        return ATEMI_OK;
    }
    if (size < expected) {
        atemi_fail(error, ATEMI_ERROR_SYNTAX,
                   "the recording is truncated: the file has %lld bytes of the %lld that "
                   "summary.json says",
                   size, expected);
    } else {
        atemi_fail(error, ATEMI_ERROR_SYNTAX,
                   "the file has %lld bytes, summary.json says %lld; the two files are from "
                   "different recordings, or were changed",
                   size, expected);
    }
    atemi_error_locate(error, path, 0, 0);
    return ATEMI_ERROR_SYNTAX;
}

// ---- recording.csv

static size_t window_size(const atemi_recording_csv *csv)
{
    const size_t row = (size_t)csv->recording->channel_count * (ATEMI_RECORDING_MAX_FIELD + 1) + 1;
    size_t       size = LEAST_WINDOW;
    size = row > size ? row : size;
    return csv->header.size > size ? csv->header.size : size;
}

static atemi_status cannot_read(const atemi_recording_csv *csv, atemi_error *error)
{
    atemi_fail(error, ATEMI_ERROR_FILE, "the system cannot read the file to its end");
    atemi_error_locate(error, csv->file, 0, 0);
    return ATEMI_ERROR_FILE;
}

static atemi_status line_too_long(const atemi_recording_csv *csv, atemi_error *error)
{
    atemi_fail(error, ATEMI_ERROR_SYNTAX, "the line is longer than any row of the recording");
    atemi_error_locate(error, csv->file, csv->line, 0);
    return ATEMI_ERROR_SYNTAX;
}

static atemi_status read_through(int descriptor, atemi_recording_csv *csv, char *window,
                                 size_t capacity, atemi_error *error)
{
    size_t kept = 0;
    for (;;) {
        if (kept == capacity) {
            return line_too_long(csv, error);
        }
        const ssize_t count = read(descriptor, window + kept, capacity - kept);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return cannot_read(csv, error);
        }
        if (count == 0) {
            return atemi_recording_csv_end(csv, kept, error);
        }
        kept += (size_t)count;
        size_t             used;
        const atemi_status status = atemi_recording_csv_read(csv, window, kept, &used, error);
        if (status) {
            return status;
        }
        kept -= used;
        memmove(window, window + used, kept);
    }
}

static atemi_status read_csv(int descriptor, atemi_recording_csv *csv, long long expected,
                             atemi_error *error)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        return no_recording(csv->file, "this is not a regular file", error);
    }
    atemi_status status = check_size(csv->file, (long long)about.st_size, expected, error);
    if (!status) {
        status = atemi_recording_csv_begin(csv, (long long)about.st_size, error);
    }
    if (status) {
        return status;
    }
    const size_t capacity = window_size(csv);
    char        *window = (char *)atemi_allocate(capacity);
    if (!window) {
        return atemi_recording_no_memory(error);
    }
    status = read_through(descriptor, csv, window, capacity, error);
    atemi_release(window);
    return status;
}

static atemi_status open_csv(atemi_recording_csv *csv, long long expected, atemi_error *error)
{
    // Without waiting for the writer of a pipe.
    const int descriptor = open(csv->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return no_recording(csv->file,
                            errno == ENOENT
                                ? "the recording is incomplete: this file is missing"
                                : "the system cannot open the file; check its access rights",
                            error);
    }
    const atemi_status status = read_csv(descriptor, csv, expected, error);
    close(descriptor);
    return status;
}

static atemi_status load_csv(const char *folder, int rows, long long expected,
                             atemi_recording *recording, atemi_error *error)
{
    char path[ATEMI_WHOLE_FILE_PATH];
    if (!atemi_recording_path(folder, atemi_recording_files[ATEMI_RECORDING_CSV], path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    atemi_recording_csv csv = {.recording = recording, .rows = rows, .file = path};
    const atemi_status  status = open_csv(&csv, expected, error);
    atemi_text_destroy(&csv.header);
    return status;
}

// ---- The other files

static atemi_status load_text(const char *folder, const char *name, size_t limit,
                              long long expected, atemi_text *text, atemi_error *error)
{
    char path[ATEMI_WHOLE_FILE_PATH];
    if (expected < 0) {
        return ATEMI_OK;
    }
    if (!atemi_recording_path(folder, name, path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    char        *bytes;
    size_t       size;
    atemi_status status = atemi_file_read(path, limit, &bytes, &size, error);
    if (!status) {
        status = check_size(path, (long long)size, expected, error);
    }
    if (!status) {
        atemi_text_put(text, bytes, size);
        status = text->failed ? atemi_recording_no_memory(error) : ATEMI_OK;
    }
    atemi_release(bytes);
    return status;
}

static atemi_status load_files(const char *folder, int rows, const atemi_recording_sizes *sizes,
                               atemi_recording *recording, atemi_error *error)
{
    atemi_status status =
        load_text(folder, atemi_recording_files[ATEMI_RECORDING_URDF], ATEMI_RECORDING_MAX_URDF,
                  sizes->bytes[ATEMI_RECORDING_URDF], &recording->urdf, error);
    if (!status) {
        status = load_text(folder, atemi_recording_files[ATEMI_RECORDING_SCENARIO],
                           ATEMI_RECORDING_MAX_SCENARIO, sizes->bytes[ATEMI_RECORDING_SCENARIO],
                           &recording->scenario, error);
    }
    if (!status) {
        status = load_csv(folder, rows, sizes->bytes[ATEMI_RECORDING_CSV], recording, error);
    }
    return status;
}

static atemi_status load_summary(const char *folder, atemi_recording **recording, int *rows,
                                 atemi_recording_sizes *sizes, atemi_error *error)
{
    char path[ATEMI_WHOLE_FILE_PATH];
    if (!atemi_recording_path(folder, atemi_recording_files[ATEMI_RECORDING_SUMMARY], path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    char        *bytes = NULL;
    size_t       size = 0;
    atemi_status status = check_folder(folder, path, error);
    if (!status) {
        status = atemi_file_read(path, ATEMI_RECORDING_MAX_SUMMARY, &bytes, &size, error);
    }
    if (!status) {
        status = atemi_recording_summary_parse(bytes, size, path, recording, rows, sizes, error);
    }
    atemi_release(bytes);
    return status;
}

atemi_status atemi_recording_load(const char *folder, atemi_recording **recording,
                                  atemi_error *error)
{
    ATEMI_REQUIRE_OR(folder && recording, ATEMI_ERROR_CONTRACT);
    int                   rows = 0;
    atemi_recording_sizes sizes = {{0}};
    *recording = NULL;
    atemi_status status = load_summary(folder, recording, &rows, &sizes, error);
    if (*recording) {
        status = load_files(folder, rows, &sizes, *recording, error);
    }
    if (status) {
        atemi_recording_destroy(*recording);
        *recording = NULL;
    }
    return status;
}
