// SPDX-License-Identifier: Apache-2.0

// The time of one tick of whole-body control: hrp2_like (30 joints) stands on both soles, in half
// sitting, with joints, velocities and wanted forces that differ from tick to tick, and that soles
// and friction often cannot give: limits change. Its quadratic program has the
// accelerations of the joints and the wrenches of both soles, with friction, soles and efforts as
// limits.

#include "atemi/data.h"
#include "atemi/robots.h"
#include "atemi/whole_body_control.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct robot {
    atemi_model              *model;
    atemi_whole_body_control *control;
    int                       nq, nv;
    double                   *q, *v, *tau, *zero, *weights;
} robot;

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

static void create(robot *r)
{
    atemi_arena arena = atemi_arena_measuring();
    if (atemi_robots_load("hrp2_like", NULL, &r->model, NULL)) {
        fail("no robot");
    }
    atemi_whole_body_control_take(&arena, r->model, NULL);
    if (atemi_arena_create(&arena, arena.used, NULL)) {
        fail("no memory");
    }
    r->control = atemi_whole_body_control_take(&arena, r->model, NULL);
    r->nq = atemi_model_q_count(r->model);
    r->nv = atemi_model_v_count(r->model);
    r->q = calloc((size_t)r->nq, sizeof *r->q);
    r->v = calloc((size_t)r->nv * 4, sizeof *r->v);
    r->tau = r->v + r->nv;
    r->zero = r->tau + r->nv;
    r->weights = r->zero + r->nv;
    for (int i = 0; i < r->nv; i++)
        r->weights[i] = 1.0;
}

static double noise(void)
{
    return 2.0 * rand() / RAND_MAX - 1.0;
}

static void disturb(robot *r)
{
    const int posture = atemi_model_find_posture(r->model, "half_sitting");
    memcpy(r->q, atemi_model_posture(r->model, posture), (size_t)r->nq * sizeof *r->q);
    for (int i = 7; i < r->nq; i++)
        r->q[i] += 0.05 * noise();
    for (int i = 0; i < r->nv; i++)
        r->v[i] = 1.0 * noise();
}

static void add_soles(robot *r)
{
    for (int s = 0; s < atemi_model_site_count(r->model); s++) {
        const atemi_site        *site = atemi_model_site(r->model, s);
        atemi_whole_body_contact contact = atemi_whole_body_contact_default();
        if (site->size_x > 0.0 && site->size_y > 0.0) {
            contact.link = site->link;
            contact.frame = site->pose;
            contact.size_x = site->size_x;
            contact.size_y = site->size_y;
            contact.least_force = 0.0;
            atemi_whole_body_contact_add(r->control, &contact);
        }
    }
}

/// ns of one tick, by one of the clocks of timing.h.
static double time_tick(robot *r, double (*clock)(void), int *iterations, int *refused)
{
    static const double all[] = {1, 1, 1, 0.1, 0.1, 0.1};
    const atemi_force rate = {{600.0 * noise(), 600.0 * noise(), 300.0 * noise()}, {0.0, 0.0, 0.0}};
    atemi_whole_body_report report;
    const double            begin = clock();
    atemi_whole_body_begin(r->control, r->q, r->v);
    add_soles(r);
    atemi_whole_body_momentum(r->control, rate, all);
    atemi_whole_body_frame(r->control, 0, (atemi_vec3){0}, (atemi_motion){0}, all);
    atemi_whole_body_joints(r->control, r->zero, r->weights);
    *refused += atemi_whole_body_solve(r->control, r->tau, &report) != ATEMI_OK;
    const double end = clock();
    *iterations += report.program.iterations;
    return end - begin;
}

static void run(robot *r, const char *name, double (*clock)(void), int ticks, double *samples)
{
    double minimum, median;
    int    iterations = 0, refused = 0;
    srand(1);
    for (int k = 0; k < ticks; k++) {
        disturb(r);
        samples[k] = time_tick(r, clock, &iterations, &refused);
    }
    bench_summarize(samples, ticks, &minimum, &median);
    printf("%-9s %8.1f %8.1f %8.1f %8.1f %8.1f %8d\n", name, 1e-3 * minimum, 1e-3 * median,
           1e-3 * samples[(long)ticks * 99 / 100], 1e-3 * samples[ticks - 1],
           (double)iterations / ticks, refused);
}

int main(int count, char **arguments)
{
    const int ticks = count > 1 ? atoi(arguments[1]) : 20000;
    double   *samples = ticks > 0 ? malloc((size_t)ticks * sizeof *samples) : NULL;
    robot     r = {0};
    if (!samples) {
        fail("bench_control_whole_body [TICKS]");
    }
    create(&r);
    printf("one tick of whole-body control of hrp2_like on both soles, us, of %d\n\n", ticks);
    printf("%-9s %8s %8s %8s %8s %8s %8s\n", "time", "least", "p50", "p99", "most", "pivots",
           "refused");
    run(&r, "elapsed", bench_now, ticks, samples);
    run(&r, "computed", bench_computed, ticks, samples);
    return 0;
}
