// SPDX-License-Identifier: Apache-2.0

/// @file
/// The log hook: where the library sends what it wants a person to know. Silent unless installed.

#pragma once

#include "atemi/api.h"

ATEMI_BEGIN

typedef enum atemi_log_level {
    ATEMI_LOG_ERROR,
    ATEMI_LOG_WARNING,
    ATEMI_LOG_INFO,
} atemi_log_level;

/// Receives one message without a trailing newline. Called on the thread that has something to
/// say. The real-time layers (base to control) call it in two cases only: while a model is built,
/// and where a contract is broken, unless atemi_set_contract_handler() has another handler.
typedef void (*atemi_log_hook)(void *context, atemi_log_level level, const char *message);

/// Installs the hook; NULL silences the library again. Not to be called while other threads use
/// the library.
ATEMI_API void atemi_set_log_hook(atemi_log_hook hook, void *context);

/// Sends a message to the hook, if there is one. Long messages end in "...".
ATEMI_API void atemi_log(atemi_log_level level, const char *format, ...) ATEMI_PRINTF(2, 3);

ATEMI_END
