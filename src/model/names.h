// SPDX-License-Identifier: Apache-2.0

/// @file
/// Names: finding an index by its name, and keeping copies of names.

#pragma once

/// A name with its index.
typedef struct atemi_name {
    const char *text;
    int         index;
} atemi_name;

/// Sorts names, and finds one among sorted names: its index, or -1.
void atemi_names_sort(atemi_name *names, int count);
int  atemi_names_find(const atemi_name *names, int count, const char *text);

/// Strings that stay where they are until all are released.
typedef struct atemi_string_pool {
    struct atemi_string_chunk *newest;
} atemi_string_pool;

/// A copy of `text` in the pool; NULL without memory.
const char *atemi_string_pool_copy(atemi_string_pool *pool, const char *text);
void        atemi_string_pool_destroy(atemi_string_pool *pool);
