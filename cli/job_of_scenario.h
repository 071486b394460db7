// SPDX-License-Identifier: Apache-2.0

/// @file
/// Which job a scenario is for.

#pragma once

/// The name of a subcommand that takes the scenario of this file as it is: `preferred`, where that
/// one does; NULL where none does, or it is no file that can be read again.
/// @param preferred or NULL
const char *job_of_scenario(const char *path, const char *preferred);
