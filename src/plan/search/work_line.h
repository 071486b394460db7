// SPDX-License-Identifier: Apache-2.0

/// @file
/// Numbered pieces of work that several threads do at the same time, with an answer that does not
/// depend on how many: pieces begin in order and are taken over in order, and piece i begins with
/// what is known after piece i - WORK_LINE_LAG.

#pragma once

#include <stdbool.h>

/// How many pieces are under way at most, whatever the number of threads.
enum { WORK_LINE_LAG = 4 };

typedef struct work_line {
    /// Prepares a piece; only what was known after piece `index` - WORK_LINE_LAG may count, before
    /// any for the first ones. Never two at a time, nor together with take_over().
    /// @return false if there is no such piece: then it is over
    bool (*begin)(void *context, int index);
    /// Does it: in several threads at a time. Worker 0 is the thread that calls.
    void (*work)(void *context, int index, int worker);
    /// Takes over what came out.
    /// @return false if that is all; pieces under way are in vain then
    bool (*take_over)(void *context, int index);
    /// Called in the end, where pieces may be under way in vain: work() shall return.
    void (*hurry)(void *context);
    void *context;
} work_line;

/// Does all pieces.
/// @param threads at most; with fewer, or none that can be created, it only takes longer
void work_line_run(const work_line *line, int threads);
