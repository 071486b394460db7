// SPDX-License-Identifier: Apache-2.0

/// @file
/// Bytes as letters: base64 (RFC 4648, section 4).

#pragma once

#include "io/bytes/whole_file.h"

/// Writes bytes to a file as base64, with padding and without line breaks.
void atemi_base64_write(const unsigned char *bytes, size_t size, atemi_whole_file *file);
