// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer simulate. Work on many items by several threads. The items decide what is computed, not
/// the threads: results have the same bits for any number of them.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>

ATEMI_BEGIN

/// Works on some items.
/// @param thread 0 to threads - 1: which workspace to use. Two calls at once have two of them
/// @param begin,end the items begin, ..., end - 1
/// @return false to take no more items on this thread
typedef bool (*atemi_parallel_work)(void *context, int thread, long begin, long end);

/// Works on the items 0 to count - 1, on so many threads at most, that of the caller among them.
/// Threads take blocks of items as they become free, in ascending order, so that every item before
/// one that was begun is worked on to its end. Returns when all threads have ended.
///
/// @param block   how many items to take at once; 0 for a number that keeps threads busy
/// @param threads 1 or more. If the system makes fewer, those do the work
/// @param work    must not touch what other items change
ATEMI_API void atemi_parallel_run(long count, long block, int threads, atemi_parallel_work work,
                                  void *context);

ATEMI_END
