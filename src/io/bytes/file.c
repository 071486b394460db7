// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // open, fstat, read
#endif

#include "io/bytes/file.h"

#include "atemi/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 65536 };

// The bytes read so far. One byte of `capacity` beyond the limit tells "full" from "too large".
typedef struct loaded {
    char  *bytes;
    size_t size;
    size_t capacity;
    size_t limit;
} loaded;

static const char *open_failure_text(int code)
{
    switch (code) {
    case ENOENT:
        return "there is no such file; check the path and the current folder";
    case ENOTDIR:
        return "a part of the path before the last is not a folder; check the path";
    case EACCES:
    case EPERM:
        return "no permission to read the file; check its access rights";
    case ENAMETOOLONG:
        return "the path is longer than the system allows; check the path";
    case ELOOP:
        return "the path runs in a circle of symbolic links; check the links";
    default:
        return "the system cannot open the file; check that it exists and can be read";
    }
}

static atemi_status too_large(size_t limit, atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_LIMIT,
                      "the file is larger than %zu MiB, the limit; check that it is "
                      "the right one",
                      limit >> 20);
}

static atemi_status check_kind(int descriptor, bool regular_only, loaded *content,
                               atemi_error *error)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) {
        return atemi_fail(error, ATEMI_ERROR_FILE, "%s", open_failure_text(errno));
    }
    if (S_ISDIR(about.st_mode)) {
        return atemi_fail(error, ATEMI_ERROR_FILE,
                          "this is a folder; give the path of a file inside it");
    }
    if (regular_only && !S_ISREG(about.st_mode)) {
        return atemi_fail(error, ATEMI_ERROR_FILE,
                          "this is a pipe, a socket or a device; a regular file is needed here");
    }
    if (S_ISREG(about.st_mode) && about.st_size > (off_t)content->limit) {
        return too_large(content->limit, error);
    }
    content->capacity = S_ISREG(about.st_mode) ? (size_t)about.st_size + 1 : FIRST_CAPACITY;
    return ATEMI_OK;
}

static atemi_status reserve(loaded *content, atemi_error *error)
{
    if (content->bytes && content->size < content->capacity) {
        return ATEMI_OK;
    }
    if (content->bytes) {
        content->capacity *= 2;
    }
    if (content->capacity > content->limit + 1) {
        content->capacity = content->limit + 1;
    }
    char *bytes = (char *)atemi_resize(content->bytes, content->capacity);
    if (!bytes) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to read the file");
    }
    content->bytes = bytes;
    return ATEMI_OK;
}

static atemi_status read_all(int descriptor, loaded *content, atemi_error *error)
{
    for (;;) {
        const atemi_status status = reserve(content, error);
        if (status) {
            return status;
        }
        const ssize_t count =
            read(descriptor, content->bytes + content->size, content->capacity - content->size);
        if (count == 0) {
            return ATEMI_OK;
        }
        if (count < 0 && errno != EINTR) {
            return atemi_fail(error, ATEMI_ERROR_FILE,
                              "the system cannot read the file to its end");
        }
        content->size += count > 0 ? (size_t)count : 0;
        if (content->size > content->limit) {
            return too_large(content->limit, error);
        }
    }
}

static atemi_status read_open(int descriptor, const char *name, size_t limit, bool regular_only,
                              char **bytes, size_t *size, atemi_error *error)
{
    loaded       content = {.limit = limit};
    atemi_status status = check_kind(descriptor, regular_only, &content, error);
    if (!status) {
        status = read_all(descriptor, &content, error);
    }
    if (status || content.size == 0) {
        atemi_release(content.bytes);
        content = (loaded){0};
    }
    if (status) {
        atemi_error_locate(error, name, 0, 0);
    }
    *bytes = content.bytes;
    *size = content.size;
    return status;
}

// Without O_NONBLOCK, opening a pipe waits for its writer; regular files do not know the flag.
static atemi_status read_path(const char *path, size_t limit, bool regular_only, char **bytes,
                              size_t *size, atemi_error *error)
{
    const int descriptor =
        open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (regular_only ? O_NONBLOCK : 0));
    *bytes = NULL;
    *size = 0;
    if (descriptor < 0) {
        const atemi_status status =
            atemi_fail(error, ATEMI_ERROR_FILE, "%s", open_failure_text(errno));
        atemi_error_locate(error, path, 0, 0);
        return status;
    }
    const atemi_status status =
        read_open(descriptor, path, limit, regular_only, bytes, size, error);
    close(descriptor);
    return status;
}

atemi_status atemi_file_read_open(int descriptor, const char *name, size_t limit, char **bytes,
                                  size_t *size, atemi_error *error)
{
    return read_open(descriptor, name, limit, false, bytes, size, error);
}

atemi_status atemi_file_read(const char *path, size_t limit, char **bytes, size_t *size,
                             atemi_error *error)
{
    return read_path(path, limit, true, bytes, size, error);
}

atemi_status atemi_file_read_given(const char *path, size_t limit, char **bytes, size_t *size,
                                   atemi_error *error)
{
    return read_path(path, limit, false, bytes, size, error);
}

bool atemi_file_identify(const char *path, atemi_file_identity *identity)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return false;
    }
    *identity = (atemi_file_identity){(uint64_t)about.st_dev, (uint64_t)about.st_ino};
    return true;
}
