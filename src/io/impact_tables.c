// SPDX-License-Identifier: Apache-2.0

#include "io/impact_tables.h"

#include "atemi/allocator.h"
#include "io/columns.h"
#include "io/job.h"

#include <math.h>

// In percent; what is off by rounding only is right.
static double off(double value, double truth)
{
    const double part = (truth - value) / truth;
    return fabs(part) < 1e-9 ? 0.0 : 100.0 * part;
}

// ---- Ways

atemi_status atemi_impact_add_ways(atemi_recording *recording, const atemi_impact_answer *answers,
                                   atemi_error *error)
{
    static const atemi_recorded_column columns[] = {
        {"peak force", "N"},       {"peak off", "%"},       {"impulse", "N s"},
        {"impulse off", "%"},      {"contact time", "s"},   {"compression", "m"},
        {"hand after", "m/s"},     {"target after", "m/s"}, {"ZMP margin", "m"},
        {"servos at limit", NULL}, {"lift-offs", NULL},     {"slips", NULL}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const atemi_impact_answer *full = &answers[ATEMI_IMPACT_FULL];
    const char                *labels[ATEMI_IMPACT_WAYS];
    double                     values[ATEMI_IMPACT_WAYS * COLUMNS], *next = values;
    int                        count = 0;
    for (int way = 0; way < ATEMI_IMPACT_WAYS; ++way) {
        const atemi_impact_answer *answer = &answers[way];
        const bool                 sees_joints = way != ATEMI_IMPACT_TWO_MASSES;
        const bool                 sees_feet = way == ATEMI_IMPACT_FULL;
        if (isnan(answer->impulse)) {
            continue;
        }
        labels[count++] = atemi_impact_way_text((atemi_impact_way)way);
        *next++ = answer->peak_force;
        *next++ = off(answer->peak_force, full->peak_force);
        *next++ = answer->impulse;
        *next++ = off(answer->impulse, full->impulse);
        *next++ = answer->contact_time;
        *next++ = answer->compression;
        *next++ = answer->hand_speed;
        *next++ = answer->target_speed;
        *next++ = sees_joints ? answer->margin : (double)NAN;
        *next++ = sees_joints ? answer->saturated : (double)NAN;
        *next++ = sees_feet ? answer->lift_offs : (double)NAN;
        *next++ = sees_feet ? answer->slips : (double)NAN;
    }
    const atemi_recorded_table table = {.name = "ways",
                                        .title = "The blow, computed in several ways",
                                        .row_count = count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = labels,
                                        .values = values};
    return atemi_recording_add_table(recording, &table, error);
}

// ---- Joints

static void put_joint(const atemi_impact_rows *rows, int j, double *next)
{
    const atemi_joint *joint = atemi_model_joint(rows->trial->model, j);
    const int          i = joint->first_v;
    const bool         driven = joint->v_count == 1;
    const double       limit = driven ? rows->scenario->servo.limits[i] : (double)NAN;
    next[0] = driven ? rows->peak_torques[i] : (double)NAN;
    next[1] = isinf(limit) ? (double)NAN : limit;
    next[2] = driven ? rows->peak_torques[i] >= limit * (1.0 - 1e-9) : (double)NAN;
    next[3] = rows->peak_forces[j];
    next[4] = rows->peak_moments[j];
}

atemi_status atemi_impact_add_joints(atemi_recording *recording, const atemi_impact_rows *rows,
                                     atemi_error *error)
{
    static const atemi_recorded_column columns[] = {{"servo, largest", "N m"},
                                                    {"limit", "N m"},
                                                    {"at its limit", NULL},
                                                    {"force in the joint", "N"},
                                                    {"moment in the joint", "N m"}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const atemi_model *model = rows->trial->model;
    const int          most = atemi_model_joint_count(model);
    int                count = 0;
    const char       **labels = (const char **)atemi_allocate((size_t)(most + 1) * sizeof *labels);
    double *values = (double *)atemi_allocate((size_t)(most + 1) * COLUMNS * sizeof *values);
    for (int j = 0; j < most && labels && values; ++j) {
        if (atemi_columns_has_wrench(model, j)) {
            put_joint(rows, j, values + count * COLUMNS);
            labels[count++] = atemi_model_joint(model, j)->name;
        }
    }
    const atemi_recorded_table table = {.name = "joints",
                                        .title = "What each joint bears",
                                        .row_count = count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = labels,
                                        .values = values};
    const atemi_status         status =
        labels && values ? atemi_recording_add_table(recording, &table, error)
                                 : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a table");
    atemi_release((void *)labels);
    atemi_release(values);
    return status;
}

// ---- The sweep

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

static atemi_status run_case(sweep_run *run, int index, atemi_error *error)
{
    int                      posture;
    const atemi_impact_case  now = case_of(run, index, &posture);
    const atemi_model       *model = run->trial->model;
    const atemi_impact_watch watch = {.times = run->times, .count = run->time_count};
    atemi_impact_answer      answers[ATEMI_IMPACT_WAYS];
    double                  *next = run->values + (size_t)index * SWEEP_COLUMNS;
    atemi_status             status = atemi_impact_trial_set(run->trial, &now, error);
    const int ways = run->trial->scenario->full ? ATEMI_IMPACT_WAYS : ATEMI_IMPACT_FULL;
    for (int way = 0; way < ways && !status; ++way) {
        status = atemi_impact_trial_run(run->trial, (atemi_impact_way)way,
                                        way == ATEMI_IMPACT_ESTIMATE ? &watch : NULL, &answers[way],
                                        error);
    }
    if (status) {
        return status;
    }
    const atemi_impact_answer *main = &answers[ATEMI_IMPACT_ESTIMATE];
    const double               row[SWEEP_COLUMNS] = {
        run->trial->hand_speed,
        isinf(now.mass) ? (double)NAN : now.mass,
        now.stiffness,
        atemi_virtual_mass(&run->trial->base),
        main->peak_force,
        main->impulse,
        main->contact_time,
        main->compression,
        main->hand_speed,
        main->target_speed,
        main->margin,
        answers[ATEMI_IMPACT_PUBLISHED].impulse,
        answers[ATEMI_IMPACT_TWO_MASSES].impulse,
        ways == ATEMI_IMPACT_WAYS ? answers[ATEMI_IMPACT_FULL].peak_force : (double)NAN,
        ways == ATEMI_IMPACT_WAYS ? answers[ATEMI_IMPACT_FULL].impulse : (double)NAN};
    for (int i = 0; i < SWEEP_COLUMNS; ++i) {
        next[i] = row[i];
    }
    run->labels[index] = run->sweep->posture_count > 0
                             ? atemi_model_posture_name(model, run->sweep->postures[posture])
                             : "";
    return ATEMI_OK;
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
        status = run_case(&run, run.done, error);
        run.done += !status;
        *stopped = !status && !atemi_job_goes_on(hooks, (double)run.done / run.cases);
    }
    if (!status) {
        status = add_sweep_table(&run, recording, error);
    }
    atemi_release(run.values);
    atemi_release((void *)run.labels);
    return status;
}
