// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/recording/recording_parts.h"
#include "jobs/job_choice.h"
#include "jobs/registry.h"
#include "jobs/strike/strike_progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A recording holds all that a verification needs: scenario, description of the robot, motion. What
// is recorded anew is the run that comes of them; what was planned is copied.

typedef struct recorded_strike {
    const atemi_recording  *planned;
    atemi_strike_conditions conditions;
    atemi_scenario_reader  *reader;
    atemi_strike_run        run;
} recorded_strike;

atemi_strike_conditions atemi_strike_conditions_default(void)
{
    return (atemi_strike_conditions){.friction = NAN, .mass = NAN, .distance = NAN};
}

// ---- What is asked for

static atemi_status check_planned(const atemi_recording *planned, atemi_error *error)
{
    const char *job = atemi_recording_job(planned), *outcome = atemi_recording_outcome(planned);
    size_t      size;
    if (!job || strcmp(job, "strike") != 0 || !atemi_recording_scenario(planned, &size) ||
        !atemi_recording_urdf(planned, &size)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the recording is not of a strike with its scenario and its robot; give "
                          "one of atemi strike");
    }
    if (!(atemi_recording_result_value(planned, "feasible") > 0.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "there is no strike to verify: %.400s",
                          outcome ? outcome : "none was feasible");
    }
    return atemi_recording_check_rows(planned, error);
}

static atemi_status check_conditions(const atemi_strike_conditions *c, atemi_error *error)
{
    if (c->friction < 0.0 || isinf(c->friction)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the friction of the floor is %g; give 0 or more, such as 0.7",
                          c->friction);
    }
    if (c->mass <= 0.0) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the target has the mass %g kg; give more than 0 kg", c->mass);
    }
    return isinf(c->distance) ? atemi_fail(error, ATEMI_ERROR_INPUT,
                                           "the target is infinitely far; give a distance in m")
                              : ATEMI_OK;
}

// ---- The motion that was recorded

// Only its names are asked for.
static const atemi_model *model_of(const void *row)
{
    return (const atemi_model *)row;
}

static const atemi_column       times[] = {{.name = "t", .unit = "s"}};
static const atemi_column_group groups[] = {{ATEMI_COLUMNS(times)}, {.model = model_of}};
static const atemi_column_table motion_columns = {groups, 2};

static atemi_status find_times(const recorded_strike *strike, atemi_strike_motion *motion,
                               atemi_error *error)
{
    const int     rows = atemi_recording_row_count(strike->planned);
    const double *t = atemi_recording_values(strike->planned, 0);
    const double  step = strike->run.scenario.step;
    const long    touch = rows > 0 ? lround(-t[0] / step) : -1;
    if (touch < 0 || touch >= rows ||
        fabs(t[rows - 1] - (double)(rows - 1 - touch) * step) > step) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the rows of the recording are not those of its scenario, one every %g s "
                          "with first touch at 0 s; plan the strike again",
                          step);
    }
    motion->count = rows;
    motion->touch = (int)touch;
    motion->step = step;
    motion->blow_time = atemi_recording_result_value(strike->planned, "blow_time");
    return ATEMI_OK;
}

static atemi_status copy_column(const recorded_strike *strike, const char *name, double *to,
                                int width, atemi_error *error)
{
    const int     channel = atemi_recording_find_channel(strike->planned, name);
    const int     rows = atemi_recording_row_count(strike->planned);
    const double *values =
        channel == ATEMI_NONE ? NULL : atemi_recording_values(strike->planned, channel);
    for (int i = 0; i < rows; ++i) {
        if (!values || isnan(values[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the recording has no '%.200s' in row %d; plan the strike again",
                              name, i);
        }
        to[(size_t)i * (size_t)width] = values[i];
    }
    return ATEMI_OK;
}

// Columns are q, v, a and tau, one after the other.
static atemi_status copy_columns(const recorded_strike *strike, const atemi_recording *names,
                                 atemi_strike_motion *m, atemi_error *error)
{
    double *const arrays[] = {m->q, m->v, m->a, m->tau};
    const int     widths[] = {m->q_count, m->v_count, m->v_count, m->v_count};
    int           channel = 1;
    atemi_status  status = ATEMI_OK;
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < widths[k] && !status; ++i) {
            const char *name = atemi_recording_channel(names, channel++)->name;
            status = copy_column(strike, name, arrays[k] + i, widths[k], error);
        }
    }
    return status;
}

static bool allocate(atemi_strike_motion *m)
{
    const size_t rows = (size_t)m->count * sizeof(double);
    m->q = (double *)atemi_allocate(rows * (size_t)m->q_count);
    m->v = (double *)atemi_allocate(rows * (size_t)m->v_count);
    m->a = (double *)atemi_allocate(rows * (size_t)m->v_count);
    m->tau = (double *)atemi_allocate(rows * (size_t)m->v_count);
    return m->q && m->v && m->a && m->tau;
}

static atemi_status read_motion(recorded_strike *strike, atemi_error *error)
{
    const atemi_model   *model = strike->run.scenario.robot.model;
    atemi_strike_motion *m = &strike->run.attempts.best.motion;
    atemi_recording     *names = NULL;
    atemi_status         status = find_times(strike, m, error);
    if (status) {
        return status;
    }
    m->q_count = atemi_model_q_count(model);
    m->v_count = atemi_model_v_count(model);
    if (!allocate(m)) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the motion of a strike");
    }
    status = atemi_columns_create(&motion_columns, model, &names, error);
    if (!status) {
        status = copy_columns(strike, names, m, error);
    }
    atemi_recording_destroy(names);
    return status;
}

// ---- The verification

static void set_conditions(recorded_strike *strike)
{
    atemi_strike_run              *run = &strike->run;
    const atemi_strike_conditions *c = &strike->conditions;
    run->scenario.friction = isnan(c->friction) ? run->scenario.friction : c->friction;
    run->scenario.task.target.mass = isnan(c->mass) ? run->scenario.task.target.mass : c->mass;
    run->distance = isnan(c->distance) ? 0.0 : c->distance;
}

// A target so near that the hand would begin in it.
static atemi_status check_distance(const recorded_strike *strike, atemi_error *error)
{
    const atemi_strike_run  *run = &strike->run;
    const atemi_strike_task *task = &run->scenario.task;
    atemi_strike_target      start;
    const atemi_status       status =
        atemi_strike_target_find(task, run->attempts.best.motion.q, 0.0, &start, error);
    const double margin =
        status ? (double)NAN
               : atemi_vec3_dot(task->point.direction,
                                atemi_vec3_sub(run->attempts.best.target.place, start.place));
    return margin <= 0.0 ? atemi_fail(error, ATEMI_ERROR_INPUT,
                                      "the target is %g m nearer than planned, and the hand begins "
                                      "its motion behind the target's face; give less than %.3g m",
                                      -run->distance, margin - run->distance)
                         : status;
}

static atemi_status verify(recorded_strike *strike, atemi_error *error)
{
    atemi_strike_run          *run = &strike->run;
    const atemi_strike_motion *m = &run->attempts.best.motion;
    const double              *touch = m->q + (size_t)m->touch * (size_t)m->q_count;
    set_conditions(strike);
    atemi_status status = atemi_strike_target_find(&run->scenario.task, touch, run->distance,
                                                   &run->attempts.best.target, error);
    if (!status) {
        status = check_distance(strike, error);
    }
    const atemi_strike_verify_options options = {.friction = run->scenario.friction,
                                                 .place = run->attempts.best.target.place};
    return status ? status
                  : atemi_strike_verify(&run->scenario.task, m, &options,
                                        &run->attempts.best.verification, error);
}

// ---- The recording

static atemi_status copy_results(recorded_strike *strike, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_recording_result_count(strike->planned) && !status; ++i) {
        status = atemi_recording_add_result(strike->run.recording,
                                            atemi_recording_result(strike->planned, i), error);
    }
    return status;
}

// Time, force and ZMP as they were estimated; what was seen of them is of this run.
static void read_blow(const atemi_recorded_table *table, atemi_strike_estimate *estimate)
{
    estimate->count = 0;
    for (int i = 0; i < table->row_count && i < ATEMI_STRIKE_INSTANTS; ++i) {
        const double *row = table->values + (size_t)i * (size_t)table->column_count;
        estimate->instants[estimate->count++] =
            (atemi_strike_instant){row[0], row[1], {row[3], row[5], 0.0}};
    }
}

static atemi_status copy_tables(recorded_strike *strike, atemi_error *error)
{
    atemi_strike_run *run = &strike->run;
    atemi_status      status = ATEMI_OK;
    for (int i = 0; i < atemi_recording_table_count(strike->planned) && !status; ++i) {
        const atemi_recorded_table *table = atemi_recording_table(strike->planned, i);
        if (strcmp(table->name, "blow") == 0 && table->column_count > 5) {
            read_blow(table, &run->attempts.best.estimate);
            status = atemi_strike_add_blow(run, error);
        } else {
            status = atemi_recording_add_table(run->recording, table, error);
        }
    }
    return status;
}

static atemi_status add_results(recorded_strike *strike, atemi_error *error)
{
    atemi_strike_run          *run = &strike->run;
    const atemi_recorded_value completed = {"completed", atemi_strike_run_stands(run), NULL};
    atemi_status               status = copy_results(strike, error);
    if (!status) {
        status = atemi_job_add_results(run->recording, &completed, 1, error);
    }
    return status ? status
                  : atemi_strike_add_verification(
                        run, atemi_recording_result_value(strike->planned, "peak_force"),
                        atemi_recording_result_value(strike->planned, "impulse"), error);
}

static atemi_status describe(recorded_strike *strike, atemi_error *error)
{
    const atemi_strike_run          *run = &strike->run;
    const atemi_strike_verification *v = &run->attempts.best.verification;
    const atemi_full_blow_result    *r = &v->result;
    char                             outcome[ATEMI_ERROR_MESSAGE_SIZE + 200];
    if (!v->went_on) {
        snprintf(outcome, sizeof outcome, "full dynamics cannot go on: %s", v->trouble);
    } else if (isnan(v->fall_time)) {
        snprintf(outcome, sizeof outcome,
                 "the robot stands; %.4g N and %.4g N s, %d lift-offs and %d slips", r->peak_force,
                 r->impulse, r->lift_offs, r->slips);
    } else {
        snprintf(outcome, sizeof outcome,
                 "the robot falls at %.3g s; %.4g N and %.4g N s, %d lift-offs and %d slips",
                 v->fall_time, r->peak_force, r->impulse, r->lift_offs, r->slips);
    }
    return atemi_job_describe(run->recording, strike->reader, &run->scenario.robot, "strike",
                              outcome, error);
}

static atemi_status record(recorded_strike *strike, atemi_error *error)
{
    atemi_status status = atemi_strike_add_rows(&strike->run, error);
    if (!status) {
        status = atemi_strike_add_footsteps(&strike->run, error);
    }
    if (!status) {
        status = copy_tables(strike, error);
    }
    if (!status) {
        status = add_results(strike, error);
    }
    return status ? status : describe(strike, error);
}

// ---- All of it

static atemi_status read_scenario(recorded_strike *strike, atemi_error *error)
{
    size_t             text_size, urdf_size;
    const char        *text = atemi_recording_scenario(strike->planned, &text_size);
    const char        *urdf = atemi_recording_urdf(strike->planned, &urdf_size);
    const atemi_status status =
        atemi_scenario_open_text(text, text_size, "scenario.yaml", &strike->reader, error);
    if (status) {
        return status;
    }
    atemi_job_choice_read(strike->reader, "strike");
    return atemi_strike_scenario_read_recorded(strike->reader, urdf, urdf_size,
                                               &strike->run.scenario, error);
}

static atemi_status run_all(recorded_strike *strike, atemi_error *error)
{
    atemi_status status = read_scenario(strike, error);
    if (!status) {
        status = read_motion(strike, error);
    }
    if (!status) {
        status = verify(strike, error);
    }
    return status ? status : record(strike, error);
}

static void destroy(recorded_strike *strike)
{
    atemi_recording_destroy(strike->run.recording);
    atemi_strike_attempts_destroy(&strike->run.attempts);
    atemi_strike_scenario_destroy(&strike->run.scenario);
    atemi_scenario_close(strike->reader);
    atemi_release(strike);
}

static atemi_status verify_all(const atemi_recording         *planned,
                               const atemi_strike_conditions *conditions,
                               atemi_recording **recording, atemi_error *error)
{
    recorded_strike *strike = (recorded_strike *)atemi_allocate(sizeof *strike);
    if (!strike) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to verify a strike");
    }
    memset(strike, 0, sizeof *strike);
    strike->planned = planned;
    strike->conditions = *conditions;
    const atemi_job *job;
    atemi_status     status = run_all(strike, error);
    if (!status) {
        status = atemi_registry_find("strike", &job, error);
    }
    if (!status) {
        status = atemi_job_add_story(job, strike->run.recording, error);
    }
    if (!status) {
        *recording = strike->run.recording;
        strike->run.recording = NULL;
    }
    destroy(strike);
    return status;
}

atemi_status atemi_strike_verify_recording(const atemi_recording         *planned,
                                           const atemi_strike_conditions *conditions,
                                           atemi_recording **recording, atemi_error *error)
{
    ATEMI_REQUIRE_OR(planned && recording, ATEMI_ERROR_CONTRACT);
    const atemi_strike_conditions usual = atemi_strike_conditions_default();
    atemi_error                   own;
    error = error ? error : &own;
    conditions = conditions ? conditions : &usual;
    *recording = NULL;
    atemi_status status = check_planned(planned, error);
    if (!status) {
        status = check_conditions(conditions, error);
    }
    return status ? status : verify_all(planned, conditions, recording, error);
}
