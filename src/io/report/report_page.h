// SPDX-License-Identifier: Apache-2.0

/// @file
/// The page of reports, which viewer/ makes and the build puts inside the library; or none.

#pragma once

#include "io/bytes/embedded.h"

extern const struct atemi_embedded_file atemi_embedded_viewer[];
extern const int                        atemi_embedded_viewer_count; ///< 0 or 1
