// SPDX-License-Identifier: Apache-2.0

/// @file
/// Watches what a real-time function asks of the kernel.

#pragma once

/// Fails the test if `run` calls the system. Finds nothing where that cannot be told: elsewhere
/// than on Linux, on a kernel without seccomp, under valgrind, which calls the system by itself,
/// and under ThreadSanitizer, whose own thread lives on.
void check_no_system_calls(void (*run)(void *context), void *context);
