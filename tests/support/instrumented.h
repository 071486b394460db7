// SPDX-License-Identifier: Apache-2.0

/// @file
/// What watches the program while it runs: UNDER_SANITIZER and, of those, UNDER_THREAD_SANITIZER;
/// UNDER_VALGRIND, which tests/long/valgrind defines; UNDER_EMULATOR, which a build for another
/// processor defines. SLOWED is how many times longer a program may take than by itself.

#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#endif
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define UNDER_THREAD_SANITIZER 1
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(UNDER_THREAD_SANITIZER)
#define UNDER_SANITIZER 1
#endif

#if defined(UNDER_VALGRIND)
#define SLOWED 100.0
#elif defined(UNDER_EMULATOR)
#define SLOWED 30.0
#elif defined(UNDER_SANITIZER)
#define SLOWED 5.0
#else
#define SLOWED 1.0
#endif
