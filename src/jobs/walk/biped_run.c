// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/biped_run.h"

#include <math.h>
#include <stdio.h>

enum { OUTCOME_SIZE = ATEMI_ERROR_MESSAGE_SIZE + 200 };

typedef struct biped_run {
    const atemi_walk_scenario *scenario;
    const atemi_job_hooks     *hooks;
    atemi_walk_log            *log;
    bool                       arrived, interrupted;
} biped_run;

static bool on_tick(void *context, const atemi_biped_walk *walk)
{
    biped_run *run = (biped_run *)context;
    if (!atemi_walk_log_biped(run->log, walk)) {
        return true;
    }
    const atemi_biped_summary s = atemi_biped_walk_summary_get(walk);
    const double              done = fmax((double)s.steps / (double)run->scenario->biped.steps,
                                          s.distance / run->scenario->distance);
    atemi_job_message(run->hooks, "%ld steps, %.1f m, %.2f km/h", s.steps, s.distance,
                      3.6 * s.speed);
    run->arrived = s.distance >= run->scenario->distance;
    run->interrupted = !atemi_job_goes_on(run->hooks, fmin(done, 1.0)) && !run->arrived;
    return !run->arrived && !run->interrupted && !run->log->fault;
}

static void on_slip(void *context, const atemi_sole_slip *slip)
{
    atemi_walk_log_sole_slip(((biped_run *)context)->log, slip);
}

// Of the footsteps given, how many are walked and the largest error of one of those.
static int count_footsteps(const biped_run *run, const atemi_biped_walk *walk, double *error)
{
    int count = 0;
    *error = (double)NAN;
    for (int i = 0; i < run->scenario->biped.footstep_count; ++i) {
        const atemi_biped_landing landing = atemi_biped_walk_landing(walk, i);
        count += landing.landed;
        *error = landing.landed ? fmax(*error, landing.error) : *error;
    }
    return count;
}

static atemi_status add_results(const biped_run *run, const atemi_biped_walk *walk,
                                const atemi_biped_summary *s, bool failed, atemi_error *error)
{
    const bool   completed = !failed && (s->end == ATEMI_BIPED_DONE || run->arrived);
    const bool   fell = s->end == ATEMI_BIPED_FELL;
    const bool   moved = s->distance > 0.01;
    const double none = (double)NAN;
    double       miss;
    const int    footsteps = count_footsteps(run, walk, &miss);

    const atemi_recorded_value results[] = {
        {"completed", completed, NULL},
        {"steps", (double)s->steps, NULL},
        {"distance", s->distance, "m"},
        {"duration", s->time, "s"},
        {"speed", s->speed, "m/s"},
        {"fell", fell, NULL},
        {"fall_time", fell ? s->time : none, "s"},
        {"fall_cause", fell ? (double)s->cause : none, NULL},
        {"fall_lean", fell ? s->lean : none, "rad"},
        {"fall_lean_heading", fell ? s->lean_heading : none, "rad"},
        {"fall_place_x", fell ? s->place.x : none, "m"},
        {"fall_place_y", fell ? s->place.y : none, "m"},
        {"fall_place_z", fell ? s->place.z : none, "m"},
        {"slips", (double)s->slips, NULL},
        {"slip_time", s->slip_time, "s"},
        {"slip_distance", s->slip_distance, "m"},
        {"footsteps", (double)footsteps, NULL},
        {"footstep_error", miss, "m"},
        {"cost_of_transport", moved ? s->cost_of_transport : none, NULL},
        {"largest_torque_part", s->effort, NULL},
        {"ticks_without_solution", (double)s->failures, NULL},
        {"ticks_dropped", (double)s->dropped, NULL},
        {"events_left_out", (double)run->log->left_out, NULL}};
    return atemi_job_add_results(run->log->recording, results, sizeof results / sizeof results[0],
                                 error);
}

static const char *reason_of(const atemi_biped_summary *s)
{
    if (s->end == ATEMI_BIPED_STUCK) {
        return "no foot has landed for five step times";
    }
    return s->end == ATEMI_BIPED_FELL ? atemi_walk_fall_reason(s->cause) : "";
}

static atemi_status report(const biped_run *run, const atemi_biped_walk *walk, const char *trouble,
                           atemi_scenario_reader *reader, atemi_error *error)
{
    const atemi_biped_summary  summary = atemi_biped_walk_summary_get(walk);
    const atemi_biped_summary *s = &summary;

    char        outcome[OUTCOME_SIZE];
    const char *how = trouble            ? "failed"
                      : run->interrupted ? "interrupted"
                      : run->arrived     ? "done"
                                         : atemi_biped_end_text(s->end);
    const char *why = trouble ? trouble : reason_of(s);
    snprintf(outcome, sizeof outcome, "%s at %.4g s, after %ld steps and %.4g m%s%s", how, s->time,
             s->steps, s->distance, why[0] ? ": " : "", why);
    if (s->end == ATEMI_BIPED_DONE) {
        atemi_scenario_check_forces(reader, &run->scenario->forces, s->time);
        atemi_biped_scenario_check(reader, run->scenario, s->time);
    }
    const atemi_status status = add_results(run, walk, s, trouble != NULL, error);
    return status ? status
                  : atemi_job_describe(run->log->recording, reader, &run->scenario->robot, "walk",
                                       outcome, error);
}

atemi_status atemi_biped_run(const atemi_walk_scenario *scenario, atemi_scenario_reader *reader,
                             const atemi_job_hooks *hooks, atemi_walk_log *log, atemi_error *error)
{
    biped_run                    run = {.scenario = scenario, .hooks = hooks, .log = log};
    const atemi_biped_hooks      on = {.tick = on_tick, .slip = on_slip, .context = &run};
    const atemi_humanoid_options parts = atemi_biped_scenario_parts(scenario);
    char                         trouble[ATEMI_ERROR_MESSAGE_SIZE];
    atemi_biped_walk            *walk = NULL;
    atemi_status                 status = atemi_biped_footsteps_check(reader, scenario, error);
    status = status ? status
                    : atemi_biped_walk_create(scenario->robot.model, &scenario->biped, &parts, &on,
                                              &walk, error);
    if (status) {
        return status;
    }
    status = atemi_biped_walk_run(walk, error);
    const bool failed = status == ATEMI_ERROR_SINGULAR || status == ATEMI_ERROR_LIMIT;
    if (failed) { // what a simulation may come to
        snprintf(trouble, sizeof trouble, "%s", error->message);
        *error = (atemi_error){0};
        status = ATEMI_OK;
    }
    if (!status && log->fault) {
        status = log->fault;
        *error = log->error;
    }
    const atemi_biped_summary summary = atemi_biped_walk_summary_get(walk);
    if (summary.end == ATEMI_BIPED_FELL) {
        atemi_walk_log_fall(log, &summary);
    }
    status = status ? status : atemi_walk_log_biped_tables(log, walk, error);
    status = status ? status : report(&run, walk, failed ? trouble : NULL, reader, error);
    atemi_biped_walk_destroy(walk);
    return status;
}

void atemi_biped_summarize(atemi_text *text, const atemi_recording *r)
{
    atemi_text_append(text, "  distance  %.0f steps, %.5g m, %.3g km/h\n",
                      atemi_recording_result_value(r, "steps"),
                      atemi_recording_result_value(r, "distance"),
                      3.6 * atemi_recording_result_value(r, "speed"));
    if (atemi_recording_result_value(r, "footsteps") > 0.0) {
        atemi_text_append(text, "  footsteps %.0f, off by %.3g m at most\n",
                          atemi_recording_result_value(r, "footsteps"),
                          atemi_recording_result_value(r, "footstep_error"));
    }
    atemi_text_append(text, "  floor     %.0f slips by %.3g m in all\n",
                      atemi_recording_result_value(r, "slips"),
                      atemi_recording_result_value(r, "slip_distance"));
    atemi_text_append(text, "  energy    ");
    const double cost = atemi_recording_result_value(r, "cost_of_transport");
    if (isfinite(cost)) {
        atemi_text_append(text, "cost of transport %.3g, ", cost);
    }
    atemi_text_append(text, "torques up to %.0f %% of the limits\n",
                      100.0 * atemi_recording_result_value(r, "largest_torque_part"));
}
