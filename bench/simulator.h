// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a contender of the simulation benchmark is: a simulator with one integrator and step,
/// behind function pointers. Loaded as the contenders of bench.h are.

#pragma once

#include "bench.h"
#include "scene.h"

typedef struct bench_simulator {
    const char *library;    ///< "atemi", "mujoco"
    const char *version;    ///< of the library
    const char *build;      ///< compiler, or "wheel"
    const char *integrator; ///< with its step, e.g. "rk4 1 ms"
    const char *compiler;   ///< with its version
    int         variant;    ///< for create()

    /// Makes everything that a run needs. The scene outlives it.
    /// @return NULL after writing to `error` [SCENE_ERROR_SIZE]
    void *(*create)(const bench_scene *scene, int variant, char *error);
    void (*destroy)(void *self);

    /// Puts the robot where the scene starts, at rest, at time 0.
    /// @return 0, or -1 if that cannot be, after writing to `error`
    int (*start)(void *self, char *error);

    /// What is timed: simulates until `time`.
    /// @return 0, or -1 if the motion cannot be continued, after writing to `error`
    int (*run)(void *self, double time, char *error);

    /// Reads the state: base and joints as in bench_scene.start, where the soles' corners are, and
    /// how high the lowest points of the balls are above the floor.
    void (*look)(void *self, double *q, double corners[SCENE_FEET * SCENE_CORNERS][3],
                 double heights[SCENE_MAX_BALLS]);

    /// How many events were located since the start; NULL for a simulator without events.
    long (*events)(void *self);
} bench_simulator;

/// What a module exports: its variants.
BENCH_EXPORT const bench_simulator *bench_simulators(int *count);
