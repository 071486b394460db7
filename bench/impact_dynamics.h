// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a contender of the blow's benchmark is: the dynamics of a robot with both feet held fixed,
/// for a loop that calls it again and again. Loaded as the contenders of bench.h are, in the same
/// order and convention.

#pragma once

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_dynamics {
    const char *library;  ///< "atemi", "pinocchio"
    const char *version;  ///< of the library
    const char *build;    ///< compiler and solver
    const char *compiler; ///< with its version

    /// Makes all that a call needs, without gravity. The robot outlives it.
    /// @return NULL after writing to `error` [BENCH_ERROR_SIZE]
    void *(*create)(const bench_robot *robot, char *error);
    void (*destroy)(void *self);

    /// [v_count] a from q, v, tau.
    void (*accelerate)(void *self, const double *q, const double *v, const double *tau, double *a);
} bench_dynamics;

/// What a module exports: its variants.
BENCH_EXPORT const bench_dynamics *bench_dynamics_list(int *count);

#ifdef __cplusplus
}
#endif
