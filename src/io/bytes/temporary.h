// SPDX-License-Identifier: Apache-2.0

/// @file
/// Temporary names: what a file or folder is called until it is whole, and what is left where its
/// writer was killed.
///
/// A writer holds a lock (flock) on what it writes under such a name. The system takes the lock
/// back when the writer ends, in whichever way: what has a temporary name and no lock is a
/// leftover. Where a file system has no locks, nothing counts as one. The last letters of the name
/// are a checksum of the others: a file or folder that a user has called alike is not taken for
/// one.

#pragma once

#include <stdbool.h>

enum { ATEMI_TEMPORARY_PATH = 4096 };

/// A name beside `path` that most probably does not exist: `path`.tmp- and sixteen letters.
/// @return false if it is too long
bool atemi_temporary_name(const char *path, char name[ATEMI_TEMPORARY_PATH]);

/// Locks what was just made, and is open, under a temporary name; the lock goes with the
/// descriptor.
/// @return false if somebody took it for a leftover before: make another one
bool atemi_temporary_claim(int descriptor, const char *name);

/// Removes the leftovers of writers of `path`, each by `remove`, which leaves what is not its kind.
void atemi_temporary_sweep(const char *path, int (*remove)(const char *name));
