// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike.h"

#include "atemi/allocator.h"
#include "io/job.h"
#include "io/strike_rounds.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OUTCOME_SIZE = 700, MOST_NAMED = 3 };

// ---- Results

static bool is_verified(const atemi_strike_run *run)
{
    return run->round.verification.count > 0;
}

// Also where nobody asked.
static bool stands(const atemi_strike_run *run)
{
    return !is_verified(run) || atemi_strike_stands(&run->round.verification);
}

static double relative(double estimate, double truth)
{
    return (truth - estimate) / truth;
}

static atemi_status add_plan(atemi_strike_run *run, atemi_error *error)
{
    const atemi_strike_figures f = atemi_strike_plan_figures(run->round.plan);
    const bool                 feasible = atemi_strike_plan_feasible(run->round.plan);
    const atemi_recorded_value results[] = {
        {"completed", feasible && stands(run) && !run->stopped, NULL},
        {"feasible", feasible, NULL},
        {"violation", atemi_strike_plan_violation(run->round.plan), NULL},
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
        {"rounds", run->rounds, NULL},
        {"largest_torque_part", run->round.motion.torque, NULL},
        {"largest_speed_part", run->round.motion.speed, NULL},
        {"foot_drift", run->round.motion.foot_drift, "m"},
        {"least_motion_margin", run->round.motion.margin, "m"}};
    return atemi_job_add_results(run->recording, results, sizeof results / sizeof results[0],
                                 error);
}

static atemi_status add_verification(atemi_strike_run *run, atemi_error *error)
{
    const atemi_strike_verification *v = &run->round.verification;
    const atemi_full_blow_result    *r = &v->result;
    const atemi_strike_figures       f = atemi_strike_plan_figures(run->round.plan);
    const atemi_recorded_value       results[] = {
        {"fall_time", v->fall_time, "s"},
        {"largest_tilt", v->tilt, "rad"},
        {"verified_peak_force", r->peak_force, "N"},
        {"verified_impulse", r->impulse, "N s"},
        {"verified_contact_time", r->contact_time, "s"},
        {"verified_margin", r->margin, "m"},
        {"verified_margin_before", v->margins[ATEMI_PHASE_BEFORE], "m"},
        {"verified_margin_in_the_blow", v->margins[ATEMI_PHASE_BLOW], "m"},
        {"verified_margin_after", v->margins[ATEMI_PHASE_AFTER], "m"},
        {"verified_lift_offs", r->lift_offs, NULL},
        {"verified_slips", r->slips, NULL},
        {"peak_force_error", relative(f.peak_force, r->peak_force), NULL},
        {"impulse_error", relative(f.impulse, r->impulse), NULL}};
    enum { COUNT = sizeof results / sizeof results[0] };
    atemi_recorded_value told[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        told[i] = results[i];
        told[i].value = is_verified(run) && v->went_on ? results[i].value : (double)NAN;
    }
    return atemi_job_add_results(run->recording, told, COUNT, error);
}

static atemi_status add_results(atemi_strike_run *run, atemi_error *error)
{
    const atemi_recorded_value standing = {"stands", stands(run), NULL};
    atemi_status               status = add_plan(run, error);
    if (!status) {
        status = atemi_job_add_results(run->recording, &standing, 1, error);
    }
    return status ? status : add_verification(run, error);
}

// ---- The outcome, in words

static void append(char *text, size_t size, const char *format, ...) ATEMI_PRINTF(3, 4);

static void append(char *text, size_t size, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list      arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

// The constraint that is worth most of those that are worth less than another one.
static const atemi_strike_constraint *next_limit(const atemi_strike_plan       *plan,
                                                 const atemi_strike_constraint *after)
{
    const atemi_strike_constraint *found = NULL;
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        if (c->multiplier > 0.0 && (!after || c->multiplier < after->multiplier) &&
            (!found || c->multiplier > found->multiplier)) {
            found = c;
        }
    }
    return found;
}

static void tell_limits(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_constraint *limit = next_limit(run->round.plan, NULL);
    for (int k = 0; k < MOST_NAMED && limit; ++k) {
        append(outcome, OUTCOME_SIZE, "%s%s", k ? ", " : " because of ", limit->name);
        limit = next_limit(run->round.plan, limit);
    }
}

static void tell_fall(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_verification *v = &run->round.verification;
    if (v->went_on) {
        append(outcome, OUTCOME_SIZE, ", but by full dynamics the robot falls at %.3g s",
               v->fall_time);
    } else {
        append(outcome, OUTCOME_SIZE, ", but full dynamics cannot go on: %.250s", v->trouble);
    }
}

// A damper's force is largest at first touch, and there it is a matter of speed alone.
static bool is_matter_of_speed(const atemi_strike_run *run)
{
    const atemi_strike_task   *task = &run->scenario.task;
    const atemi_strike_figures f = atemi_strike_plan_figures(run->round.plan);
    return task->impulse_weight == 0.0 && task->surface.law != ATEMI_BLOW_OTHER_LAW &&
           fabs(f.peak_force - task->surface.spring.damping * f.speed) <= 1e-9 * f.peak_force;
}

static void tell_law(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    if (is_matter_of_speed(run)) {
        append(
            outcome, OUTCOME_SIZE,
            "; peak force is c v_c for this contact law, whatever the posture: objective.impulse "
            "is what the body adds to");
    }
}

static void tell_rounds(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_full_blow_result *r = &run->round.verification.result;
    const bool                    holds = r->lift_offs == 0 && r->slips == 0;
    if (run->rounds > 1) {
        append(outcome, OUTCOME_SIZE, "; planned %d times, each time with more room for the feet%s",
               run->rounds, holds ? "" : ", but they never hold: this is the first");
    }
}

// The first ones that are not met.
static void tell_conflicts(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const int count = atemi_strike_plan_conflict_count(run->round.plan);
    for (int i = 0; i < count && i < MOST_NAMED; ++i) {
        const atemi_strike_conflict *c = atemi_strike_plan_conflict(run->round.plan, i);
        if (c->shortfall > 0.0) {
            append(outcome, OUTCOME_SIZE, "%s %s misses %.4g by %.3g %s", i ? "," : ";", c->name,
                   c->bound, c->shortfall, strcmp(c->unit, "-") == 0 ? "" : c->unit);
        }
    }
}

static void tell(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_plan   *found = run->round.plan;
    const atemi_strike_figures f = atemi_strike_plan_figures(found);
    snprintf(outcome, OUTCOME_SIZE, "%s", run->stopped ? "stopped; the best so far: " : "");
    if (!atemi_strike_plan_feasible(found)) {
        append(outcome, OUTCOME_SIZE,
               "no strike meets all constraints: the nearest misses by %.3g of their scales",
               atemi_strike_plan_violation(found));
        tell_conflicts(run, outcome);
        return;
    }
    append(outcome, OUTCOME_SIZE, "%.4g m/s, %.4g N and %.4g N s", f.speed, f.peak_force,
           f.impulse);
    if (stands(run)) {
        tell_limits(run, outcome);
        tell_rounds(run, outcome);
        tell_law(run, outcome);
    } else {
        tell_fall(run, outcome);
    }
}

static atemi_status describe(atemi_strike_run *run, const atemi_scenario_reader *reader,
                             atemi_error *error)
{
    char outcome[OUTCOME_SIZE];
    tell(run, outcome);
    return atemi_job_describe(run->recording, reader, &run->scenario.robot, "strike", outcome,
                              error);
}

// ---- All of it

static atemi_status record(atemi_strike_run *run, const atemi_scenario_reader *reader,
                           atemi_error *error)
{
    atemi_status status = atemi_strike_add_rows(run, error);
    if (!status) {
        status = atemi_strike_add_footsteps(run, error);
    }
    if (!status) {
        status = atemi_strike_add_tables(run, error);
    }
    if (!status) {
        status = add_results(run, error);
    }
    return status ? status : describe(run, reader, error);
}

static void destroy(atemi_strike_run *run)
{
    atemi_recording_destroy(run->recording);
    atemi_strike_round_destroy(&run->round);
    atemi_strike_scenario_destroy(&run->scenario);
    atemi_release(run);
}

static atemi_status run_scenario(atemi_scenario_reader *reader, const char *file,
                                 const void *options, const atemi_job_hooks *hooks,
                                 atemi_recording **recording, atemi_error *error)
{
    (void)options;
    atemi_strike_run *run = (atemi_strike_run *)atemi_allocate(sizeof *run);
    if (!run) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a strike");
    }
    memset(run, 0, sizeof *run);
    atemi_status status = atemi_strike_scenario_read(reader, file, &run->scenario, error);
    if (!status) {
        status = atemi_strike_rounds(run, hooks, reader, error);
    }
    if (!status) {
        status = record(run, reader, error);
    }
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
    atemi_strike_scenario *scenario = (atemi_strike_scenario *)atemi_allocate(sizeof *scenario);
    if (!scenario) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a scenario");
    }
    const atemi_status status = atemi_strike_scenario_read(reader, file, scenario, error);
    atemi_strike_scenario_destroy(scenario);
    atemi_release(scenario);
    return status;
}

static const atemi_job strike = {.run = run_scenario, .read = read_scenario};

atemi_status atemi_strike_file(const char *path, const atemi_job_hooks *hooks,
                               atemi_recording **recording, atemi_error *error)
{
    return atemi_job_run_file(&strike, path, NULL, hooks, recording, error);
}

atemi_status atemi_strike_text(const char *text, size_t size, const char *file,
                               const atemi_job_hooks *hooks, atemi_recording **recording,
                               atemi_error *error)
{
    return atemi_job_run_text(&strike, text, size, file, NULL, hooks, recording, error);
}

atemi_status atemi_strike_explain(const char *path, char **text, atemi_error *error)
{
    return atemi_job_explain(&strike, path, text, error);
}
