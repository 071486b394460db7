// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "atemi/base.h"
#include "plan/motion/strike_motion.h"
#include "plan/touch/strike_estimate.h"

#include <math.h>
#include <string.h>

// The estimate of a blow is that of a frozen posture that ends with the blow. What the blow leaves
// behind, a robot off its reference that its servos pull back, may lift an edge of a foot
// after it. So the plan may use less friction, edges of soles and support polygon, and is made
// again.
//
// Where a draw of what is in doubt does not hold, the plan is made again for that case as well.
//
// A plan looks at some instants of its motion only. Where the motion exceeds a limit between them,
// the plan is made again with less of what was exceeded, by as much.

static const double less_friction = 0.1; // of what the plan before was allowed
static const double more_edge = 0.005;   // m
static const double more_margin = 0.01;  // of the ZMP, m
static const double spare = 1.1;         // of what was exceeded
static const double least_worth = 0.5;   // of the objective of the attempt before

typedef struct work {
    atemi_strike_task                   task; ///< with more margins in each attempt
    const atemi_strike_attempt_options *options;
    atemi_strike_attempts              *result;
    bool                                has_margin; ///< more of it than the attempt before
    atemi_strike_motion last; ///< of the attempt before: what it asked for, without its arrays
} work;

// ---- Planning

static bool on_progress(void *context, double done, double objective, double violation)
{
    work                       *w = (work *)context;
    const atemi_strike_options *search = &w->options->search;
    if (search->progress && !search->progress(search->context, done, objective, violation)) {
        w->result->stopped = true;
    }
    return !w->result->stopped;
}

// One for another case is looked for from where the one before was. With other margins the hardest
// strike may be anywhere: a search from there alone would end at whichever optimum is near, and
// that hangs on where the one before was, down to its rounding.
static atemi_status plan(work *w, atemi_strike_plan **plan, atemi_error *error)
{
    const atemi_strike_plan *before = w->result->best.plan;
    atemi_strike_options     options = w->options->search;
    if (before) {
        options.start = atemi_strike_plan_values(before);
    }
    if (before && !w->has_margin) {
        options.starts = 1;
        options.patience = 0;
    }
    options.progress = on_progress;
    options.context = w;
    return atemi_strike_plan_make(&w->task, &options, plan, error);
}

// ---- Verification

static bool on_verifying(void *context)
{
    const work *w = (const work *)context;
    return !w->options->verifying || w->options->verifying(w->options->context, false);
}

static atemi_status verify(work *w, atemi_strike_attempt *attempt, atemi_error *error)
{
    const atemi_strike_attempt_options *options = w->options;
    if (!options->verify || !atemi_strike_attempt_feasible(attempt)) {
        return ATEMI_OK;
    }
    if (options->verifying) {
        options->verifying(options->context, true);
    }
    const atemi_strike_verify_options how = {.friction = options->friction,
                                             .place = attempt->target.place,
                                             .goes_on = on_verifying,
                                             .context = w};
    const atemi_status                status =
        atemi_strike_verify(&w->task, &attempt->motion, &how, &attempt->verification, error);
    w->result->stopped = w->result->stopped || attempt->verification.stopped;
    return status;
}

// ---- What is in doubt

static atemi_status draw(work *w, atemi_strike_attempt *attempt, atemi_error *error)
{
    const atemi_strike_attempt_options *options = w->options;
    if (!options->verify || w->result->stopped || !atemi_strike_attempt_feasible(attempt)) {
        return ATEMI_OK;
    }
    const atemi_strike_draw_options how = {.draws = options->draws,
                                           .full = options->full_draws,
                                           .seed = options->search.seed,
                                           .friction = options->friction,
                                           .goes_on = on_verifying,
                                           .context = w};
    const atemi_status status = atemi_strike_draws_make(&w->task, attempt->plan, &attempt->motion,
                                                        &how, &attempt->draws, error);
    w->result->stopped = w->result->stopped || attempt->draws.stopped;
    return status;
}

// ---- An attempt

// Where no strike meets all constraints, the nearest may be in a posture whose blow never ends.
static atemi_status estimate(const work *w, atemi_strike_attempt *attempt, atemi_error *error)
{
    const atemi_status status =
        strike_estimate_make(&w->task, attempt->plan, &attempt->motion, &attempt->estimate, error);
    if (status && status != ATEMI_ERROR_MEMORY && !atemi_strike_plan_feasible(attempt->plan)) {
        attempt->estimate = (atemi_strike_estimate){0};
        *error = (atemi_error){0};
        return ATEMI_OK;
    }
    return status;
}

static atemi_status make(work *w, atemi_strike_attempt *attempt, atemi_error *error)
{
    *attempt = (atemi_strike_attempt){0};
    atemi_status status = plan(w, &attempt->plan, error);
    if (!status) {
        status = atemi_strike_motion_make(attempt->plan, w->options->motion_step, &attempt->motion,
                                          error);
        memcpy(w->last.peaks, attempt->motion.peaks, sizeof w->last.peaks);
    }
    if (!status) {
        status =
            atemi_strike_overlaps_find(w->task.model, &attempt->motion, &attempt->overlaps, error);
        attempt->collides = isfinite(w->task.self_clearance) && attempt->overlaps.count > 0;
    }
    if (!status) {
        status = estimate(w, attempt, error);
    }
    if (!status) {
        status = atemi_strike_target_find(&w->task, atemi_strike_plan_q(attempt->plan), 0.0,
                                          &attempt->target, error);
    }
    status = status ? status : verify(w, attempt, error);
    return status ? status : draw(w, attempt, error);
}

static void destroy(atemi_strike_attempt *attempt)
{
    atemi_strike_verification_destroy(&attempt->verification);
    atemi_strike_motion_destroy(&attempt->motion);
    atemi_strike_plan_destroy(attempt->plan);
}

// ---- All attempts

bool atemi_strike_attempt_feasible(const atemi_strike_attempt *attempt)
{
    return atemi_strike_plan_feasible(attempt->plan) &&
           atemi_strike_motion_feasible(&attempt->motion) && !attempt->collides;
}

static bool is_verified(const atemi_strike_attempt *attempt)
{
    return attempt->verification.count > 0;
}

static bool stands(const atemi_strike_attempt *attempt)
{
    return is_verified(attempt) && atemi_strike_stands(&attempt->verification);
}

static bool feet_hold(const atemi_strike_attempt *attempt)
{
    const atemi_full_blow_result *r = &attempt->verification.result;
    return stands(attempt) && r->lift_offs == 0 && r->slips == 0;
}

static bool all_hold(const atemi_strike_rate *rate)
{
    return rate->successes == rate->draws;
}

static bool draws_hold(const atemi_strike_attempt *attempt)
{
    return all_hold(&attempt->draws.holds);
}

static bool feet_hold_in_draws(const atemi_strike_attempt *attempt)
{
    return all_hold(&attempt->draws.still);
}

// How well it went: limits are kept, then the robot stands, then its feet hold, then all draws do.
static int rank_of(const atemi_strike_attempt *attempt)
{
    const bool holds = feet_hold(attempt);
    return atemi_strike_attempt_feasible(attempt) + stands(attempt) + holds +
           (holds && draws_hold(attempt)) + (holds && feet_hold_in_draws(attempt));
}

static bool has_bounded_feet(const atemi_strike_task *task)
{
    return isfinite(task->friction) || isfinite(task->travel_friction);
}

// Whether another plan could do better: limits were exceeded, or feet did not hold.
static bool can_do_better(const work *w)
{
    const atemi_strike_attempt *attempt = &w->result->best;
    return atemi_strike_plan_feasible(attempt->plan) &&
           (!atemi_strike_motion_feasible(&attempt->motion) || attempt->collides ||
            (is_verified(attempt) && !(feet_hold(attempt) && feet_hold_in_draws(attempt)) &&
             has_bounded_feet(&w->task)) ||
            !draws_hold(attempt));
}

static void give_feet_margin(atemi_strike_task *task)
{
    task->reserve += less_friction * (1.0 - task->reserve);
    task->edge_margin += more_edge;
    task->impact_margin += more_margin;
    task->motion_margin += more_margin;
}

// How much is exceeded, but no more than a step: a motion that has become singular exceeds
// everything by any amount.
static double step_of(double excess, double most)
{
    return fmin(spare * excess, most);
}

// Less of what the motion exceeded between the instants that the plan looks at.
static void give_motion_margin(atemi_strike_task *task, const atemi_strike_motion *motion)
{
    const atemi_strike_peak *peaks = motion->peaks;
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_POSITION)) {
        task->travel_margin += step_of(-peaks[ATEMI_DEMAND_POSITION].value, strike_most_range);
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_SPEED)) {
        const double less = 1.0 + step_of(peaks[ATEMI_DEMAND_SPEED].value - 1.0, strike_most_part);
        task->leg_speed /= less;
        task->other_speed /= less;
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_EFFORT)) {
        task->effort_fraction /=
            1.0 + step_of(peaks[ATEMI_DEMAND_EFFORT].value - 1.0, strike_most_part);
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_BALANCE)) {
        task->motion_margin += step_of(-peaks[ATEMI_DEMAND_BALANCE].value, strike_most_margin);
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_FRICTION)) {
        task->reserve += less_friction * (1.0 - task->reserve);
    }
    if (!atemi_strike_motion_keeps(motion, ATEMI_DEMAND_TARGET)) {
        task->clearance += step_of(-peaks[ATEMI_DEMAND_TARGET].value, more_margin);
    }
}

// More distance of links that go through each other between the instants that the plan looks at.
static void give_links_margin(atemi_strike_task *task, const atemi_strike_overlaps *overlaps)
{
    task->self_clearance = fmax(task->self_clearance, 0.0) + spare * overlaps->list[0].depth;
}

// The cases and the pairs of links that the plan before was made for, and the draw that went worst.
static void keep_cases(work *w, const atemi_strike_attempt *before)
{
    w->task.case_count = atemi_strike_plan_case_count(before->plan);
    for (int i = 0; i < w->task.case_count; ++i) {
        w->task.cases[i] = *atemi_strike_plan_case(before->plan, i);
    }
    w->task.pair_count = atemi_strike_plan_pair_count(before->plan);
    for (int i = 0; i < w->task.pair_count; ++i) {
        memcpy(w->task.pairs[i], atemi_strike_plan_pair(before->plan, i), sizeof w->task.pairs[i]);
    }
    if (!draws_hold(before) && w->task.case_count < ATEMI_STRIKE_MAX_CASES) {
        w->task.cases[w->task.case_count++] = before->draws.worst;
    }
}

// Feet hold under a robot that hardly strikes: what is gained by that, or by a search that stalled,
// is no better strike.
static bool is_worth_it(const atemi_strike_attempt *next, const atemi_strike_attempt *before)
{
    return !atemi_strike_attempt_feasible(before) ||
           (atemi_strike_plan_optimal(next->plan) &&
            atemi_strike_plan_figures(next->plan).objective >
                least_worth * atemi_strike_plan_figures(before->plan).objective);
}

// Of what went wrong, but for a draw that does not hold: that becomes a case.
static void give_margin(work *w)
{
    const atemi_strike_attempt *best = &w->result->best;
    const bool                  holds = feet_hold(best) && feet_hold_in_draws(best);
    w->has_margin = true;
    if (!atemi_strike_motion_feasible(&w->last)) {
        give_motion_margin(&w->task, &w->last);
    } else if (best->collides) {
        give_links_margin(&w->task, &best->overlaps);
    } else if (!holds || draws_hold(best)) {
        give_feet_margin(&w->task);
    } else {
        w->has_margin = false;
    }
}

static atemi_status attempt_again(work *w, atemi_error *error)
{
    atemi_strike_attempt next, *best = &w->result->best;
    give_margin(w);
    keep_cases(w, best);
    const atemi_status status = make(w, &next, error);
    if (!status && rank_of(&next) > rank_of(best) && is_worth_it(&next, best)) {
        const atemi_strike_attempt before = *best;
        *best = next;
        next = before;
    }
    destroy(&next);
    return status;
}

atemi_strike_attempt_options atemi_strike_attempt_options_default(void)
{
    return (atemi_strike_attempt_options){.search = atemi_strike_options_default(),
                                          .attempts = 1,
                                          .motion_step = 1e-3,
                                          .verify = true,
                                          .friction = 0.8,
                                          .draws = 1000,
                                          .full_draws = 20};
}

atemi_status atemi_strike_attempts_make(const atemi_strike_task            *task,
                                        const atemi_strike_attempt_options *options,
                                        atemi_strike_attempts *attempts, atemi_error *error)
{
    ATEMI_REQUIRE_OR(task && attempts, ATEMI_ERROR_CONTRACT);
    const atemi_strike_attempt_options usual = atemi_strike_attempt_options_default();
    work w = {.task = *task, .options = options ? options : &usual, .result = attempts};
    *attempts = (atemi_strike_attempts){.count = 1};
    atemi_status status = make(&w, &attempts->best, error);
    while (!status && !attempts->stopped && attempts->count < w.options->attempts &&
           can_do_better(&w)) {
        status = attempt_again(&w, error);
        ++attempts->count;
    }
    return status;
}

void atemi_strike_attempts_destroy(atemi_strike_attempts *attempts)
{
    destroy(&attempts->best);
    *attempts = (atemi_strike_attempts){0};
}
