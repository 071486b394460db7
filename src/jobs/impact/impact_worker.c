// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_worker.h"

#include "jobs/impact/impact_cases.h"

#include <math.h>
#include <string.h>

const atemi_recorded_column atemi_impact_sweep_columns[ATEMI_IMPACT_SWEEP_COLUMNS] = {
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

int atemi_impact_sweep_width(const atemi_impact_sweep *sweep)
{
    return sweep->has_places || sweep->direction_count > 0 ? ATEMI_IMPACT_SWEEP_COLUMNS
                                                           : ATEMI_IMPACT_PLACE;
}

// ---- Creation

atemi_status atemi_impact_worker_create(const atemi_impact_scenario *scenario,
                                        const atemi_impact_case *usual, atemi_impact_worker *worker,
                                        atemi_error *error)
{
    *worker =
        (atemi_impact_worker){.usual = usual, .posture_at = ATEMI_NONE, .place_at = ATEMI_NONE};
    for (int i = 0; i < ATEMI_IMPACT_LOOKS; ++i) {
        worker->times[i] = scenario->duration * i / (ATEMI_IMPACT_LOOKS - 1);
    }
    const atemi_status status = atemi_impact_trial_create(scenario, &worker->trial, error);
    return status ? status : atemi_impact_reach_create(&worker->trial, &worker->reach, error);
}

void atemi_impact_worker_destroy(atemi_impact_worker *worker)
{
    atemi_impact_reach_destroy(&worker->reach);
    atemi_impact_trial_destroy(&worker->trial);
}

// ---- The posture

// Puts the hand at the place of a case, unless it is there.
static atemi_status reach_place(atemi_impact_worker *worker, const atemi_impact_index *index,
                                atemi_error *error)
{
    const atemi_impact_scenario *scenario = worker->trial.scenario;
    const double     *from = atemi_impact_posture(scenario, worker->usual, index->posture);
    atemi_impact_case now = *worker->usual;
    atemi_status      status = ATEMI_OK;
    if (worker->posture_at == index->posture && worker->place_at == index->place) {
        return ATEMI_OK;
    }
    if (worker->posture_at != index->posture) {
        now.q = from;
        status = atemi_impact_trial_set(&worker->trial, &now, error);
        atemi_impact_reach_begin(&worker->reach);
    }
    worker->posture_at = index->posture;
    worker->place_at = index->place;
    worker->is_reached =
        !status && atemi_impact_reach_find(&worker->reach, from,
                                           atemi_impact_place(&scenario->sweep, index->place));
    return status;
}

// ---- The row

// All methods but, unless it was asked for, the full one.
static atemi_status answer_all(atemi_impact_worker *worker,
                               atemi_impact_answer  answers[ATEMI_IMPACT_METHODS],
                               atemi_error         *error)
{
    const atemi_impact_watch watch = {.times = worker->times, .count = ATEMI_IMPACT_LOOKS};
    const int    methods = worker->trial.scenario->full ? ATEMI_IMPACT_METHODS : ATEMI_IMPACT_FULL;
    atemi_status status = ATEMI_OK;
    answers[ATEMI_IMPACT_FULL].peak_force = answers[ATEMI_IMPACT_FULL].impulse = NAN;
    for (int method = 0; method < methods && !status; ++method) {
        status = atemi_impact_trial_run(&worker->trial, (atemi_impact_method)method,
                                        method == ATEMI_IMPACT_ESTIMATE ? &watch : NULL,
                                        &answers[method], error);
    }
    return status;
}

static void fill_row(const atemi_impact_trial *trial, const atemi_impact_answer *answers,
                     double *row)
{
    const atemi_impact_answer *main = &answers[ATEMI_IMPACT_ESTIMATE];
    const double               values[ATEMI_IMPACT_PLACE] = {trial->hand_speed,
                                               isinf(trial->now.mass) ? (double)NAN
                                                                                    : trial->now.mass,
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
static void begin_row(const atemi_impact_worker *worker, const atemi_impact_index *index,
                      const atemi_impact_case *now, double *row)
{
    const atemi_impact_sweep *sweep = &worker->trial.scenario->sweep;
    atemi_vec3                place = atemi_impact_place(sweep, index->place);
    for (int i = 0; i < ATEMI_IMPACT_PLACE; ++i) {
        row[i] = NAN;
    }
    if (atemi_impact_sweep_width(sweep) == ATEMI_IMPACT_PLACE) {
        return;
    }
    if (!sweep->has_places) {
        atemi_update_kinematics(worker->trial.data, now->q, NULL, NULL);
        place = atemi_striking_point_place(worker->trial.data, &now->point, 0);
    }
    const double values[] = {place.x,
                             place.y,
                             place.z,
                             now->point.direction.x,
                             now->point.direction.y,
                             now->point.direction.z,
                             !sweep->has_places || worker->is_reached};
    memcpy(row + ATEMI_IMPACT_PLACE, values, sizeof values);
}

// A hand that cannot move along a direction is absent in a map, and an error where it is alone.
static atemi_status compute_row(atemi_impact_worker *worker, const atemi_impact_case *now,
                                double *row, atemi_error *error)
{
    atemi_impact_answer answers[ATEMI_IMPACT_METHODS];
    atemi_error         trouble;
    const bool          is_map =
        atemi_impact_sweep_width(&worker->trial.scenario->sweep) > ATEMI_IMPACT_PLACE;
    atemi_status status = atemi_impact_trial_set(&worker->trial, now, &trouble);
    if (status == ATEMI_ERROR_SINGULAR && is_map) {
        row[ATEMI_IMPACT_REACHED] = 0.0;
        return ATEMI_OK;
    }
    if (status && error) {
        *error = trouble;
    }
    if (!status) {
        status = answer_all(worker, answers, error);
    }
    if (!status) {
        fill_row(&worker->trial, answers, row);
    }
    return status;
}

atemi_status atemi_impact_worker_row(atemi_impact_worker *worker, int number, double *row,
                                     atemi_error *error)
{
    const atemi_impact_scenario *scenario = worker->trial.scenario;
    const bool                   has_places = scenario->sweep.has_places;
    const atemi_impact_index     index = atemi_impact_index_of(&scenario->sweep, number);
    atemi_impact_case            now = atemi_impact_case_of(scenario, worker->usual, &index);
    const atemi_status status = has_places ? reach_place(worker, &index, error) : ATEMI_OK;
    if (status) {
        return status;
    }
    now.q = has_places ? worker->reach.q : now.q;
    begin_row(worker, &index, &now, row);
    return has_places && !worker->is_reached ? ATEMI_OK : compute_row(worker, &now, row, error);
}
