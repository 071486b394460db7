// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a tick of a biped's controller takes: a walk is recorded, and what the controller measured
/// is played to a new one, several times. Per tick the least time counts.
///
///     bench_biped ROBOT [STEPS [map]]
///
/// With `map` it climbs five stairs of 6 cm by a map of the floor.

#include "atemi/atemi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, COLUMNS = 701 };

// Treads of 0.35 m from 0.4 m on.
static atemi_surface lay_stairs(double heights[2 * COLUMNS])
{
    const atemi_terrain_part stairs = {
        .kind = ATEMI_TERRAIN_STAIRS, .from = 0.4, .rise = 0.06, .tread = 0.35, .count = 5};
    const atemi_height_table table = {COLUMNS, 2, 0.01, 4.0, heights};
    for (int i = 0; i < COLUMNS; ++i) {
        heights[i] = heights[COLUMNS + i] =
            atemi_terrain_height(&stairs, 1, 0.02, -1.0 + 0.01 * i, 0.0);
    }
    return (atemi_surface){
        .kind = ATEMI_SURFACE_HEIGHTS, .position = {-1.0, -2.0, 0.0}, .table = table};
}

typedef struct tape {
    int     nq, nv;
    size_t  count, room;
    double *rows; ///< [count x (nq + nv + 2)]
} tape;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool record(void *context, const atemi_biped_walk *walk)
{
    tape                   *t = context;
    const atemi_simulation *s = atemi_biped_walk_simulation(walk);
    const size_t            width = (size_t)(t->nq + t->nv + 2);
    if (t->count == t->room) {
        t->room = 2 * t->room + 1024;
        t->rows = realloc(t->rows, t->room * width * sizeof *t->rows);
    }
    double *row = t->rows + t->count++ * width;
    memcpy(row, atemi_simulation_q(s), (size_t)t->nq * sizeof *row);
    memcpy(row + t->nq, atemi_simulation_v(s), (size_t)t->nv * sizeof *row);
    row[t->nq + t->nv] = row[t->nq + t->nv + 1] = 0.0;
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        row[t->nq + t->nv + i / ATEMI_SOLE_CORNERS] += atemi_simulation_force(s, i).z;
    }
    return true;
}

static void play(const atemi_model *model, const atemi_surface *map, const tape *t, double *times)
{
    atemi_biped *biped;
    double      *tau = calloc((size_t)t->nv, sizeof *tau);
    atemi_biped_create(model, NULL, NULL, &biped, NULL);
    atemi_biped_floor(biped, map, NULL);
    for (size_t i = 0; i < t->count; ++i) {
        const double            *row = t->rows + i * (size_t)(t->nq + t->nv + 2);
        const double            *forces = row + t->nq + t->nv;
        const atemi_biped_senses senses = {row, row + t->nq, {forces[0], forces[1]}};
        const double             start = now();
        atemi_biped_tick(biped, &senses, tau);
        const double time = now() - start;
        times[i] = time < times[i] ? time : times[i];
    }
    atemi_biped_destroy(biped);
    free(tau);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **arguments)
{
    atemi_model      *model = NULL;
    atemi_error       error = {0};
    atemi_biped_walk *walk = NULL;
    atemi_biped_task  task = atemi_biped_task_default();
    tape              t = {0};
    double            heights[2 * COLUMNS];
    const char       *robot = count > 1 ? arguments[1] : "hrp2_like";
    task.steps = count > 2 ? atol(arguments[2]) : 20;
    const atemi_surface  stairs = lay_stairs(heights);
    const atemi_surface *map = count > 3 && strcmp(arguments[3], "map") == 0 ? &stairs : NULL;
    task.floor = map;
    task.map = map != NULL;
    if (strchr(robot, '/') ? atemi_urdf_load(robot, NULL, &model, &error)
                           : atemi_robots_load(robot, NULL, &model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    t.nq = atemi_model_q_count(model);
    t.nv = atemi_model_v_count(model);
    const atemi_biped_hooks hooks = {.tick = record, .context = &t};
    if (atemi_biped_walk_create(model, &task, NULL, &hooks, &walk, &error) ||
        atemi_biped_walk_run(walk, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double *times = malloc(t.count * sizeof *times);
    for (size_t i = 0; i < t.count; ++i) {
        times[i] = 1.0;
    }
    for (int i = 0; i < REPEATS; ++i) {
        play(model, map, &t, times);
    }
    qsort(times, t.count, sizeof *times, compare);
    printf("%s: %d velocities, %zu ticks: median %.1f us, 99 %% %.1f us, largest %.1f us; %s\n",
           robot, t.nv, t.count, 1e6 * times[t.count / 2], 1e6 * times[t.count * 99 / 100],
           1e6 * times[t.count - 1], atemi_biped_end_text(atemi_biped_walk_summary_get(walk).end));
    atemi_biped_walk_destroy(walk);
    atemi_model_destroy(model);
    free(times);
    free(t.rows);
    return 0;
}
