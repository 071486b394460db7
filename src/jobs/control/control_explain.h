// SPDX-License-Identifier: Apache-2.0

/// @file
/// What an explained control scenario says of the drives of its robot.

#pragma once

#include "io/bytes/text.h"
#include "io/scenario/scenario_reader.h"

/// The job's `annotate`: a table of the drives, as comments, and what of them is estimated.
atemi_status atemi_control_explain(atemi_scenario_reader *reader, const char *file,
                                   atemi_text *text, atemi_error *error);
