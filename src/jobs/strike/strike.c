// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/strike_verification.h"
#include "jobs/job.h"
#include "jobs/plots.h"
#include "jobs/strike/strike_init.h"
#include "jobs/strike/strike_progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OUTCOME_SIZE = 2000, MAX_NAMED = 3 };

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

// Why it is no harder: "ZMP ... (1 cm less margin would add 21 N)".
static void report_limits(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    atemi_strike_reason reasons[ATEMI_STRIKE_MAX_REASONS];
    const int           count =
        atemi_strike_limits_explain(&run->scenario.task, run->attempts.best.plan, reasons);
    const char *unit = atemi_strike_objective_unit(&run->scenario.task);
    for (int k = 0; k < MAX_NAMED && k < count; ++k) {
        append(outcome, OUTCOME_SIZE, "%s%s (%s would add %.2g%s%s)", k ? ", " : "; limited by ",
               reasons[k].limit, reasons[k].remedy, reasons[k].gain, *unit ? " " : "", unit);
    }
}

static void report_fall(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_verification *v = &run->attempts.best.verification;
    if (v->stopped) {
        append(outcome, OUTCOME_SIZE, ", not verified to its end");
    } else if (v->went_on) {
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
    const atemi_strike_figures f = atemi_strike_plan_figures(run->attempts.best.plan);
    return task->impulse_weight == 0.0 && task->surface.law != ATEMI_BLOW_OTHER_LAW &&
           fabs(f.peak_force - task->surface.spring.damping * f.speed) <= 1e-9 * f.peak_force;
}

static void report_law(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    if (is_matter_of_speed(run)) {
        append(
            outcome, OUTCOME_SIZE,
            "; the peak force is damping times speed for this contact law, whatever the posture: "
            "optimize the impulse instead (objective.impulse)");
    }
}

// A robot that would strike itself.
static void report_overlap(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_overlap *deepest = &run->attempts.best.overlaps.list[0];
    const atemi_model          *model = run->scenario.robot.model;
    if (run->attempts.best.overlaps.count > 0) {
        append(outcome, OUTCOME_SIZE, "; but %.60s goes %.2g cm into %.60s at %.3g s",
               atemi_model_link(model, deepest->second)->name, 100.0 * deepest->depth,
               atemi_model_link(model, deepest->first)->name, deepest->time);
    }
}

// How often it holds where things are in doubt.
static void report_draws(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_draws *d = &run->attempts.best.draws;
    if (d->holds.draws > 0) {
        append(outcome, OUTCOME_SIZE,
               "; in doubt it keeps balance in %d of %d draws (%.4g to %.4g %%)",
               d->holds.successes, d->holds.draws, 100.0 * d->holds.lower, 100.0 * d->holds.upper);
    }
    if (d->stands.draws > 0) {
        append(outcome, OUTCOME_SIZE, " and stands in %d of %d by full dynamics (%.4g to %.4g %%)",
               d->stands.successes, d->stands.draws, 100.0 * d->stands.lower,
               100.0 * d->stands.upper);
    }
}

static void report_attempts(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_full_blow_result *r = &run->attempts.best.verification.result;
    const bool                    holds = r->lift_offs == 0 && r->slips == 0;
    if (run->attempts.count > 1) {
        append(outcome, OUTCOME_SIZE, "; planned %d times, each time with more margin%s",
               run->attempts.count, holds ? "" : ", but they never hold: this is the first");
    }
}

// What contradicts each other: the first ones that are not met, and those at whose cost.
static void report_conflicts(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    atemi_strike_reason reasons[ATEMI_STRIKE_MAX_REASONS];
    const int           count =
        atemi_strike_conflicts_explain(&run->scenario.task, run->attempts.best.plan, reasons);
    int missed = 0, kept = 0;
    for (int i = 0; i < count; ++i) {
        int *named = reasons[i].violation > 0.0 ? &missed : &kept;
        if (*named < MAX_NAMED) {
            append(outcome, OUTCOME_SIZE, "%s%s",
                   ++*named > 1                 ? ", "
                   : reasons[i].violation > 0.0 ? "; "
                                                : "; this contradicts ",
                   reasons[i].limit);
        }
    }
}

// A knee is limited where its leg is straight, even if the joint would go on.
static bool is_within_limits(const atemi_model *model, const atemi_strike_motion *m,
                             const atemi_strike_peak *peak)
{
    const atemi_joint *joint = atemi_model_joint(model, peak->index);
    const int          row = m->touch + (int)lround(peak->time / m->step);
    const double       q = m->q[(ptrdiff_t)row * m->q_count + joint->first_q];
    return joint->limits.lower <= q && q <= joint->limits.upper;
}

// What the motion asks for that there is not.
static void report_excess(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_motion *m = &run->attempts.best.motion;
    const atemi_model         *model = run->scenario.robot.model;
    const atemi_strike_peak   *p = m->peaks;
    const char                *before = ": ";
    for (int i = 0; i < ATEMI_DEMAND_COUNT; ++i) {
        if (atemi_strike_motion_keeps(m, (atemi_strike_demand)i)) {
            continue;
        }
        append(outcome, OUTCOME_SIZE, "%s", before);
        before = ", ";
        switch ((atemi_strike_demand)i) {
        case ATEMI_DEMAND_POSITION:
            append(outcome, OUTCOME_SIZE, "%.60s goes %.3g %s beyond %s",
                   atemi_model_joint(model, p[i].index)->name, -p[i].value,
                   atemi_model_joint(model, p[i].index)->type == ATEMI_JOINT_PRISMATIC ? "m"
                                                                                       : "rad",
                   is_within_limits(model, m, &p[i]) ? "where its leg is straight" : "its limit");
            break;
        case ATEMI_DEMAND_SPEED:
        case ATEMI_DEMAND_EFFORT:
            append(outcome, OUTCOME_SIZE, "%.60s needs %.4g %% of its %s limit",
                   atemi_model_joint(model, p[i].index)->name, 100.0 * p[i].value,
                   i == ATEMI_DEMAND_SPEED ? "speed" : "effort");
            break;
        case ATEMI_DEMAND_BALANCE:
            append(outcome, OUTCOME_SIZE, "the ZMP is %.3g mm outside of the support polygon",
                   -1e3 * p[i].value);
            break;
        case ATEMI_DEMAND_FRICTION:
            append(outcome, OUTCOME_SIZE, "%.60s needs %.3g N more of friction",
                   atemi_model_site(model, run->scenario.feet[p[i].index])->name, -p[i].value);
            break;
        case ATEMI_DEMAND_TARGET:
            append(outcome, OUTCOME_SIZE, "%.60s goes %.3g mm into the target",
                   atemi_model_link(model, p[i].index)->name, -1e3 * p[i].value);
            break;
        case ATEMI_DEMAND_COUNT:
            break;
        }
        append(outcome, OUTCOME_SIZE, " at %.3g s", p[i].time);
    }
}

static void report_infeasible(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_plan *found = run->attempts.best.plan;
    if (atemi_strike_plan_feasible(found)) {
        append(outcome, OUTCOME_SIZE,
               "not feasible: between the instants that the plan looks at, "
               "the motion exceeds limits");
        report_excess(run, outcome);
        report_overlap(run, outcome);
    } else {
        append(outcome, OUTCOME_SIZE, "no strike meets all constraints");
        report_conflicts(run, outcome);
    }
}

static void report_cut(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_figures f = atemi_strike_plan_figures(run->attempts.best.plan);
    const int                  most = run->scenario.searches;
    if (!f.cut_off) {
        return;
    }
    if (most > 0 && f.searches >= most) {
        append(outcome, OUTCOME_SIZE, "; search.searches, %d,", most);
    } else {
        append(outcome, OUTCOME_SIZE, "; search.budget of %.3g s", run->scenario.budget);
    }
    append(outcome, OUTCOME_SIZE, " cut the search off, so harder blows may have been missed");
}

static void report(const atemi_strike_run *run, char outcome[OUTCOME_SIZE])
{
    const atemi_strike_plan   *found = run->attempts.best.plan;
    const atemi_strike_figures f = atemi_strike_plan_figures(found);
    snprintf(outcome, OUTCOME_SIZE, "%s",
             run->attempts.stopped ? "interrupted; the best so far: " : "");
    if (!atemi_strike_attempt_feasible(&run->attempts.best)) {
        report_infeasible(run, outcome);
        report_cut(run, outcome);
        return;
    }
    append(outcome, OUTCOME_SIZE, "hits at %.4g m/s with %.4g N and %.4g N s", f.speed,
           f.peak_force, f.impulse);
    report_cut(run, outcome);
    const bool optimal = atemi_strike_plan_optimal(found);
    if (!optimal) {
        append(
            outcome, OUTCOME_SIZE,
            ", but the search stalled: limits do not hold it back, so harder blows are near; give "
            "search more starts or iterations, or decide another start");
    }
    if (atemi_strike_run_stands(run)) {
        if (optimal) {
            report_limits(run, outcome);
        }
        report_draws(run, outcome);
        report_attempts(run, outcome);
        report_law(run, outcome);
    } else {
        report_fall(run, outcome);
    }
    report_overlap(run, outcome);
}

static atemi_status describe(atemi_strike_run *run, const atemi_scenario_reader *reader,
                             atemi_error *error)
{
    char outcome[OUTCOME_SIZE];
    report(run, outcome);
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
        status = atemi_strike_add_plan(run, error);
    }
    if (!status) {
        status = atemi_strike_add_cases(run, error);
    }
    if (!status) {
        status = atemi_strike_add_draws(run, error);
    }
    if (!status) {
        const atemi_strike_figures f = atemi_strike_plan_figures(run->attempts.best.plan);
        status = atemi_strike_add_verification(run, f.peak_force, f.impulse, error);
    }
    return status ? status : describe(run, reader, error);
}

static void destroy(atemi_strike_run *run)
{
    atemi_recording_destroy(run->recording);
    atemi_strike_attempts_destroy(&run->attempts);
    atemi_strike_scenario_destroy(&run->scenario);
    atemi_release(run);
}

static atemi_status run_scenario(atemi_scenario_reader *reader, const char *file, unsigned flags,
                                 const atemi_job_hooks *hooks, atemi_recording **recording,
                                 atemi_error *error)
{
    (void)flags;
    atemi_strike_run *run = (atemi_strike_run *)atemi_allocate(sizeof *run);
    if (!run) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a strike");
    }
    memset(run, 0, sizeof *run);
    atemi_status status = atemi_strike_scenario_read(reader, file, &run->scenario, error);
    if (!status) {
        status = atemi_strike_run_attempts(run, hooks, reader, error);
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

// No contact carries anything: there is no ZMP. A plan that was not verified, or whose verification
// ended early. What the task does not limit. Nobody fell.
static const char *const absent[] = {"zmp.*",
                                     "verified_*",
                                     "verify.*",
                                     "contact.*",
                                     "target.position_*",
                                     "largest_tilt",
                                     "*_error",
                                     "largest_torque_part",
                                     "largest_speed_part",
                                     "least_room",
                                     "least_motion_margin",
                                     "least_friction_left",
                                     "least_target_distance",
                                     "least_link_distance",
                                     "fall_time",
                                     "success_rate*",
                                     "full_*",
                                     "draws_*",
                                     "worst_draw_*",
                                     NULL};

static const char *const tables[] = {"reasons", "decided", "limits", "conflicts", NULL};

const atemi_job atemi_job_strike = {
    .name = "strike",
    .summary = "plan the hardest blow without falling, and verify it",
    .purpose = "Plans the hardest blow that a robot delivers without falling, and verifies it.\n",
    .keys = "robot, feet, hand, target, variables to decide",
    .fails = "no strike meets all constraints, or the robot falls in the verification.",
    .examples = "  atemi strike scenarios/strike.yaml --report strike.html\n"
                "  atemi strike --explain\n",
    .tables = tables,
    .plots = atemi_strike_plots,
    .story = &atemi_strike_story,
    .columns = &atemi_strike_column_table,
    .absent = absent,
    .run = run_scenario,
    .read = read_scenario,
    .init = atemi_strike_init,
    .summarize = atemi_strike_summarize};
