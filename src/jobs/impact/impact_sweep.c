// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_sweep.h"

#include "atemi/base.h"
#include "jobs/job.h"

#include <math.h>
#include <string.h>

enum { SWEEP_COLUMNS = 15 };

static const atemi_recorded_column sweep_columns[SWEEP_COLUMNS] = {
    {"speed", "m/s"},
    {"target", "kg"},
    {"stiffness", "N/m"},
    {"virtual mass", "kg"},
    {"peak force", "N"},
    {"impulse", "N s"},
    {"contact time", "s"},
    {"compression", "m"},
    {"hand after", "m/s"},
    {"target after", "m/s"},
    {"ZMP margin", "m"},
    {"impulse published", "N s"},
    {"impulse of virtual mass", "N s"},
    {"full peak force", "N"},
    {"full impulse", "N s"}};

typedef struct sweep_run {
    atemi_impact_trial       *trial;
    const atemi_impact_sweep *sweep;
    const atemi_impact_case  *usual;
    int                       cases, done;
    double                   *times; ///< [time_count] to look at the ZMP
    int                       time_count;
    double                   *values; ///< [cases x SWEEP_COLUMNS]
    const char              **labels; ///< [cases] postures
} sweep_run;

static int at_least_one(int count)
{
    return count > 0 ? count : 1;
}

// The case of a number: postures change slowest, then speeds, masses and stiffnesses.
static atemi_impact_case case_of(const sweep_run *run, int index, int *posture)
{
    const atemi_impact_sweep *sweep = run->sweep;
    atemi_impact_case         now = *run->usual;
    const int                 stiffnesses = at_least_one(sweep->stiffness_count);
    const int                 masses = at_least_one(sweep->mass_count);
    const int                 speeds = at_least_one(sweep->speed_count);
    if (sweep->stiffness_count > 0) {
        now.stiffness = sweep->stiffnesses[index % stiffnesses];
    }
    index /= stiffnesses;
    if (sweep->mass_count > 0) {
        now.mass = sweep->masses[index % masses];
    }
    index /= masses;
    if (sweep->speed_count > 0) {
        now.speed = sweep->speeds[index % speeds];
    }
    *posture = index / speeds;
    if (sweep->posture_count > 0) {
        now.q = run->trial->scenario->posture_q +
                (size_t)*posture * (size_t)atemi_model_q_count(run->trial->model);
    }
    return now;
}

// All methods but, unless it was asked for, the full one.
static atemi_status answer_all(sweep_run *run, atemi_impact_answer answers[ATEMI_IMPACT_METHODS],
                               atemi_error *error)
{
    const atemi_impact_watch watch = {.times = run->times, .count = run->time_count};
    const int    methods = run->trial->scenario->full ? ATEMI_IMPACT_METHODS : ATEMI_IMPACT_FULL;
    atemi_status status = ATEMI_OK;
    answers[ATEMI_IMPACT_FULL].peak_force = answers[ATEMI_IMPACT_FULL].impulse = NAN;
    for (int method = 0; method < methods && !status; ++method) {
        status = atemi_impact_trial_run(run->trial, (atemi_impact_method)method,
                                        method == ATEMI_IMPACT_ESTIMATE ? &watch : NULL,
                                        &answers[method], error);
    }
    return status;
}

static void fill_row(const atemi_impact_trial *trial, const atemi_impact_answer *answers,
                     double *row)
{
    const atemi_impact_answer *main = &answers[ATEMI_IMPACT_ESTIMATE];
    const double               values[SWEEP_COLUMNS] = {trial->hand_speed,
                                          isinf(trial->now.mass) ? (double)NAN : trial->now.mass,
                                                        trial->now.stiffness,
                                                        atemi_virtual_mass(&trial->base),
                                                        main->peak_force,
                                                        main->impulse,
                                                        main->contact_time,
                                                        main->compression,
                                                        main->hand_speed,
                                                        main->target_speed,
                                                        main->margin,
                                                        answers[ATEMI_IMPACT_PUBLISHED].impulse,
                                                        answers[ATEMI_IMPACT_TWO_MASSES].impulse,
                                                        answers[ATEMI_IMPACT_FULL].peak_force,
                                                        answers[ATEMI_IMPACT_FULL].impulse};
    memcpy(row, values, sizeof values);
}

static atemi_status run_case(sweep_run *run, int index, atemi_error *error)
{
    int                     posture;
    const atemi_impact_case now = case_of(run, index, &posture);
    atemi_impact_answer     answers[ATEMI_IMPACT_METHODS];
    atemi_status            status = atemi_impact_trial_set(run->trial, &now, error);
    if (!status) {
        status = answer_all(run, answers, error);
    }
    if (!status) {
        fill_row(run->trial, answers, run->values + (size_t)index * SWEEP_COLUMNS);
        run->labels[index] =
            run->sweep->posture_count > 0
                ? atemi_model_posture_name(run->trial->model, run->sweep->postures[posture])
                : "";
    }
    return status;
}

// Over what varies most slowly of those that make an axis; curves by what varies next.
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
        enum { VIRTUAL_MASS = 3 };
        if (plot.x == ATEMI_NONE) {
            plot.x = VIRTUAL_MASS;
        } else if (plot.series == ATEMI_NONE) {
            plot.series = VIRTUAL_MASS;
        }
    }
    return plot;
}

static atemi_status add_sweep_table(const sweep_run *run, atemi_recording *recording,
                                    atemi_error *error)
{
    static const int           impulse[] = {5};
    const atemi_recorded_table table = {.name = "sweep",
                                        .title = "Every case of the sweep",
                                        .row_count = run->done,
                                        .column_count = SWEEP_COLUMNS,
                                        .columns = sweep_columns,
                                        .labels = run->sweep->posture_count ? run->labels : NULL,
                                        .values = run->values,
                                        .plot = plot_of(run->sweep, impulse, 1)};
    return atemi_recording_add_table(recording, &table, error);
}

atemi_status atemi_impact_add_sweep(atemi_recording *recording, atemi_impact_trial *trial,
                                    const atemi_impact_case *usual, const atemi_job_hooks *hooks,
                                    bool *stopped, atemi_error *error)
{
    enum { LOOKS = 101 };
    const atemi_impact_sweep *sweep = &trial->scenario->sweep;
    double                    times[LOOKS];
    sweep_run                 run = {
                        .trial = trial, .sweep = sweep, .usual = usual, .times = times, .time_count = LOOKS};
    atemi_status status = ATEMI_OK;
    run.cases = at_least_one(sweep->speed_count) * at_least_one(sweep->mass_count) *
                at_least_one(sweep->stiffness_count) * at_least_one(sweep->posture_count);
    run.values = (double *)atemi_allocate((size_t)run.cases * SWEEP_COLUMNS * sizeof *run.values);
    run.labels = (const char **)atemi_allocate((size_t)run.cases * sizeof *run.labels);
    if (!run.values || !run.labels) {
        status = atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a sweep");
    }
    for (int i = 0; i < LOOKS; ++i) {
        times[i] = trial->scenario->duration * i / (LOOKS - 1);
    }
    *stopped = false;
    while (!status && run.done < run.cases && !*stopped) {
        trial->done = (double)run.done / run.cases;
        status = run_case(&run, run.done, error);
        run.done += !status && !trial->stopped;
        *stopped =
            trial->stopped || (!status && !atemi_job_goes_on(hooks, (double)run.done / run.cases));
    }
    if (!status) {
        status = add_sweep_table(&run, recording, error);
    }
    atemi_release(run.values);
    atemi_release((void *)run.labels);
    return status;
}
