// SPDX-License-Identifier: Apache-2.0

/// @file
/// What marks a symbol as part of the library's interface, in C and in C++.

#pragma once

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
