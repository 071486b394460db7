// SPDX-License-Identifier: Apache-2.0

#include "jobs/strike/strike_progress.h"

#include "io/scenario/scenario_failure.h"

#include <math.h>
#include <time.h>

static const double planning = 0.9;   // of all that is to be done in an attempt
static const double verifying = 0.95; // how far it is in the verification

typedef struct listener {
    const atemi_strike_scenario   *scenario;
    const atemi_job_hooks         *hooks;
    const atemi_strike_constraint *worst; ///< of the search that goes on, or NULL
} listener;

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *objective_unit(const atemi_strike_task *task)
{
    const bool is_peak = task->peak_weight == 1.0 && task->impulse_weight == 0.0;
    const bool is_impulse = task->impulse_weight == 1.0 && task->peak_weight == 0.0;
    return is_peak ? " N" : is_impulse ? " N s" : "";
}

static bool on_progress(void *context, double done, double objective, double violation)
{
    const listener *l = (const listener *)context;
    const char     *unit = objective_unit(&l->scenario->task);
    if (isfinite(objective) && l->worst) {
        char name[ATEMI_STRIKE_NAME];
        atemi_strike_constraint_text(&l->scenario->task, l->worst, name);
        atemi_job_message(l->hooks, "%.4g%s, off by %.2g: %s", objective, unit, violation, name);
    } else if (isfinite(objective)) {
        atemi_job_message(l->hooks, "%.4g%s, all constraints met", objective, unit);
    }
    return atemi_job_goes_on(l->hooks, planning * done);
}

static bool on_verifying(void *context, bool begins)
{
    const listener *l = (const listener *)context;
    if (begins) {
        atemi_job_message(l->hooks, "by full dynamics");
    }
    return atemi_job_goes_on(l->hooks, begins ? planning : verifying);
}

// How long planning took is no result: it is another one every time.
static void report_times(const atemi_job_hooks *hooks, const atemi_strike_plan *plan)
{
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    const atemi_strike_times  *t = &f.times;
    const double evaluating = t->posture + t->velocities + t->zmp + t->motion + t->blow;
    const double part = 100.0 / fmax(evaluating + t->solver, 1e-9);
    atemi_job_message(
        hooks,
        "%.3g s, %.2g ms an evaluation: posture %.0f %%, velocities %.0f %%, ZMP %.0f "
        "%%, motion %.0f %%, blow %.0f %%, solver %.0f %%",
        t->total, 1e3 * evaluating / fmax(f.evaluations, 1.0), part * t->posture,
        part * t->velocities, part * t->zmp, part * t->motion, part * t->blow, part * t->solver);
}

static atemi_strike_attempt_options options_of(listener *l)
{
    const atemi_strike_scenario *scenario = l->scenario;
    atemi_strike_attempt_options options = atemi_strike_attempt_options_default();
    options.search.starts = scenario->starts;
    options.search.patience = scenario->patience;
    options.search.seed = (unsigned)scenario->seed;
    options.search.searches = scenario->searches;
    options.search.iterations = scenario->iterations;
    options.search.threads =
        l->hooks && l->hooks->threads > 0 ? l->hooks->threads : scenario->threads;
    options.search.budget = scenario->budget;
    options.search.progress = on_progress;
    options.search.context = l;
    options.search.worst = &l->worst;
    options.search.clock = seconds;
    options.attempts = scenario->attempts;
    options.motion_step = scenario->step;
    options.verify = scenario->verify;
    options.friction = scenario->friction;
    options.draws = scenario->draws;
    options.full_draws = scenario->full_draws;
    options.verifying = on_verifying;
    options.context = l;
    return options;
}

// What is wrong with a task is reported at the key that decides it.
atemi_status atemi_strike_run_attempts(atemi_strike_run *run, const atemi_job_hooks *hooks,
                                       atemi_scenario_reader *reader, atemi_error *error)
{
    listener                           l = {.scenario = &run->scenario, .hooks = hooks};
    const atemi_strike_attempt_options options = options_of(&l);
    const atemi_status                 status =
        atemi_strike_attempts_make(&run->scenario.task, &options, &run->attempts, error);
    if (status == ATEMI_ERROR_INPUT || status == ATEMI_ERROR_LIMIT) {
        const atemi_error cause = *error;
        atemi_scenario_adopt(reader, run->scenario.mark, &cause);
        return atemi_scenario_finish(reader, error);
    }
    if (!status) {
        report_times(hooks, run->attempts.best.plan);
    }
    return status;
}
