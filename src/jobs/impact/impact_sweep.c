// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_sweep.h"

#include "atemi/base.h"
#include "jobs/impact/impact_map.h"
#include "jobs/impact/impact_reach.h"
#include "jobs/job.h"

#include <math.h>
#include <string.h>

enum { SWEEP_COLUMNS = 22 };

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
    {"full impulse", "N s"},
    {"x", "m"}, // of the hand
    {"y", "m"},
    {"z", "m"},
    {"direction x", NULL},
    {"direction y", NULL},
    {"direction z", NULL},
    {"reached", NULL}};

enum { VIRTUAL_MASS = 3, PEAK_FORCE = 4, IMPULSE = 5, MARGIN = 10, PLACE = 15, REACHED = 21 };

typedef struct sweep_run {
    atemi_impact_trial       *trial;
    const atemi_impact_sweep *sweep;
    const atemi_impact_case  *usual;
    atemi_impact_reach        reach;
    int                       width; ///< columns of the table: without places and directions
                                     ///< those of them are left out
    int          place_at;           ///< the last case whose place was looked for
    bool         is_reached;         ///< that place
    int          cases, done;
    double      *times; ///< [time_count] to look at the ZMP
    int          time_count;
    double      *values; ///< [cases x width]
    const char **labels; ///< [cases] postures
} sweep_run;

// ---- The case of a number

static int at_least_one(int count)
{
    return count > 0 ? count : 1;
}

// What a case is made of, by number: postures change slowest, then places (z slowest, then y),
// directions, speeds, masses and stiffnesses.
typedef struct sweep_index {
    int posture, place, direction, speed, mass, stiffness;
} sweep_index;

static int place_count(const atemi_impact_sweep *sweep)
{
    return sweep->counts[0] * sweep->counts[1] * sweep->counts[2];
}

// The last of `count` that still vary in a number, which then goes on without it.
static int split(int *number, int count)
{
    const int digit = *number % at_least_one(count);
    *number /= at_least_one(count);
    return digit;
}

static sweep_index index_of(const atemi_impact_sweep *sweep, int number)
{
    sweep_index index;
    index.stiffness = split(&number, sweep->stiffness_count);
    index.mass = split(&number, sweep->mass_count);
    index.speed = split(&number, sweep->speed_count);
    index.direction = split(&number, sweep->direction_count);
    index.place = split(&number, place_count(sweep));
    index.posture = number;
    return index;
}

// A zero between the two is one, whatever rounding says.
static double between(double from, double to, int index, int count)
{
    const double value = count > 1 ? from + (to - from) * index / (count - 1) : from;
    return fabs(value) > 1e-12 * fabs(to - from) ? value : 0.0;
}

static atemi_vec3 place_of(const atemi_impact_sweep *sweep, int place)
{
    const int i = split(&place, sweep->counts[0]), j = split(&place, sweep->counts[1]);
    return (atemi_vec3){between(sweep->from.x, sweep->to.x, i, sweep->counts[0]),
                        between(sweep->from.y, sweep->to.y, j, sweep->counts[1]),
                        between(sweep->from.z, sweep->to.z, place, sweep->counts[2])};
}

static const double *posture_of(const sweep_run *run, int posture)
{
    const size_t nq = (size_t)atemi_model_q_count(run->trial->model);
    return run->sweep->posture_count > 0 ? run->trial->scenario->posture_q + (size_t)posture * nq
                                         : run->usual->q;
}

static atemi_impact_case case_of(const sweep_run *run, const sweep_index *index)
{
    const atemi_impact_sweep *sweep = run->sweep;
    atemi_impact_case         now = *run->usual;
    now.q = sweep->has_places ? run->reach.q : posture_of(run, index->posture);
    if (sweep->direction_count > 0) {
        now.point.direction = sweep->directions[index->direction];
    }
    if (sweep->speed_count > 0) {
        now.speed = sweep->speeds[index->speed];
    }
    if (sweep->mass_count > 0) {
        now.mass = sweep->masses[index->mass];
    }
    if (sweep->stiffness_count > 0) {
        now.stiffness = sweep->stiffnesses[index->stiffness];
    }
    return now;
}

// ---- A case

// Puts the hand at the place of a case, unless it is there.
static atemi_status reach_place(sweep_run *run, int number, const sweep_index *index,
                                atemi_error *error)
{
    const int each = run->cases / place_count(run->sweep) /
                     at_least_one(run->sweep->posture_count); // cases at one place
    const double     *from = posture_of(run, index->posture);
    atemi_impact_case now = *run->usual;
    atemi_status      status = ATEMI_OK;
    if (!run->sweep->has_places || number / each == run->place_at) {
        return ATEMI_OK;
    }
    if (number % (each * place_count(run->sweep)) == 0) {
        now.q = from;
        status = atemi_impact_trial_set(run->trial, &now, error);
        atemi_impact_reach_begin(&run->reach);
    }
    run->place_at = number / each;
    run->is_reached =
        !status && atemi_impact_reach_find(&run->reach, from, place_of(run->sweep, index->place));
    return status;
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
    const double               values[PLACE] = {trial->hand_speed,
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

// Where the hand is and where to it strikes; the rest is absent until it is known.
static void begin_row(const sweep_run *run, const sweep_index *index, const atemi_impact_case *now,
                      double *row)
{
    atemi_vec3 place = place_of(run->sweep, index->place);
    for (int i = 0; i < PLACE; ++i) {
        row[i] = NAN;
    }
    if (run->width == PLACE) {
        return;
    }
    if (!run->sweep->has_places) {
        atemi_update_kinematics(run->trial->data, now->q, NULL, NULL);
        place = atemi_striking_point_place(run->trial->data, &now->point, 0);
    }
    const double values[] = {place.x,
                             place.y,
                             place.z,
                             now->point.direction.x,
                             now->point.direction.y,
                             now->point.direction.z,
                             !run->sweep->has_places || run->is_reached};
    memcpy(row + PLACE, values, sizeof values);
}

// A hand that cannot move along a direction is absent in a map, and an error where it is alone.
static atemi_status compute_row(sweep_run *run, const atemi_impact_case *now, double *row,
                                atemi_error *error)
{
    atemi_impact_answer answers[ATEMI_IMPACT_METHODS];
    atemi_error         trouble;
    atemi_status        status = atemi_impact_trial_set(run->trial, now, &trouble);
    if (status == ATEMI_ERROR_SINGULAR && run->width > PLACE) {
        row[REACHED] = 0.0;
        return ATEMI_OK;
    }
    if (status && error) {
        *error = trouble;
    }
    if (!status) {
        status = answer_all(run, answers, error);
    }
    if (!status) {
        fill_row(run->trial, answers, row);
    }
    return status;
}

static atemi_status run_case(sweep_run *run, int number, atemi_error *error)
{
    const sweep_index       index = index_of(run->sweep, number);
    double                 *row = run->values + (size_t)number * (size_t)run->width;
    atemi_status            status = reach_place(run, number, &index, error);
    const atemi_impact_case now = case_of(run, &index);
    if (status) {
        return status;
    }
    begin_row(run, &index, &now, row);
    run->labels[number] =
        run->sweep->posture_count > 0
            ? atemi_model_posture_name(run->trial->model, run->sweep->postures[index.posture])
            : "";
    return run->sweep->has_places && !run->is_reached ? ATEMI_OK
                                                      : compute_row(run, &now, row, error);
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
    static const int           impulse[] = {IMPULSE};
    const atemi_recorded_table table = {
        .name = "sweep",
        .title = "Every case of the sweep",
        .row_count = run->done,
        .column_count = run->width,
        .columns = sweep_columns,
        .labels = run->sweep->posture_count ? run->labels : NULL,
        .values = run->values,
        .plot = plot_of(run->sweep, impulse, run->sweep->has_places ? 0 : 1)};
    return atemi_recording_add_table(recording, &table, error);
}

// The map of each direction, of the cases that are the first of all else that varies.
static atemi_status add_maps(const sweep_run *run, atemi_recording *recording, atemi_error *error)
{
    static const int columns[ATEMI_IMPACT_MAP_COLUMNS] = {
        PLACE, PLACE + 1, PLACE + 2, VIRTUAL_MASS, PEAK_FORCE, MARGIN, REACHED};
    const atemi_impact_sweep *sweep = run->sweep;
    const int                 directions = at_least_one(sweep->direction_count);
    const int                 each =
        run->cases / place_count(sweep) / directions / at_least_one(sweep->posture_count);
    atemi_status status = ATEMI_OK;
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

static atemi_status create(sweep_run *run, atemi_error *error)
{
    run->cases = (int)atemi_impact_sweep_cases(run->sweep);
    run->width = run->sweep->has_places || run->sweep->direction_count > 0 ? SWEEP_COLUMNS : PLACE;
    run->values =
        (double *)atemi_allocate((size_t)run->cases * (size_t)run->width * sizeof *run->values);
    run->labels = (const char **)atemi_allocate((size_t)run->cases * sizeof *run->labels);
    return run->values && run->labels
               ? atemi_impact_reach_create(run->trial, &run->reach, error)
               : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a sweep");
}

static void destroy(sweep_run *run)
{
    atemi_impact_reach_destroy(&run->reach);
    atemi_release(run->values);
    atemi_release((void *)run->labels);
}

atemi_status atemi_impact_add_sweep(atemi_recording *recording, atemi_impact_trial *trial,
                                    const atemi_impact_case *usual, const atemi_job_hooks *hooks,
                                    bool *stopped, atemi_error *error)
{
    enum { LOOKS = 101 };
    double    times[LOOKS];
    sweep_run run = {.trial = trial,
                     .sweep = &trial->scenario->sweep,
                     .usual = usual,
                     .place_at = ATEMI_NONE,
                     .times = times,
                     .time_count = LOOKS};
    for (int i = 0; i < LOOKS; ++i) {
        times[i] = trial->scenario->duration * i / (LOOKS - 1);
    }
    atemi_status status = create(&run, error);
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
    if (!status) {
        status = add_maps(&run, recording, error);
    }
    destroy(&run);
    return status;
}
