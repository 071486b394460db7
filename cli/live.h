// SPDX-License-Identifier: Apache-2.0

/// @file
/// A job that a page follows while it runs: `atemi view --live SCENARIO.yaml`.

#pragma once

#include <stdbool.h>

/// Runs a scenario, and serves its page to this machine alone: at an address that nobody can guess,
/// until the browser has the page of the ended job, nobody asks for it, or Ctrl-C.
/// @param folder where the recording is kept, or NULL
/// @return an exit code
int live_run(const char *scenario, const char *folder);
