// SPDX-License-Identifier: Apache-2.0

/// @file
/// How a call that can fail says so: a status to branch on, and a record to show a person.
///
/// The world's faults (a bad file, no memory, a singular system) come back this way. A caller's
/// own bug is a broken contract, see atemi/contract.h. The library never prints and never exits.

#pragma once

#include "atemi/api.h"

#include <stdarg.h>

ATEMI_BEGIN

typedef enum atemi_status {
    ATEMI_OK = 0,
    ATEMI_ERROR_CONTRACT,  ///< the caller broke the contract of the function
    ATEMI_ERROR_MEMORY,    ///< an allocation failed
    ATEMI_ERROR_FILE,      ///< a file cannot be found, read or written
    ATEMI_ERROR_SYNTAX,    ///< the bytes are not in the format they claim to be in
    ATEMI_ERROR_INPUT,     ///< well-formed, but says something impossible or contradictory
    ATEMI_ERROR_LIMIT,     ///< larger than what this library is willing to handle
    ATEMI_ERROR_NOT_FOUND, ///< no such name
    ATEMI_ERROR_SINGULAR,  ///< a system of equations has no unique solution
} atemi_status;

/// Longer texts are cut.
enum { ATEMI_ERROR_FILE_SIZE = 512, ATEMI_ERROR_MESSAGE_SIZE = 1024 };

/// What went wrong and where. Plain data: copy it, compare it, forget it.
typedef struct atemi_error {
    atemi_status status;
    int          line;                              ///< 1-based, 0 where there is none
    int          column;                            ///< 1-based, 0 where there is none
    char         file[ATEMI_ERROR_FILE_SIZE];       ///< empty where there is none
    char         message[ATEMI_ERROR_MESSAGE_SIZE]; ///< one sentence: the cause and the remedy
} atemi_error;

/// The name of a status, e.g. "bad input". Never NULL.
ATEMI_API const char *atemi_status_text(atemi_status status);

/// Fills `error` (which may be NULL) and returns `status`, so that a failing function can say
/// `return atemi_fail(error, ATEMI_ERROR_INPUT, "mass of %s is negative", name);`.
/// File, line and column become empty; a message that is too long ends in "...".
ATEMI_API atemi_status atemi_fail(atemi_error *error, atemi_status status, const char *format, ...)
    ATEMI_PRINTF(3, 4);

/// Same as atemi_fail() with a va_list.
ATEMI_API atemi_status atemi_fail_list(atemi_error *error, atemi_status status, const char *format,
                                       va_list arguments) ATEMI_PRINTF(3, 0);

/// Adds the place to an error that is already filled. A long path keeps its end. `error` may be
/// NULL, `file` may be NULL (then only line and column are set).
ATEMI_API void atemi_error_locate(atemi_error *error, const char *file, int line, int column);

/// Writes "file:line:column: message" (whatever parts there are) into `text`.
/// @return the length of the whole text, as snprintf does
ATEMI_API int atemi_error_format(const atemi_error *error, char *text, int size);

ATEMI_END
