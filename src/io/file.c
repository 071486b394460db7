// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // open, fstat, read
#endif

#include "io/file.h"

#include "atemi/allocator.h"

#include <errno.h>
#include <fcntl.h>
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
                      "the file is larger than %zu MiB, the most that is read; check that it is "
                      "the right one",
                      limit >> 20);
}

static atemi_status check_kind(int descriptor, loaded *content, atemi_error *error)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) {
        return atemi_fail(error, ATEMI_ERROR_FILE, "%s", open_failure_text(errno));
    }
    if (S_ISDIR(about.st_mode)) {
        return atemi_fail(error, ATEMI_ERROR_FILE,
                          "this is a folder; give the path of a file inside it");
    }
    if (S_ISREG(about.st_mode) && about.st_size > (off_t)content->limit) {
        return too_large(content->limit, error);
    }
    content->capacity = S_ISREG(about.st_mode) ? (size_t)about.st_size + 1 : FIRST_CAPACITY;
    return ATEMI_OK;
}

static atemi_status make_room(loaded *content, atemi_error *error)
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
        const atemi_status status = make_room(content, error);
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

atemi_status atemi_file_read_open(int descriptor, const char *name, size_t limit, char **bytes,
                                  size_t *size, atemi_error *error)
{
    loaded       content = {.limit = limit};
    atemi_status status = check_kind(descriptor, &content, error);
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

atemi_status atemi_file_read(const char *path, size_t limit, char **bytes, size_t *size,
                             atemi_error *error)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    *bytes = NULL;
    *size = 0;
    if (descriptor < 0) {
        const atemi_status status =
            atemi_fail(error, ATEMI_ERROR_FILE, "%s", open_failure_text(errno));
        atemi_error_locate(error, path, 0, 0);
        return status;
    }
    const atemi_status status = atemi_file_read_open(descriptor, path, limit, bytes, size, error);
    close(descriptor);
    return status;
}
