// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "check.h"
#include "job_runs.h"

#include <pthread.h>
#include <string.h>

// What holds for every job alike.

typedef atemi_status job_runner(const atemi_job_hooks *hooks, atemi_recording **recording,
                                atemi_error *error);

static atemi_status simulate(const atemi_job_hooks *hooks, atemi_recording **recording,
                             atemi_error *error)
{
    return job_simulate_file(ATEMI_SOURCE_DIR "/scenarios/stand.yaml", hooks, recording, error);
}

static atemi_status estimate_impact(const atemi_job_hooks *hooks, atemi_recording **recording,
                                    atemi_error *error)
{
    return job_impact_file(ATEMI_SOURCE_DIR "/scenarios/punch.yaml", hooks, recording, error);
}

static atemi_status walk(const atemi_job_hooks *hooks, atemi_recording **recording,
                         atemi_error *error)
{
    static const char text[] = "steps: 1\n";
    return job_walk_text(text, strlen(text), NULL, hooks, recording, error);
}

static atemi_status control(const atemi_job_hooks *hooks, atemi_recording **recording,
                            atemi_error *error)
{
    return job_control_file(ATEMI_SOURCE_DIR "/scenarios/reach.yaml", hooks, recording, error);
}

static atemi_status strike(const atemi_job_hooks *hooks, atemi_recording **recording,
                           atemi_error *error)
{
    return job_strike_file(ATEMI_SOURCE_DIR "/scenarios/strike.yaml", hooks, recording, error);
}

// A job as short as it can be: stopped as soon as it asks.
static bool stop(void *context, double done)
{
    (void)context;
    (void)done;
    return false;
}

static const atemi_job_hooks at_once = {.progress = stop};

// ---- Memory

// Every `stride`-th call of the allocator fails, each in a run of its own.
static void check_every_failure(job_runner *run, int stride)
{
    bool failed = true;
    for (int n = 1; failed; n += stride) {
        atemi_recording *recording = NULL;
        atemi_error      error = {0};
        failing_allocator_install(n);
        const atemi_status status = run(&at_once, &recording, &error);
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        CHECK(!failed || (!recording && strlen(error.message) > 0));
        atemi_recording_destroy(recording);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
}

TEST(job, simulate_survives_that_memory_runs_out)
{
    check_every_failure(simulate, 1);
}

TEST(job, impact_survives_that_memory_runs_out)
{
    check_every_failure(estimate_impact, 7);
}

TEST(job, walk_survives_that_memory_runs_out)
{
    check_every_failure(walk, 1);
}

TEST(job, control_survives_that_memory_runs_out)
{
    check_every_failure(control, 7);
}

// A quarter of a second each once the search has begun.
TEST(job, strike_survives_that_memory_runs_out)
{
    check_every_failure(strike, 293);
}

// ---- Following

// What is seen of a job that is followed.
typedef struct follower {
    const atemi_recording *recording;
    int                    rows, plots; ///< before the first row, and at the end
    bool                   is_described, has_grown;
} follower;

static void on_begun(void *context, const atemi_recording *recording)
{
    follower *f = (follower *)context;
    size_t    urdf, scenario;
    f->recording = recording;
    f->rows = atemi_recording_row_count(recording);
    f->plots = atemi_recording_plot_count(recording);
    f->is_described = strcmp(atemi_recording_outcome(recording), "under way") == 0 &&
                      atemi_recording_robot(recording) && atemi_recording_urdf(recording, &urdf) &&
                      urdf > 0 && atemi_recording_scenario(recording, &scenario) && scenario > 0;
}

static bool until_it_grows(void *context, double done)
{
    follower *f = (follower *)context;
    (void)done;
    f->has_grown = f->recording && atemi_recording_row_count(f->recording) > 1;
    return !f->has_grown;
}

static void check_followed(job_runner *run)
{
    follower              f = {.rows = -1};
    const atemi_job_hooks hooks = {.progress = until_it_grows, .begun = on_begun, .context = &f};
    atemi_recording      *recording;
    CHECK_STATUS(run(&hooks, &recording, NULL), ATEMI_OK);
    CHECK(f.recording == recording);
    CHECK_EQUAL_INT(f.rows, 0);
    CHECK(f.is_described && f.has_grown);
    CHECK(f.plots > 0);
    CHECK_EQUAL_INT(atemi_recording_plot_count(recording), f.plots);
    CHECK(strcmp(atemi_recording_outcome(recording), "under way") != 0);
    atemi_recording_destroy(recording);
}

TEST(job, shows_what_it_is_about_before_its_rows_and_then_grows)
{
    check_followed(simulate);
    check_followed(walk);
    check_followed(control);
}

// ---- Threads

enum { JOBS = 4, THREADS = 3 };

static job_runner *const jobs[JOBS] = {simulate, estimate_impact, walk, control};

typedef struct worker {
    pthread_t        thread;
    int              first; ///< which job it begins with
    atemi_recording *recordings[JOBS];
    int              failures;
} worker;

static bool go_on(void *context, double done)
{
    (void)context;
    return done < 0.02;
}

static void *do_all_jobs(void *context)
{
    const atemi_job_hooks hooks = {.progress = go_on};
    worker               *self = (worker *)context;
    for (int i = 0; i < JOBS; ++i) {
        const int job = (self->first + i) % JOBS;
        self->failures += jobs[job](&hooks, &self->recordings[job], NULL) != ATEMI_OK;
    }
    return NULL;
}

static void check_same_bits(const atemi_recording *a, const atemi_recording *b)
{
    const int rows = atemi_recording_row_count(a);
    const int columns = atemi_recording_channel_count(a);
    CHECK_EQUAL_INT(rows, atemi_recording_row_count(b));
    CHECK_EQUAL_INT(columns, atemi_recording_channel_count(b));
    for (int i = 0; i < columns; ++i) {
        CHECK(memcmp(atemi_recording_values(a, i), atemi_recording_values(b, i),
                     (size_t)rows * sizeof(double)) == 0);
    }
}

TEST(job, gives_in_several_threads_at_once_the_bits_that_it_gives_alone)
{
    worker workers[THREADS + 1] = {0};
    do_all_jobs(&workers[THREADS]);
    for (int i = 0; i < THREADS; ++i) {
        workers[i].first = i;
        CHECK(pthread_create(&workers[i].thread, NULL, do_all_jobs, &workers[i]) == 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_join(workers[i].thread, NULL) == 0);
    }
    for (int i = 0; i <= THREADS; ++i) {
        CHECK_EQUAL_INT(workers[i].failures, 0);
        for (int k = 0; k < JOBS; ++k) {
            check_same_bits(workers[i].recordings[k], workers[THREADS].recordings[k]);
        }
    }
    for (int i = 0; i < JOBS * (THREADS + 1); ++i) {
        atemi_recording_destroy(workers[i / JOBS].recordings[i % JOBS]);
    }
}
