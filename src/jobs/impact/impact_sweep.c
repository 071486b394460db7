// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_sweep.h"

#include "atemi/base.h"
#include "atemi/simulation_batch.h"
#include "jobs/impact/impact_cases.h"
#include "jobs/impact/impact_map.h"
#include "jobs/impact/impact_worker.h"
#include "jobs/job.h"

#include <stdatomic.h>

// What a thread has: its worker, and the case that failed it.
typedef struct sweep_member {
    atemi_impact_worker worker;
    atemi_job_hooks     hooks; ///< of its blows
    atemi_status        status;
    atemi_error         error;
    int                 failed; ///< the number of the case
} sweep_member;

typedef struct sweep_run {
    const atemi_impact_scenario *scenario;
    const atemi_impact_sweep    *sweep;
    const atemi_impact_case     *usual;
    const atemi_job_hooks       *hooks; ///< of the user, who is asked by the thread that calls
    sweep_member                *members;
    int                          threads, cases;
    int                          width;    ///< columns of the table
    double                      *values;   ///< [cases x width]
    const char                 **labels;   ///< [cases] postures
    bool                        *computed; ///< [cases]
    int                          done;     ///< cases in a row from the first, in the end
    atomic_int                   ready;    ///< cases, in any order
    atomic_int                   failed;   ///< the lowest number of a case that failed
    atomic_bool                  stopped;  ///< by the user
} sweep_run;

// ---- Cases by several threads

static bool ask_user(void *context, double done)
{
    sweep_run *run = (sweep_run *)context;
    if (!atemi_job_goes_on(run->hooks, done)) {
        atomic_store(&run->stopped, true);
    }
    return !atomic_load(&run->stopped);
}

static bool hear_of_stop(void *context, double done)
{
    (void)done;
    return !atomic_load(&((sweep_run *)context)->stopped);
}

static void note_failure(sweep_run *run, sweep_member *member, int number)
{
    int lowest = atomic_load(&run->failed);
    member->failed = number;
    while (number < lowest && !atomic_compare_exchange_weak(&run->failed, &lowest, number)) {
    }
}

static void compute_case(sweep_run *run, sweep_member *member, int number)
{
    atemi_impact_trial *trial = &member->worker.trial;
    trial->done = (double)atomic_load(&run->ready) / run->cases;
    member->status = atemi_impact_worker_row(
        &member->worker, number, run->values + (size_t)number * (size_t)run->width, &member->error);
    run->computed[number] = !member->status && !trial->stopped;
    if (run->computed[number]) {
        trial->done = (double)(atomic_fetch_add(&run->ready, 1) + 1) / run->cases;
    }
    if (member->status) {
        note_failure(run, member, number);
    }
}

// Goes on up to the lowest case that fails, and so finds it whatever the number of threads.
static bool work(void *context, int thread, long begin, long end)
{
    sweep_run    *run = (sweep_run *)context;
    sweep_member *member = &run->members[thread];
    for (long i = begin; i < end; ++i) {
        if (i > atomic_load(&run->failed)) {
            return false;
        }
        compute_case(run, member, (int)i);
        if (member->status ||
            !member->hooks.progress(member->hooks.context, member->worker.trial.done)) {
            return false;
        }
    }
    return true;
}

static atemi_status compute_all(sweep_run *run, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    const long   block = atemi_impact_cases_at_place(run->sweep);
    atemi_parallel_run(run->cases, run->sweep->has_places ? block : 1, run->threads, work, run);
    while (run->done < run->cases && run->computed[run->done]) {
        ++run->done;
    }
    if (run->done == run->cases) {
        ask_user(run, 1.0); // another thread may have done the last case
    }
    for (int i = 0; i < run->threads && !status; ++i) {
        const sweep_member *member = &run->members[i];
        if (member->status && member->failed == atomic_load(&run->failed)) {
            status = member->status;
            if (error) {
                *error = member->error;
            }
        }
    }
    return status;
}

// ---- The table

// Over what varies most slowly of those that make an axis; curves by what varies next. Places have
// their maps.
static atemi_table_plot plot_of(const atemi_impact_sweep *sweep, const int *y, int y_count)
{
    const int        counts[] = {sweep->speed_count, sweep->mass_count, sweep->stiffness_count};
    atemi_table_plot plot = {.y = y, .y_count = y_count, .x = ATEMI_NONE, .series = ATEMI_NONE};
    for (int i = 0; i < 3; ++i) {
        if (counts[i] > 1 && plot.x == ATEMI_NONE) {
            plot.x = i;
        } else if (counts[i] > 1 && plot.series == ATEMI_NONE) {
            plot.series = i;
        }
    }
    if (sweep->posture_count > 1) {
        if (plot.x == ATEMI_NONE) {
            plot.x = ATEMI_IMPACT_VIRTUAL_MASS;
        } else if (plot.series == ATEMI_NONE) {
            plot.series = ATEMI_IMPACT_VIRTUAL_MASS;
        }
    }
    return plot;
}

static atemi_status add_sweep_table(const sweep_run *run, atemi_recording *recording,
                                    atemi_error *error)
{
    static const int           impulse[] = {ATEMI_IMPACT_IMPULSE};
    const atemi_recorded_table table = {
        .name = "sweep",
        .title = "Every case of the sweep",
        .row_count = run->done,
        .column_count = run->width,
        .columns = atemi_impact_sweep_columns,
        .labels = run->sweep->posture_count ? run->labels : NULL,
        .values = run->values,
        .plot = plot_of(run->sweep, impulse, run->sweep->has_places ? 0 : 1)};
    return atemi_recording_add_table(recording, &table, error);
}

// The map of each direction, of the cases that are the first of all else that varies.
static atemi_status add_maps(const sweep_run *run, atemi_recording *recording, atemi_error *error)
{
    static const int columns[ATEMI_IMPACT_MAP_COLUMNS] = {
        ATEMI_IMPACT_PLACE,        ATEMI_IMPACT_PLACE + 1,  ATEMI_IMPACT_PLACE + 2,
        ATEMI_IMPACT_VIRTUAL_MASS, ATEMI_IMPACT_PEAK_FORCE, ATEMI_IMPACT_MARGIN,
        ATEMI_IMPACT_REACHED};
    const atemi_impact_sweep *sweep = run->sweep;
    const int                 directions = sweep->direction_count > 0 ? sweep->direction_count : 1;
    const int                 each = atemi_impact_cases_at_place(sweep) / directions;
    atemi_status              status = ATEMI_OK;
    for (int i = 0; i < directions && sweep->has_places && run->done == run->cases && !status;
         ++i) {
        const atemi_impact_map map = {.number = i + 1,
                                      .direction = sweep->direction_count > 0
                                                       ? sweep->directions[i]
                                                       : run->usual->point.direction,
                                      .sweep = sweep,
                                      .values = run->values + (ptrdiff_t)i * each * run->width,
                                      .stride = (ptrdiff_t)directions * each * run->width,
                                      .columns = columns};
        status = atemi_impact_map_add(&map, recording, error);
    }
    return status;
}

// ---- Creation

static void name_postures(sweep_run *run)
{
    for (int i = 0; i < run->cases; ++i) {
        const int posture = atemi_impact_index_of(run->sweep, i).posture;
        run->computed[i] = false;
        run->labels[i] = run->sweep->posture_count > 0
                             ? atemi_model_posture_name(run->scenario->robot.model,
                                                        run->sweep->postures[posture])
                             : "";
    }
}

// As many threads as the user wishes, or as there are processors; no more than cases.
static int find_threads(const sweep_run *run)
{
    const int wish = run->hooks ? run->hooks->threads : 0;
    const int threads = wish > 0 ? wish : atemi_parallel_processors();
    return threads < run->cases ? threads : run->cases;
}

static atemi_status create_members(sweep_run *run, atemi_error *error)
{
    const int    threads = find_threads(run);
    atemi_status status = ATEMI_OK;
    run->members = (sweep_member *)atemi_allocate((size_t)threads * sizeof *run->members);
    if (!run->members) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a sweep");
    }
    while (run->threads < threads && !status) {
        sweep_member *member = &run->members[run->threads++];
        member->status = ATEMI_OK;
        member->hooks = (atemi_job_hooks){.progress = run->threads == 1 ? ask_user : hear_of_stop,
                                          .context = run};
        status = atemi_impact_worker_create(run->scenario, run->usual, &member->worker, error);
        member->worker.trial.hooks = &member->hooks;
    }
    return status;
}

static atemi_status create(sweep_run *run, atemi_error *error)
{
    run->cases = (int)atemi_impact_sweep_cases(run->sweep);
    run->width = atemi_impact_sweep_width(run->sweep);
    run->values =
        (double *)atemi_allocate((size_t)run->cases * (size_t)run->width * sizeof *run->values);
    run->labels = (const char **)atemi_allocate((size_t)run->cases * sizeof *run->labels);
    run->computed = (bool *)atemi_allocate((size_t)run->cases * sizeof *run->computed);
    if (!run->values || !run->labels || !run->computed) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a sweep");
    }
    name_postures(run);
    atomic_init(&run->failed, run->cases);
    return create_members(run, error);
}

static void destroy(sweep_run *run)
{
    for (int i = 0; i < run->threads; ++i) {
        atemi_impact_worker_destroy(&run->members[i].worker);
    }
    atemi_release(run->members);
    atemi_release(run->values);
    atemi_release((void *)run->labels);
    atemi_release(run->computed);
}

atemi_status atemi_impact_add_sweep(atemi_recording             *recording,
                                    const atemi_impact_scenario *scenario,
                                    const atemi_impact_case *usual, const atemi_job_hooks *hooks,
                                    bool *stopped, atemi_error *error)
{
    sweep_run run = {
        .scenario = scenario, .sweep = &scenario->sweep, .usual = usual, .hooks = hooks};
    atemi_status status = create(&run, error);
    if (!status) {
        status = compute_all(&run, error);
    }
    *stopped = atomic_load(&run.stopped);
    if (!status) {
        status = add_sweep_table(&run, recording, error);
    }
    if (!status) {
        status = add_maps(&run, recording, error);
    }
    destroy(&run);
    return status;
}
