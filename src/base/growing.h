// SPDX-License-Identifier: Apache-2.0

/// @file
/// Arrays that grow.

#pragma once

#include <stddef.h>

/// The capacity of an array that was empty.
enum { ATEMI_FIRST_CAPACITY = 16 };

/// Makes room for one element more behind `count`, by doubling.
/// @param capacity how many elements it can hold; 0 where `array` is NULL
/// @return the array, wherever it is now; NULL without memory, and then it is as it was
void *atemi_grown(void *array, size_t size, int count, int *capacity);
