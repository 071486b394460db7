// SPDX-License-Identifier: Apache-2.0

/// @file
/// Folders and small files for tests that write some, by means that no code under test uses.

#pragma once

/// A new folder that is nobody else's.
typedef struct folder {
    char path[64];
} folder;

folder folder_create(void);

/// Removes a folder with all that is in it.
void folder_remove(const char *path);

/// A path inside, valid to the end of the test program.
const char *folder_path(const char *path, const char *name);

/// The number of entries.
int folder_count(const char *path);

/// Writes a file.
void folder_put(const char *path, const char *text);

/// The first 64 KiB of a file, valid until the next call; NULL where there is none.
const char *folder_get(const char *path);
