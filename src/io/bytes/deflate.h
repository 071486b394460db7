// SPDX-License-Identifier: Apache-2.0

/// @file
/// Bytes made fewer: zlib's format (RFC 1950), which browsers can undo by themselves.

#pragma once

#include "atemi/base.h"

#include <stddef.h>

/// Packs up to 2 GiB.
/// @param packed the result, to be released with atemi_release(); NULL on failure
atemi_status atemi_deflate(const void *bytes, size_t size, unsigned char **packed,
                           size_t *packed_size, atemi_error *error);
