// SPDX-License-Identifier: Apache-2.0

/// @file
/// Contracts: what a caller must guarantee. Breaking one is a bug in the calling program.
///
/// A broken contract is reported to the handler; when the handler returns, the function returns
/// at once, without result (functions with a status return ATEMI_ERROR_CONTRACT). So a robot keeps
/// its last command instead of running into undefined behaviour, and a test can install a handler
/// that aborts. The library itself never prints, exits or aborts.

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
/// log hook (atemi/log.h) as errors. Not to be called while other threads use the library.
ATEMI_API void atemi_set_contract_handler(atemi_contract_handler handler, void *context);

/// Reports a violation to the handler. For the macro below.
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
