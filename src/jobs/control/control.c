// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "jobs/control/control_columns.h"
#include "jobs/control/control_explain.h"
#include "jobs/control/control_init.h"
#include "jobs/control/control_margins.h"
#include "jobs/control/control_safety.h"
#include "jobs/control/control_stance.h"
#include "jobs/control/control_watch.h"
#include "jobs/job.h"
#include "jobs/plots.h"

#include <math.h>
#include <stdio.h>

// A step of the coordination: tasks that are due, commands, and then the ticks until the next.

enum { OUTCOME_SIZE = 800 };

typedef struct control_run {
    const atemi_job_hooks *hooks;
    control_scenario       scenario;
    control_session        session;
    control_watch          watch;
    control_safety         safety;
    control_stance         stance;
    control_columns        columns;
    control_log            log;
    control_margins        margins;
    atemi_recording       *recording;
    int                    rows;
    bool                   interrupted;
    char                   broken[ATEMI_ERROR_MESSAGE_SIZE]; ///< why the plant did not go on
} control_run;

static double now(const control_run *run)
{
    return atemi_whole_body_plant_time(run->session.plant);
}

// ---- Running --------------------------------------------------------------------------------

static atemi_status record(control_run *run, atemi_error *error)
{
    const double rounding = 1e-9;
    if (now(run) < run->rows * run->scenario.every - rounding) {
        return ATEMI_OK;
    }
    ++run->rows;
    return atemi_control_columns_append(&run->columns, &run->session, run->recording, error);
}

static atemi_status tick(control_run *run, atemi_error *error)
{
    atemi_error        own = {0};
    const atemi_status status = atemi_control_session_tick(&run->session, &own);
    if (status == ATEMI_ERROR_SINGULAR) {
        snprintf(run->broken, sizeof run->broken, "%s", own.message);
        return ATEMI_OK;
    }
    atemi_control_watch_tick(&run->watch, &run->session);
    atemi_control_safety_tick(&run->safety, &run->session);
    return status ? status : record(run, error);
}

static atemi_status step(control_run *run, atemi_error *error)
{
    const int    ticks = atemi_control_loop_tick_count(run->session.loop);
    atemi_status status = ATEMI_OK;
    atemi_control_session_step(&run->session);
    atemi_control_watch_step(&run->watch, &run->session);
    atemi_control_stance_step(&run->stance, &run->session);
    for (int k = 0; k < ticks && !status && !run->broken[0]; ++k) {
        status = tick(run, error);
    }
    run->interrupted = !atemi_job_goes_on(run->hooks, fmin(now(run) / run->scenario.duration, 1.0));
    return status;
}

static bool goes_on(const control_run *run)
{
    const double rounding = 1e-9;
    return !run->interrupted && !run->broken[0] && isinf(run->stance.fell) &&
           !atemi_task_sequence_report(run->session.sequence).failed &&
           now(run) < run->scenario.duration - rounding;
}

static atemi_status go(control_run *run, atemi_error *error)
{
    atemi_status status = record(run, error);
    while (!status && goes_on(run)) {
        status = step(run, error);
    }
    if (!status && run->log.status) {
        *error = run->log.error;
        status = run->log.status;
    }
    return status;
}

// ---- The end --------------------------------------------------------------------------------

static bool harms(const control_run *run)
{
    return atemi_control_safety_part(&run->safety) > 1.0;
}

static bool is_completed(const control_run *run)
{
    const atemi_sequence_report r = atemi_task_sequence_report(run->session.sequence);
    const atemi_goal_outcome    outcome = atemi_task_sequence_outcome(run->session.sequence);
    const bool                  is_reached =
        r.goal == 0 || outcome == ATEMI_OUTCOME_REACHED || outcome == ATEMI_OUTCOME_ACTIVE;
    return !run->interrupted && !run->broken[0] && isinf(run->stance.fell) && !r.failed &&
           r.next == run->scenario.tasks.count && is_reached && run->watch.safe_stops == 0 &&
           !harms(run);
}

// A person who feels too much, and joints that stopped.
static void describe_harm(const control_run *run, char outcome[OUTCOME_SIZE])
{
    char       text[CONTROL_SAFETY_TEXT] = "";
    const bool stops = run->watch.safe_stops > 0;
    if (harms(run)) {
        atemi_control_safety_describe(&run->safety, text);
    }
    snprintf(outcome, OUTCOME_SIZE, "%s%s%s%s", text, text[0] && stops ? "; " : "",
             stops ? run->watch.first_stop : "",
             run->watch.safe_stops > 1 ? "; more joints did, see events" : "");
}

static void describe_outcome(const control_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_task_sequence  *sequence = run->session.sequence;
    const atemi_sequence_report r = atemi_task_sequence_report(sequence);
    const int                   tasks = run->scenario.tasks.count;
    if (run->broken[0]) {
        snprintf(outcome, OUTCOME_SIZE, "failed at %.6g s: %.500s", now(run), run->broken);
    } else if (!isinf(run->stance.fell)) {
        snprintf(outcome, OUTCOME_SIZE, "%s", run->stance.fall);
    } else if (r.failed) {
        snprintf(outcome, OUTCOME_SIZE, "failed at %.6g s: %.400s", now(run),
                 atemi_task_sequence_failure(sequence));
    } else if (run->interrupted) {
        snprintf(outcome, OUTCOME_SIZE, "interrupted at %.6g s", now(run));
    } else if (harms(run) || run->watch.safe_stops) {
        describe_harm(run, outcome);
    } else if (r.next < tasks) {
        snprintf(outcome, OUTCOME_SIZE, "only %d of %d tasks within %.6g s", r.next, tasks,
                 now(run));
    } else {
        snprintf(outcome, OUTCOME_SIZE, "%d %s in %.6g s, the last motion %s", tasks,
                 tasks == 1 ? "task" : "tasks", now(run),
                 r.goal ? atemi_goal_outcome_text(atemi_task_sequence_outcome(sequence)) : "none");
    }
}

static atemi_status report(control_run *run, const atemi_scenario_reader *reader,
                           atemi_error *error)
{
    char         outcome[OUTCOME_SIZE];
    atemi_status status = atemi_control_watch_report(&run->watch, &run->session, is_completed(run),
                                                     run->recording, error);
    status = status ? status : atemi_control_safety_report(&run->safety, run->recording, error);
    status = status ? status : atemi_control_stance_report(&run->stance, run->recording, error);
    status = status ? status : atemi_control_margins_report(&run->margins, run->recording, error);
    describe_outcome(run, outcome);
    return status ? status
                  : atemi_job_describe(run->recording, reader, &run->scenario.robot, "control",
                                       outcome, error);
}

static atemi_status create(control_run *run, const atemi_scenario_reader *reader,
                           atemi_error *error)
{
    const atemi_job_subject subject = {"control", reader, &run->scenario.robot};
    atemi_status            status =
        atemi_control_columns_create(&run->scenario, &run->columns, &run->recording, error);
    status = status
                 ? status
                 : atemi_job_add_surfaces(
                       run->recording, &run->scenario.surfaces,
                       run->scenario.holds.contact_count ? NULL : &run->scenario.contacts, error);
    run->log.recording = run->recording;
    status = status ? status
                    : atemi_control_margins_create(&run->scenario, &run->log, &run->margins, error);
    status = status ? status
                    : atemi_control_session_create(&run->scenario, &run->log, &run->session, error);
    status = status ? status : atemi_control_watch_create(&run->scenario, &run->watch, error);
    status = status ? status : atemi_control_safety_create(&run->scenario, &run->safety, error);
    status = status ? status : atemi_control_stance_create(&run->session, &run->stance, error);
    return status ? status
                  : atemi_job_expect_rows(run->hooks, &subject,
                                          run->scenario.duration / run->scenario.every + 1.0,
                                          run->recording, error);
}

static void destroy(control_run *run)
{
    atemi_recording_destroy(run->recording);
    atemi_control_watch_destroy(&run->watch);
    atemi_control_safety_destroy(&run->safety);
    atemi_control_stance_destroy(&run->stance);
    atemi_control_margins_destroy(&run->margins);
    atemi_control_session_destroy(&run->session);
    atemi_control_columns_destroy(&run->columns);
    atemi_control_scenario_destroy(&run->scenario);
    atemi_release(run);
}

// ---- From the scenario to the recording -----------------------------------------------------

// What joints and drives cannot be stands in the scenario.
static atemi_status blame(const control_run *run, atemi_scenario_reader *reader,
                          atemi_status status, atemi_error *error)
{
    if (status != ATEMI_ERROR_INPUT) {
        return status;
    }
    atemi_scenario_adopt(reader, run->scenario.joints_mark, error);
    return atemi_scenario_finish(reader, error);
}

static atemi_status control(control_run *run, atemi_scenario_reader *reader, const char *file,
                            atemi_error *error)
{
    atemi_status status = atemi_control_scenario_read(reader, file, &run->scenario, error);
    if (status) {
        return status;
    }
    status = create(run, reader, error);
    if (status) {
        return blame(run, reader, status, error);
    }
    status = go(run, error);
    return status ? status : report(run, reader, error);
}

static atemi_status run_scenario(atemi_scenario_reader *reader, const char *file, unsigned flags,
                                 const atemi_job_hooks *hooks, atemi_recording **recording,
                                 atemi_error *error)
{
    (void)flags;
    control_run *run = (control_run *)atemi_allocate(sizeof *run);
    if (!run) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a control job");
    }
    *run = (control_run){.hooks = hooks, .stance.fell = (double)INFINITY};
    const atemi_status status = control(run, reader, file, error);
    if (!status) {
        *recording = run->recording;
        run->recording = NULL;
    }
    destroy(run);
    return status;
}

static atemi_status read_scenario(atemi_scenario_reader *reader, const char *file,
                                  atemi_error *error)
{
    control_scenario   scenario;
    const atemi_status status = atemi_control_scenario_read(reader, file, &scenario, error);
    atemi_control_scenario_destroy(&scenario);
    return status;
}

// ---- For people

static void summarize_people(atemi_text *text, const atemi_recording *r)
{
    const double part = atemi_recording_result_value(r, "largest_force_part");
    const double transient = atemi_recording_result_value(r, "largest_transient_force");
    const double pressing = atemi_recording_result_value(r, "largest_pressing_force");
    if (!isnan(part)) {
        atemi_text_append(text,
                          "  people    hit with %.3g N, pressed with %.3g N: %.0f %% of a "
                          "limit, %s\n",
                          transient, pressing, 100.0 * part, part > 1.0 ? "not passed" : "passed");
    } else if (transient > 0.0) {
        atemi_text_append(text,
                          "  people    hit with %.3g N, pressed with %.3g N; no limits are "
                          "set\n",
                          transient, pressing);
    }
}

static void summarize_stance(atemi_text *text, const atemi_recording *r)
{
    const double edge = atemi_recording_result_value(r, "least_pressure_margin");
    if (!isnan(edge)) {
        atemi_text_append(text,
                          "  stance    pressure at least %.0f %% of a half sole from its edge, "
                          "contacts slid by %.2g mm\n",
                          100.0 * edge, 1e3 * atemi_recording_result_value(r, "largest_slide"));
    }
}

static void summarize(atemi_text *text, const atemi_recording *r, const atemi_job_effort *effort)
{
    atemi_job_summarize_time(text, r, effort);
    atemi_text_append(text, "  goals     %.0f of %.0f reached, %.0f obstructed\n",
                      atemi_recording_result_value(r, "goals_reached"),
                      atemi_recording_result_value(r, "goals"),
                      atemi_recording_result_value(r, "goals_obstructed"));
    atemi_text_append(
        text,
        "  torques   feedback %.3g N m at most, %.0f %% of the joints' limits; %.3g N m a step, "
        "fed forward %.3g N m\n",
        atemi_recording_result_value(r, "largest_feedback"),
        100.0 * atemi_recording_result_value(r, "largest_torque_part"),
        atemi_recording_result_value(r, "largest_torque_step"),
        atemi_recording_result_value(r, "largest_forward_step"));
    atemi_text_append(
        text, "  forces    contact %.3g N, people's hands %.3g N, what holds %.3g N and %.3g N m\n",
        atemi_recording_result_value(r, "largest_contact_force"),
        atemi_recording_result_value(r, "largest_hand_force"),
        atemi_recording_result_value(r, "largest_hold_force"),
        atemi_recording_result_value(r, "largest_hold_moment"));
    summarize_people(text, r);
    summarize_stance(text, r);
}

// ---- The entry

// Joints before the first tick or without a torque limit, programs without a motion, people without
// limits, and robots that are not slow at the end.
static const char *const absent[] = {
    "target.*", "demand.*", "feedback.*", "limit.*",    "stiffness.*",        "sole.*", "planned.*",
    "way",      "error",    "turn_error", "slow_since", "largest_force_part", NULL};

static const char *const tables[] = {"motions", "grips",  "hands", "people",
                                     "goals",   "drives", NULL};

const atemi_job atemi_job_control = {
    .name = "control",
    .summary = "run compliant control on a simulated robot",
    .purpose = "Runs compliant control on a simulated robot with motors, gears and springs.\n",
    .keys = "robot, what holds it, gains, limits, tasks",
    .fails = "a task is not done, a joint stops safely, the robot falls, or a person feels\n"
             "too much force.",
    .examples = "  atemi control scenarios/reach.yaml --report reach.html\n"
                "  atemi control --explain\n",
    .tables = tables,
    .plots = atemi_control_plots,
    .story = &atemi_control_story,
    .columns = &atemi_control_column_table,
    .absent = absent,
    .run = run_scenario,
    .read = read_scenario,
    .annotate = atemi_control_explain,
    .init = atemi_control_init,
    .summarize = summarize};
