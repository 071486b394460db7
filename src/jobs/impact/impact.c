// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "jobs/blow_events.h"
#include "jobs/impact/impact_init.h"
#include "jobs/impact/impact_sweep.h"
#include "jobs/impact/impact_tables.h"
#include "jobs/job.h"
#include "jobs/plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OUTCOME_SIZE = ATEMI_ERROR_MESSAGE_SIZE + 200 };

static const double rows_after = 10.0;

typedef struct impact_run {
    const atemi_job_hooks *hooks;
    atemi_impact_scenario  scenario;
    atemi_impact_trial     trial;
    atemi_impact_rows      rows;
    atemi_impact_case      usual; ///< the scenario's own case
    atemi_impact_answer    answers[ATEMI_IMPACT_METHODS];
    bool                   stopped; ///< in the blow or in the sweep
    bool                   swept;   ///< the sweep has begun
} impact_run;

// ---- The scenario's own blow

static atemi_status freeze(impact_run *run, atemi_error *error)
{
    const atemi_impact_scenario *scenario = &run->scenario;
    run->usual =
        (atemi_impact_case){.q = scenario->start.q,
                            .point = scenario->hand.point,
                            .speed = scenario->hand.has_speed ? scenario->hand.speed : (double)NAN,
                            .mass = scenario->target.mass,
                            .stiffness = atemi_scenario_law_is_spring(&scenario->target.law)
                                             ? scenario->target.law.spring.stiffness
                                             : (double)NAN};
    const atemi_status status = atemi_impact_trial_create(scenario, &run->trial, error);
    run->trial.hooks = run->hooks;
    return status ? status : atemi_impact_trial_set(&run->trial, &run->usual, error);
}

static void warn_of_absence(const impact_run *run)
{
    if (run->trial.singular_as_published) {
        atemi_log(ATEMI_LOG_WARNING,
                  "as published there is no answer: beside the extra mass of the feet (grounding) "
                  "the least links of the robot vanish in rounding");
    }
}

static atemi_status run_method(impact_run *run, atemi_impact_method method, atemi_error *error)
{
    atemi_impact_series     *series = &run->rows.series[method];
    const atemi_impact_watch watch = {.times = run->rows.times,
                                      .count = run->rows.count,
                                      .take = atemi_impact_series_take,
                                      .context = series};
    const atemi_status       status =
        atemi_impact_trial_run(&run->trial, method, &watch, &run->answers[method], error);
    series->released = run->answers[method].released;
    return status;
}

// The last row that is worth it: a little after the last method has let go.
static int row_count(const impact_run *run)
{
    double end = 0.0;
    for (int method = 0; method < ATEMI_IMPACT_METHODS; ++method) {
        const atemi_impact_answer *answer = &run->answers[method];
        end = fmax(end, answer->released ? answer->contact_time : 0.0);
        end = !answer->released && answer->impulse > 0.0 ? run->scenario.duration : end;
    }
    const double rows = end / run->scenario.every + 1.0 + rows_after;
    return rows < run->rows.count ? (int)rows : run->rows.count;
}

static atemi_status record(impact_run *run, atemi_error *error)
{
    const atemi_impact_watch watch = {.times = run->rows.times,
                                      .count = row_count(run),
                                      .past_release = true,
                                      .take = atemi_impact_rows_take,
                                      .context = &run->rows};
    atemi_impact_answer      beyond;
    const atemi_status       status =
        atemi_impact_trial_run(&run->trial, ATEMI_IMPACT_ESTIMATE, &watch, &beyond, error);
    if (!status && run->rows.status) {
        *error = run->rows.error;
    }
    return status ? status : run->rows.status;
}

static atemi_status strike(impact_run *run, atemi_error *error)
{
    atemi_status status = atemi_impact_rows_create(&run->trial, &run->rows, error);
    for (int method = 0; method < ATEMI_IMPACT_METHODS && !status; ++method) {
        if (method != ATEMI_IMPACT_FULL || run->scenario.full) {
            status = run_method(run, (atemi_impact_method)method, error);
        } else {
            run->answers[method].impulse = NAN;
            run->answers[method].peak_force = NAN;
        }
    }
    status = status ? status : record(run, error);
    run->stopped = run->trial.stopped;
    return status;
}

// ---- Results

static atemi_status add_estimate(impact_run *run, atemi_error *error)
{
    const atemi_impact_answer *answer = &run->answers[ATEMI_IMPACT_ESTIMATE];
    const atemi_vec3           along = run->scenario.hand.point.direction;
    const atemi_recorded_value values[] = {
        {"completed",
         run->trial.hand_speed > 0.0 && !run->stopped && !run->answers[ATEMI_IMPACT_FULL].fails,
         NULL},
        {"virtual_mass", atemi_virtual_mass(&run->trial.base), "kg"},
        {"hand_speed_before", run->trial.hand_speed, "m/s"},
        {"peak_force", answer->peak_force, "N"},
        {"peak_time", answer->peak_time, "s"},
        {"impulse", answer->impulse, "N s"},
        {"contact_time", answer->contact_time, "s"},
        {"compression", answer->compression, "m"},
        {"hand_speed_after", answer->hand_speed, "m/s"},
        {"target_speed_after", answer->target_speed, "m/s"},
        {"target_travel", answer->target_travel, "m"},
        {"released", answer->released, NULL},
        {"servos_at_limit", answer->saturated, NULL},
        {"least_zmp_margin", answer->margin, "m"},
        {"direction_x", along.x, NULL},
        {"direction_y", along.y, NULL},
        {"direction_z", along.z, NULL},
        {"target_width", atemi_scenario_target_width(run->trial.now.mass), "m"}};
    return atemi_job_add_results(run->rows.recording, values, sizeof values / sizeof values[0],
                                 error);
}

static atemi_status add_events(impact_run *run, atemi_error *error)
{
    const atemi_impact_answer *answer = &run->answers[ATEMI_IMPACT_ESTIMATE];
    return atemi_job_add_blow_events(run->rows.recording, run->trial.hand_speed, answer->peak_force,
                                     answer->released ? answer->contact_time : (double)NAN, error);
}

static double off(double value, double truth)
{
    return (truth - value) / truth;
}

// The largest distance between the two ZMPs in rows that have both, the first touch apart: there
// one of them has no force yet.
static double zmp_difference(const atemi_recording *recording)
{
    const char *const names[] = {"zmp.x", "zmp.y", "zmp.full_x", "zmp.full_y"};
    const double     *columns[4];
    double            most = NAN;
    for (int i = 0; i < 4; ++i) {
        columns[i] =
            atemi_recording_values(recording, atemi_recording_find_channel(recording, names[i]));
    }
    for (int i = 1; i < atemi_recording_row_count(recording); ++i) {
        most = fmax(most, hypot(columns[0][i] - columns[2][i], columns[1][i] - columns[3][i]));
    }
    return most;
}

static atemi_status add_comparison(impact_run *run, atemi_error *error)
{
    const atemi_impact_answer *own = &run->answers[ATEMI_IMPACT_ESTIMATE];
    const atemi_impact_answer *published = &run->answers[ATEMI_IMPACT_PUBLISHED];
    const atemi_impact_answer *masses = &run->answers[ATEMI_IMPACT_TWO_MASSES];
    const atemi_impact_answer *full = &run->answers[ATEMI_IMPACT_FULL];
    const atemi_recorded_value values[] = {
        {"published_peak_force", published->peak_force, "N"},
        {"published_impulse", published->impulse, "N s"},
        {"virtual_mass_peak_force", masses->peak_force, "N"},
        {"virtual_mass_impulse", masses->impulse, "N s"},
        {"full_peak_force", full->peak_force, "N"},
        {"full_impulse", full->impulse, "N s"},
        {"full_contact_time", full->contact_time, "s"},
        {"full_least_zmp_margin", full->margin, "m"},
        {"full_lift_offs", full->lift_offs, NULL},
        {"full_slips", full->slips, NULL},
        {"peak_force_error", off(own->peak_force, full->peak_force), NULL},
        {"impulse_error", off(own->impulse, full->impulse), NULL},
        {"published_peak_force_error", off(published->peak_force, full->peak_force), NULL},
        {"published_impulse_error", off(published->impulse, full->impulse), NULL},
        {"virtual_mass_impulse_error", off(masses->impulse, full->impulse), NULL},
        {"zmp_difference", run->scenario.full ? zmp_difference(run->rows.recording) : (double)NAN,
         "m"}};
    const size_t without_full = 4;
    const size_t count = run->scenario.full ? sizeof values / sizeof values[0] : without_full;
    return atemi_job_add_results(run->rows.recording, values, count, error);
}

static const char *where_stopped(const impact_run *run)
{
    const atemi_impact_answer *answers = run->answers;
    if (run->swept) {
        return "the sweep was interrupted";
    }
    return run->scenario.full && isfinite(answers[ATEMI_IMPACT_PUBLISHED].impulse) &&
                   isnan(answers[ATEMI_IMPACT_FULL].impulse)
               ? "interrupted in full dynamics"
               : "interrupted in the blow";
}

static void describe_outcome(const impact_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_impact_answer *answer = &run->answers[ATEMI_IMPACT_ESTIMATE];
    if (run->trial.hand_speed == 0.0) {
        snprintf(outcome, OUTCOME_SIZE, "the hand is at rest: there is no blow");
    } else if (!(run->trial.hand_speed > 0.0)) {
        snprintf(outcome, OUTCOME_SIZE,
                 "the hand moves away from the target at %.3g m/s: there is no blow",
                 -run->trial.hand_speed);
    } else if (run->stopped) {
        snprintf(outcome, OUTCOME_SIZE, "%s", where_stopped(run));
    } else {
        const bool fails = run->answers[ATEMI_IMPACT_FULL].fails;
        snprintf(outcome, OUTCOME_SIZE, "%.4g N s in %.3g ms, at most %.4g N%s%s%s",
                 answer->impulse, 1e3 * answer->contact_time, answer->peak_force,
                 answer->released ? "" : "; hand and target still touch",
                 fails ? "; full dynamics could not go on: " : "", fails ? run->trial.trouble : "");
    }
}

static atemi_status describe(impact_run *run, const atemi_scenario_reader *reader,
                             atemi_error *error)
{
    char outcome[OUTCOME_SIZE];
    describe_outcome(run, outcome);
    return atemi_job_describe(run->rows.recording, reader, &run->scenario.robot, "impact", outcome,
                              error);
}

// ---- All of it

static atemi_status sweep(impact_run *run, atemi_scenario_reader *reader, atemi_error *error)
{
    if (!run->scenario.sweep.given) {
        atemi_scenario_fail(reader, run->scenario.sweep.mark,
                            "a sweep is asked for, and the scenario has no key 'sweep': "
                            "give one, such as sweep: {speeds: [0.5, 1.0]}");
        return atemi_scenario_finish(reader, error);
    }
    run->swept = true;
    return atemi_impact_add_sweep(run->rows.recording, &run->scenario, &run->usual, run->hooks,
                                  &run->stopped, error);
}

static atemi_status do_it(impact_run *run, atemi_scenario_reader *reader, unsigned flags,
                          atemi_error *error)
{
    run->scenario.full = run->scenario.full || (flags & ATEMI_IMPACT_BY_FULL_DYNAMICS);
    atemi_status status = freeze(run, error);
    if (!status) {
        warn_of_absence(run);
        status = strike(run, error);
    }
    if (!status) {
        status = atemi_impact_add_methods(run->rows.recording, run->answers, error);
    }
    if (!status) {
        status = atemi_impact_add_joints(run->rows.recording, &run->rows, error);
    }
    if (!status && (flags & ATEMI_IMPACT_SWEEP) && !run->stopped) {
        status = sweep(run, reader, error);
    }
    if (!status) {
        status = add_estimate(run, error);
    }
    if (!status) {
        status = add_comparison(run, error);
    }
    if (!status && run->trial.hand_speed > 0.0) {
        status = atemi_impact_trial_add_touch(&run->trial, run->scenario.every, run->rows.recording,
                                              error);
    }
    if (!status && run->trial.hand_speed > 0.0) {
        status = add_events(run, error);
    }
    return status ? status : describe(run, reader, error);
}

// What fails on the way has no place in the scenario yet: the blow is the hand's.
static atemi_status located(atemi_scenario_reader *reader, const impact_run *run,
                            atemi_status status, atemi_error *error)
{
    if (status == ATEMI_OK || status == ATEMI_ERROR_MEMORY || !error || error->line > 0) {
        return status;
    }
    atemi_scenario_adopt(reader, run->scenario.hand.mark, error);
    return atemi_scenario_finish(reader, error);
}

static atemi_status run_scenario(atemi_scenario_reader *reader, const char *file, unsigned flags,
                                 const atemi_job_hooks *hooks, atemi_recording **recording,
                                 atemi_error *error)
{
    impact_run *run = (impact_run *)atemi_allocate(sizeof *run);
    if (!run) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for an impact");
    }
    memset(run, 0, sizeof *run);
    run->hooks = hooks;
    atemi_status status = atemi_impact_scenario_read(reader, file, &run->scenario, error);
    if (!status) {
        status = located(reader, run, do_it(run, reader, flags, error), error);
    }
    if (!status) {
        *recording = run->rows.recording;
        run->rows.recording = NULL;
    }
    atemi_impact_rows_destroy(&run->rows);
    atemi_impact_trial_destroy(&run->trial);
    atemi_impact_scenario_destroy(&run->scenario);
    atemi_release(run);
    return status;
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    atemi_impact_scenario scenario;
    const atemi_status    status = atemi_impact_scenario_read(reader, file, &scenario, error);
    atemi_impact_scenario_destroy(&scenario);
    return status;
}

// ---- For people

static void summarize(atemi_text *text, const atemi_recording *r, const atemi_job_effort *effort)
{
    const double difference = atemi_recording_result_value(r, "zmp_difference");
    atemi_text_append(text, "  time      %.3g s for everything\n", effort->wall_time);
    atemi_text_append(text,
                      "  hand      %.4g kg of virtual mass at %.4g m/s; %.4g m/s afterwards\n",
                      atemi_recording_result_value(r, "virtual_mass"),
                      atemi_recording_result_value(r, "hand_speed_before"),
                      atemi_recording_result_value(r, "hand_speed_after"));
    atemi_text_append(text, "  target    %.4g m/s and %.3g mm further\n",
                      atemi_recording_result_value(r, "target_speed_after"),
                      1e3 * atemi_recording_result_value(r, "target_travel"));
    atemi_job_summarize_margin(text, r);
    if (isfinite(difference)) {
        atemi_text_append(text, "            at most %.3g mm from that of full dynamics\n",
                          1e3 * difference);
    }
}

// ---- The entry

static const atemi_job_switch switches[] = {
    {"full", "simulate the blow by full dynamics as well"},
    {"sweep", "vary what the scenario's key sweep says: speeds,\ntarget masses, stiffnesses, "
              "postures,\nplaces of the hand, directions"}};

// The robot is singular as published. No contact carries anything: there is no ZMP. The full blow
// parts earlier than the estimate, or was not asked for; without force there is nothing to compare
// with.
static const char *const absent[] = {"zmp.*",       "*least_zmp_margin", "*.full",
                                     "full_*",      "zmp_difference",    "*_error",
                                     "published_*", "force.published",   NULL};

static const char *const tables[] = {"ways", "sweep", NULL};

const atemi_job atemi_job_impact = {
    .name = "impact",
    .summary = "estimate a blow, and check it by full dynamics",
    .purpose = "Estimates a blow: peak force, impulse, torques and ZMP, in microseconds.\n",
    .keys = "robot, posture, hand, servo, target",
    .notes = "Prints three estimates: exact, with the servo's stiffness; as [SDC] publishes\n"
             "it; and as two point masses. --full adds full dynamics, and how far the\n"
             "estimates are off.\n",
    .fails = "the hand moves away from its target.",
    .examples = "  atemi impact scenarios/punch.yaml --full\n"
                "  atemi impact scenarios/nail.yaml --sweep --report nail.html\n"
                "  atemi impact --explain\n",
    .flags = switches,
    .flag_count = sizeof switches / sizeof *switches,
    .tables = tables,
    .plots = atemi_impact_plots,
    .story = &atemi_impact_story,
    .columns = &atemi_impact_column_table,
    .absent = absent,
    .init = atemi_impact_init,
    .run = run_scenario,
    .read = read_scenario,
    .summarize = summarize};
