// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike.h"

#include "atemi/allocator.h"
#include "atemi/kinematics.h"
#include "io/columns.h"
#include "io/job.h"
#include "io/strike_verification.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { OUTCOME_SIZE = 400, MOST_ACTIVE_NAMED = 3 };

static const double fallen = 0.2; // rad: a base so far off its reference has fallen

typedef struct strike_run {
    const atemi_job_hooks    *hooks;
    atemi_strike_scenario     scenario;
    atemi_strike_plan        *plan;
    atemi_strike_motion       motion;
    atemi_strike_verification verification;
    atemi_vec3                place;   ///< where the hand hits
    atemi_support             support; ///< what the robot stands on
    atemi_vec3                corners[4 * ATEMI_STRIKE_MOST_FEET];
    atemi_recording          *recording;
    bool                      stopped;
} strike_run;

// ---- Planning

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool on_progress(void *context, double done, double objective, double violation)
{
    strike_run *run = (strike_run *)context;
    (void)objective;
    (void)violation;
    run->stopped = run->stopped || !atemi_job_goes_on(run->hooks, 0.9 * done);
    return !run->stopped;
}

static atemi_status plan(strike_run *run, atemi_error *error)
{
    atemi_strike_options options = atemi_strike_options_default();
    options.starts = run->scenario.starts;
    options.seed = (unsigned)run->scenario.seed;
    options.iterations = run->scenario.iterations;
    options.progress = on_progress;
    options.context = run;
    options.clock = seconds;
    return atemi_strike_plan_make(&run->scenario.task, &options, &run->plan, error);
}

static atemi_status find_place(strike_run *run, atemi_error *error)
{
    const atemi_model *model = run->scenario.robot.model;
    atemi_arena        arena = atemi_arena_measuring();
    int                count = 0;
    atemi_kinematics_take(&arena, model);
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    atemi_kinematics kinematics = atemi_kinematics_take(&arena, model);
    atemi_kinematics_update(model, atemi_strike_plan_q(run->plan), NULL, NULL, &kinematics);
    const atemi_transform hand = atemi_link_pose(model, &kinematics, run->scenario.task.hand_link);
    run->place = atemi_transform_apply(&hand, run->scenario.task.hand_point);
    for (int i = 0; i < run->scenario.task.foot_count; ++i) {
        const atemi_site     *site = atemi_model_site(model, run->scenario.feet[i]);
        const atemi_transform pose = atemi_link_pose(model, &kinematics, site->link);
        count += atemi_site_corners(site, &pose, run->corners + count);
    }
    run->support = atemi_support_polygon(NULL, run->corners, count, run->corners);
    atemi_arena_destroy(&arena);
    return ATEMI_OK;
}

// ---- Rows: the motion that was planned, and what was seen of it

static void add_columns(atemi_column_list *list, const void *context)
{
    const strike_run *run = (const strike_run *)context;
    atemi_columns_add(list, "s", "t");
    atemi_columns_add_motion(list, run->scenario.robot.model);
    atemi_columns_add(list, "N", "verify.force");
    atemi_columns_add_zmp(list);
}

static double *put(double *next, const double *values, size_t row, int count)
{
    memcpy(next, values + row * (size_t)count, (size_t)count * sizeof *next);
    return next + count;
}

static void fill_row(const strike_run *run, int i, double *next)
{
    const atemi_strike_motion *m = &run->motion;
    const atemi_strike_track  *track = &run->verification.track;
    const bool                 seen = i < track->count;
    *next++ = atemi_strike_motion_time(m, i);
    next = put(next, m->q, (size_t)i, m->q_count);
    next = put(next, m->v, (size_t)i, m->v_count);
    next = put(next, m->a, (size_t)i, m->v_count);
    next = put(next, m->tau, (size_t)i, m->v_count);
    *next++ = seen ? track->force[i] : (double)NAN;
    *next++ = seen ? track->zmp_x[i] : (double)NAN;
    *next++ = seen ? track->zmp_y[i] : (double)NAN;
    *next = seen ? track->margin[i] : (double)NAN;
}

static atemi_status add_rows(strike_run *run, atemi_error *error)
{
    const int columns = atemi_columns_count(add_columns, run);
    double   *row = (double *)atemi_allocate((size_t)columns * sizeof *row);
    if (!row) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a recording");
    }
    atemi_status status = atemi_columns_create(add_columns, run, &run->recording, error);
    for (int i = 0; i < run->motion.count && !status; ++i) {
        fill_row(run, i, row);
        status = atemi_recording_append(run->recording, row, error);
    }
    atemi_release(row);
    return status;
}

// ---- Tables

static atemi_status add_variables(strike_run *run, atemi_error *error)
{
    enum { COLUMNS = 4 };
    static const atemi_recorded_column columns[COLUMNS] = {
        {"value", NULL}, {"lower", NULL}, {"upper", NULL}, {"worth", NULL}};
    double      values[COLUMNS * ATEMI_STRIKE_MOST_VARIABLES];
    const char *labels[ATEMI_STRIKE_MOST_VARIABLES];
    const int   count = atemi_strike_plan_variable_count(run->plan);
    for (int i = 0; i < count; ++i) {
        const atemi_strike_variable *x = atemi_strike_plan_variable(run->plan, i);
        labels[i] = x->name;
        values[COLUMNS * i] = x->value;
        values[COLUMNS * i + 1] = x->range.lower;
        values[COLUMNS * i + 2] = x->range.upper;
        values[COLUMNS * i + 3] = x->multiplier;
    }
    const atemi_recorded_table table = {.name = "decided",
                                        .title = "What was decided (SI units, radians)",
                                        .row_count = count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = labels,
                                        .values = values};
    return atemi_recording_add_table(run->recording, &table, error);
}

// Those that hold the blow back, or are not met.
static bool is_told(const atemi_strike_constraint *c)
{
    return c->multiplier > 0.0 || c->value < c->lower || c->value > c->upper;
}

static atemi_status add_constraints(strike_run *run, atemi_error *error)
{
    enum { COLUMNS = 4 };
    static const atemi_recorded_column columns[COLUMNS] = {
        {"value", NULL}, {"lower", NULL}, {"upper", NULL}, {"worth", NULL}};
    const int    most = atemi_strike_plan_constraint_count(run->plan);
    double      *values = (double *)atemi_allocate((size_t)(most + 1) * COLUMNS * sizeof *values);
    const char **labels = (const char **)atemi_allocate((size_t)(most + 1) * sizeof *labels);
    int          count = 0;
    for (int i = 0; i < most && values && labels; ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(run->plan, i);
        if (is_told(c)) {
            const double row[COLUMNS] = {c->value, c->lower, c->upper, c->multiplier};
            memcpy(values + (size_t)count * COLUMNS, row, sizeof row);
            labels[count++] = c->name;
        }
    }
    const atemi_recorded_table table = {.name = "limits",
                                        .title = "What holds the blow back, or is not met",
                                        .row_count = count,
                                        .column_count = COLUMNS,
                                        .columns = columns,
                                        .labels = labels,
                                        .values = values};
    const atemi_status         status =
        values && labels ? atemi_recording_add_table(run->recording, &table, error)
                                 : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a table");
    atemi_release(values);
    atemi_release((void *)labels);
    return status;
}

// ---- Results

static bool stands(const strike_run *run)
{
    const atemi_strike_verification *v = &run->verification;
    return !run->scenario.verify || (v->went_on && v->tilt < fallen);
}

static atemi_status add_results(strike_run *run, atemi_error *error)
{
    const atemi_strike_figures    f = atemi_strike_plan_figures(run->plan);
    const atemi_full_blow_result *r = &run->verification.result;
    const bool                    seen = run->scenario.verify && run->verification.went_on;
    const bool                    feasible = atemi_strike_plan_feasible(run->plan);
    const atemi_recorded_value    results[] = {
        {"completed", feasible && stands(run) && !run->stopped, NULL},
        {"feasible", feasible, NULL},
        {"violation", atemi_strike_plan_violation(run->plan), NULL},
        {"objective", f.objective, NULL},
        {"speed", f.speed, "m/s"},
        {"peak_force", f.peak_force, "N"},
        {"impulse", f.impulse, "N s"},
        {"contact_time", f.contact_time, "s"},
        {"impact_margin", f.impact_margin, "m"},
        {"motion_margin", f.motion_margin, "m"},
        {"momentum_x", f.momentum[0], "N s"},
        {"momentum_y", f.momentum[1], "N s"},
        {"momentum_z", f.momentum[2], "N s"},
        {"angular_x", f.angular[0], "N m s"},
        {"angular_y", f.angular[1], "N m s"},
        {"angular_z", f.angular[2], "N m s"},
        {"tries", f.tries, NULL},
        {"feasible_tries", f.feasible_tries, NULL},
        {"evaluations", f.evaluations, NULL},
        {"gradients", f.gradients, NULL},
        {"largest_torque_part", run->motion.torque, NULL},
        {"largest_speed_part", run->motion.speed, NULL},
        {"foot_drift", run->motion.foot_drift, "m"},
        {"least_motion_margin", run->motion.margin, "m"},
        {"stands", stands(run), NULL},
        {"verified_peak_force", seen ? r->peak_force : (double)NAN, "N"},
        {"verified_impulse", seen ? r->impulse : (double)NAN, "N s"},
        {"verified_contact_time", seen ? r->contact_time : (double)NAN, "s"},
        {"verified_margin", seen ? r->margin : (double)NAN, "m"},
        {"verified_lift_offs", seen ? r->lift_offs : (double)NAN, NULL},
        {"verified_slips", seen ? r->slips : (double)NAN, NULL},
        {"peak_force_error", seen ? (r->peak_force - f.peak_force) / r->peak_force : (double)NAN,
            NULL},
        {"impulse_error", seen ? (r->impulse - f.impulse) / r->impulse : (double)NAN, NULL}};
    return atemi_job_add_results(run->recording, results, sizeof results / sizeof results[0],
                                 error);
}

// The limits that are worth most, "A, B and C".
static void name_limits(const strike_run *run, char *text, size_t size)
{
    const atemi_strike_constraint *named[MOST_ACTIVE_NAMED] = {0};
    text[0] = '\0';
    for (int k = 0; k < MOST_ACTIVE_NAMED; ++k) {
        for (int i = 0; i < atemi_strike_plan_constraint_count(run->plan); ++i) {
            const atemi_strike_constraint *c = atemi_strike_plan_constraint(run->plan, i);
            bool                           taken = false;
            for (int j = 0; j < k; ++j) {
                taken = taken || named[j] == c;
            }
            if (!taken && c->multiplier > 0.0 &&
                (!named[k] || c->multiplier > named[k]->multiplier)) {
                named[k] = c;
            }
        }
        if (named[k]) {
            const size_t length = strlen(text);
            snprintf(text + length, size - length, "%s%s", k ? ", " : "", named[k]->name);
        }
    }
}

static void tell(const strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_figures f = atemi_strike_plan_figures(run->plan);
    char                       limits[3 * ATEMI_STRIKE_NAME];
    name_limits(run, limits, sizeof limits);
    if (!atemi_strike_plan_feasible(run->plan)) {
        snprintf(outcome, OUTCOME_SIZE,
                 "no strike meets all constraints: the nearest misses by %.3g of their scales",
                 atemi_strike_plan_violation(run->plan));
    } else if (!stands(run)) {
        snprintf(outcome, OUTCOME_SIZE, "planned %.4g m/s and %.4g N, but the robot falls: %.200s",
                 f.speed, f.peak_force, run->verification.trouble);
    } else {
        snprintf(outcome, OUTCOME_SIZE, "%.4g m/s, %.4g N and %.4g N s because of %.200s", f.speed,
                 f.peak_force, f.impulse, limits);
    }
}

static atemi_status describe(strike_run *run, const atemi_scenario_reader *reader,
                             atemi_error *error)
{
    char outcome[OUTCOME_SIZE];
    tell(run, outcome);
    return atemi_job_describe(run->recording, reader, &run->scenario.robot, "strike", outcome,
                              error);
}

// ---- All of it

static atemi_status do_it(strike_run *run, const atemi_scenario_reader *reader, atemi_error *error)
{
    atemi_status status = plan(run, error);
    if (!status) {
        status = find_place(run, error);
    }
    if (!status) {
        status = atemi_strike_motion_make(run->plan, run->scenario.step, &run->motion, error);
    }
    if (!status && run->scenario.verify && atemi_strike_plan_feasible(run->plan)) {
        status = atemi_strike_verify(&run->scenario, &run->motion, run->place, &run->verification,
                                     error);
    }
    if (!status) {
        status = add_rows(run, error);
    }
    if (!status) {
        status = add_variables(run, error);
    }
    if (!status) {
        status = add_constraints(run, error);
    }
    if (!status) {
        status = add_results(run, error);
    }
    return status ? status : describe(run, reader, error);
}

static atemi_status run_scenario(atemi_scenario_reader *reader, const char *file,
                                 const void *options, const atemi_job_hooks *hooks,
                                 atemi_recording **recording, atemi_error *error)
{
    (void)options;
    strike_run *run = (strike_run *)atemi_allocate(sizeof *run);
    if (!run) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a strike");
    }
    memset(run, 0, sizeof *run);
    run->hooks = hooks;
    atemi_status status = atemi_strike_scenario_read(reader, file, &run->scenario, error);
    if (!status) {
        status = do_it(run, reader, error);
    }
    if (!status) {
        *recording = run->recording;
        run->recording = NULL;
    }
    atemi_recording_destroy(run->recording);
    atemi_strike_verification_destroy(&run->verification);
    atemi_strike_motion_destroy(&run->motion);
    atemi_strike_plan_destroy(run->plan);
    atemi_strike_scenario_destroy(&run->scenario);
    atemi_release(run);
    return status;
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    atemi_strike_scenario *scenario = (atemi_strike_scenario *)atemi_allocate(sizeof *scenario);
    if (!scenario) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a scenario");
    }
    const atemi_status status = atemi_strike_scenario_read(reader, file, scenario, error);
    atemi_strike_scenario_destroy(scenario);
    atemi_release(scenario);
    return status;
}

static const atemi_job job = {.run = run_scenario, .read = read_scenario};

atemi_status atemi_strike_file(const char *path, const atemi_job_hooks *hooks,
                               atemi_recording **recording, atemi_error *error)
{
    return atemi_job_run_file(&job, path, NULL, hooks, recording, error);
}

atemi_status atemi_strike_text(const char *text, size_t size, const char *file,
                               const atemi_job_hooks *hooks, atemi_recording **recording,
                               atemi_error *error)
{
    return atemi_job_run_text(&job, text, size, file, NULL, hooks, recording, error);
}

atemi_status atemi_strike_explain(const char *path, char **text, atemi_error *error)
{
    return atemi_job_explain(&job, path, text, error);
}
