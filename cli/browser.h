// SPDX-License-Identifier: Apache-2.0

/// @file
/// The user's browser.

#pragma once

#include <stdbool.h>

/// Whether there is a screen, and a program that opens pages on it.
bool browser_found(void);

/// Asks the browser to open the page. What it prints is discarded.
/// @return false where there is none
bool browser_open(const char *path);
