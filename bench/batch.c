// SPDX-License-Identifier: Apache-2.0

/// @file
/// How a batch of worlds scales with threads: hrp2_like, standing on its servos by the method of
/// steps, every world pushed by another force. All rounds take the same steps from the same states,
/// each with one thread and with several in turn, and the fastest round of each counts: the one
/// that had its cores to itself. The system places the threads.
///
///     bench_batch HUMANOID.urdf [WORLDS] [THREADS] [ROUNDS]

#include "atemi/atemi.h"
#include "scene_make.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CORNERS = SCENE_FEET * SCENE_CORNERS, STEPS = 5, FIRST_STEPS = 50 };

static const double step = 2e-3, hardest_push = 40.0; // s, N

typedef struct timed {
    double wall, computed; ///< ns, of the fastest round
} timed;

static void fail(const atemi_error *error)
{
    char text[SCENE_ERROR_SIZE];
    atemi_error_format(error, text, sizeof text);
    fprintf(stderr, "bench: %s\n", text);
    exit(2);
}

static atemi_simulation_batch *make_batch(const atemi_model *model, const bench_scene *scene,
                                          int worlds)
{
    const atemi_surface      floor = {.kind = ATEMI_SURFACE_PLANE, .axis = {0.0, 0.0, 1.0}};
    atemi_simulation_options options = atemi_simulation_options_default();
    atemi_simulation_point   points[CORNERS];
    atemi_simulation_batch  *batch;
    atemi_error              error;
    for (int i = 0; i < CORNERS; ++i) {
        const scene_foot *foot = &scene->feet[i / SCENE_CORNERS];
        const double     *at = foot->corners[i % SCENE_CORNERS];
        points[i] = (atemi_simulation_point){.link = atemi_model_find_link(model, foot->link),
                                             .point = {at[0], at[1], at[2]},
                                             .static_friction = scene->friction,
                                             .kinetic_friction = scene->friction};
    }
    options.method = ATEMI_METHOD_STEPS;
    options.step = step;
    if (atemi_simulation_batch_create(model, &floor, 1, points, CORNERS, &options, worlds, &batch,
                                      &error)) {
        fail(&error);
    }
    return batch;
}

// Holds all joints where they start, and pushes every world's base harder than the one's before.
static void hold_and_push(const atemi_model *model, const bench_scene *scene, int worlds,
                          const atemi_simulation_rows *rows)
{
    const int nv = atemi_model_v_count(model), links = atemi_model_link_count(model);
    for (int w = 0; w < worlds; ++w) {
        for (int i = 6; i < nv; ++i) {
            const size_t at = (size_t)w * (size_t)nv + (size_t)i;
            rows->stiffness[at] = scene->stiffness;
            rows->damping[at] = scene->damping;
            rows->target[at] = scene->start[i + 1];
        }
        rows->external[(size_t)w * (size_t)links].linear.x = hardest_push * w / worlds;
    }
}

static void start(const atemi_model *model, const bench_scene *scene, int worlds, int threads,
                  atemi_simulation_batch *batch)
{
    const int                   nq = atemi_model_q_count(model);
    const atemi_simulation_rows rows = atemi_simulation_batch_rows(batch);
    double                     *q = calloc((size_t)worlds * (size_t)nq, sizeof *q);
    atemi_error                 error;
    for (int i = 0; i < worlds * nq; ++i) {
        q[i] = scene->start[i % nq];
    }
    hold_and_push(model, scene, worlds, &rows);
    if (atemi_simulation_batch_start(batch, NULL, q, NULL, threads, &error) ||
        atemi_simulation_batch_step(batch, NULL, NULL, FIRST_STEPS, threads, &error)) {
        fail(&error);
    }
    free(q);
}

static void time_round(atemi_simulation_batch *batch, const void *saved, int threads, timed *best)
{
    atemi_error error;
    atemi_simulation_batch_restore(batch, saved);
    const double wall = bench_now(), computed = bench_process();
    if (atemi_simulation_batch_step(batch, NULL, NULL, STEPS, threads, &error)) {
        fail(&error);
    }
    best->computed = fmin(best->computed, bench_process() - computed);
    best->wall = fmin(best->wall, bench_now() - wall);
}

// What a core does beside others, as a part of what it does alone.
static double part_of(double alone, double together, int cores)
{
    return alone / (cores * together);
}

static void report(int worlds, int threads, const timed *one, const timed *several)
{
    const double simulated = worlds * STEPS * step;
    printf("%d worlds, steps of %g s: simulated seconds in one of the clock, of processor time\n",
           worlds, step);
    printf("   1 thread  %8.0f %8.0f\n", 1e9 * simulated / one->wall,
           1e9 * simulated / one->computed);
    printf("%4d threads %8.0f %8.0f\n", threads, 1e9 * simulated / several->wall,
           1e9 * simulated / several->computed);
    printf("   a core    %8.2f %8.2f of one thread\n", part_of(one->wall, several->wall, threads),
           part_of(one->computed, several->computed, 1));
}

int main(int count, char **arguments)
{
    const int          worlds = count > 2 ? atoi(arguments[2]) : 1000;
    const int          threads = count > 3 ? atoi(arguments[3]) : 2;
    const int          rounds = count > 4 ? atoi(arguments[4]) : 100;
    atemi_urdf_options loading = atemi_urdf_options_default();
    char               text[SCENE_ERROR_SIZE];
    atemi_model       *model;
    atemi_error        error;
    bench_scene        scene;
    timed              one = {INFINITY, INFINITY}, several = one;
    loading.model.base = ATEMI_BASE_FLOATING;
    if (count < 2 || worlds < 1 || threads < 1) {
        fputs("bench_batch HUMANOID.urdf [WORLDS] [THREADS] [ROUNDS]\n", stderr);
        return 2;
    }
    if (atemi_urdf_load(arguments[1], &loading, &model, &error)) {
        fail(&error);
    }
    if (bench_scene_make(model, arguments[1], 0, &scene, text)) {
        fprintf(stderr, "bench: %s\n", text);
        return 2;
    }
    atemi_simulation_batch *batch = make_batch(model, &scene, worlds);
    start(model, &scene, worlds, threads, batch);
    void *saved = malloc(atemi_simulation_batch_saved_size(batch));
    atemi_simulation_batch_save(batch, saved);
    for (int i = 0; i < rounds; ++i) {
        time_round(batch, saved, 1, &one);
        time_round(batch, saved, threads, &several);
    }
    report(worlds, threads, &one, &several);
    free(saved);
    atemi_simulation_batch_destroy(batch);
    atemi_model_destroy(model);
    return 0;
}
