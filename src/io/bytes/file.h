// SPDX-License-Identifier: Apache-2.0

/// @file
/// Whole files in memory.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads a regular file of at most `limit` bytes. For files that other files name, and for those of
/// a recording's folder: a pipe, which could wait for ever, or a device is an error. The error says
/// what stands in the way and names the file. Release `*bytes` with atemi_release(); it is NULL for
/// an empty file.
atemi_status atemi_file_read(const char *path, size_t limit, char **bytes, size_t *size,
                             atemi_error *error);

/// The same of a file that the user has named himself, which may be a pipe or a device as well.
atemi_status atemi_file_read_given(const char *path, size_t limit, char **bytes, size_t *size,
                                   atemi_error *error);

/// The same of an open file of any kind, which `name` stands for in messages.
atemi_status atemi_file_read_open(int descriptor, const char *name, size_t limit, char **bytes,
                                  size_t *size, atemi_error *error);

/// Which file a path leads to, however it is spelled.
typedef struct atemi_file_identity {
    uint64_t device, number;
} atemi_file_identity;

/// @return false if there is no such file
bool atemi_file_identify(const char *path, atemi_file_identity *identity);
