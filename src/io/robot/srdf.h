// SPDX-License-Identifier: Apache-2.0

/// @file
/// SRDF, which says about a robot what its URDF cannot: named postures, and pairs of links that do
/// not count as touching. The bytes are not trusted.

#pragma once

#include "io/robot/urdf_document.h"

/// Reads a file and adds its postures and pairs to the document of its robot. Joints and links that
/// the robot does not have are left out with a warning.
/// @param coupled mimic joints have no coordinate, and so no value in postures
atemi_status atemi_srdf_load(const char *path, bool coupled, atemi_urdf_document *document,
                             atemi_error *error);

/// The same from memory; `name` is what errors and warnings name.
atemi_status atemi_srdf_parse(const char *text, size_t size, const char *name, bool coupled,
                              atemi_urdf_document *document, atemi_error *error);
