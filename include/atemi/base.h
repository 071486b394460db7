// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer base. What every other header needs: the status and the error record of a call that can
/// fail, contracts between caller and library, and the hooks for messages and memory.

#pragma once

#include <stdarg.h>
#include <stddef.h>

#if defined(ATEMI_STATIC)
#define ATEMI_API
#elif defined(_WIN32)
#if defined(ATEMI_BUILDING)
#define ATEMI_API __declspec(dllexport)
#else
#define ATEMI_API __declspec(dllimport)
#endif
#else
#define ATEMI_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
#define ATEMI_BEGIN extern "C" {
#define ATEMI_END }
#else
#define ATEMI_BEGIN
#define ATEMI_END
#endif

/// Lets the compiler check the arguments of a printf-like function.
#if defined(__GNUC__)
#define ATEMI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ATEMI_PRINTF(text, first)
#endif

ATEMI_BEGIN

// ---- Errors -------------------------------------------------------------------------------------
//
// How a call that can fail says so: a status to branch on, and a record to show a person.
//
// The world's faults (a bad file, no memory, a singular system) come back this way. A caller's
// own bug is a broken contract. The library never prints and never exits.

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

// ---- Contracts ----------------------------------------------------------------------------------
//
// Contracts: what a caller must guarantee. Breaking one is a bug in the calling program.
//
// A broken contract is counted (atemi_contracts_broken()) and reported to the handler; when the
// handler returns, the function returns at once, without result (functions with a status return
// ATEMI_ERROR_CONTRACT). So a robot keeps its last command instead of running into undefined
// behaviour. A job in which a contract breaks fails with ATEMI_ERROR_CONTRACT, whatever the
// handler does.
//
// Nothing of a broken contract is silent: debug builds (CMAKE_BUILD_TYPE=Debug, or sanitizers)
// print it and abort by default. Other builds never print, exit or abort; there, install a handler
// or a log hook, or ask for the count.

/// A broken contract: which expression was false, and where it stands.
typedef struct atemi_violation {
    const char *expression;
    const char *function;
    const char *file;
    int         line;
} atemi_violation;

typedef void (*atemi_contract_handler)(void *context, const atemi_violation *violation);

/// Installs the handler of broken contracts; NULL restores the default, which reports them to the
/// log hook as errors and, in a debug build, then aborts. One for the whole process;
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

// ---- The log hook -------------------------------------------------------------------------------
//
// The log hook: where the library sends what it wants a person to know. Silent unless installed.

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

// ---- The allocator hook -------------------------------------------------------------------------
//
// The allocator hook. The library takes heap memory only where an object is made or filled, never
// in the real-time layers' computations, and through this hook; the parsers of YAML and JSON that
// it links have their own.

/// Memory functions with the contracts of malloc, realloc and free.
typedef struct atemi_allocator {
    void *(*allocate)(void *context, size_t size);
    void *(*resize)(void *context, void *block, size_t size);
    void (*release)(void *context, void *block);
    void *context;
} atemi_allocator;

/// Installs the allocator; NULL restores malloc, realloc and free. To be called before the library
/// holds any memory, and not while other threads use it.
ATEMI_API void atemi_set_allocator(const atemi_allocator *allocator);

/// malloc, realloc and free through the hook.
ATEMI_API void *atemi_allocate(size_t size);
ATEMI_API void *atemi_resize(void *block, size_t size);
ATEMI_API void  atemi_release(void *block);

// ---- The arena ----------------------------------------------------------------------------------
//
// The arena: memory that is laid out once and never grows.
//
// Every workspace of the library has one function `..._take(arena, model, ...)` that is the only
// description of its layout. Run on atemi_arena_measuring() it counts the bytes; run on real
// memory it places the arrays:
//
//     atemi_arena arena = atemi_arena_measuring();
//     atemi_data_take(&arena, model, NULL);
//     if (atemi_arena_create(&arena, arena.used, &error)) { ... }
//     data = atemi_data_take(&arena, model, NULL);
//
// or, with memory of the caller's own, `arena = atemi_arena_over(buffer, sizeof buffer)`.
// Several workspaces may share one arena.

enum { ATEMI_ARENA_ALIGNMENT = 64 };

/// Memory, and how much of it is taken.
typedef struct atemi_arena {
    unsigned char *memory;   ///< NULL while measuring
    size_t         capacity; ///< bytes of `memory`
    size_t         used;     ///< bytes taken or, while measuring, bytes needed
    void          *owned;    ///< block to release, or NULL
} atemi_arena;

/// An arena without memory that only counts.
ATEMI_API atemi_arena atemi_arena_measuring(void);

/// An arena over the caller's memory, of any alignment. What it holds lives as long as that does.
ATEMI_API atemi_arena atemi_arena_over(void *memory, size_t size);

/// Takes `size` bytes for a new arena from the allocator.
ATEMI_API atemi_status atemi_arena_create(atemi_arena *arena, size_t size, atemi_error *error);

/// Releases what atemi_arena_create() took. Harmless on any other arena and on a second call.
ATEMI_API void atemi_arena_destroy(atemi_arena *arena);

/// Takes `count` elements of `size` bytes, aligned to ATEMI_ARENA_ALIGNMENT and zeroed.
/// @return NULL while measuring; also NULL, with a broken contract, when the memory is used up
ATEMI_API void *atemi_arena_take(atemi_arena *arena, size_t size, size_t count);

/// Typed atemi_arena_take().
#define atemi_arena_array(arena, type, count)                                                      \
    ((type *)atemi_arena_take((arena), sizeof(type), (size_t)(count)))

ATEMI_END
