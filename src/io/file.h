// SPDX-License-Identifier: Apache-2.0

/// @file
/// Whole files in memory.

#pragma once

#include "atemi/error.h"

#include <stddef.h>

/// Reads a file (or a pipe) of at most `limit` bytes. The error says what stands in the way and
/// names the file. Release `*bytes` with atemi_release(); it is NULL for an empty file.
atemi_status atemi_file_read(const char *path, size_t limit, char **bytes, size_t *size,
                             atemi_error *error);

/// The same of an open file, which `name` stands for in messages.
atemi_status atemi_file_read_open(int descriptor, const char *name, size_t limit, char **bytes,
                                  size_t *size, atemi_error *error);
