// SPDX-License-Identifier: Apache-2.0

/// @file
/// What was probably meant by a name that does not exist.

#pragma once

/// The name at an index of some collection.
typedef const char *(*atemi_suggestion_name)(const void *collection, int index);

/// The name closest to `word` among `count` names, or NULL if none is close.
const char *atemi_suggestion_find(const char *word, int count, atemi_suggestion_name name,
                                  const void *collection);

/// Three strings for the "%s%s%s" of a message: " (did you mean 'X'?)", or nothing for NULL.
#define ATEMI_SUGGESTION_TEXT(meant)                                                               \
    (meant) ? " (did you mean '" : "", (meant) ? (meant) : "", (meant) ? "'?)" : ""
