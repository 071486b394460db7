// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_search.h"

#include "atemi/simulation_batch.h"
#include "math/random.h"
#include "plan/search/strike_starts.h"

#include <math.h>
#include <string.h>

// Strikes have many local optima, which differ in the ends of ranges that they are at. From the
// best that is known, moved by a random hop, a search often ends at a better one; it is kept, and
// after many hops in a row without any, it is over: monotonic basin hopping [WalesDoye97].
//
// Searches from the task's own start and from others spread over the ranges go over a rough grid,
// and the hardest of their ends is where the first one over the fine grid begins. A hop goes over
// the rough grid first (strike_try.c). Some optima of the fine grid are found by no search over the
// rough one: every other two hops go over the fine grid at once, and only those count when it is
// over. In the end one search goes on from the best, as far as it goes.
//
// A start is almost at rest, where the constraints are those of the posture alone; a hop is nearly
// as fast as where it comes from.
//
// Tries are pieces of a line (work_line.h): each begins with what is known after the one
// WORK_LINE_LAG before it, so that the answer does not depend on the number of threads.

enum { HOPELESS = 10 };   // starts of which none is feasible
enum { MOST_DRAWS = 10 }; // of a start or a hop, until the legs reach

static const double at_first[2] = {0.2, 0.5}; // of the speeds of starts, in turn
static const double after_hop = 0.8;          // of the speeds

// ---- What is known

static bool has_ended(const strike_search *s)
{
    return s->stopped || s->cut_off;
}

// As many searches as there may be. They are counted in their order, so that the answer depends
// neither on the number of threads nor on how fast the machine is.
static bool may_go_on(strike_search *s)
{
    const int most = s->options.searches;
    s->is_spent = s->is_spent || (most > 0 && s->attempts >= most);
    return !s->is_spent && !has_ended(s);
}

static bool is_feasible(const strike_search *s, const strike_standing *known)
{
    return known->best.score.violation <= s->options.tolerance;
}

static bool is_sound(const strike_search *s, const strike_standing *known)
{
    return strike_candidate_is_sound(&known->best, s->options.tolerance);
}

// Whether a search over the rough grid met all constraints.
static bool is_known_roughly(const strike_standing *known)
{
    return known->hardest > (double)-INFINITY;
}

// Enough for a stage of starts.
static bool is_known(const strike_search *s, const strike_standing *known)
{
    return s->stays_rough ? is_known_roughly(known) : is_sound(s, known);
}

// After the piece WORK_LINE_LAG before this one.
static const strike_standing *known_to(const strike_search *s, int index)
{
    return &s->history[(index + 1) % (WORK_LINE_LAG + 1)];
}

static void keep_standing(strike_search *s, int index)
{
    s->history[index % (WORK_LINE_LAG + 1)] = s->standing;
}

// @return whether it is harder than the best by more than is left open
static bool adopt_fine(strike_search *s, const strike_try *t)
{
    const strike_candidate *end = &t->fine;
    strike_candidate       *best = &s->standing.best;
    const double            tolerance = s->options.tolerance, before = best->score.objective;
    const double            open = strike_alike * fabs(before);
    const bool              is_first = best->score.violation > tolerance;
    const bool              is_met = end->score.violation <= tolerance;
    const bool              is_better = strike_candidate_is_better(end, best, tolerance);
    const bool              mends = best->is_singular && !end->is_singular;
    const bool              is_harder =
        is_met && is_better && (is_first || mends || end->score.objective > before + open);
    const bool is_same =
        t->came_back || (is_met && !is_first && fabs(end->score.objective - before) <= open);
    s->agreeing = is_harder ? 1 : s->agreeing + (is_same && !t->is_whole);
    s->feasible += is_met || t->came_back;
    if (is_better) {
        *best = *end;
        s->objective = is_feasible(s, &s->standing) ? best->score.objective : (double)-INFINITY;
    }
    return is_harder;
}

// The ends over the rough grid from where others have gone on.
static void follow(strike_standing *standing, const strike_candidate *rough)
{
    standing->followed[standing->follow_count++ % STRIKE_FOLLOWED] = *rough;
}

// @return whether it is harder than the best by more than is left open
static bool adopt(strike_search *s, const strike_try *t)
{
    strike_standing *standing = &s->standing;
    bool             is_harder = false;
    s->evaluations += t->evaluations;
    s->gradients += t->gradients;
    ++s->attempts;
    if (t->has_fine) {
        is_harder = adopt_fine(s, t);
    } else {
        s->feasible += t->met;
    }
    if (t->is_rough) {
        s->agreeing += t->met && t->alike;
    }
    if (t->is_rough && t->has_fine && !t->fine.is_singular) {
        follow(standing, &t->rough);
        standing->hardest = fmax(standing->hardest, t->rough.score.objective);
        standing->source = is_harder ? t->rough : standing->source;
    } else if (t->stays_rough && t->is_hard && t->rough.score.objective > standing->hardest) {
        standing->hardest = t->rough.score.objective;
        standing->source = t->rough;
    }
    return is_harder;
}

// ---- Tries

static strike_try *try_at(strike_search *s, int index)
{
    return &s->tries[index % WORK_LINE_LAG];
}

static double now(const strike_search *s)
{
    return s->options.clock ? s->options.clock() : 0.0;
}

// The start with that index; 0 is the task's own, or one of a plan that was made before, as fast as
// it is.
static void find_start(const strike_search *s, int index, double *x)
{
    const strike_variables *variables = &s->rough_problem.variables;
    strike_start(variables, index, s->options.seed, x);
    if (index == 0 && s->options.start) {
        memcpy(x, s->options.start, (size_t)variables->count * sizeof *x);
    } else {
        strike_slow_down(variables, at_first[index % 2], x);
    }
}

static void draw(const strike_search *s, int again, strike_try *t)
{
    const strike_variables *variables = &s->rough_problem.variables;
    if (t->is_hop) {
        memcpy(t->x, t->known.best.x, sizeof t->x);
        strike_hop(variables, t->turn, &t->random, t->x);
        strike_slow_down(variables, after_hop, t->x);
    } else {
        find_start(s, t->turn + HOPELESS * again, t->x);
    }
}

// Where a try begins: if it may, where the feet stand.
static void find_place(const strike_search *s, const strike_worker *w, strike_try *t)
{
    const bool may_choose = t->is_hop || t->turn > 0;
    int        again = 0;
    do {
        draw(s, again++, t);
    } while (may_choose && again < MOST_DRAWS &&
             !strike_problem_stands(&s->rough_problem, t->x, &w->rough->scaled.work));
}

static void run_try(strike_search *s, strike_try *t, int worker)
{
    const strike_worker *w = &s->workers[worker];
    const double         begin = now(s);
    w->fine->scaled.stopped = w->rough->scaled.stopped = false;
    strike_try_run(w, t);
    s->crew[worker].busy += now(s) - begin;
}

static void on_try(void *context, int index, int worker)
{
    strike_search *s = (strike_search *)context;
    strike_try    *t = try_at(s, index);
    find_place(s, &s->workers[worker], t);
    run_try(s, t, worker);
}

static void on_end(void *context)
{
    ((strike_search *)context)->is_over = true;
}

// Tries all pieces of a stage.
static void try_all(strike_search *s, bool (*begin)(void *, int), bool (*take_over)(void *, int))
{
    const work_line line = {begin, on_try, take_over, on_end, s};
    for (int i = 0; i <= WORK_LINE_LAG; ++i) {
        s->history[i] = s->standing;
    }
    s->is_over = false;
    work_line_run(&line, s->threads);
}

static void report_done(strike_search *s, double from, double to, double fraction)
{
    s->done = from + (to - from) * fmin(fraction, 1.0);
}

// ---- Starts

static bool begin_start(void *context, int index)
{
    strike_search *s = (strike_search *)context;
    strike_try    *t = try_at(s, index);
    const int      k = s->first + index;
    t->known = *known_to(s, index);
    if (k >= s->end || s->is_spent || has_ended(s) || (s->first > 0 && is_known(s, &t->known))) {
        return false;
    }
    report_done(s, 0.0, 0.3, (double)k / s->options.starts);
    t->is_rough = true;
    t->stays_rough = s->stays_rough;
    t->is_hop = false;
    t->turn = k;
    return true;
}

static bool take_start(void *context, int index)
{
    strike_search *s = (strike_search *)context;
    (void)adopt(s, try_at(s, index));
    keep_standing(s, index);
    return may_go_on(s);
}

static void try_starts(strike_search *s, int first, int end)
{
    s->first = first;
    s->end = end;
    try_all(s, begin_start, take_start);
}

// One search over the fine grid.
// @param x where it begins, or NULL for the task's own start
static void try_alone(strike_search *s, const double *x, bool is_whole)
{
    strike_try *t = try_at(s, 0);
    t->known = s->standing;
    t->is_rough = t->is_hop = t->stays_rough = false;
    t->is_whole = is_whole;
    s->is_over = false;
    if (x) {
        memcpy(t->x, x, sizeof t->x);
    } else {
        find_start(s, 0, t->x);
    }
    run_try(s, t, 0);
    (void)adopt(s, t);
    t->is_whole = false;
}

// From all starts over the rough grid, and from the hardest of their ends over the fine one. Where
// that leads nowhere, from all others as well.
static void try_all_starts(strike_search *s)
{
    s->stays_rough = true;
    try_starts(s, 0, s->options.starts);
    try_starts(s, s->options.starts, HOPELESS);
    s->stays_rough = false;
    if (is_known_roughly(&s->standing) && !has_ended(s)) {
        const strike_candidate source = s->standing.source;
        try_alone(s, source.x, false);
        if (is_sound(s, &s->standing)) {
            follow(&s->standing, &source);
        } else {
            s->standing.hardest = -INFINITY;
            try_starts(s, 0, s->options.starts);
            try_starts(s, s->options.starts, HOPELESS);
        }
    }
}

// ---- Hops

// Of both kinds of hops in turn.
static bool goes_roughly(int turn)
{
    return turn % 4 < 2;
}

static bool begin_hop(void *context, int index)
{
    strike_search *s = (strike_search *)context;
    strike_try    *t = try_at(s, index);
    if (has_ended(s)) {
        return false;
    }
    report_done(s, 0.3, 1.0, (double)s->failures / s->options.patience);
    t->known = *known_to(s, index);
    t->is_rough = goes_roughly(index);
    t->stays_rough = false;
    t->is_hop = true;
    t->turn = index;
    t->random = random_bits_next(&s->random);
    return true;
}

static bool take_hop(void *context, int index)
{
    strike_search    *s = (strike_search *)context;
    const strike_try *t = try_at(s, index);
    const bool        is_harder = adopt(s, t);
    keep_standing(s, index);
    s->failures = is_harder ? 0 : s->failures + !t->is_rough;
    return s->failures < s->options.patience && may_go_on(s);
}

// ---- The search

// So that there is something, whenever the user stops.
static void look_at_own_start(strike_search *s)
{
    strike_scaled *scaled = &s->fine->scaled;
    double         x[ATEMI_STRIKE_MAX_VARIABLES], u[ATEMI_STRIKE_MAX_VARIABLES];
    find_start(s, 0, x);
    strike_scaled_begin(scaled);
    strike_scaled_variables(scaled, x, u);
    strike_scaled_look(scaled, u);
    s->standing.best = strike_solver_end(s->fine);
    s->standing.best.is_optimum = false;
    ++s->evaluations;
}

static void run(strike_search *s)
{
    const bool can_hop = s->options.patience > 0 && strike_can_hop(&s->rough_problem.variables);
    const bool is_wide = s->options.starts > 1 || can_hop;
    if (is_wide && s->rough_problem.variables.count > 0) {
        look_at_own_start(s);
        try_all_starts(s);
        if (can_hop && is_feasible(s, &s->standing) && may_go_on(s)) {
            try_all(s, begin_hop, take_hop);
        }
    }
    if (!has_ended(s)) {
        try_alone(s, is_feasible(s, &s->standing) ? s->standing.best.x : NULL, true);
    }
}

// What was computed in vain, more or less of it by the number of threads, does not count.
static void tell_meter(strike_search *s, int evaluations, int gradients)
{
    strike_scaled *scaled = &s->fine->scaled;
    strike_meter  *meter = scaled->work.meter;
    meter->evaluations = evaluations + s->evaluations;
    scaled->gradients = gradients + s->gradients;
    for (int i = 1; i < s->threads; ++i) {
        const strike_crew_member *member = &s->crew[i];
        const atemi_strike_times *times = &member->meter.times;
        meter->times.posture += times->posture;
        meter->times.velocities += times->velocities;
        meter->times.motion += times->motion;
        meter->times.blow += times->blow;
        meter->times.zmp += times->zmp;
        meter->times.solver += member->busy;
    }
}

void strike_search_run(strike_search *s)
{
    const atemi_strike_options *options = s->fine->scaled.options;
    const int                   evaluations = s->fine->scaled.work.meter->evaluations;
    const int                   gradients = s->fine->scaled.gradients;
    s->fine->scaled.options = &s->crew[0].fine_options;
    run(s);
    s->fine->scaled.options = options;
    s->fine->scaled.stopped = has_ended(s);
    tell_meter(s, evaluations, gradients);
}

// ---- Progress

static bool goes_on(strike_search *s)
{
    if (s->options.clock && s->options.clock() > s->deadline) {
        s->cut_off = true;
    }
    return !s->is_over && !has_ended(s);
}

// In the caller's thread, who is told what is known on the fine grid.
static bool on_progress(void *context, double done, double objective, double violation)
{
    strike_search              *s = (strike_search *)context;
    const atemi_strike_options *o = &s->options;
    (void)done;
    if (o->progress) {
        const bool is_better = s->objective > objective || violation > s->options.tolerance;
        const bool is_known = isfinite(s->objective) && is_better;
        if (o->worst && is_known) {
            *o->worst = NULL;
        }
        s->stopped = s->stopped ||
                     !o->progress(o->context, s->done, is_known ? (double)s->objective : objective,
                                  is_known ? 0.0 : violation);
    }
    return goes_on(s);
}

// Of worker 0: what is known on the fine grid.
static bool on_rough_progress(void *context, double done, double objective, double violation)
{
    strike_search *s = (strike_search *)context;
    (void)done;
    (void)objective;
    (void)violation;
    return strike_scaled_goes_on(&s->fine->scaled);
}

static bool on_progress_elsewhere(void *context, double done, double objective, double violation)
{
    (void)done;
    (void)objective;
    (void)violation;
    return goes_on((strike_search *)context);
}

// ---- Creation

// As many as there are processors, if the user has no wish.
static int find_threads(int wish)
{
    const int threads = wish > 0 ? wish : atemi_parallel_processors();
    return threads > WORK_LINE_LAG ? WORK_LINE_LAG : threads;
}

static atemi_status create_worker(strike_search *s, int i, atemi_error *error)
{
    strike_crew_member *member = &s->crew[i];
    strike_meter       *meter = i == 0 ? s->fine->scaled.work.meter : &member->meter;
    member->meter.clock = s->options.clock;
    member->fine_options = s->options;
    member->fine_options.context = s;
    member->fine_options.progress = i == 0 ? on_progress : on_progress_elsewhere;
    member->fine_options.worst = i == 0 ? s->options.worst : NULL;
    member->rough_options = member->fine_options;
    member->rough_options.tolerance = strike_rough_tolerance;
    member->rough_options.worst = NULL;
    member->rough_options.progress = i == 0 ? on_rough_progress : on_progress_elsewhere;
    s->workers[i] =
        (strike_worker){i == 0 ? s->fine : &member->fine, &member->rough, s->options.tolerance};
    const atemi_status status = strike_solver_create(&s->rough_problem, meter,
                                                     &member->rough_options, &member->rough, error);
    return status || i == 0 ? status
                            : strike_solver_create(s->fine->scaled.problem, meter,
                                                   &member->fine_options, &member->fine, error);
}

atemi_status strike_search_create(strike_solver *fine, const atemi_strike_options *options,
                                  strike_search *s, atemi_error *error)
{
    const atemi_strike_task *task = &fine->scaled.problem->setup.task;
    *s = (strike_search){.fine = fine,
                         .options = *options,
                         .deadline = INFINITY,
                         .threads = find_threads(options->threads),
                         .random = options->seed,
                         .objective = -INFINITY};
    s->standing.best.score = strike_score_none();
    s->standing.hardest = -INFINITY;
    if (options->clock) {
        s->deadline = options->clock() + options->budget;
    }
    atemi_status status = strike_problem_create(task, &strike_rough_grid, fine->scaled.work.meter,
                                                &s->rough_problem, error);
    for (int i = 0; !status && i < s->threads; ++i) {
        status = create_worker(s, i, error);
    }
    return status;
}

void strike_search_destroy(strike_search *s)
{
    for (int i = 0; i < s->threads; ++i) {
        strike_solver_destroy(&s->crew[i].rough);
        strike_solver_destroy(&s->crew[i].fine);
    }
    strike_problem_destroy(&s->rough_problem);
}
