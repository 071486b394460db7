// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // open, fsync, fchmod
#endif
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // realpath
#endif

#include "io/bytes/whole_file.h"

#include "atemi/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TRIES = 100 };

static const char *failure_text(int code)
{
    switch (code) {
    case ENOSPC:
    case EDQUOT:
        return "the disk is full; free some space, or write elsewhere";
    case EROFS:
        return "the disk is read-only; write elsewhere";
    case EACCES:
    case EPERM:
        return "no permission to write here; check the access rights of the folder";
    case ENOENT:
        return "its parent folder does not exist; create it first, or check the path";
    case ENOTDIR:
        return "a part of the path before the last is not a folder; check the path";
    case ENODEV:
        return "there is a device of this name; give another name";
    case EISDIR:
        return "there is a folder of this name; give another name";
    case ENAMETOOLONG:
        return "the path is longer than the system allows; give a shorter one";
    case ELOOP:
        return "the path runs in a circle of symbolic links; check the links";
    case EFBIG:
        return "the file is larger than the system allows here; write elsewhere";
    case EBUSY:
    case EXDEV:
        return "this is in use by the system (a mount point?); write elsewhere, or into a folder "
               "inside it";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    default:
        return NULL;
    }
}

atemi_status atemi_whole_file_fail(int code, const char *path, atemi_error *error)
{
    const char *text = failure_text(code);
    if (text) {
        atemi_fail(error, ATEMI_ERROR_FILE, "%s", text);
    } else {
        atemi_fail(error, ATEMI_ERROR_FILE, "the system cannot write this (error %d)", code);
    }
    atemi_error_locate(error, path, 0, 0);
    return ATEMI_ERROR_FILE;
}

void atemi_whole_file_sync_folder(const char *folder)
{
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

// Where the bytes go in the end.
static void follow_links(atemi_whole_file *file, const char *path)
{
    char *real = realpath(path, NULL);
    if (real && strlen(real) < sizeof file->target) {
        memcpy(file->target, real, strlen(real) + 1);
    }
    free(real);
}

static int find_target(atemi_whole_file *file, const char *path, atemi_whole_file_links links,
                       mode_t *rights)
{
    const bool  follows = links == ATEMI_LINKS_FOLLOWED;
    struct stat about;
    if (strlen(path) >= sizeof file->target) {
        return ENAMETOOLONG;
    }
    memcpy(file->target, path, strlen(path) + 1);
    if ((follows ? stat(path, &about) : lstat(path, &about)) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    if (S_ISDIR(about.st_mode)) {
        return EISDIR;
    }
    if (!follows && (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))) {
        return ENODEV; // a folder like /dev: nothing there is ours to replace
    }
    const bool is_regular = S_ISREG(about.st_mode);
    file->is_direct = follows && !is_regular;
    *rights = is_regular ? about.st_mode & 0777U : 0;
    if (follows && is_regular) {
        follow_links(file, path);
    }
    return 0;
}

// A new file of that name that is locked, or -1 with errno.
static int make_temporary(const char *name)
{
    const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 || atemi_temporary_claim(descriptor, name)) {
        return descriptor;
    }
    close(descriptor);
    errno = EEXIST;
    return -1;
}

static int open_temporary(atemi_whole_file *file, mode_t rights)
{
    for (int i = 0; i < MAX_TRIES; ++i) {
        if (!atemi_temporary_name(file->target, file->temporary)) {
            return ENAMETOOLONG;
        }
        file->descriptor = make_temporary(file->temporary);
        if (file->descriptor >= 0) {
            file->is_open = true;
            // Rights that cannot be kept are no reason to lose the file.
            (void)(rights && fchmod(file->descriptor, rights));
            return 0;
        }
        file->temporary[0] = '\0';
        if (errno != EEXIST) {
            return errno;
        }
    }
    return EEXIST;
}

static int open_directly(atemi_whole_file *file)
{
    file->descriptor = open(file->target, O_WRONLY | O_CLOEXEC);
    file->is_open = file->descriptor >= 0;
    return file->is_open ? 0 : errno;
}

atemi_status atemi_whole_file_create(atemi_whole_file *file, const char *path,
                                     atemi_whole_file_links links, atemi_error *error)
{
    *file = (atemi_whole_file){.descriptor = -1};
    file->buffer = (char *)atemi_allocate(ATEMI_WHOLE_FILE_BUFFER);
    if (!file->buffer) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to write a file");
    }
    mode_t rights = 0;
    int    code = find_target(file, path, links, &rights);
    if (!code) {
        code = file->is_direct ? open_directly(file) : open_temporary(file, rights);
    }
    if (code) {
        atemi_whole_file_destroy(file);
        return atemi_whole_file_fail(code, path, error);
    }
    return ATEMI_OK;
}

static void write_all(atemi_whole_file *file, const char *bytes, size_t size)
{
    while (size > 0 && !file->failed) {
        const ssize_t count = write(file->descriptor, bytes, size);
        if (count > 0) {
            bytes += count;
            size -= (size_t)count;
        } else if (count < 0 && errno != EINTR) {
            file->failed = errno;
        }
    }
}

static void flush(atemi_whole_file *file)
{
    write_all(file, file->buffer, file->used);
    file->used = 0;
}

char *atemi_whole_file_reserve(atemi_whole_file *file, size_t size)
{
    if (ATEMI_WHOLE_FILE_BUFFER - file->used < size) {
        flush(file);
    }
    return file->buffer + file->used;
}

void atemi_whole_file_advance(atemi_whole_file *file, size_t size)
{
    file->used += size;
    file->size += size;
}

void atemi_whole_file_put(atemi_whole_file *file, const void *bytes, size_t size)
{
    if (size > ATEMI_WHOLE_FILE_BUFFER) {
        flush(file);
        write_all(file, (const char *)bytes, size);
        file->size += size;
    } else if (size > 0) {
        memcpy(atemi_whole_file_reserve(file, size), bytes, size);
        atemi_whole_file_advance(file, size);
    }
}

static void sync_folder_of(const char *path)
{
    char        folder[ATEMI_WHOLE_FILE_PATH] = ".";
    const char *slash = strrchr(path, '/');
    if (slash) {
        const size_t length = slash == path ? 1 : (size_t)(slash - path);
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    atemi_whole_file_sync_folder(folder);
}

// Everything that can fail, in the order in which it can.
static int put_in_place(atemi_whole_file *file)
{
    if (!file->is_open) {
        return EBADF;
    }
    flush(file);
    if (!file->failed && !file->is_direct && fsync(file->descriptor) != 0) {
        file->failed = errno;
    }
    file->is_open = false;
    if (close(file->descriptor) != 0 && !file->failed && errno != EINTR) {
        file->failed = errno;
    }
    if (!file->failed && !file->is_direct && rename(file->temporary, file->target) != 0) {
        file->failed = errno;
    }
    return file->failed;
}

atemi_status atemi_whole_file_finish(atemi_whole_file *file, atemi_error *error)
{
    const int code = put_in_place(file);
    if (code) {
        atemi_whole_file_fail(code, file->target, error);
    } else if (!file->is_direct) {
        sync_folder_of(file->target);
        atemi_temporary_sweep(file->target, unlink);
        file->temporary[0] = '\0';
    }
    atemi_whole_file_destroy(file);
    return code ? ATEMI_ERROR_FILE : ATEMI_OK;
}

void atemi_whole_file_destroy(atemi_whole_file *file)
{
    if (file->is_open) {
        close(file->descriptor);
    }
    if (file->temporary[0]) {
        unlink(file->temporary);
    }
    atemi_release(file->buffer);
    *file = (atemi_whole_file){.descriptor = -1};
}

atemi_status atemi_whole_file_write(const char *path, const void *bytes, size_t size,
                                    atemi_error *error)
{
    atemi_whole_file file;
    atemi_status     status = atemi_whole_file_create(&file, path, ATEMI_LINKS_REPLACED, error);
    if (!status) {
        atemi_whole_file_put(&file, bytes, size);
        status = atemi_whole_file_finish(&file, error);
    }
    return status;
}
