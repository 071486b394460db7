// SPDX-License-Identifier: Apache-2.0

/// @file
/// A URDF file whose bytes somebody else has read.

#pragma once

#include "atemi/robots.h"

/// As atemi_urdf_load(), of the bytes that were read from `path`: messages name it, and meshes are
/// looked for from its folder.
atemi_status atemi_urdf_parse_of_file(const char *text, size_t size, const char *path,
                                      const atemi_urdf_options *options, atemi_model **model,
                                      atemi_error *error);
