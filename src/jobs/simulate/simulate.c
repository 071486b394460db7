// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "jobs/job.h"
#include "jobs/plots.h"
#include "jobs/simulate/simulate_columns.h"
#include "jobs/simulate/simulate_init.h"
#include "jobs/simulate/simulate_overlaps.h"
#include "jobs/simulate/simulate_scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Time goes on from row to row in strides. With a fixed step a stride is a step, so that a row can
// follow each collision and the simulation can stop at once; error control is left to choose its
// own steps up to the next row.

enum { EVENT_KINDS = ATEMI_EVENT_JOINT_SLIP + 1, OUTCOME_SIZE = ATEMI_ERROR_MESSAGE_SIZE + 64 };

// A stride that is longer than asked for by less than this part leaves no sliver behind it.
static const double sliver = 1e-6;

typedef struct simulate_run {
    const atemi_job_hooks  *hooks;
    atemi_simulate_scenario scenario;
    atemi_simulate_columns  columns;
    atemi_simulation       *simulation;
    atemi_recording        *recording;
    int                     rows;       ///< of the grid so far
    bool                    collisions; ///< in the stride under way
    long                    events[EVENT_KINDS];
    double                 *rubbed;   ///< [joint_count] when friction was last recorded
    long                    left_out; ///< events of friction
    double                  energy_start, energy_end; ///< J
    atemi_status            fault;                    ///< of recording an event
    atemi_error             error;                    ///< its text
    bool                    interrupted;              ///< nobody wants more
    bool                    ended, completed;
    char                    reason[ATEMI_STOP_REASON]; ///< why it stops; empty while it does not
    char                    outcome[OUTCOME_SIZE];
    char                    pair[ATEMI_SCENARIO_CONTACT_NAME]; ///< of the event at hand
} simulate_run;

// ---- Hooks of the simulation

static void on_torque(void *context, double time, const double *q, const double *v, double *tau)
{
    atemi_scenario_torques_add(&((const simulate_run *)context)->scenario.torques, time, q, v, tau);
}

static void on_damping(void *context, double *damping)
{
    atemi_scenario_torques_add_damping(&((const simulate_run *)context)->scenario.torques, damping);
}

static void on_stiffness(void *context, double *stiffness)
{
    atemi_scenario_torques_add_stiffness(&((const simulate_run *)context)->scenario.torques,
                                         stiffness);
}

static void on_external_forces(void *context, double time, atemi_force *external)
{
    const atemi_scenario_forces *forces = &((const simulate_run *)context)->scenario.forces;
    atemi_timed_forces_add(forces->forces, forces->count, time, external);
}

static double on_next_jump(void *context, double time)
{
    const atemi_scenario_forces *forces = &((const simulate_run *)context)->scenario.forces;
    return atemi_timed_forces_next(forces->forces, forces->count, time);
}

// Whether somebody wants more, `done` of it being there.
static bool ask(simulate_run *run, double done)
{
    run->interrupted = run->interrupted || !atemi_job_goes_on(run->hooks, done);
    return !run->interrupted;
}

static bool on_goes_on(void *context)
{
    simulate_run *run = (simulate_run *)context;
    return ask(run, atemi_simulation_time(run->simulation) / run->scenario.duration);
}

// "FIRST on SECOND", links or a surface.
static const char *name_of_touch(simulate_run *run, const atemi_touch_report *touch)
{
    const atemi_simulate_scenario *scenario = &run->scenario;
    const atemi_touch_shape       *list = scenario->shapes.shapes.shapes;
    const char *first = atemi_model_link(scenario->robot.model, list[touch->first].link)->name;
    const char *second =
        touch->second == ATEMI_NONE
            ? scenario->surfaces.names[touch->surface]
            : atemi_model_link(scenario->robot.model, list[touch->second].link)->name;
    snprintf(run->pair, sizeof run->pair, "%s on %s", first, second);
    return run->pair;
}

// "" for an event that is of no point and no joint.
static const char *name_of(simulate_run *run, const atemi_event *event)
{
    if (event->kind >= ATEMI_EVENT_STOP) {
        return atemi_model_joint(run->scenario.robot.model, event->joint)->name;
    }
    if (event->touch) {
        return name_of_touch(run, event->touch);
    }
    return event->point == ATEMI_NONE ? "" : run->scenario.contacts.about[event->point].name;
}

// "m/s" and "N s" of a stop, or those of a joint that turns.
static bool stop_turns(const simulate_run *run, const atemi_event *event)
{
    const atemi_joint *joint = atemi_model_joint(run->scenario.robot.model, event->joint);
    return joint->type != ATEMI_JOINT_PRISMATIC;
}

static atemi_status record_stop(simulate_run *run, const atemi_event *event, const char *what)
{
    char                       text[2 * ATEMI_SCENARIO_CONTACT_NAME];
    const bool                 turns = stop_turns(run, event);
    const atemi_recorded_value values[] = {
        {"speed", event->speed, turns ? "rad/s" : "m/s"},
        {"impulse", event->stop_impulse, turns ? "N m s" : "N s"}};
    snprintf(text, sizeof text, "%s: stop at %.6g s", what, event->time);
    const atemi_recorded_event recorded = {.t = event->time,
                                           .kind = atemi_event_kind_text(event->kind),
                                           .what = what,
                                           .text = text,
                                           .value_count = 2,
                                           .values = values};
    return atemi_recording_add_event(run->recording, &recorded, &run->error);
}

static atemi_status record_event(simulate_run *run, const atemi_event *event, const char *what)
{
    char                       text[2 * ATEMI_SCENARIO_CONTACT_NAME];
    const bool                 touches = event->kind == ATEMI_EVENT_TOUCHDOWN;
    const atemi_recorded_value values[] = {{"speed", event->speed, "m/s"},
                                           {"impulse_x", event->impulse.x, "N s"},
                                           {"impulse_y", event->impulse.y, "N s"},
                                           {"impulse_z", event->impulse.z, "N s"}};
    snprintf(text, sizeof text, "%s%s%s at %.6g s", what, what[0] ? ": " : "",
             atemi_event_kind_text(event->kind), event->time);
    const atemi_recorded_event recorded = {.t = event->time,
                                           .kind = atemi_event_kind_text(event->kind),
                                           .what = what[0] ? what : NULL,
                                           .text = text,
                                           .value_count = touches ? 4 : 0,
                                           .values = values};
    return atemi_recording_add_event(run->recording, &recorded, &run->error);
}

// A joint that turns back and forth sticks and slips without end: of its events of friction, one
// between two rows is recorded, and the others are counted.
static bool is_left_out(simulate_run *run, const atemi_event *event)
{
    if (event->kind != ATEMI_EVENT_JOINT_STICK && event->kind != ATEMI_EVENT_JOINT_SLIP) {
        return false;
    }
    double *before = &run->rubbed[event->joint];
    if (event->time < *before + run->scenario.every) {
        ++run->left_out;
        return true;
    }
    *before = event->time;
    return false;
}

static void on_event(void *context, const atemi_event *event)
{
    simulate_run *run = (simulate_run *)context;
    const char   *what = name_of(run, event);
    const bool    stops = event->kind == ATEMI_EVENT_STOP;
    ++run->events[event->kind];
    run->collisions = run->collisions || stops || event->kind == ATEMI_EVENT_TOUCHDOWN;
    if (!is_left_out(run, event) && !run->fault) {
        run->fault = (stops ? record_stop : record_event)(run, event, what);
    }
    if (!run->reason[0]) {
        atemi_stops_hear(&run->scenario.stops, event, what, run->reason);
    }
}

// ---- The end

static void end(simulate_run *run, bool completed, const char *how, const char *why)
{
    run->ended = true;
    run->completed = completed;
    snprintf(run->outcome, sizeof run->outcome, "%s %.6g s%s%s", how,
             atemi_simulation_time(run->simulation), why[0] ? ": " : "", why);
}

// What a simulation may come to; all else is a failure of the job.
static atemi_status end_by_error(simulate_run *run, atemi_status status, atemi_error *error)
{
    if (status == ATEMI_ERROR_SINGULAR || status == ATEMI_ERROR_LIMIT) {
        end(run, false, "failed at", error->message);
        *error = (atemi_error){0};
        return ATEMI_OK;
    }
    return status;
}

// All that was put in, by the ledger.
static double work_of(const simulate_run *run)
{
    const atemi_simulation_ledger books = atemi_simulation_ledger_get(run->simulation);
    return books.torque_work + books.friction_work + books.contact_work + books.external_work +
           books.collision_work;
}

static atemi_status add_results(simulate_run *run, atemi_error *error)
{
    const bool                        by_steps = run->scenario.options.method == ATEMI_METHOD_STEPS;
    const atemi_simulation_statistics took = atemi_simulation_statistics_get(run->simulation);
    const double                      drift = run->energy_end - run->energy_start - work_of(run);
    const atemi_recorded_value        results[] = {
        {"completed", run->completed ? 1.0 : 0.0, NULL},
        {"duration", atemi_simulation_time(run->simulation), "s"},
        {"steps", (double)took.steps, NULL},
        {"evaluations", (double)took.evaluations, NULL},
        {"touchdowns", (double)run->events[ATEMI_EVENT_TOUCHDOWN], NULL},
        {"lift_offs", (double)run->events[ATEMI_EVENT_LIFT_OFF], NULL},
        {"slips", (double)run->events[ATEMI_EVENT_SLIP], NULL},
        {"sticks", (double)run->events[ATEMI_EVENT_STICK], NULL},
        {"rests", (double)run->events[ATEMI_EVENT_REST], NULL},
        {"jams", (double)run->events[ATEMI_EVENT_JAM], NULL},
        {"stops", (double)run->events[ATEMI_EVENT_STOP], NULL},
        {"joint_sticks", (double)run->events[ATEMI_EVENT_JOINT_STICK], NULL},
        {"joint_slips", (double)run->events[ATEMI_EVENT_JOINT_SLIP], NULL},
        {"joint_events_left_out", (double)run->left_out, NULL},
        {"collisions", (double)took.collisions, NULL},
        {"energy_start", run->energy_start, "J"},
        {"energy_end", run->energy_end, "J"},
        {"energy_lost_in_collisions", took.collision_energy, "J"},
        {"worst_collision_balance", took.collision_balance, NULL},
        {"deepest_penetration", took.deepest, "m"},
        {"energy_drift", drift, "J"},
        {"time_rounded_by", by_steps ? run->scenario.options.step : 0.0, "s"},
        {"worst_stop_overrun", took.overrun, NULL},
        {"least_zmp_margin", run->columns.margin, "m"}};
    return atemi_job_add_results(run->recording, results, sizeof results / sizeof results[0],
                                 error);
}

// ---- The way there

static atemi_status append_row(simulate_run *run, atemi_error *error)
{
    const atemi_status status =
        atemi_simulate_columns_append(&run->columns, run->simulation, run->recording, error);
    run->energy_end = atemi_simulate_columns_energy(&run->columns);
    return status;
}

static double time_of_row(const simulate_run *run, int row)
{
    return fmin(row * run->scenario.every, run->scenario.duration);
}

// Where the next stride ends.
static double next_time(const simulate_run *run)
{
    const atemi_simulate_scenario *scenario = &run->scenario;
    const double                   now = atemi_simulation_time(run->simulation);
    const double                   end = time_of_row(run, run->rows);
    const bool                     fixed = scenario->options.integrator == ATEMI_INTEGRATOR_RK4 ||
                       scenario->options.method == ATEMI_METHOD_STEPS;
    const double stride = fixed ? scenario->options.step : (double)INFINITY;
    return end - now < (1.0 + sliver) * stride ? end : now + stride;
}

static void look_whether_to_stop(simulate_run *run)
{
    const atemi_model *model = run->scenario.robot.model;
    const double      *v = atemi_simulation_v(run->simulation);
    if (run->scenario.stops.count > 0 && !run->reason[0]) {
        atemi_kinematics_update(model, atemi_simulation_q(run->simulation), v, NULL,
                                &run->columns.kinematics);
        atemi_stops_look(&run->scenario.stops, model, &run->columns.kinematics,
                         atemi_simulation_time(run->simulation), v, run->reason);
    }
}

static atemi_status record_stride(simulate_run *run, atemi_error *error)
{
    const bool on_grid = atemi_simulation_time(run->simulation) >= time_of_row(run, run->rows);
    run->rows += on_grid;
    return on_grid || run->collisions || run->reason[0] || run->interrupted ? append_row(run, error)
                                                                            : ATEMI_OK;
}

// Whether all is done, it is to stop, or nobody wants more.
static void look_whether_it_ends(simulate_run *run)
{
    const double time = atemi_simulation_time(run->simulation);
    if (run->reason[0]) {
        end(run, true, "stopped at", run->reason);
    } else if (time >= run->scenario.duration) {
        end(run, true, "simulated", "");
    }
    if (!ask(run, run->completed ? 1.0 : time / run->scenario.duration) && !run->ended) {
        end(run, false, "interrupted at", "");
    }
}

static atemi_status stride(simulate_run *run, atemi_error *error)
{
    run->collisions = false;
    atemi_status status = atemi_simulation_run(run->simulation, next_time(run), error);
    if (!status && run->fault) {
        status = run->fault;
        *error = run->error;
    }
    if (status) {
        const atemi_status recorded = append_row(run, &run->error);
        return recorded ? recorded : end_by_error(run, status, error);
    }
    look_whether_to_stop(run);
    status = record_stride(run, error);
    if (status) {
        return end_by_error(run, status, error);
    }
    look_whether_it_ends(run);
    return ATEMI_OK;
}

static atemi_status start(simulate_run *run, atemi_error *error)
{
    const atemi_scenario_start *state = &run->scenario.start;
    atemi_status status = atemi_simulation_start(run->simulation, 0.0, state->q, state->v, error);
    if (status) {
        return end_by_error(run, status, error);
    }
    status = append_row(run, error);
    run->rows = 1;
    run->energy_start = run->energy_end;
    look_whether_to_stop(run);
    look_whether_it_ends(run);
    return status;
}

static atemi_status take_memory(simulate_run *run, atemi_error *error)
{
    const int count = atemi_model_joint_count(run->scenario.robot.model);
    run->rubbed = (double *)atemi_allocate(((size_t)count + 1) * sizeof *run->rubbed);
    for (int i = 0; run->rubbed && i < count; ++i) {
        run->rubbed[i] = -(double)INFINITY;
    }
    return run->rubbed ? ATEMI_OK
                       : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a simulation");
}

static atemi_status create(simulate_run *run, const atemi_scenario_reader *reader,
                           atemi_error *error)
{
    const atemi_simulate_scenario *scenario = &run->scenario;
    const atemi_job_subject        subject = {"simulate", reader, &scenario->robot};
    const atemi_simulation_hooks   hooks = {.torque = on_torque,
                                            .damping = on_damping,
                                            .stiffness = on_stiffness,
                                            .external_forces =
                                              scenario->forces.count ? on_external_forces : NULL,
                                            .next_jump = on_next_jump,
                                            .event = on_event,
                                            .goes_on = on_goes_on,
                                            .context = run};
    atemi_status                   status = atemi_simulation_create(
        scenario->robot.model, scenario->surfaces.surfaces, scenario->surfaces.count,
        scenario->contacts.points, scenario->contacts.count, &scenario->options, &hooks,
        &run->simulation, error);
    status = status ? status : take_memory(run, error);
    if (!status) {
        status = atemi_simulate_columns_create(scenario, &run->columns, &run->recording, error);
    }
    return status ? status
                  : atemi_job_expect_rows(run->hooks, &subject,
                                          scenario->duration / scenario->every + 1.0,
                                          run->recording, error);
}

static atemi_status simulate(simulate_run *run, const atemi_scenario_reader *reader,
                             atemi_error *error)
{
    atemi_status status = atemi_simulate_overlaps_clear(&run->scenario, error);
    status = status ? status : create(run, reader, error);
    if (!status) {
        status = start(run, error);
    }
    while (!status && !run->ended) {
        status = stride(run, error);
    }
    if (!status) {
        status = add_results(run, error);
    }
    return status ? status
                  : atemi_job_describe(run->recording, reader, &run->scenario.robot, "simulate",
                                       run->outcome, error);
}

static void destroy(simulate_run *run)
{
    atemi_recording_destroy(run->recording);
    atemi_simulate_columns_destroy(&run->columns);
    atemi_simulation_destroy(run->simulation);
    atemi_simulate_scenario_destroy(&run->scenario);
    atemi_release(run->rubbed);
    atemi_release(run);
}

// ---- From the scenario to the recording

static atemi_status run(atemi_scenario_reader *reader, const char *file, unsigned flags,
                        const atemi_job_hooks *hooks, atemi_recording **recording,
                        atemi_error *error)
{
    (void)flags;
    simulate_run *run = (simulate_run *)atemi_allocate(sizeof *run);
    if (!run) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a simulation");
    }
    *run = (simulate_run){.hooks = hooks, .energy_start = NAN, .energy_end = NAN};
    atemi_status status = atemi_simulate_scenario_read(reader, file, &run->scenario, error);
    if (!status) {
        status = simulate(run, reader, error);
    }
    if (!status) {
        *recording = run->recording;
        run->recording = NULL;
    }
    destroy(run);
    return status;
}

static atemi_status read(atemi_scenario_reader *reader, const char *file, atemi_error *error)
{
    atemi_simulate_scenario scenario;
    const atemi_status      status = atemi_simulate_scenario_read(reader, file, &scenario, error);
    atemi_simulate_scenario_destroy(&scenario);
    return status;
}

// ---- For people

static void summarize_events(atemi_text *text, const atemi_recording *recording)
{
    static const struct {
        const char *result, *text;
    } kinds[] = {{"touchdowns", "touchdowns"},
                 {"lift_offs", "lift-offs"},
                 {"slips", "slips"},
                 {"sticks", "sticks"},
                 {"rests", "rests"},
                 {"jams", "jams"},
                 {"stops", "stops"},
                 {"joint_sticks", "joints that stick"},
                 {"joint_slips", "joints that slip"}};
    bool none = true;
    atemi_text_put_string(text, "  events    ");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        const double count = atemi_recording_result_value(recording, kinds[i].result);
        if (count > 0.0) {
            atemi_text_append(text, "%s%.0f %s", none ? "" : ", ", count, kinds[i].text);
            none = false;
        }
    }
    atemi_text_put_string(text, none ? "none\n" : "\n");
}

static void summarize(atemi_text *text, const atemi_recording *recording,
                      const atemi_job_effort *effort)
{
    atemi_job_summarize_time(text, recording, effort);
    atemi_text_append(text, "  steps     %.0f, %d rows\n",
                      atemi_recording_result_value(recording, "steps"),
                      atemi_recording_row_count(recording));
    summarize_events(text, recording);
    if (atemi_recording_row_count(recording) == 0) {
        return;
    }
    atemi_text_append(
        text, "  energy    %.6g J at the start, %.6g J at the end, %.6g J lost in collisions\n",
        atemi_recording_result_value(recording, "energy_start"),
        atemi_recording_result_value(recording, "energy_end"),
        atemi_recording_result_value(recording, "energy_lost_in_collisions"));
    atemi_job_summarize_margin(text, recording);
}

// ---- The entry

// No contact carries anything: there is no ZMP.
static const char *const absent[] = {"zmp.*", "least_zmp_margin", NULL};

static const char examples[] = "  atemi simulate scenarios/fall.yaml --report fall.html\n"
                               "  atemi simulate --explain\n";

const atemi_job atemi_job_simulate = {
    .name = "simulate",
    .summary = "simulate a scenario with contact, and record it",
    .purpose = "Simulates a robot with contact: sticking, slipping, colliding, exactly.\n",
    .keys = "robot, start, torques, surfaces, contacts, duration",
    .fails = "the motion cannot be continued: contacts jam or contradict each other.",
    .examples = examples,
    .final = true,
    .plots = atemi_simulate_plots,
    .story = &atemi_simulate_story,
    .columns = &atemi_simulate_column_table,
    .absent = absent,
    .init = atemi_simulate_init,
    .run = run,
    .read = read,
    .summarize = summarize};
