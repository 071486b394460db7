// SPDX-License-Identifier: Apache-2.0

/// @file
/// Files that appear whole or not at all.
///
/// The bytes go into a temporary file beside the target, which takes the target's name when all of
/// it is on the disk. Until then, and after any failure, what was there before is still there.
/// Whoever is killed leaves the temporary file, and the next one that finishes removes it
/// (temporary.h).

#pragma once

#include "atemi/base.h"
#include "io/bytes/temporary.h"

#include <stdbool.h>
#include <stddef.h>

/// Longer paths are refused.
enum { ATEMI_WHOLE_FILE_BUFFER = 1 << 18, ATEMI_WHOLE_FILE_PATH = ATEMI_TEMPORARY_PATH };

/// What to do where something that is no regular file has the name.
typedef enum atemi_whole_file_links {
    /// For a path that the user has given: links are followed and stay; what is no regular file in
    /// the end (a pipe, /dev/stdout) is written directly.
    ATEMI_LINKS_FOLLOWED,
    /// For a name that we have chosen, in a folder that may come from somebody else: a link or a
    /// pipe is replaced by the file, and what it leads to stays as it is. A device is an error.
    ATEMI_LINKS_REPLACED,
} atemi_whole_file_links;

/// A file being written. All zero is one that is not.
typedef struct atemi_whole_file {
    int    descriptor;
    bool   is_open;
    bool   is_direct;                        ///< no temporary file
    char   target[ATEMI_WHOLE_FILE_PATH];    ///< with symbolic links followed, if they are
    char   temporary[ATEMI_WHOLE_FILE_PATH]; ///< beside it
    char  *buffer;
    size_t used;   ///< bytes of the buffer
    size_t size;   ///< bytes written in all
    int    failed; ///< errno of the first failed write, or 0
} atemi_whole_file;

/// Begins a file. A file that is replaced keeps its access rights.
atemi_status atemi_whole_file_create(atemi_whole_file *file, const char *path,
                                     atemi_whole_file_links links, atemi_error *error);

/// Adds bytes. A failure is kept for atemi_whole_file_finish().
void atemi_whole_file_put(atemi_whole_file *file, const void *bytes, size_t size);

/// Room for `size` <= ATEMI_WHOLE_FILE_BUFFER bytes; what is written there counts once
/// atemi_whole_file_advance() says how much.
char *atemi_whole_file_reserve(atemi_whole_file *file, size_t size);
void  atemi_whole_file_advance(atemi_whole_file *file, size_t size);

/// Puts the file in its place and closes it. On failure nothing has changed.
atemi_status atemi_whole_file_finish(atemi_whole_file *file, atemi_error *error);

/// Forgets a file that is not finished; harmless on one that is.
void atemi_whole_file_destroy(atemi_whole_file *file);

/// All of the above in one call, by ATEMI_LINKS_REPLACED.
atemi_status atemi_whole_file_write(const char *path, const void *bytes, size_t size,
                                    atemi_error *error);

/// The error of a system call that has failed with `code` (errno) while writing `path`.
atemi_status atemi_whole_file_fail(int code, const char *path, atemi_error *error);

/// Waits until the names in a folder are on the disk.
void atemi_whole_file_sync_folder(const char *folder);
