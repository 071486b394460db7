// SPDX-License-Identifier: Apache-2.0

#include "jobs/strike/strike_rounds.h"

#include "io/scenario/scenario_failure.h"

#include <math.h>
#include <string.h>
#include <time.h>

// The estimate of a blow is that of a frozen posture that ends with the blow. What the blow leaves
// behind, a robot pushed off its reference that its servos pull back, may lift an edge of a foot
// after it. So the plan may use less friction, edges of soles and support polygon, and is made
// again.
//
// A plan looks at some instants of its motion only. Where the motion exceeds a limit between them,
// the plan is made again with less of what was exceeded, by as much.

static const double planning = 0.9;      // of all that is to be done in a round
static const double less_friction = 0.1; // of what the plan before was allowed
static const double more_edge = 0.005;   // m
static const double more_margin = 0.01;  // of the ZMP, m
static const double spare = 1.1;         // of what was exceeded

typedef struct strike_rounds {
    atemi_strike_run      *run;
    const atemi_job_hooks *hooks;
    atemi_scenario_reader *reader;
    const char            *worst; ///< constraint of the search that goes on, or NULL
    atemi_strike_motion    last;  ///< of the round before: what it asked for, without its arrays
} strike_rounds;

// ---- Planning

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
    strike_rounds    *rounds = (strike_rounds *)context;
    atemi_strike_run *run = rounds->run;
    const char       *unit = objective_unit(&run->scenario.task);
    if (isfinite(objective) && rounds->worst) {
        atemi_job_tell(rounds->hooks, "%.4g%s, off by %.2g: %s", objective, unit, violation,
                       rounds->worst);
    } else if (isfinite(objective)) {
        atemi_job_tell(rounds->hooks, "%.4g%s, all constraints met", objective, unit);
    }
    run->stopped = run->stopped || !atemi_job_goes_on(rounds->hooks, planning * done);
    return !run->stopped;
}

// What is wrong with a task is said where it is decided.
static atemi_status adopt(const strike_rounds *rounds, atemi_status status, atemi_error *error)
{
    if (status == ATEMI_ERROR_INPUT || status == ATEMI_ERROR_LIMIT) {
        const atemi_error cause = *error;
        atemi_scenario_adopt(rounds->reader, rounds->run->scenario.mark, &cause);
        return atemi_scenario_finish(rounds->reader, error);
    }
    return status;
}

// The first plan is looked for everywhere, the next ones from where the one before was.
static atemi_status plan(strike_rounds *rounds, atemi_strike_plan **plan, atemi_error *error)
{
    const atemi_strike_scenario *scenario = &rounds->run->scenario;
    const atemi_strike_plan     *before = rounds->run->round.plan;
    atemi_strike_options         options = atemi_strike_options_default();
    options.start = before ? atemi_strike_plan_values(before) : NULL;
    options.starts = before ? 1 : scenario->starts;
    options.patience = before ? 0 : scenario->patience;
    options.seed = (unsigned)scenario->seed;
    options.iterations = scenario->iterations;
    options.progress = on_progress;
    options.context = rounds;
    options.worst = &rounds->worst;
    options.clock = seconds;
    return adopt(rounds, atemi_strike_plan_make(&scenario->task, &options, plan, error), error);
}

// ---- Verification

static atemi_status verify(const strike_rounds *rounds, atemi_strike_round *round,
                           atemi_error *error)
{
    const atemi_strike_scenario *scenario = &rounds->run->scenario;
    if (!scenario->verify || !atemi_strike_round_feasible(round)) {
        return ATEMI_OK;
    }
    atemi_job_tell(rounds->hooks, "by full dynamics");
    atemi_job_goes_on(rounds->hooks, planning);
    const atemi_status status = atemi_strike_verify(
        scenario, rounds->hooks, &round->motion, round->target.place, &round->verification, error);
    rounds->run->stopped = rounds->run->stopped || round->verification.stopped;
    return status;
}

// ---- Rounds

// Where no strike meets all constraints, the nearest may be in a posture whose blow never ends.
static atemi_status estimate(const atemi_strike_scenario *scenario, atemi_strike_round *round,
                             atemi_error *error)
{
    const atemi_status status =
        atemi_strike_estimate_make(scenario, round->plan, &round->motion, &round->estimate, error);
    if (status && status != ATEMI_ERROR_MEMORY && !atemi_strike_plan_feasible(round->plan)) {
        round->estimate = (atemi_strike_estimate){0};
        *error = (atemi_error){0};
        return ATEMI_OK;
    }
    return status;
}

static atemi_status make_round(strike_rounds *rounds, atemi_strike_round *round, atemi_error *error)
{
    const atemi_strike_scenario *scenario = &rounds->run->scenario;
    *round = (atemi_strike_round){0};
    atemi_status status = plan(rounds, &round->plan, error);
    if (!status) {
        status = atemi_strike_motion_make(round->plan, scenario->step, &round->motion, error);
        memcpy(rounds->last.peaks, round->motion.peaks, sizeof rounds->last.peaks);
    }
    if (!status) {
        status = atemi_strike_overlaps_find(scenario->robot.model, &round->motion, &round->overlaps,
                                            error);
    }
    if (!status) {
        status = estimate(scenario, round, error);
    }
    if (!status) {
        status = atemi_strike_target_find(&scenario->task, atemi_strike_plan_q(round->plan), 0.0,
                                          &round->target, error);
    }
    return status ? status : verify(rounds, round, error);
}

bool atemi_strike_round_feasible(const atemi_strike_round *round)
{
    return atemi_strike_plan_feasible(round->plan) && atemi_strike_motion_feasible(&round->motion);
}

static bool is_verified(const atemi_strike_round *round)
{
    return round->verification.count > 0;
}

static bool stands(const atemi_strike_round *round)
{
    return is_verified(round) && atemi_strike_stands(&round->verification);
}

static bool feet_hold(const atemi_strike_round *round)
{
    const atemi_full_blow_result *r = &round->verification.result;
    return stands(round) && r->lift_offs == 0 && r->slips == 0;
}

// How well it went: limits are kept, then the robot stands, then its feet hold.
static int rank_of(const atemi_strike_round *round)
{
    return atemi_strike_round_feasible(round) + stands(round) + feet_hold(round);
}

static bool has_bounded_feet(const atemi_strike_task *task)
{
    return isfinite(task->friction) || isfinite(task->travel_friction);
}

// Whether another plan could do better: limits were exceeded, or feet did not hold.
static bool can_do_better(const atemi_strike_run *run)
{
    const atemi_strike_round *round = &run->round;
    return atemi_strike_plan_feasible(round->plan) &&
           (!atemi_strike_motion_feasible(&round->motion) ||
            (is_verified(round) && !feet_hold(round) && has_bounded_feet(&run->scenario.task)));
}

static void give_feet_room(atemi_strike_task *task)
{
    task->reserve += less_friction * (1.0 - task->reserve);
    task->edge_margin += more_edge;
    task->impact_margin += more_margin;
    task->motion_margin += more_margin;
}

// Less of what the motion exceeded between the instants that the plan looks at.
static void give_motion_room(atemi_strike_task *task, const atemi_strike_motion *motion)
{
    const atemi_strike_peak *peaks = motion->peaks;
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_POSITION)) {
        task->travel_margin -= spare * peaks[ATEMI_DEMAND_POSITION].value;
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_SPEED)) {
        const double less = 1.0 + spare * (peaks[ATEMI_DEMAND_SPEED].value - 1.0);
        task->leg_speed /= less;
        task->other_speed /= less;
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_EFFORT)) {
        task->torque_part /= 1.0 + spare * (peaks[ATEMI_DEMAND_EFFORT].value - 1.0);
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_BALANCE)) {
        task->motion_margin -= spare * peaks[ATEMI_DEMAND_BALANCE].value;
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_FRICTION)) {
        task->reserve += less_friction * (1.0 - task->reserve);
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_TARGET)) {
        task->clearance -= spare * peaks[ATEMI_DEMAND_TARGET].value;
    }
}

static atemi_status go_on(strike_rounds *rounds, atemi_error *error)
{
    atemi_strike_run  *run = rounds->run;
    atemi_strike_round next;
    if (atemi_strike_motion_feasible(&rounds->last)) {
        give_feet_room(&run->scenario.task);
    } else {
        give_motion_room(&run->scenario.task, &rounds->last);
    }
    const atemi_status status = make_round(rounds, &next, error);
    if (!status && rank_of(&next) > rank_of(&run->round)) {
        const atemi_strike_round before = run->round;
        run->round = next;
        next = before;
    }
    atemi_strike_round_destroy(&next);
    return status;
}

// How long planning took is no result: it is another one every time.
static void tell_times(const atemi_job_hooks *hooks, const atemi_strike_plan *plan)
{
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    const atemi_strike_times  *t = &f.times;
    const double               part = 100.0 / fmax(t->total, 1e-9);
    atemi_job_tell(hooks,
                   "%.3g s, %.2g ms an evaluation: posture %.0f %%, rates %.0f %%, ZMP %.0f %%, "
                   "ways %.0f %%, blow %.0f %%, solver %.0f %%",
                   t->total, 1e3 * (t->total - t->solver) / fmax(f.evaluations, 1.0),
                   part * t->posture, part * t->rates, part * t->zmp, part * t->motion,
                   part * t->blow, part * t->solver);
}

atemi_status atemi_strike_rounds(atemi_strike_run *run, const atemi_job_hooks *hooks,
                                 atemi_scenario_reader *reader, atemi_error *error)
{
    strike_rounds rounds = {.run = run, .hooks = hooks, .reader = reader};
    atemi_status  status = make_round(&rounds, &run->round, error);
    run->rounds = 1;
    while (!status && !run->stopped && run->rounds < run->scenario.rounds && can_do_better(run)) {
        status = go_on(&rounds, error);
        ++run->rounds;
    }
    if (!status) {
        tell_times(hooks, run->round.plan);
    }
    return status;
}

void atemi_strike_round_destroy(atemi_strike_round *round)
{
    atemi_strike_verification_destroy(&round->verification);
    atemi_strike_motion_destroy(&round->motion);
    atemi_strike_plan_destroy(round->plan);
}
