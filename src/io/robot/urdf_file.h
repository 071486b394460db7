// SPDX-License-Identifier: Apache-2.0

/// @file
/// A URDF file whose bytes somebody else has read.

#pragma once

#include "atemi/robots.h"

/// As atemi_urdf_load(), of bytes that were read before.
/// @param name messages name this file
/// @param path meshes are looked for from the folder of this one; or NULL
atemi_status atemi_urdf_parse_of_file(const char *text, size_t size, const char *name,
                                      const char *path, const atemi_urdf_options *options,
                                      atemi_model **model, atemi_error *error);
