// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // renameat2
#endif

#include "atemi/base.h"
#include "io/bytes/file.h"
#include "io/recording/recording_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A recording is written into a new folder beside its target, and that takes the target's place in
// one step: by rename() where there is none or an empty one, by exchanging the names of the two
// where there is an older recording. The older one then has the temporary name; files that are not
// part of it move over, and it is removed. Where the file system cannot exchange names, the older
// folder is moved aside first: killed in between, the target is missing and the older recording
// stands beside it. Either way no folder ever holds files of two recordings, and what a killed
// writer has left is removed by the next one that publishes.

enum { MOST_TRIES = 100 };

bool atemi_recording_path(const char *folder, const char *name, char path[ATEMI_WHOLE_FILE_PATH])
{
    return snprintf(path, ATEMI_WHOLE_FILE_PATH, "%s/%s", folder, name) < ATEMI_WHOLE_FILE_PATH;
}

static atemi_status refuse(const char *path, const char *why, atemi_error *error)
{
    atemi_fail(error, ATEMI_ERROR_FILE, "%s", why);
    atemi_error_locate(error, path, 0, 0);
    return ATEMI_ERROR_FILE;
}

// ---- Looking at the target

static bool is_part(const char *name)
{
    for (int i = 0; i < ATEMI_RECORDING_FILE_COUNT; ++i) {
        if (strcmp(name, atemi_recording_files[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

// Another writer may exchange the folder while it is looked at, and empties the older one then.
static bool is_still(const char *path, const struct stat *about)
{
    struct stat now;
    return stat(path, &now) == 0 && now.st_dev == about->st_dev && now.st_ino == about->st_ino;
}

static bool has_no_entry(DIR *folder)
{
    const struct dirent *entry = readdir(folder);
    while (entry && is_dots(entry->d_name)) {
        entry = readdir(folder);
    }
    return !entry;
}

static bool is_empty(const char *path)
{
    for (int i = 0; i < MOST_TRIES; ++i) {
        struct stat about;
        DIR        *folder = opendir(path);
        if (!folder) {
            return false;
        }
        const int  opened = dirfd(folder);
        const bool is_known = opened >= 0 && fstat(opened, &about) == 0;
        const bool empty = has_no_entry(folder);
        closedir(folder);
        if (!empty || !is_known || is_still(path, &about)) {
            return empty;
        }
    }
    return false;
}

// `path` is the folder as its user names it.
static atemi_status check_is_recording(const char *target, const char *path, atemi_error *error)
{
    char   summary[ATEMI_WHOLE_FILE_PATH];
    char  *bytes = NULL;
    size_t size = 0;
    if (!atemi_recording_path(target, atemi_recording_files[ATEMI_RECORDING_SUMMARY], summary)) {
        return atemi_whole_file_fail(ENAMETOOLONG, path, error);
    }
    const bool ours = access(summary, F_OK) == 0 &&
                      !atemi_file_read(summary, ATEMI_RECORDING_MAX_SUMMARY, &bytes, &size, NULL) &&
                      atemi_recording_summary_is_one(bytes, size);
    atemi_release(bytes);
    return ours ? ATEMI_OK
                : refuse(path,
                         "this folder holds other files and no recording, so it is not "
                         "overwritten; give a "
                         "new or an empty folder",
                         error);
}

// A folder can be replaced if it is not where somebody stands or another disk begins.
static atemi_status check_is_replaceable(const char *path, const struct stat *about,
                                         const char *parent, atemi_error *error)
{
    struct stat here, above;
    if (stat(".", &here) == 0 && here.st_dev == about->st_dev && here.st_ino == about->st_ino) {
        return refuse(
            path, "this is the current folder, which cannot be replaced; give a folder inside it",
            error);
    }
    if (stat(parent, &above) == 0 && above.st_dev != about->st_dev) {
        return refuse(path,
                      "this is a mount point, which cannot be replaced; give a folder inside it",
                      error);
    }
    return ATEMI_OK;
}

static void cut_last_name(const char *path, char parent[ATEMI_WHOLE_FILE_PATH])
{
    const char  *slash = strrchr(path, '/');
    const size_t length = slash == path ? 1 : (size_t)(slash - path);
    memcpy(parent, path, length);
    parent[length] = '\0';
}

// The absolute path of what exists, into a buffer.
static int resolve(const char *path, char real[ATEMI_WHOLE_FILE_PATH])
{
    char *found = realpath(path, NULL);
    if (!found) {
        return errno;
    }
    const bool fits = strlen(found) < ATEMI_WHOLE_FILE_PATH;
    if (fits) {
        memcpy(real, found, strlen(found) + 1);
    }
    free(found);
    return fits ? 0 : ENAMETOOLONG;
}

// The absolute path of a folder that does not exist yet, in one that does.
static int resolve_new(const char *path, char real[ATEMI_WHOLE_FILE_PATH])
{
    char   copy[ATEMI_WHOLE_FILE_PATH];
    char   parent[ATEMI_WHOLE_FILE_PATH] = ".";
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        --length;
    }
    if (length == 0 || length >= sizeof copy) {
        return length ? ENAMETOOLONG : ENOENT;
    }
    memcpy(copy, path, length);
    copy[length] = '\0';

    const char *name = strrchr(copy, '/') ? strrchr(copy, '/') + 1 : copy;
    if (name != copy) {
        cut_last_name(copy, parent);
    }
    char      folder[ATEMI_WHOLE_FILE_PATH];
    const int code = resolve(parent, folder);
    if (code) {
        return code;
    }
    const char *start = strcmp(folder, "/") == 0 ? "" : folder;
    return atemi_recording_path(start, name, real) ? 0 : ENAMETOOLONG;
}

static atemi_status check_as_it_is(const char *target, const struct stat *about, const char *path,
                                   const char *parent, atemi_error *error)
{
    if (!S_ISDIR(about->st_mode)) {
        return refuse(path, "there is a file of this name; give the name of a folder", error);
    }
    const atemi_status status = check_is_replaceable(path, about, parent, error);
    return status || is_empty(target) ? status : check_is_recording(target, path, error);
}

static atemi_status check_existing(atemi_recording_folder *folder, const char *path,
                                   const char *parent, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < MOST_TRIES; ++i) {
        struct stat about;
        if (stat(folder->target, &about) != 0) {
            return atemi_whole_file_fail(errno, path, error);
        }
        status = check_as_it_is(folder->target, &about, path, parent, error);
        if (!status || is_still(folder->target, &about)) {
            break;
        }
    }
    return status;
}

atemi_status atemi_recording_folder_find(atemi_recording_folder *folder, const char *path,
                                         atemi_error *error)
{
    *folder = (atemi_recording_folder){0};
    int code = resolve(path, folder->target);
    folder->is_there = !code;
    if (code == ENOENT) {
        code = resolve_new(path, folder->target);
    }
    if (code) {
        return atemi_whole_file_fail(code, path, error);
    }
    if (strcmp(folder->target, "/") == 0) {
        return refuse(path, "this is not a place for a recording; give a folder inside it", error);
    }
    char parent[ATEMI_WHOLE_FILE_PATH];
    cut_last_name(folder->target, parent);
    const atemi_status status =
        folder->is_there ? check_existing(folder, path, parent, error) : ATEMI_OK;
    if (!status && access(parent, W_OK | X_OK) != 0) {
        return atemi_whole_file_fail(errno, parent, error);
    }
    return status;
}

// ---- Replacing it

// Makes a folder and locks it.
static int make_staging(atemi_recording_folder *folder)
{
    if (!atemi_temporary_name(folder->target, folder->staging)) {
        return ENAMETOOLONG;
    }
    if (mkdir(folder->staging, 0777) != 0) {
        return errno;
    }
    folder->descriptor = open(folder->staging, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->descriptor < 0) {
        return errno == ENOENT ? EEXIST : errno;
    }
    if (!atemi_temporary_claim(folder->descriptor, folder->staging)) {
        close(folder->descriptor);
        return EEXIST;
    }
    return 0;
}

atemi_status atemi_recording_folder_stage(atemi_recording_folder *folder, atemi_error *error)
{
    int code = EEXIST;
    for (int i = 0; i < MOST_TRIES && code == EEXIST; ++i) {
        code = make_staging(folder);
    }
    if (code) {
        folder->staging[0] = '\0';
        return atemi_whole_file_fail(code, folder->target, error);
    }
    return ATEMI_OK;
}

// Moves the older folder aside and the new one to its place; the older one gets the staging's name.
static int swap_in_steps(atemi_recording_folder *folder)
{
    char aside[ATEMI_WHOLE_FILE_PATH];
    if (!atemi_temporary_name(folder->target, aside)) {
        return ENAMETOOLONG;
    }
    if (rename(folder->target, aside) != 0) {
        return errno;
    }
    if (rename(folder->staging, folder->target) != 0) {
        const int code = errno;
        return rename(aside, folder->target) == 0 ? code : EIO;
    }
    memcpy(folder->staging, aside, sizeof aside);
    return 0;
}

static int swap(atemi_recording_folder *folder)
{
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, folder->staging, AT_FDCWD, folder->target, RENAME_EXCHANGE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return errno;
    }
#endif
    return swap_in_steps(folder);
}

static void move_over(const atemi_recording_folder *folder, const char *name)
{
    char from[ATEMI_WHOLE_FILE_PATH], to[ATEMI_WHOLE_FILE_PATH];
    if (!is_dots(name) && !is_part(name) && atemi_recording_path(folder->staging, name, from) &&
        atemi_recording_path(folder->target, name, to)) {
        (void)rename(from, to); // what does not move stays, and its folder with it
    }
}

// Files of other origin, from the older folder to the new one.
static void move_other_files(const atemi_recording_folder *folder)
{
    DIR *older = opendir(folder->staging);
    if (!older) {
        return;
    }
    for (const struct dirent *entry = readdir(older); entry; entry = readdir(older)) {
        move_over(folder, entry->d_name);
    }
    closedir(older);
}

static void sync_parent(const char *path)
{
    char parent[ATEMI_WHOLE_FILE_PATH];
    cut_last_name(path, parent);
    atemi_whole_file_sync_folder(parent);
}

static void forget(atemi_recording_folder *folder)
{
    close(folder->descriptor);
    folder->staging[0] = '\0';
}

// Removes the files of a recording, and the folder where nothing else is in it.
static int remove_parts(const char *folder)
{
    for (int i = 0; i < ATEMI_RECORDING_FILE_COUNT; ++i) {
        char path[ATEMI_WHOLE_FILE_PATH];
        if (atemi_recording_path(folder, atemi_recording_files[i], path)) {
            unlink(path);
            atemi_temporary_sweep(path, unlink);
        }
    }
    return rmdir(folder);
}

atemi_status atemi_recording_folder_publish(atemi_recording_folder *folder, atemi_error *error)
{
    atemi_whole_file_sync_folder(folder->staging);
    const bool replaces = folder->is_there && !is_empty(folder->target);
    const int  code = replaces                                       ? swap(folder)
                      : rename(folder->staging, folder->target) == 0 ? 0
                                                                     : errno;
    if (code == ENOTEMPTY || code == EEXIST) {
        return refuse(folder->target,
                      "the folder was filled in the meantime, so it is not overwritten", error);
    }
    if (code) {
        return atemi_whole_file_fail(code, folder->target, error);
    }
    sync_parent(folder->target);
    if (replaces) {
        move_other_files(folder);
        atemi_recording_folder_remove(folder);
    } else {
        forget(folder);
    }
    atemi_temporary_sweep(folder->target, remove_parts);
    return ATEMI_OK;
}

void atemi_recording_folder_remove(atemi_recording_folder *folder)
{
    if (!folder->staging[0]) {
        return;
    }
    if (remove_parts(folder->staging) != 0 && errno != ENOENT) {
        atemi_log(ATEMI_LOG_WARNING, "%s: the older folder still holds files, and stays",
                  folder->staging);
    }
    forget(folder);
}
