// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer simulate. Many simulations of one robot at once: worlds, which are alike but for their
/// states and inputs, as rows of arrays. For learning and for studies. And work by several
/// threads.
///
///     atemi_simulation_batch_create(model, &floor, 1, points, count, NULL, 1000, &batch, &error);
///     atemi_simulation_batch_start(batch, NULL, q, v, 2, &error);
///     atemi_simulation_batch_step(batch, NULL, tau, 10, 2, &error);
///
/// Each world has the bits that an atemi_simulation (atemi/simulation.h) would have, for any number
/// of threads. It takes the memory of what that saves, 20 KB of a humanoid, as long as the
/// integrator is not the adaptive one: what worlds compute in belongs to threads, of which there
/// are as many as processors at most. Therefore one call at a time works on a batch, also of those
/// that only read. Nothing here allocates after creation, but for the stacks of threads.

#pragma once

#include "atemi/simulation.h"

#include <stdbool.h>

ATEMI_BEGIN

typedef struct atemi_simulation_batch atemi_simulation_batch;

/// Makes `worlds` simulations, see atemi_simulation_create().
ATEMI_API atemi_status atemi_simulation_batch_create(
    const atemi_model *model, const atemi_surface *surfaces, int surface_count,
    const atemi_simulation_point *points, int point_count, const atemi_simulation_options *options,
    int worlds, atemi_simulation_batch **batch, atemi_error *error);
ATEMI_API void atemi_simulation_batch_destroy(atemi_simulation_batch *batch);

/// The arrays of a batch, a row for each world; they stay where they are while it lives.
typedef struct atemi_simulation_rows {
    const double *time;  ///< [worlds] s
    const double *q;     ///< [worlds x q_count]
    const double *v, *a; ///< [worlds x v_count]
    /// ATEMI_OK; or why the world cannot go on, or was not started. Steps leave it where it is
    /// until it is started again.
    const int *status;
    /// Inputs of the caller, [worlds x v_count] and [worlds x link_count], as of
    /// atemi_held_inputs: they act until they are changed. Zero at first.
    double      *stiffness, *damping, *target, *target_velocity;
    atemi_force *external;
} atemi_simulation_rows;

/// The arrays of a batch.
ATEMI_API atemi_simulation_rows atemi_simulation_batch_rows(const atemi_simulation_batch *batch);

/// Starts worlds at time 0.
/// @param which [worlds] those to start; NULL for all
/// @param q     [worlds x q_count]; rows of other worlds are not read
/// @param v     [worlds x v_count], or NULL for rest
/// @return that of the first world, by number, that cannot start; the others do
ATEMI_API atemi_status atemi_simulation_batch_start(atemi_simulation_batch *batch,
                                                    const bool *which, const double *q,
                                                    const double *v, int threads,
                                                    atemi_error *error);

/// Takes `count` steps of every world whose status is ATEMI_OK.
/// @param which [worlds] those to step; NULL for all
/// @param tau   [worlds x v_count] torques for these steps, or NULL for none
/// @return that of the first world, by number, that stops in this call, named by the error. It
///         keeps the last instant that it reached; all others take their steps
ATEMI_API atemi_status atemi_simulation_batch_step(atemi_simulation_batch *batch, const bool *which,
                                                   const double *tau, int count, int threads,
                                                   atemi_error *error);

/// What is known of all contact points.
/// @param states [worlds x point_count] result
ATEMI_API void atemi_simulation_batch_points_get(const atemi_simulation_batch *batch, int threads,
                                                 atemi_point_state *states);

/// What an inertial measurement unit measures in every world, see atemi_simulation_imu().
/// @param readings [worlds] result
ATEMI_API void atemi_simulation_batch_imu(atemi_simulation_batch *batch, int link,
                                          const atemi_transform *place, int threads,
                                          atemi_imu_reading *readings);

/// What load cells in the joints measure, see atemi_simulation_wrenches().
/// @param wrenches [worlds x joint_count] result
ATEMI_API void atemi_simulation_batch_wrenches(atemi_simulation_batch *batch, int threads,
                                               atemi_force *wrenches);

/// The forces of all contacts on each link, see atemi_simulation_contact_forces().
/// @param forces [worlds x link_count] result
ATEMI_API void atemi_simulation_batch_contact_forces(atemi_simulation_batch *batch, int threads,
                                                     atemi_force *forces);

/// Saves all worlds and goes back there, as atemi_simulation_save() does. `saved` has
/// atemi_simulation_batch_saved_size() bytes.
ATEMI_API size_t atemi_simulation_batch_saved_size(const atemi_simulation_batch *batch);
ATEMI_API void   atemi_simulation_batch_save(const atemi_simulation_batch *batch, void *saved);
ATEMI_API void   atemi_simulation_batch_restore(atemi_simulation_batch *batch, const void *saved);

// ---- Work on many items by several threads: the items decide what is computed, not the threads

/// Works on some items.
/// @param thread 0 to threads - 1: which workspace to use. Two calls at once have two of them
/// @param begin,end the items begin, ..., end - 1
/// @return false to take no more items on this thread
typedef bool (*atemi_parallel_work)(void *context, int thread, long begin, long end);

/// How many threads can work at the same time: the processors that are there, of which
/// atemi_parallel_run() makes use, at least 1.
ATEMI_API int atemi_parallel_processors(void);

/// Works on the items 0 to count - 1, on so many threads at most, that of the caller among them.
/// Threads take blocks of items as they become free, in ascending order, so that every item before
/// one that was begun is worked on to its end. Returns when all threads have ended.
///
/// @param block   how many items to take at once; 0 for a number that keeps threads busy
/// @param threads 1 or more. If the system makes fewer, those do the work
/// @param work    must not touch what other items change
ATEMI_API void atemi_parallel_run(long count, long block, int threads, atemi_parallel_work work,
                                  void *context);

ATEMI_END
