// SPDX-License-Identifier: Apache-2.0

/// @file
/// Contracts: what a caller must guarantee. Breaking one is a bug in the calling program.
///
/// A broken contract is counted (atemi_contracts_broken()) and reported to the handler; when the
/// handler returns, the function returns at once, without result (functions with a status return
/// ATEMI_ERROR_CONTRACT). So a robot keeps its last command instead of running into undefined
/// behaviour. A job in which a contract breaks fails with ATEMI_ERROR_CONTRACT, whatever the
/// handler does.
///
/// Nothing of a broken contract is silent: debug builds (CMAKE_BUILD_TYPE=Debug, or sanitizers)
/// print it and abort by default. Other builds never print, exit or abort; there, install a handler
/// or a log hook, or ask for the count.

#pragma once

#include "atemi/api.h"

ATEMI_BEGIN

/// A broken contract: which expression was false, and where it stands.
typedef struct atemi_violation {
    const char *expression;
    const char *function;
    const char *file;
    int         line;
} atemi_violation;

typedef void (*atemi_contract_handler)(void *context, const atemi_violation *violation);

/// Installs the handler of broken contracts; NULL restores the default, which reports them to the
/// log hook (atemi/log.h) as errors and, in a debug build, then aborts. One for the whole process;
/// not to be called while other threads use the library.
ATEMI_API void atemi_set_contract_handler(atemi_contract_handler handler, void *context);

/// How many contracts have been broken on this thread so far, whatever the handler does.
/// @param last the last one of them, all zero where there is none; or NULL
ATEMI_API long atemi_contracts_broken(atemi_violation *last);

/// Counts a violation and reports it to the handler. For the macro below.
ATEMI_API void atemi_contract_broken(const char *expression, const char *function, const char *file,
                                     int line);

/// Returns from the enclosing function, which has no result, unless `condition` holds.
#define ATEMI_REQUIRE(condition)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            atemi_contract_broken(#condition, __func__, __FILE__, __LINE__);                       \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/// Returns `result` from the enclosing function unless `condition` holds.
#define ATEMI_REQUIRE_OR(condition, result)                                                        \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            atemi_contract_broken(#condition, __func__, __FILE__, __LINE__);                       \
            return result;                                                                         \
        }                                                                                          \
    } while (0)

ATEMI_END
