// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "jobs/job.h"
#include "jobs/plots.h"
#include "jobs/walk/biped_run.h"
#include "jobs/walk/walk_log.h"

#include <math.h>
#include <stdio.h>

enum { OUTCOME_SIZE = ATEMI_ERROR_MESSAGE_SIZE + 200 };

typedef struct walk_run {
    const atemi_job_hooks *hooks;
    atemi_walk_scenario    scenario;
    atemi_walk_log         log;
    atemi_walk            *walk;
    bool                   arrived, interrupted;
    bool                   failed; ///< the simulation could not go on
    char                   trouble[ATEMI_ERROR_MESSAGE_SIZE];
} walk_run;

// ---- Hooks of the walk ----------------------------------------------------------------------

// Whether nobody wants to stop.
static bool report_progress(walk_run *run, const atemi_walk_summary *s)
{
    const double done = fmax((double)s->steps / (double)run->scenario.task.steps,
                             s->distance / run->scenario.distance);
    atemi_job_message(run->hooks, "%ld steps, %.1f m, %.2f km/h", s->steps, s->distance,
                      3.6 * s->speed);
    return atemi_job_goes_on(run->hooks, fmin(done, 1.0));
}

static bool on_tick(void *context, const atemi_walk *walk)
{
    walk_run *run = (walk_run *)context;
    if (atemi_walk_log_tick(&run->log, walk)) {
        const atemi_walk_summary s = atemi_walk_summary_get(walk);
        run->arrived = s.distance >= run->scenario.distance;
        run->interrupted = run->interrupted || (!report_progress(run, &s) && !run->arrived);
    }
    return !run->arrived && !run->interrupted && !run->log.fault;
}

static bool on_goes_on(void *context)
{
    walk_run                *run = (walk_run *)context;
    const atemi_walk_summary s = atemi_walk_summary_get(run->walk);
    run->interrupted = run->interrupted || !report_progress(run, &s);
    return !run->interrupted;
}

static void on_slip(void *context, const atemi_slip *slip)
{
    atemi_walk_log_slip(&((walk_run *)context)->log, slip);
}

static void on_event(void *context, const atemi_event *event)
{
    atemi_walk_log_event(&((walk_run *)context)->log, event);
}

// ---- Results --------------------------------------------------------------------------------

static bool is_completed(const walk_run *run, const atemi_walk_summary *s)
{
    return !run->failed && (s->end == ATEMI_WALK_DONE || run->arrived);
}

static atemi_status add_results(const walk_run *run, const atemi_walk_summary *s,
                                atemi_error *error)
{
    const bool                 fell = s->end == ATEMI_WALK_FELL;
    const atemi_recorded_value results[] = {
        {"completed", is_completed(run, s), NULL},
        {"steps", (double)s->steps, NULL},
        {"distance", s->distance, "m"},
        {"duration", s->time, "s"},
        {"speed", s->speed, "m/s"},
        {"step_length", s->step_length, "m"},
        {"step_period", s->step_period, "s"},
        {"fell", fell, NULL},
        {"fall_time", fell ? s->time : (double)NAN, "s"},
        {"slips", (double)s->slips, NULL},
        {"slip_time", s->slip_time, "s"},
        {"slip_distance", s->slip_distance, "m"},
        {"largest_friction_used", s->most_friction, NULL},
        {"collisions", (double)s->collisions, NULL},
        {"hardest_collision", s->hardest_collision, "N s"},
        {"energy_per_metre", s->positive_work / fabs(s->distance), "J/m"},
        {"cost_of_transport", s->cost_of_transport, NULL},
        {"positive_work", s->positive_work, "J"},
        {"joint_work", s->joint_work, "J"},
        {"lost_in_joints", s->damping_loss, "J"},
        {"lost_in_slips", s->friction_loss, "J"},
        {"lost_in_collisions", s->collision_loss, "J"},
        {"largest_torque_part", s->most_torque, NULL},
        {"limited_ticks", (double)s->limited, NULL},
        {"momentum_error", s->momentum_error, NULL},
        {"energy_error", s->energy_error, NULL},
        {"events_left_out", (double)run->log.left_out, NULL}};
    return atemi_job_add_results(run->log.recording, results, sizeof results / sizeof results[0],
                                 error);
}

// ---- The outcome, in words ------------------------------------------------------------------

const char *atemi_walk_fall_reason(atemi_fall_cause cause)
{
    static const char *const reasons[] = {"", "it was pushed", "a foot slid by more than 5 cm",
                                          "a joint's effort was not enough", "it lost its balance"};
    return reasons[cause];
}

static const char *reason_of(const atemi_walk_summary *s)
{
    if (s->end == ATEMI_WALK_STUCK) {
        return "no foot has landed for ten step periods";
    }
    return s->end == ATEMI_WALK_FELL ? atemi_walk_fall_reason(s->cause) : "";
}

static void describe_outcome(const walk_run *run, const atemi_walk_summary *s,
                             char outcome[OUTCOME_SIZE])
{
    const char *how = run->failed        ? "failed"
                      : run->interrupted ? "interrupted"
                      : run->arrived     ? "done"
                                         : atemi_walk_end_text(s->end);
    const char *why = run->failed ? run->trouble : reason_of(s);
    snprintf(outcome, OUTCOME_SIZE, "%s at %.4g s, after %ld steps and %.4g m%s%s", how, s->time,
             s->steps, s->distance, why[0] ? ": " : "", why);
}

// ---- The way there --------------------------------------------------------------------------

// What a simulation may come to; all else is a failure of the job.
static atemi_status take_trouble(walk_run *run, atemi_status status, atemi_error *error)
{
    if (status == ATEMI_ERROR_SINGULAR || status == ATEMI_ERROR_LIMIT) {
        run->failed = true;
        snprintf(run->trouble, sizeof run->trouble, "%s", error->message);
        *error = (atemi_error){0};
        return ATEMI_OK;
    }
    return status;
}

static atemi_status walk(walk_run *run, atemi_error *error)
{
    const atemi_walk_hooks hooks = {
        .tick = on_tick, .slip = on_slip, .event = on_event, .goes_on = on_goes_on, .context = run};
    atemi_status status = atemi_walk_create(run->scenario.robot.model, &run->scenario.task, &hooks,
                                            &run->walk, error);
    if (status) {
        return status;
    }
    status = atemi_walk_run(run->walk, error);
    if (!status && run->log.fault) {
        status = run->log.fault;
        *error = run->log.error;
    }
    return take_trouble(run, status, error);
}

static atemi_status report(walk_run *run, atemi_scenario_reader *reader, atemi_error *error)
{
    const atemi_walk_summary s = atemi_walk_summary_get(run->walk);
    if (is_completed(run, &s)) {
        atemi_scenario_check_forces(reader, &run->scenario.forces, s.time);
    }
    char outcome[OUTCOME_SIZE];
    describe_outcome(run, &s, outcome);
    atemi_status status = add_results(run, &s, error);
    status = status ? status : atemi_walk_log_tables(&run->log, run->walk, error);
    return status ? status
                  : atemi_job_describe(run->log.recording, reader, &run->scenario.robot, "walk",
                                       outcome, error);
}

static void destroy(walk_run *run)
{
    atemi_walk_destroy(run->walk);
    atemi_walk_log_destroy(&run->log);
    atemi_walk_scenario_destroy(&run->scenario);
    atemi_release(run);
}

// ---- From the scenario to the recording -----------------------------------------------------

// One a tick at most: a walk of a given distance takes an unknown number of steps.
static double row_count(const atemi_walk_scenario *scenario)
{
    const atemi_walk_task *task = &scenario->task;
    return isinf(scenario->distance) ? (double)task->steps * task->controller.step_period /
                                           fmax(scenario->every, task->controller.tick)
                                     : (double)NAN;
}

static atemi_status run_scenario(atemi_scenario_reader *reader, const char *file, unsigned flags,
                                 const atemi_job_hooks *hooks, atemi_recording **recording,
                                 atemi_error *error)
{
    (void)flags;
    walk_run *run = (walk_run *)atemi_allocate(sizeof *run);
    if (!run) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a walk");
    }
    *run = (walk_run){.hooks = hooks};
    atemi_status status = atemi_walk_scenario_read(reader, file, &run->scenario, error);
    status = status ? status : atemi_walk_log_create(&run->scenario, &run->log, error);
    const atemi_job_subject subject = {"walk", reader, &run->scenario.robot};
    status = status ? status
                    : atemi_job_expect_rows(hooks, &subject, row_count(&run->scenario),
                                            run->log.recording, error);
    if (!status && run->scenario.floats) {
        status = atemi_biped_run(&run->scenario, reader, hooks, &run->log, error);
    } else {
        status = status ? status : walk(run, error);
        status = status ? status : report(run, reader, error);
    }
    if (!status) {
        *recording = run->log.recording;
        run->log.recording = NULL;
    }
    destroy(run);
    return status;
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    atemi_walk_scenario scenario;
    const atemi_status  status = atemi_walk_scenario_read(reader, file, &scenario, error);
    atemi_walk_scenario_destroy(&scenario);
    return status;
}

// ---- For people

static void summarize(atemi_text *text, const atemi_recording *r, const atemi_job_effort *effort)
{
    atemi_job_summarize_time(text, r, effort);
    if (isnan(atemi_recording_result_value(r, "step_length"))) { // in three dimensions
        atemi_biped_summarize(text, r);
        return;
    }
    atemi_text_append(text, "  distance  %.0f steps, %.5g m; %.3g m and %.3g s a step, %.3g km/h\n",
                      atemi_recording_result_value(r, "steps"),
                      atemi_recording_result_value(r, "distance"),
                      atemi_recording_result_value(r, "step_length"),
                      atemi_recording_result_value(r, "step_period"),
                      3.6 * atemi_recording_result_value(r, "speed"));
    atemi_text_append(
        text,
        "  floor     %.0f slips by %.3g m in all, friction used up to %.2g; %.0f collisions up to "
        "%.3g N s\n",
        atemi_recording_result_value(r, "slips"), atemi_recording_result_value(r, "slip_distance"),
        atemi_recording_result_value(r, "largest_friction_used"),
        atemi_recording_result_value(r, "collisions"),
        atemi_recording_result_value(r, "hardest_collision"));
    atemi_text_append(
        text, "  energy    %.4g J/m, cost of transport %.3g, torques up to %.0f %% of the limits\n",
        atemi_recording_result_value(r, "energy_per_metre"),
        atemi_recording_result_value(r, "cost_of_transport"),
        100.0 * atemi_recording_result_value(r, "largest_torque_part"));
}

// ---- The entry

// Nobody fell; nobody went anywhere, so that there is no distance to divide by.
static const char *const absent[] = {"fall_time",
                                     "fall_lean",
                                     "fall_lean_heading",
                                     "fall_place_x",
                                     "fall_place_y",
                                     "fall_place_z",
                                     "fall_cause",
                                     "energy_per_metre",
                                     "cost_of_transport",
                                     "footstep_error",
                                     NULL};

static const char *const tables[] = {"slips", "collisions", "gait", NULL};

const atemi_job atemi_job_walk = {
    .name = "walk",
    .summary = "walk over floors of several kinds, and against forces",
    .purpose = "Makes a robot walk: any humanoid in three dimensions, or in the sagittal plane\n"
               "over dry, wet and icy floors and against forces.\n",
    .keys = "robot, floor, commands, forces, gains, faults",
    .fails = "the robot falls, or gets stuck.",
    .examples = "  atemi init walk hrp2_like --out walk.yaml\n"
                "  atemi walk scenarios/ice.yaml --report ice.html\n"
                "  atemi walk --states --svg >states.svg\n"
                "  atemi walk --explain\n",
    .tables = tables,
    .plots = atemi_walk_plots,
    .story = &atemi_walk_story,
    .columns = &atemi_walk_column_table,
    .absent = absent,
    .run = run_scenario,
    .read = read_scenario,
    .init = atemi_walk_init,
    .summarize = summarize};
